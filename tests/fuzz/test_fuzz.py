"""A fixed share of the fuzzing, and tests of the fuzzer itself."""

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
from tests.fuzz import target
from tests.fuzz.mutation import damaged_bytes, mutated
from tests.fuzz.positions import text_of
from tests.fuzz.target import ACCEPTED, REJECTED, FaultError, Target, Trace, try_examples
from tests.fuzz.targets import TARGETS, target_class
from tests.programs import ROOT

SHARE = {
    "positions": 200, "parameters": 200, "data": 120, "arguments": 60, "records": 150, "record_files": 100,
    "actions": 200, "opponents": 60, "configurations": 60, "policies": 60, "runs": 60, "programs": 200,
    "texts": 150, "transcripts": 200, "data_sets": 60, "paths": 100, "files": 300,
}  # fmt: skip
"""The number of examples of each target, without `leaks`, which needs a longer time."""
SMALL = 3


def smallest_games() -> list[str]:
    """Return the games with the shortest sources, which compile fastest."""
    sizes = {
        name: sum(file.stat().st_size for file in game_type.folder.rglob("*.py"))
        for name, game_type in edge_envs.GAMES.items()
    }
    return sorted(sizes, key=lambda name: sizes[name])[:SMALL]


@pytest.mark.parametrize("name", SHARE)
def test_fuzz_share_finds_no_fault(name: str, tmp_path: Path) -> None:
    instance = target_class(name)(list(edge_envs.GAMES) if name == "data" else smallest_games(), tmp_path)
    instance.prepare()
    assert set(try_examples(instance, name, seed=0, numbers=range(SHARE[name]))) == set(instance.outcomes)


def test_positions_are_fuzzed_without_the_compiler(tmp_path: Path) -> None:
    """Plain Python raises if an index is out of bounds."""
    command = [sys.executable, "-m", "tests.fuzz", "positions", "--seed", "1", "--seconds", "3"]
    done = subprocess.run(
        [*command, "--games", *smallest_games()],
        cwd=ROOT, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("no fault was found\n")


def test_every_target_is_run() -> None:
    assert TARGETS.keys() - SHARE.keys() == {"leaks"}


class FaultyTarget(Target):
    """A target that sometimes fails, hangs or exits."""

    outcomes = (ACCEPTED, REJECTED)

    def attempt(self, rng: Random, trace: Trace) -> str:
        trace.add("a step", 10**5000)
        kind = rng.randrange(6)
        if kind == 0:
            raise KeyError("a fault")
        if kind == 1:
            while True:
                pass
        if kind == 2:
            raise SystemExit(0)
        return "oddly" if kind == 3 else ACCEPTED


def test_fault_messages_contain_the_command_that_repeats_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target, "PROCESSOR_SECONDS", 0.05)
    faulty, met = FaultyTarget(["kuhn"], tmp_path), Counter[str]()
    for number in range(40):
        try:
            met[target.try_example(faulty, "trap", 7, number)] += 1
        except FaultError as fault:
            assert "a step: <int that cannot be printed>" in str(fault)
            assert str(fault).endswith(f"repeat: python -m tests.fuzz trap --seed 7 --example {number} --games kuhn")
            met[str(fault).splitlines()[-3]] += 1
    kinds = [
        "KeyError: 'a fault'",
        "_TimeLimitError: took more",
        "SystemExit: 0",
        "AssertionError: unexpected outcome 'oddly'",
    ]
    assert all(any(kind in line for line in met) for kind in [ACCEPTED, *kinds]), met


def test_examples_are_reproducible() -> None:
    value = {"a": [1, 2, {"b": "text"}], "c": None, "d": [[0, 1], [2, 3]]}

    def changes(damage: int) -> Sequence[object]:
        return [text_of(mutated(Random(f"{damage} {number}"), value)) for number in range(50)]

    assert changes(1) != changes(2)
    assert damaged_bytes(Random("x"), b"some bytes") == damaged_bytes(Random("x"), b"some bytes")
    assert value == {"a": [1, 2, {"b": "text"}], "c": None, "d": [[0, 1], [2, 3]]}
