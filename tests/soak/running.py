"""Run a part in this process: its rounds until the time is over, and the final checks."""

from __future__ import annotations

import faulthandler
import json
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from agents.common.files import write_whole
from tests.fuzz.target import FaultError, Target, try_example
from tests.soak.gauge import Gauge

PREPARING_SECONDS = 3600
WALL_SECONDS = 900
"""Time limits for the preparation and for a round; then the process exits with a traceback."""
PARTS = {"apis": "Apis", "page": "Page", "programs": "Programs"}
"""The parts: module and class."""


def part_of(name: str) -> type[Target]:
    """Return the class of a part."""
    part: type[Target] = getattr(import_module(f"tests.soak.{name}"), PARTS[name])
    return part


@dataclass
class PartRunner:
    """Runs one part in this process and keeps its results in a file."""

    name: str
    kind: type[Target]
    games: Sequence[str]
    seed: int
    file: Path
    outcomes: Counter[str] = field(default_factory=Counter)
    gauge: Gauge = field(default_factory=Gauge)

    def run(self, seconds: float, example: int | None = None) -> int:
        """Run rounds for a time, or only `example`; return exit code 1 for a fault, else 0."""
        self.outcomes.update(dict.fromkeys(self.kind.outcomes, 0))
        with tempfile.TemporaryDirectory() as folder:
            part = self.kind(self.games, Path(folder))
            faults = [_fault_of(lambda: self._run_rounds(part, seconds, example)), _fault_of(part.finish)]
        faulthandler.cancel_dump_traceback_later()
        message = "\n".join(filter(None, faults))
        self._save(message, ended=True)
        return 1 if message else 0

    def _run_rounds(self, part: Target, seconds: float, example: int | None) -> None:
        faulthandler.dump_traceback_later(PREPARING_SECONDS, exit=True)
        part.prepare()
        self.gauge = Gauge()
        number = example or 0
        while not self.outcomes.total() or (example is None and self.gauge.passed() < seconds):
            faulthandler.dump_traceback_later(WALL_SECONDS, exit=True)
            self.outcomes[try_example(part, self.name, self.seed, number)] += 1
            number += 1
            if self.gauge.sample():
                self._save("", ended=False)

    def _save(self, fault: str, ended: bool) -> None:
        found = {"outcomes": self.outcomes, "samples": self.gauge.as_dict(), "fault": fault, "ended": ended}
        write_whole(self.file, json.dumps(found))


def _fault_of(step: Callable[[], None]) -> str:
    """Run a step and return its error, or an empty string."""
    try:
        step()
    except FaultError as error:
        return str(error).replace("tests.fuzz", "tests.soak")
    except (Exception, SystemExit):
        return traceback.format_exc()
    return ""
