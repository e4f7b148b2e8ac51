"""Time the sides of a comparison in turn, several times, each for its share of a time budget.

A row is the median and the range of its repeats. Its clock is the CPU time of the calling thread, because the machine
may be loaded, or the wall clock if other threads and processes do part of the work. Rows store both, and also the CPU
time of all threads, which shows how many cores were available: without that, a ratio of two threads to one means
nothing.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple


class Work(NamedTuple):
    """Amount of work done: units of the row, and games if they are counted or their mean length is known."""

    units: int
    games: float | None = None


Clock = Literal["cpu", "wall", "process"]
Rates = Mapping[Clock, Sequence[float]]  # units per second by each clock, one per repeat
Run = Callable[[int], Work]  # does work in proportion to an amount
Tick = Callable[[str], None]  # receives the name of what runs next
_Timed = tuple[Work, Mapping[Clock, float]]  # work, and seconds by each clock

_GROWTH = 4


@dataclass(frozen=True)
class Budget:
    """Number and duration of the measurements of a row, and the sizes that a quick run reduces."""

    repeats: int = 5
    seconds: float = 4.0
    training_steps: int = 64
    processes: int = 5
    sampled_games: int = 4_000
    games_before: float = 2.0  # games played in each lane before a vector row is timed, at most 1 for the heuristic
    iterations: int = 200  # iterations of a search
    compile: bool = True  # also time an empty cache, which takes a minute or two per game

    @property
    def slice(self) -> float:
        """Seconds per repeat."""
        return self.seconds / self.repeats


@dataclass(frozen=True)
class Side:
    """One thing to time. `prepare` sets it up, may add to `details`, and returns the function that does the work."""

    name: str
    unit: str
    prepare: Callable[[], Run]
    clock: Clock = "cpu"
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """Measurements of one side: units per second, and games per second if games are known."""

    name: str
    unit: str
    clock: Clock
    values: Rates
    details: Mapping[str, Any]
    games: Rates | None = None

    @property
    def median(self) -> float:
        """Median rate by the row's own clock."""
        return statistics.median(self.values[self.clock])

    @property
    def games_per_second(self) -> float | None:
        """Median rate of games by the row's own clock; None if games are not known."""
        return None if self.games is None else statistics.median(self.games[self.clock])

    @property
    def cores(self) -> float | None:
        """CPU seconds of all threads per wall-clock second; None if unknown, since other processes or nobody worked."""
        if not all(self.values.get("process", [0.0])):
            return None
        return statistics.median(w / p for w, p in zip(self.values["wall"], self.values["process"], strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Return the row for JSON."""
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
    """Return the number of calls of `tick` by `interleave`."""
    return len(sides) * (budget.repeats + 1)


_CLOCKS: dict[Clock, Callable[[], float]] = {
    "process": time.process_time,
    "wall": time.perf_counter,
    "cpu": time.thread_time,
}


def _time(run: Run, amount: int) -> _Timed:
    """Return the work done, and the seconds by each clock, at least 1e-9 because of their finite resolution."""
    start = {name: clock() for name, clock in _CLOCKS.items()}
    work = run(amount)
    return work, {name: max(clock() - start[name], 1e-9) for name, clock in _CLOCKS.items()}


def _amount(run: Run, seconds: float) -> int:
    """Return the amount of work that takes about `seconds` of wall-clock time."""
    amount = 1
    while True:
        spent = _time(run, amount)[1]["wall"]
        if spent >= seconds / _GROWTH:
            return max(1, round(amount * seconds / spent))
        amount *= _GROWTH
