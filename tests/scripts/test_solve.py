"""Test `scripts/solve.py` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agents.evaluation import exact
from agents.evaluation.exact import Solved
from edge_envs.core.solver import Contest
from edge_envs.core.solving import resumable
from edge_envs.games.falling_off import solver
from scripts import solve
from scripts.solve import main
from tests.programs import Here, program


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace solving and evaluating policies by stubs."""
    monkeypatch.setattr(exact, "solve_afresh", lambda game, progress: Solved(game, solver.load_solution(), 9.5, 2.5))
    results = [Contest("best_response", "heuristic", 0.5, 0.75)]
    monkeypatch.setattr(solver, "value_contests", lambda progress: results)


def test_json_output_is_a_single_object() -> None:
    done = program("scripts/solve.py", "falling_off", "--json", "--cached")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1
    d = json.loads(done.stdout)
    assert d["first_player_win_probability"] == pytest.approx(0.422028149587, abs=1e-9)
    assert 0.0 < d["error_bound"] <= 1e-9
    assert d["positions"] > 1_000_000
    assert d["seconds"] >= 0.0


@pytest.mark.usefixtures("quick")
def test_it_solves_from_scratch_by_default(here: Here) -> None:
    afresh, cached = (json.loads(here(main, "falling_off", "--json", *more).out) for more in ([], ["--cached"]))
    assert (afresh["seconds"], afresh["compile_seconds"]) == (9.5, 2.5)
    assert cached["seconds"] == 0.0
    same = ("game", "params", "first_player_win_probability", "error_bound", "positions")
    assert [afresh[key] for key in same] == [cached[key] for key in same]
    assert "policies" not in afresh


@pytest.mark.usefixtures("quick")
def test_text_output_has_the_same_content(here: Here) -> None:
    outcome = here(main, "falling_off")
    assert outcome.code == 0
    assert "solved in 9.5 s" in outcome.out
    assert "the first player wins with probability 0.422028149587" in outcome.out
    assert "read from the cache" in here(main, "falling_off", "--cached").out


@pytest.mark.usefixtures("quick")
def test_policies_are_evaluated_on_request(here: Here) -> None:
    d: dict[str, Any] = json.loads(here(main, "falling_off", "--json", "--policies").out)
    assert d["policies"] == [
        {"policy": "best_response", "opponent": "heuristic", "moving_first": 0.5, "moving_second": 0.75, "mean": 0.625}
    ]
    table = here(main, "falling_off", "--policies").out
    for words in ("best response", "heuristic", "moving first", "0.750000000", "0.625000000"):
        assert words in table


@pytest.mark.parametrize(("game", "message"), [("chess", "unknown game 'chess'"), ("kuhn", "no perfect player of")])
def test_unknown_and_unsolved_games_are_one_line_errors(here: Here, game: str, message: str) -> None:
    line = here.fails(main, game, "--json")
    assert message in line
    assert "falling_off" in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["falling_off", "--certificate", "x.npz"], "--certificate requires a game that is solved by search"),
        (["beyond_maps", "--param", "size=5", "--certificate", "none/x.npz"], "none: the folder does not exist"),
        (["beyond_maps", "--param", "size=5", "--certificate", "."], "is a folder; name a file"),
        (
            ["beyond_maps", "--param", "size=6", "--minutes", "0", "--policies"],
            "--policies has no effect with the search",
        ),
        (["beyond_maps", "--check", "x.npz", "--param", "nope=1"], "--param has no effect with --check; leave it out"),
        (["beyond_maps", "--check", "x.npz", "--cached"], "--cached has no effect with --check"),
    ],
)
def test_options_are_checked_before_the_work(
    here: Here, arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve, "_solve", None)
    monkeypatch.setattr(solve, "_search", None)
    assert message in here.fails(main, *arguments)


@pytest.fixture
def small() -> list[str]:
    return ["beyond_maps", "--param", "size=5", "--param", "sea_range=1", "--param", "max_turns=3"]


def test_a_certificate_is_written_and_checked(here: Here, tmp_path: Path, small: list[str]) -> None:
    proof = str(tmp_path / "proof.npz")
    solved = json.loads(here(main, *small, "--certificate", proof, "--json").out)
    assert (solved["first_player_win_probability"], solved["error_bound"]) == (1.0, 0.0)
    checked = json.loads(here(main, "beyond_maps", "--check", proof, "--json").out)
    assert checked["holds"]
    assert checked["params"] == solved["params"]
    assert checked["claims"] == [{"player": 0, "least": 1.0}]
    text = here(main, "beyond_maps", "--check", proof).out
    assert f"{checked['positions']:,} positions" in text
    assert "player 0 wins in beyond_maps with size=5, sea_range=1, " in text
    assert "max_turns=3" in text
    assert "a certificate of beyond_maps" in here.fails(main, "falling_off", "--check", proof)
    Path(proof).write_bytes(Path(proof).read_bytes()[:-30])
    assert "damaged" in here.fails(main, "beyond_maps", "--check", proof)
    assert "cannot be read" in here.fails(main, "beyond_maps", "--check", proof + "x")


def test_a_larger_game_is_searched(here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resumable, "cache_folder", lambda *names: tmp_path)
    large = ["beyond_maps", "--param", "size=6", "--memory", "0.02"]
    d = json.loads(here(main, *large, "--minutes", "0", "--json").out)
    assert (d["low"], d["high"], d["positions"], d["params"]["max_turns"]) == (-1.0, 1.0, 0, 400)
    text = here(main, *large, "--minutes", "0.01").out
    assert "lies between -1 and 1" in text
    assert ", 0 positions" not in text
    assert "open: player 1 wins; work left to prove it " in text
    d = json.loads(here(main, *large, "--minutes", "0", "--json").out)
    assert d["positions"] > 0
    assert set(d["open"]) == {"player 0 wins", "player 1 wins"}
    certificate = str(tmp_path / "proof")
    line = here.fails(main, *large, "--minutes", "0", "--certificate", certificate)
    assert "not known yet" in line
    assert "solved by search" in here.fails(main, "falling_off", "--cached", "--certificate", certificate)


@pytest.mark.parametrize("memory", ["inf", "1e300"])
def test_invalid_memory_is_a_one_line_error(here: Here, memory: str) -> None:
    line = here.fails(main, "beyond_maps", "--param", "size=6", "--memory", memory)
    assert "gigabytes: expected 0.001 to 100,000" in line


def test_a_completed_search_prints_the_value(here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resumable, "cache_folder", lambda *names: tmp_path)
    params = ["size=6", "sea_range=1", "land_markers=1", "max_turns=5"]
    small = ["beyond_maps", *(word for param in params for word in ("--param", param)), "--memory", "0.02"]
    proof = str(tmp_path / "proof.npz")
    text = here(main, *small, "--certificate", proof).out
    assert "the return of the first player is " in text
    assert "open" not in text
    assert json.loads(here(main, "beyond_maps", "--check", proof, "--json").out)["holds"]
