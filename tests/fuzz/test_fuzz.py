"""A fixed share of the fuzzing, and that the fuzzing itself finds faults."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

import edge_envs
from tests.fuzz import door
from tests.fuzz.door import REFUSED, TAKEN, Door, FaultError, Story, try_examples
from tests.fuzz.doors import DOORS, door_of
from tests.fuzz.mutation import damaged_bytes, mutated
from tests.fuzz.positions import text_of
from tests.programs import ROOT

SHARE = {
    "positions": 200, "parameters": 200, "data": 120, "arguments": 60, "records": 150, "record_files": 100,
    "actions": 200, "opponents": 60, "configurations": 60, "policies": 60, "runs": 60, "programs": 200,
    "texts": 150, "transcripts": 200, "data_sets": 60, "paths": 100, "files": 300,
}  # fmt: skip
"""How many examples of each door: all but that of leaks, which shows nothing in a short time."""
SMALL = 3


def smallest_games() -> list[str]:
    """The games with the shortest sources: where compiled code is not the point, there is most to see in least time."""
    sizes = {
        name: sum(file.stat().st_size for file in game_type.folder.rglob("*.py"))
        for name, game_type in edge_envs.GAMES.items()
    }
    return sorted(sizes, key=lambda name: sizes[name])[:SMALL]


@pytest.mark.parametrize("name", SHARE)
def test_a_share_of_the_fuzzing_finds_no_fault(name: str, tmp_path: Path) -> None:
    opened = door_of(name)(list(edge_envs.GAMES) if name == "data" else smallest_games(), tmp_path)
    opened.prepare()
    assert set(try_examples(opened, name, seed=0, numbers=range(SHARE[name]))) == set(opened.ends)


def test_positions_are_fuzzed_without_the_compiler_too(tmp_path: Path) -> None:
    """Plain Python raises where an index is out of bounds."""
    command = [sys.executable, "-m", "tests.fuzz", "positions", "--seed", "1", "--seconds", "3"]
    done = subprocess.run(
        [*command, "--games", *smallest_games()],
        cwd=ROOT, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("no fault was found\n")


def test_every_door_is_tried() -> None:
    assert DOORS.keys() - SHARE.keys() == {"leaks"}


class Trap(Door):
    """Fails, hangs and leaves, now and then."""

    ends = (TAKEN, REFUSED)

    def attempt(self, rng: Random, story: Story) -> str:
        story.tell("this was tried", 10**5000)
        kind = rng.randrange(6)
        if kind == 0:
            raise KeyError("a fault")
        if kind == 1:
            while True:
                pass
        if kind == 2:
            raise SystemExit(0)
        return "oddly" if kind == 3 else TAKEN


def test_faults_are_told_with_the_way_to_see_them_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "PROCESSOR_SECONDS", 0.05)
    trap, met = Trap(["kuhn"], tmp_path), Counter[str]()
    for number in range(40):
        try:
            met[door.try_example(trap, "trap", 7, number)] += 1
        except FaultError as fault:
            assert "this was tried: <int that cannot be written down>" in str(fault)
            assert str(fault).endswith(f"again: python -m tests.fuzz trap --seed 7 --example {number} --games kuhn")
            met[str(fault).splitlines()[-3]] += 1
    kinds = ["KeyError: 'a fault'", "_EndlessError: this goes on", "SystemExit: 0", "AssertionError: ended as 'oddly'"]
    assert all(any(kind in line for line in met) for kind in [TAKEN, *kinds]), met


def test_examples_are_the_same_again() -> None:
    value = {"a": [1, 2, {"b": "text"}], "c": None, "d": [[0, 1], [2, 3]]}

    def changes(damage: int) -> Sequence[object]:
        return [text_of(mutated(Random(f"{damage} {number}"), value)) for number in range(50)]

    assert changes(1) != changes(2)
    assert damaged_bytes(Random("x"), b"some bytes") == damaged_bytes(Random("x"), b"some bytes")
    assert value == {"a": [1, 2, {"b": "text"}], "c": None, "d": [[0, 1], [2, 3]]}
