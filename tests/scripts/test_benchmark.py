"""`scripts/benchmark.py` as a user runs it, with a tiny budget; what it measures is not judged here."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "benchmark.py"
VECTOR_ROWS = {
    f"vector env, {lanes}, {threads}"
    for lanes in ("1 game", "64 games", "1,024 games", "8,192 games")
    for threads in ("1 thread", "2 threads")
}
ROWS = VECTOR_ROWS | {
    "vector env stepped from Python, 1,024 games",
    "playouts",
    "AEC",
    "State from Python",
    "seat env",
    "seat vector env, 1,024 games",
    "training frames",
    "Gymnasium CartPole vector env, 1,024 games",
    "PettingZoo connect_four",
    "OpenSpiel pig, C++ rollouts",
    "OpenSpiel pig from Python",
    "import edge_envs",
    "first kernel, warm cache",
}
NEEDS = {"PettingZoo connect_four": "pygame", "training frames": "sb3_contrib"}
VERSIONS = {"python", "numpy", "numba", "gymnasium", "pettingzoo", "sb3", "torch", "open_spiel", "edge_envs"}


def benchmark(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    done = benchmark("--game", "falling_off", "--quick", "--repeats", "2", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert isinstance(told, dict)
    return told


def test_every_row_is_measured_or_skipped_by_name_with_the_reason(document: dict[str, Any]) -> None:
    measured = {row["name"] for row in document["rows"]}
    skipped = {row["name"]: row["reason"] for row in document["skipped"]}
    assert measured | skipped.keys() == ROWS
    assert not measured & skipped.keys()
    for name, reason in skipped.items():
        needed = NEEDS.get(name, "pyspiel")
        assert find_spec(needed) is None
        assert "not installed" in reason


def test_a_row_has_its_median_between_its_low_and_its_high(document: dict[str, Any]) -> None:
    for row in document["rows"]:
        assert row["game"] == "falling_off"
        assert 0 < row["low"] <= row["median"] <= row["high"], row
        assert row["repeats"] >= 1
        assert row["unit"]
        assert row["clock"] in ("cpu", "wall")


def test_two_threads_are_timed_by_the_wall_clock(document: dict[str, Any]) -> None:
    rows = {row["name"]: row for row in document["rows"] if row["name"] in VECTOR_ROWS}
    assert {row["clock"] for row in rows.values() if row["threads"] == 2} == {"wall"}
    assert {row["clock"] for row in rows.values() if row["threads"] == 1} == {"cpu"}
    (ratio,) = [ratio for ratio in document["ratios"] if ratio["name"].startswith("two threads")]
    assert ratio["clock"] == "wall"


def test_a_ratio_is_judged_against_its_target_if_it_was_measured(document: dict[str, Any]) -> None:
    assert len(document["ratios"]) == 10
    for ratio in document["ratios"]:
        if ratio["value"] is None or ratio["target"] is None:
            assert ratio["met"] is None
        elif ratio["at_most"]:
            assert ratio["met"] == (ratio["value"] < ratio["target"])
        else:
            assert ratio["met"] == (ratio["value"] >= ratio["target"])


def test_the_document_says_what_was_run(document: dict[str, Any]) -> None:
    assert document["versions"].keys() >= VERSIONS
    assert document["processor"]
    assert document["cores"] >= 1
    assert document["date"]
    assert document["sizes"]["lanes"] == [1, 64, 1024, 8192]
    assert document["repeats"] == 2


def test_an_unknown_game_is_one_clear_line() -> None:
    done = benchmark("--game", "falling_off", "--game", "chess")
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "chess" in line
    assert "falling_off" in line
