"""Timing: the sides of a comparison run in turn, several times, each for its share of a budget of seconds.

A row is the median and the range of its repeats. Its clock is the CPU time of the calling thread, because the machine
may be shared, or the wall clock where other threads and processes work too. Both are kept, and the CPU time of all
threads: by it a row tells how many cores the machine gave it, without which a ratio of two threads to one says nothing.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Clock = Literal["cpu", "wall", "process"]
Run = Callable[[int], int]  # work in proportion to an amount; how many units were done
Tick = Callable[[str], None]  # told the name of what runs next

_GROWTH = 4


@dataclass(frozen=True)
class Budget:
    """How often and how long each row is timed, and the sizes that a quick run makes smaller."""

    repeats: int = 5
    seconds: float = 4.0
    training_steps: int = 64
    processes: int = 5
    sampled_games: int = 4_000

    @property
    def slice(self) -> float:
        """The seconds of one repeat."""
        return self.seconds / self.repeats


@dataclass(frozen=True)
class Side:
    """Something to time. `prepare` builds it and may add to `details`; what it returns does the work."""

    name: str
    unit: str
    prepare: Callable[[], Run]
    clock: Clock = "cpu"
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """What was measured of one side: its values by each clock, one per repeat."""

    name: str
    unit: str
    clock: Clock
    values: Mapping[Clock, Sequence[float]]
    details: Mapping[str, Any]

    @property
    def median(self) -> float:
        """By the row's own clock."""
        return statistics.median(self.values[self.clock])

    @property
    def cores(self) -> float | None:
        """CPU seconds of all threads per second of the wall clock; None where other processes do the work."""
        if "process" not in self.values:
            return None
        return statistics.median(w / p for w, p in zip(self.values["wall"], self.values["process"], strict=True))

    def to_dict(self) -> dict[str, Any]:
        """The row for JSON."""
        values = self.values[self.clock]
        return {
            "name": self.name,
            "unit": self.unit,
            "clock": self.clock,
            "median": self.median,
            "low": min(values),
            "high": max(values),
            "repeats": len(values),
            "wall_median": statistics.median(self.values["wall"]),
            "cores": self.cores,
            **self.details,
        }


def interleave(sides: Sequence[Side], budget: Budget, tick: Tick) -> list[Row]:
    """Warm all sides up, then run them in turn `budget.repeats` times."""
    ready = []
    for side in sides:
        tick(f"{side.name}: warming up")
        run = side.prepare()
        run(1)  # compiles
        ready.append((side, run, _amount(run, budget.slice)))
    values: list[dict[Clock, list[float]]] = [{"cpu": [], "wall": [], "process": []} for _ in sides]
    for _ in range(budget.repeats):
        for (side, run, amount), rates in zip(ready, values, strict=True):
            tick(side.name)
            units, seconds = _time(run, amount)
            for clock, spent in seconds.items():
                rates[clock].append(units / spent)
    return [
        Row(side.name, side.unit, side.clock, rates, side.details) for side, rates in zip(sides, values, strict=True)
    ]


def ticks(sides: Sequence[Side], budget: Budget) -> int:
    """How often `interleave` calls `tick`."""
    return len(sides) * (budget.repeats + 1)


_CLOCKS: dict[Clock, Callable[[], float]] = {
    "process": time.process_time,
    "wall": time.perf_counter,
    "cpu": time.thread_time,
}


def _time(run: Run, amount: int) -> tuple[int, dict[Clock, float]]:
    """The units done, and the seconds by each clock (never 0: clocks have a grain)."""
    start = {name: clock() for name, clock in _CLOCKS.items()}
    units = run(amount)
    return units, {name: max(clock() - start[name], 1e-9) for name, clock in _CLOCKS.items()}


def _amount(run: Run, seconds: float) -> int:
    """The amount of work that takes about so many seconds of the wall clock."""
    amount = 1
    while True:
        spent = _time(run, amount)[1]["wall"]
        if spent >= seconds / _GROWTH:
            return max(1, round(amount * seconds / spent))
        amount *= _GROWTH
