"""The winning probability against perfect play, estimated sharply from the regrets of an agent's decisions.

Against the perfect player an agent's winning probability is the value of the start minus the mean, over its games, of
the summed regrets of its decisions (performance difference lemma). Counting wins would need a hundred times the games.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from agents.perfect import load_solution
from edge_envs import Game
from edge_envs.core.game import Array, Records


class RegretMeter:
    """Measures decisions of a solved game; ValueError if there is no exact solution of it."""

    def __init__(self, game: Game) -> None:
        self.solution = load_solution(game)
        self._values = np.empty((0, game.num_distinct_actions))

    def values(self, states: Records) -> Array:
        """The winning probability after each action, (k, num_distinct_actions), NaN where it is not legal.

        The array is used again in the next call.
        """
        if len(self._values) < len(states):
            self._values = np.empty((len(states), self._values.shape[1]))
        values = self._values[: len(states)]
        self.solution.decision_values(states, values)
        return values

    def regrets(self, states: Records, actions: Array, legal: Array | None = None) -> Array:
        """How much of the winning probability each action (k,) gives away, in positions at which players decide.

        An action that is not `legal` (k,) forfeits the game: it gives away all of it.
        """
        values = self.values(states)
        if legal is None:
            return np.nanmax(values, axis=1) - values[np.arange(len(states)), actions]
        left = values[np.arange(len(states)), np.where(legal, actions, 0)]
        return np.nanmax(values, axis=1) - np.where(legal, left, 0.0)


@dataclass(frozen=True)
class Estimate:
    """A winning probability against the perfect player with its 95 % interval, from each seat and in the mean."""

    seats: list[tuple[float, float]]  # estimate and half-width

    @property
    def mean(self) -> tuple[float, float]:
        """The mean of the seats and the half-width of its interval."""
        estimates, widths = np.array(self.seats).T
        return float(estimates.mean()), float(np.sqrt((widths**2).sum()) / len(widths))

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"mean": _named(self.mean), "seats": [_named(seat) for seat in self.seats]}


def _named(pair: tuple[float, float]) -> dict[str, float]:
    return {"estimate": pair[0], "half_width": pair[1]}


def estimate(meter: RegretMeter, regrets: list[list[float]]) -> Estimate:
    """The estimate from the summed regrets of the games from each seat."""
    first = meter.solution.first_player_win_probability
    z = float(stats.norm.ppf(0.975))
    seats = []
    for start, sums in zip((first, 1.0 - first), regrets, strict=True):
        half_width = z * float(np.std(sums, ddof=1)) / len(sums) ** 0.5 if len(sums) > 1 else 1.0
        seats.append((start - sum(sums) / max(len(sums), 1), half_width))
    return Estimate(seats)
