"""A part at work in this process: its rounds until the time is over, a look back, and all that went wrong."""

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
from tests.fuzz.door import Door, FaultError, try_example
from tests.soak.gauge import Gauge

PREPARING_SECONDS = 3600
WALL_SECONDS = 900
"""After this time getting ready, or a round, is taken to hang, and the process ends."""
PARTS = {"faces": "Faces", "page": "Page", "programs": "Programs"}
"""The modules of the parts, and their classes."""


def part_of(name: str) -> type[Door]:
    """The class of a part."""
    part: type[Door] = getattr(import_module(f"tests.soak.{name}"), PARTS[name])
    return part


@dataclass
class Stint:
    """One part in one process; what it has come to stands in a file, always whole."""

    name: str
    kind: type[Door]
    games: Sequence[str]
    seed: int
    file: Path
    ends: Counter[str] = field(default_factory=Counter)
    gauge: Gauge = field(default_factory=Gauge)

    def run(self, seconds: float, example: int | None = None) -> int:
        """Try rounds for so long, the last one to its end, or one alone; the exit code. Whatever fails is a fault."""
        self.ends.update(dict.fromkeys(self.kind.ends, 0))
        with tempfile.TemporaryDirectory() as folder:
            part = self.kind(self.games, Path(folder))
            faults = [_fault_of(lambda: self._work(part, seconds, example)), _fault_of(part.finish)]
        faulthandler.cancel_dump_traceback_later()
        told = "\n".join(filter(None, faults))
        self._keep(told, ended=True)
        return 1 if told else 0

    def _work(self, part: Door, seconds: float, example: int | None) -> None:
        faulthandler.dump_traceback_later(PREPARING_SECONDS, exit=True)
        part.prepare()
        self.gauge = Gauge()
        number = example or 0
        while not self.ends.total() or (example is None and self.gauge.passed() < seconds):
            faulthandler.dump_traceback_later(WALL_SECONDS, exit=True)
            self.ends[try_example(part, self.name, self.seed, number)] += 1
            number += 1
            if self.gauge.sample():
                self._keep("", ended=False)

    def _keep(self, fault: str, ended: bool) -> None:
        found = {"ends": self.ends, "samples": self.gauge.as_dict(), "fault": fault, "ended": ended}
        write_whole(self.file, json.dumps(found))


def _fault_of(step: Callable[[], None]) -> str:
    """What went wrong in a step; empty if nothing did."""
    try:
        step()
    except FaultError as error:
        return str(error).replace("tests.fuzz", "tests.soak")
    except (Exception, SystemExit):
        return traceback.format_exc()
    return ""
