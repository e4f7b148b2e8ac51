"""`scripts/benchmark_history.py` with made-up figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from scripts import benchmark_history
from scripts.benchmark_history import entry, read, table
from tests.programs import Here

OLD, NEW, OTHER = "a" * 40, "b" * 40, "c" * 40


def document(*medians: float, unit: str = "decisions/s") -> dict[str, Any]:
    """Return the output of the benchmark with rows of these medians."""
    rows = [
        {"game": "some_game", "name": f"row {number}", "unit": unit, "median": median}
        for number, median in enumerate(medians)
    ]
    return {"date": "2026-11-26T10:00:00+00:00", "processor": "P", "cores": 2, "versions": {}, "rows": rows}


def changes(lines: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Return the commit, the change and the flag of each row of the table."""
    cells = [[cell.strip() for cell in text.split("|")[1:-1]] for text in table(lines).splitlines()[2:]]
    return [(row[1], *row[-2:]) for row in cells]


def test_an_entry_has_the_median_and_the_range_of_the_rounds() -> None:
    line = entry(OLD, [document(10.0, 1.0), document(30.0, 1.0), document(20.0, 1.0)], OLD)
    assert (line["commit"], line["date"], line["processor"]) == (OLD, "2026-11-26T10:00:00+00:00", "P")
    expected = {"game": "some_game", "name": "row 0", "unit": "decisions/s", "median": 20.0, "low": 10.0, "high": 30.0}
    assert line["rows"][0] == expected
    assert len(line["rows"]) == 2


def test_changes_of_more_than_five_percent_are_flagged() -> None:
    lines = [entry(OLD, [document(100.0, 100.0, 100.0)], OLD), entry(NEW, [document(94.0, 104.0, 106.0)], OLD)]
    assert changes(lines)[:3] == [(OLD[:9], "", "")] * 3
    assert changes(lines)[3:] == [(NEW[:9], "-6.0%", "slower"), (NEW[:9], "+4.0%", ""), (NEW[:9], "+6.0%", "faster")]


def test_fewer_seconds_are_faster() -> None:
    lines = [entry(OLD, [document(1.0, unit="s")], OLD), entry(NEW, [document(0.5, unit="s")], OLD)]
    assert changes(lines)[1] == (NEW[:9], "-50.0%", "faster")


def test_a_change_within_overlapping_ranges_is_doubtful() -> None:
    old = entry(OLD, [document(90.0), document(100.0), document(120.0)], OLD)
    new = entry(NEW, [document(115.0), document(120.0), document(130.0)], OLD)
    assert changes([old, new])[1] == (NEW[:9], "+20.0%", "faster?")


def test_only_commits_of_the_same_run_are_compared() -> None:
    lines = [entry(name, [document(speed)], name) for name, speed in ((OLD, 100.0), (OTHER, 200.0))]
    assert changes(lines) == [(OLD[:9], "", ""), (OTHER[:9], "", "")]


def test_a_run_adds_a_line_per_commit_in_turn(here: Here, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    measured: list[tuple[str, Sequence[str]]] = []

    def benchmark(tree: Path, options: Sequence[str]) -> dict[str, Any]:
        measured.append((tree.name, options))
        return document(100.0 if tree.name == OLD else 110.0)

    monkeypatch.setattr(benchmark_history, "_resolve", {"old": OLD, "new": NEW, "again": NEW}.__getitem__)
    monkeypatch.setattr(benchmark_history, "_git", lambda *words: "")
    monkeypatch.setattr(benchmark_history, "_benchmark", benchmark)
    file = tmp_path / "new folder" / "history.jsonl"
    commits = ("--commit", "old", "--commit", "new", "--commit", "again")
    outcome = here(benchmark_history.main, *commits, "--rounds", 2, "--game", "some_game", "--file", file)
    assert outcome.code == 0
    assert [name for name, _ in measured] == [OLD, NEW, OLD, NEW]
    assert measured[0][1][-2:] == ["--game", "some_game"]
    assert [line["commit"] for line in read(file)] == [OLD, NEW]
    assert outcome.out.count("| +10.0% | faster |") == 1
    assert here(benchmark_history.main, "--report", "--file", file).out == outcome.out


@pytest.mark.parametrize(("calls", "saved"), [(1, 0), (3, 1)])
def test_interruption_saves_the_complete_rounds(
    calls: int, saved: int, here: Here, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    left = iter(range(calls))

    def benchmark(tree: Path, options: Sequence[str]) -> dict[str, Any]:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return document(100.0)

    monkeypatch.setattr(benchmark_history, "_resolve", {"old": OLD, "new": NEW}.__getitem__)
    monkeypatch.setattr(benchmark_history, "_git", lambda *words: "")
    monkeypatch.setattr(benchmark_history, "_benchmark", benchmark)
    file = tmp_path / "history.jsonl"
    outcome = here(benchmark_history.main, "--commit", "old", "--commit", "new", "--rounds", 3, "--file", file)
    note = f"{file}: rounds saved: 1 of 3" if saved else "nothing was saved"
    assert (outcome.code, outcome.err.splitlines()[-1]) == (130, f"interrupted: {note}")
    assert file.exists() == bool(saved)
    if saved:
        assert [line["commit"] for line in read(file)] == [OLD, NEW]


def test_mistakes_are_reported_in_one_line(here: Here, tmp_path: Path) -> None:
    assert "unknown commit 'no-such-commit'" in here.fails(benchmark_history.main, "--commit", "no-such-commit")
    file = tmp_path / "history.jsonl"
    assert "history.jsonl" in here.fails(benchmark_history.main, "--report", "--file", file)
    file.write_text(json.dumps({"commit": OLD}) + "\n", encoding="utf-8")
    assert "line 1 is not a line of this program" in here.fails(benchmark_history.main, "--report", "--file", file)
