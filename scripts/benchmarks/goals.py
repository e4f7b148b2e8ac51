"""Whom each game is held against, the targets, and the ratios that come out.

A new game needs nothing here; it has all rows, and the ratios of `Standard()`. A line in `STANDARDS` gives it peers
and targets of its own.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scripts.benchmarks import faces, peers, startup
from scripts.benchmarks.measure import Clock, Row


@dataclass(frozen=True)
class Standard:
    """The OpenSpiel game whose C++ rollouts are a game's peer, and the targets; None: told, but not judged."""

    openspiel: str = "pig"
    playouts_over_openspiel: float | None = None
    playouts: float | None = None  # decisions/s
    vector: float | None = None  # decisions/s at 1,024 games, one thread
    vector_over_cartpole: float | None = None
    aec_over_connect_four: float | None = 5.0
    two_threads: float | None = 1.8
    many_lanes: float | None = 0.9
    import_seconds: float | None = 0.5
    first_kernel_seconds: float | None = 1.0


STANDARDS: Mapping[str, Standard] = {
    "falling_off": Standard(
        openspiel="pig", playouts_over_openspiel=1.5, playouts=20e6, vector=10e6, vector_over_cartpole=1.5
    ),
}


def standard(game: str) -> Standard:
    """The standard that a game is held to."""
    return STANDARDS.get(game, Standard())


@dataclass(frozen=True)
class Goal:
    """A row over another (or, without another, by itself) against a target; `clock` is used for both."""

    name: str
    row: str
    over: str | None
    target: float | None
    clock: Clock = "cpu"
    at_most: bool = False


def goals(game: str) -> list[Goal]:
    """All goals of a game, in the order they are told."""
    s = standard(game)
    one, two = (faces.vector_name(faces.STANDARD_LANES, threads) for threads in (1, 2))
    many = faces.vector_name(max(faces.LANES), 1)
    return [
        Goal(one, one, None, s.vector),
        Goal("vector env ÷ CartPole, 1,024 games", one, peers.CARTPOLE, s.vector_over_cartpole),
        Goal("playouts", "playouts", None, s.playouts),
        Goal(
            f"playouts ÷ OpenSpiel {s.openspiel}, C++ rollouts",
            "playouts", peers.rollouts_name(s.openspiel), s.playouts_over_openspiel,
        ),
        Goal("AEC ÷ PettingZoo connect_four", "AEC", peers.CONNECT_FOUR, s.aec_over_connect_four),
        Goal("State ÷ OpenSpiel, from Python", "State from Python", peers.states_name(s.openspiel), None),
        Goal("two threads ÷ one, 1,024 games", two, one, s.two_threads, "wall"),
        Goal("8,192 games ÷ 1,024, one thread", many, one, s.many_lanes),
        Goal(startup.IMPORT, startup.IMPORT, None, s.import_seconds, "wall", at_most=True),
        Goal(startup.FIRST_KERNEL, startup.FIRST_KERNEL, None, s.first_kernel_seconds, "wall", at_most=True),
    ]  # fmt: skip


def judge(game: str, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The ratios of a game for JSON: median and range over the repeats, and whether the median meets the target."""
    by_name = {row.name: row for row in rows}
    return [{"game": game, **_judge(goal, by_name)} for goal in goals(game)]


def _judge(goal: Goal, rows: Mapping[str, Row]) -> dict[str, Any]:
    told = {"name": goal.name, "target": goal.target, "at_most": goal.at_most, "clock": goal.clock}
    row, other = rows.get(goal.row), rows.get(goal.over or goal.row)
    if row is None or other is None:
        return {**told, "value": None, "low": None, "high": None, "met": None}
    values = list(row.values[goal.clock])
    if goal.over is not None:  # repeat by repeat: both sides ran within seconds of each other
        values = [value / peer for value, peer in zip(values, other.values[goal.clock], strict=True)]
    value = statistics.median(values)
    met = None if goal.target is None else value < goal.target if goal.at_most else value >= goal.target
    return {**told, "value": value, "low": min(values), "high": max(values), "met": met}
