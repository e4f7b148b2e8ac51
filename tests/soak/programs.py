"""The part `programs`: workloads that are interrupted and resumed must end like uninterrupted ones."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.target import Target, Trace
from tests.soak.faults import WorkloadRun, inject_fault, run_uninterrupted
from tests.soak.workloads import WORKLOADS

MOST_FAULTS = 3


class Programs(Target):
    """Each round interrupts the next workload at random moments."""

    outcomes = tuple(WORKLOADS)

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        super().__init__(games, folder)
        self._uninterrupted: dict[str, tuple[dict[str, Any], float]] = {}

    def prepare(self) -> None:
        """Do nothing: each workload runs once without faults before its first round."""

    def attempt(self, rng: Random, trace: Trace) -> str:
        """Inject faults into a workload, run it to its end, and compare its outputs."""
        name = self.outcomes[trace.number % len(self.outcomes)]
        trace.add(name)
        run = WorkloadRun(WORKLOADS[name], self.folder / f"{name}_inputs", self.folder / name)
        if name not in self._uninterrupted:
            self._uninterrupted[name] = run_uninterrupted(run)
        expected, seconds = self._uninterrupted[name]
        for _ in range(rng.randint(1, MOST_FAULTS)):
            inject_fault(run, seconds, rng, trace)
        found = run.complete()
        assert found.keys() == expected.keys()
        assert [key for key in found if found[key] != expected[key]] == []
        shutil.rmtree(run.out)
        return name
