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
from typing import Any, Literal, NamedTuple


class Work(NamedTuple):
    """What was done: units of the row, and games where they are counted or their mean length is known."""

    units: int
    games: float | None = None


Clock = Literal["cpu", "wall", "process"]
Rates = Mapping[Clock, Sequence[float]]  # per second by each clock, one per repeat
Run = Callable[[int], Work]  # work in proportion to an amount
Tick = Callable[[str], None]  # told the name of what runs next
_Timed = tuple[Work, Mapping[Clock, float]]  # and its seconds by each clock

_GROWTH = 4


@dataclass(frozen=True)
class Budget:
    """How often and how long each row is timed, and the sizes that a quick run makes smaller."""

    repeats: int = 5
    seconds: float = 4.0
    training_steps: int = 64
    processes: int = 5
    sampled_games: int = 4_000
    games_before: float = 2.0  # played in each lane of a vector row beforehand, of the heuristic's at most one
    iterations: int = 200  # of a search
    compile: bool = True  # with an empty cache, which takes a minute or two a game

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
    """What was measured of one side: units per second, and games per second where games are known."""

    name: str
    unit: str
    clock: Clock
    values: Rates
    details: Mapping[str, Any]
    games: Rates | None = None

    @property
    def median(self) -> float:
        """By the row's own clock."""
        return statistics.median(self.values[self.clock])

    @property
    def games_per_second(self) -> float | None:
        """The median by the row's own clock; None where games are not known."""
        return None if self.games is None else statistics.median(self.games[self.clock])

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
            "games_per_second": self.games_per_second,
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
    timed: list[list[_Timed]] = [[] for _ in sides]
    for _ in range(budget.repeats):
        for (side, run, amount), repeats in zip(ready, timed, strict=True):
            tick(side.name)
            repeats.append(_time(run, amount))
    return [_row(side, repeats) for side, repeats in zip(sides, timed, strict=True)]


def _row(side: Side, repeats: Sequence[_Timed]) -> Row:
    values: Rates = {clock: [work.units / spent[clock] for work, spent in repeats] for clock in _CLOCKS}
    games: Rates = {
        clock: [work.games / spent[clock] for work, spent in repeats if work.games is not None] for clock in _CLOCKS
    }
    return Row(side.name, side.unit, side.clock, values, side.details, games if games[side.clock] else None)


def ticks(sides: Sequence[Side], budget: Budget) -> int:
    """How often `interleave` calls `tick`."""
    return len(sides) * (budget.repeats + 1)


_CLOCKS: dict[Clock, Callable[[], float]] = {
    "process": time.process_time,
    "wall": time.perf_counter,
    "cpu": time.thread_time,
}


def _time(run: Run, amount: int) -> _Timed:
    """The work done, and the seconds by each clock (never 0: clocks have a grain)."""
    start = {name: clock() for name, clock in _CLOCKS.items()}
    work = run(amount)
    return work, {name: max(clock() - start[name], 1e-9) for name, clock in _CLOCKS.items()}


def _amount(run: Run, seconds: float) -> int:
    """The amount of work that takes about so many seconds of the wall clock."""
    amount = 1
    while True:
        spent = _time(run, amount)[1]["wall"]
        if spent >= seconds / _GROWTH:
            return max(1, round(amount * seconds / spent))
        amount *= _GROWTH
