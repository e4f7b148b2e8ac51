"""Time to strength, from the evaluations of runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts.time_to_strength import main
from tests.programs import Here


@pytest.fixture(autouse=True)
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write three runs of a fast method and one of a slow one, and work in their folder."""
    for seed, second in enumerate((40.0, 20.0, 30.0)):
        write(tmp_path / f"fast_{seed}", [(0, 0.0, 0.1), (10, second, 0.5), (20, 60.0, 0.7 + seed / 10)])
    write(tmp_path / "slow", [(0, 0.0, 0.1), (10, 500.0, 0.2), (20, 1000.0, 0.4)])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, rows: list[tuple[int, float, float]], **more: object) -> None:
    folder.mkdir(exist_ok=True)
    lines = [
        {"step": step, "cpu_seconds": seconds, "opponent": name, "win_rate": rate, "low": 0.0, "high": 1.0, **more}
        for step, seconds, rate in rows
        for name in ("random", "heuristic")
    ]
    (folder / "evaluations.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (folder / "config.json").write_text(json.dumps({"game": "beyond_maps", "params": {"size": 8}}), encoding="utf-8")


def test_the_median_time_of_each_method_is_reported(here: Here) -> None:
    rows = json.loads(here(main, "n-tuple network=fast_*", "PPO=slow", "--json").out)
    fast, slow = rows
    assert fast["board"] == slow["board"] == "beyond_maps, size=8"
    assert (fast["method"], fast["runs"], fast["reached"]) == ("n-tuple network", 3, 3)
    assert (fast["lowest"], fast["median"], fast["highest"]) == (20.0, 30.0, 40.0)
    assert (fast["final"], fast["trained"]) == (pytest.approx(0.8), 60.0)
    assert (slow["reached"], slow["median"], slow["lowest"]) == (0, None, None)


def test_the_table_states_what_is_not_reached(here: Here) -> None:
    shown = here(main, "A=fast_*", "B=slow").out
    assert "| beyond_maps, size=8 | A | 3 | 30 (20 to 40) | 3 of 3 | 60 | 0.800 |" in shown
    assert "| beyond_maps, size=8 | B | 1 | not reached | 0 of 1 | 1,000 | 0.400 |" in shown
    assert "not by all; the first after 60 | 1 of 3" in here(main, "A=fast_*", "--share", "0.85").out


def test_curves_are_plotted(here: Here, runs: Path) -> None:
    assert here(main, "A=fast_*", "B=slow", "--plot", runs / "out.png").code == 0
    assert (runs / "out.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("fast_0", "expected METHOD=PATTERN"),
        ("A=nowhere_*", "nowhere_*: no such folder"),
        ("A=.", ".: no such folder"),
    ],
)
def test_invalid_arguments_are_one_line_errors(here: Here, argument: str, message: str) -> None:
    assert message in here.fails(main, argument)


def test_runs_without_the_figures_are_rejected(here: Here, runs: Path) -> None:
    write(runs / "old", [(0, 0.0, 0.1)])
    path = runs / "old" / "evaluations.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    path.write_text("".join(json.dumps({**row, "cpu_seconds": None}) + "\n" for row in rows), encoding="utf-8")
    assert "cpu_seconds" in here.fails(main, "A=old")
    for row in rows:
        del row["cpu_seconds"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert "old: the evaluations lack cpu_seconds" in here.fails(main, "A=old")
    assert "no evaluations against perfect" in here.fails(main, "A=old", "--against", "perfect")
