"""Measure a map and its games, and compare `flat_earth` with its targets. Other maps have no targets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from edge_envs.games.over_the_edge.map.charts import Map
from edge_envs.games.over_the_edge.reports.contests import Tally


@dataclass(frozen=True)
class Target:
    """A closed range from `low` to `high`; without `high`, all values above `low`."""

    low: float
    high: float | None = None

    def met(self, value: float) -> bool:
        """Return whether a value meets the target."""
        return value > self.low if self.high is None else self.low <= value <= self.high


MAP = "map"

TARGETS: Mapping[tuple[str, str], Target] = {
    (MAP, "spaces"): Target(60, 80),
    (MAP, "ports"): Target(5, 8),
    (MAP, "least of the shortest voyages"): Target(18, 28),
    (MAP, "greatest of the shortest voyages"): Target(18, 28),
    ("4 careful pilots", "games with a winner"): Target(0.95),
    ("4 careful pilots", "ships that fall"): Target(0.05, 0.15),
    ("4 careful pilots", "turns per player"): Target(22, 36),
    ("4 plain pilots", "ships that fall"): Target(0.10, 0.30),
    ("2 careful pilots", "games with a winner"): Target(0.90),
}
"""The targets of `flat_earth` by the subject of a figure and its name."""


@dataclass(frozen=True)
class Figure:
    """A number or a share, with its 95 % interval if it was sampled. `of` names the map or the contest."""

    of: str
    name: str
    value: float
    is_share: bool = False
    interval: tuple[float, float] | None = None

    def to_dict(self, judged: bool) -> dict[str, Any]:
        """Return the figure ready for JSON, with its target if the map is `judged`."""
        low, high = self.interval or (None, None)
        target = TARGETS.get((self.of, self.name)) if judged else None
        return {
            "of": self.of,
            "name": self.name,
            "value": self.value,
            "is_share": self.is_share,
            "low": low,
            "high": high,
            "asked": None if target is None else {"low": target.low, "high": target.high},
            "met": None if target is None else target.met(self.value),
        }


def map_figures(chart: Map) -> list[Figure]:
    """Count spaces and ports, and find the extremes of the shortest voyages from all ports."""
    voyages = [chart.shortest_voyage(port) for port in chart.ports]
    return [
        Figure(MAP, "spaces", len(chart.spaces)),
        Figure(MAP, "ports", len(chart.ports)),
        Figure(MAP, "least of the shortest voyages", min(voyages)),
        Figure(MAP, "greatest of the shortest voyages", max(voyages)),
    ]


def game_figures(tally: Tally) -> list[Figure]:
    """Summarize the games of a contest. The interval for ships treats them as independent of each other."""
    of, ships = str(tally.contest), tally.games * tally.contest.players
    return [
        _share(of, "games with a winner", tally.won, tally.games),
        _share(of, "ships that fall", tally.fallen, ships),
        Figure(of, "turns per player", float(np.mean(tally.turns)), interval=_interval(tally.turns)),
    ]


def _share(of: str, name: str, count: int, trials: int) -> Figure:
    """Return a share with its Wilson interval."""
    interval = stats.binomtest(count, trials).proportion_ci(method="wilson")
    return Figure(of, name, count / trials, is_share=True, interval=(float(interval.low), float(interval.high)))


def _interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the normal 95 % interval of the mean, or None for a single value."""
    if len(values) < 2:
        return None
    mean, half_width = np.mean(values), stats.norm.ppf(0.975) * np.std(values, ddof=1) / math.sqrt(len(values))
    return float(mean - half_width), float(mean + half_width)
