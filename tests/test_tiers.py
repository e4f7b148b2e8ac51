"""The tiers of tests: their contents and their documentation."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from edge_envs import GAMES, Game
from tests import tiers
from tests.contract.cases import case_name, games
from tests.programs import ROOT


def contract_tests() -> list[str]:
    """Return the contract tests that run over all cases, except slow ones."""
    found = [
        f"tests/contract/{file.name}::{node.name}"
        for file in ROOT.glob("tests/contract/test_*.py")
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and "game" in {argument.arg for argument in node.args.args}
    ]
    return [test for test in found if not tiers.is_slow(test, tiers.whole_duration(test))]


def cases_of(test: str) -> list[Game]:
    """Return the cases with which the tier `test` runs a contract test."""
    cases = tiers.share(games(), test.partition("::")[2], "test")
    return [cases[i] for i in tiers.spread(len(cases), tiers.whole_duration(test), tiers.turn_of(test))]


def test_tests_of_the_tier_test_together_cover_every_case() -> None:
    met = Counter(case_name(game) for test in contract_tests() for game in cases_of(test))
    assert met.keys() == {case_name(game) for game in games()}
    assert min(met.values()) >= 5


def test_tier_check_has_plain_cases_and_tier_all_has_all_cases() -> None:
    plain = tiers.share(games(), "test_anything", "check")
    assert len(plain) == len({game.name for game in games()}) == len({game.name for game in plain})
    assert tiers.share(games(), "test_anything", "all") == list(games())
    assert set(plain) < set(tiers.share(games(), "test_anything", "test")) < set(games())


def test_with_slow_cases_is_slow_unless_essential() -> None:
    assert tiers.is_slow("tests/a.py::test_b", tiers.Duration(2, 2.1 * tiers.MOST, 2.0 * tiers.MOST))
    assert not tiers.is_slow("tests/a.py::test_b", tiers.Duration(2, 2.0 * tiers.MOST, 2.0 * tiers.MOST))
    assert not any(tiers.is_slow(test, tiers.Duration(1, 9.0, 9.0)) for test in tiers.ESSENTIAL)


def test_number_of_cases_is_limited_by_time() -> None:
    duration = tiers.Duration(100, 2 * tiers.MOST_TOGETHER, 0.5)
    assert list(tiers.spread(100, duration)) == list(range(0, 100, 2))
    assert list(tiers.spread(100, duration, turn=7)) == list(range(1, 100, 2))
    assert list(tiers.spread(40, duration)) == list(range(40))
    assert list(tiers.spread(3, tiers.Duration(3, 300.0, 1.0))) == [0]
    assert list(tiers.spread(3, tiers.Duration())) == [0, 1, 2]


def test_tests_that_share_a_slow_fixture_are_slow() -> None:
    for file in tiers.SLOW_FILES:
        assert (ROOT / file).exists()
        assert tiers.is_slow(f"{file}::test_anything", tiers.Duration())


def test_partial_measurements_replace_no_other_figures() -> None:
    before = {"a": tiers.Duration(9, 9.0, 3.0), "b": tiers.Duration(1, 1.0, 1.0)}
    new = {"a": tiers.Duration(2, 1.0, 0.5), "c": tiers.Duration(1, 2.0, 2.0)}
    assert tiers.combined(before, new, whole=False, kept=True) == {**new, **before}
    assert tiers.combined(before, new, whole=True, kept=True) == {**before, **new}
    assert tiers.combined(before, new, whole=True, kept=False) == new


def test_tests_in_the_tables_exist() -> None:
    for test in {*tiers.ESSENTIAL, *tiers.UNCOUNTED, *tiers.SLOW_WHEN_COLD}:
        file, _, name = tiers.function_of(test).partition("::")
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")


def test_slow_cases_are_found_by_a_part_of_their_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "SLOW_CASES", {"tests/a.py": "chess"})
    slow = ("tests/a.py::test_b[chess,size=9]", "tests/a.py::test_b[chess]")
    quick = ("tests/a.py::test_b[go]", "tests/a.py::test_chess", "tests/b.py::test_b[chess]")
    assert all(map(tiers.is_slow_case, slow))
    assert not any(map(tiers.is_slow_case, quick))


def test_files_with_slow_cases_exist() -> None:
    assert [file for file in tiers.SLOW_CASES if not (ROOT / file).is_file()] == []


def test_durations_survive_writing_and_reading() -> None:
    recorder = tiers.Recorder()
    recorder._seconds.update({"tests/a.py::test_b[1]": 1.0, "tests/a.py::test_b[2]": 2.5})
    assert recorder.measured() == {"tests/a.py::test_b": tiers.Duration(2, 3.5, 2.5)}
    assert tiers.as_text(recorder.measured()) == '{\n  "tests/a.py::test_b": [2, 3.50, 2.50]\n}\n'


def test_contributing_contains_the_generated_tables() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert tiers.table(tiers.durations()) in page  # python -m tests.tiers prints both
    assert tiers.slow_tests(tiers.durations()) in page


def test_long_files_exist() -> None:
    assert [file for file in tiers.LONG_FILES if not (ROOT / file).is_file()] == []


def test_each_game_is_searched_by_some_file() -> None:
    files = sorted((ROOT / "tests" / "search").glob("test_*.py"))
    assert {tiers.searched_game(file) for file in files} == set(GAMES)
