"""The figures of a map, and what the rules of `over_the_edge` ask of `flat_earth`; no other map is judged."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from agents.evaluation.matches import wilson
from edge_envs.games.over_the_edge.map.charts import Map
from scripts.map_reports.contests import Tally


@dataclass(frozen=True)
class Asked:
    """A range with its ends; without `high`, more than `low`."""

    low: float
    high: float | None = None

    def met(self, value: float) -> bool:
        """Whether a value is as asked."""
        return value > self.low if self.high is None else self.low <= value <= self.high


MAP = "map"

ASKED: Mapping[tuple[str, str], Asked] = {
    (MAP, "spaces"): Asked(60, 80),
    (MAP, "ports"): Asked(5, 8),
    (MAP, "least of the shortest voyages"): Asked(18, 28),
    (MAP, "greatest of the shortest voyages"): Asked(18, 28),
    ("4 careful pilots", "games with a winner"): Asked(0.95),
    ("4 careful pilots", "ships that fall"): Asked(0.05, 0.15),
    ("4 careful pilots", "turns per player"): Asked(22, 36),
    ("4 plain pilots", "ships that fall"): Asked(0.10, 0.30),
    ("2 careful pilots", "games with a winner"): Asked(0.90),
}
"""By what a figure is of, and its name."""


@dataclass(frozen=True)
class Figure:
    """A number or a share of a map, with its 95 % interval if it was sampled."""

    of: str
    name: str
    value: float
    is_share: bool = False
    interval: tuple[float, float] | None = None

    def to_dict(self, judged: bool) -> dict[str, Any]:
        """Ready for JSON."""
        low, high = self.interval or (None, None)
        asked = ASKED.get((self.of, self.name)) if judged else None
        return {
            "of": self.of,
            "name": self.name,
            "value": self.value,
            "is_share": self.is_share,
            "low": low,
            "high": high,
            "asked": None if asked is None else {"low": asked.low, "high": asked.high},
            "met": None if asked is None else asked.met(self.value),
        }


def map_figures(chart: Map) -> list[Figure]:
    """What is counted on the map."""
    voyages = [chart.shortest_voyage(port) for port in chart.ports]
    return [
        Figure(MAP, "spaces", len(chart.spaces)),
        Figure(MAP, "ports", len(chart.ports)),
        Figure(MAP, "least of the shortest voyages", min(voyages)),
        Figure(MAP, "greatest of the shortest voyages", max(voyages)),
    ]


def game_figures(tally: Tally) -> list[Figure]:
    """What was sampled in a contest. The interval of ships takes them for independent of each other."""
    of, ships = str(tally.contest), tally.games * tally.contest.players
    return [
        _share(of, "games with a winner", tally.won, tally.games),
        _share(of, "ships that fall", tally.fallen, ships),
        Figure(of, "turns per player", float(np.mean(tally.turns)), interval=_interval(tally.turns)),
    ]


def _share(of: str, name: str, count: int, trials: int) -> Figure:
    return Figure(of, name, count / trials, is_share=True, interval=wilson(count, trials))


def _interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Of the mean; none for a single value."""
    if len(values) < 2:
        return None
    mean, half_width = np.mean(values), stats.norm.ppf(0.975) * np.std(values, ddof=1) / math.sqrt(len(values))
    return float(mean - half_width), float(mean + half_width)
