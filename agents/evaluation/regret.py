"""Estimate the winning probability against perfect play from the regrets of an agent's decisions.

Against the perfect player, an agent's winning probability is the value of the start minus the mean, over its games, of
the summed regrets of its decisions (performance difference lemma; Kakade and Langford, 2002). Counting wins would need
a hundred times as many games. A draw counts half. The loss from a random opening counts as the agent's regret, which is
negative if the opening gains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from edge_envs import Game
from edge_envs.core.spec import Array, Records
from edge_envs.players.perfect import load_solution


class RegretMeter:
    """Measures regrets in a solved game; ValueError if the game is not solved."""

    def __init__(self, game: Game) -> None:
        self.solution = load_solution(game)
        self._values = np.empty((0, game.num_distinct_actions))

    def values(self, states: Records) -> Array:
        """Return the winning probability after each action (k, num_distinct_actions), NaN for illegal ones.

        The next call overwrites the array.
        """
        if len(self._values) < len(states):
            self._values = np.empty((len(states), self._values.shape[1]))
        values = self._values[: len(states)]
        self.solution.decision_values(states, values)
        return values

    def regrets(self, states: Records, actions: Array, legal: Array | None = None) -> Array:
        """Return the regret of each action (k,): the loss of winning probability.

        An action that is not `legal` (k,) forfeits the game and loses all of it.
        """
        return self.judge(states, actions, legal)[1]

    def judge(self, states: Records, actions: Array, legal: Array | None = None) -> tuple[Array, Array]:
        """Return the winning probabilities with best play, and the `regrets`."""
        values = self.values(states)
        best = np.nanmax(values, axis=1)
        if legal is None:
            return best, best - values[np.arange(len(states)), actions]
        left = values[np.arange(len(states)), np.where(legal, actions, 0)]
        return best, best - np.where(legal, left, 0.0)

    def start(self, seat: int) -> float:
        """Return the winning probability of a seat at the start, with best play of both sides."""
        first = self.solution.first_player_win_probability
        return first if seat == 0 else 1.0 - first


@dataclass(frozen=True)
class Estimate:
    """The winning probability against the perfect player with its half-width (95 %), by seat and on average."""

    seats: list[tuple[float, float]]
    mean: tuple[float, float]

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON object."""
        return {"mean": _named(self.mean), "seats": [_named(seat) for seat in self.seats]}


def _named(pair: tuple[float, float]) -> dict[str, float]:
    return {"estimate": pair[0], "half_width": pair[1]}


def estimate(meter: RegretMeter, regrets: list[list[float]]) -> Estimate:
    """Estimate the winning probability from the summed regrets of the games from each seat.

    Game k has the same chance in both seats, so the interval of the mean is that of the means over both seats.
    """
    seats = [_interval(meter.start(seat), sums) for seat, sums in enumerate(regrets)]
    games = min(map(len, regrets))
    pairs = np.mean([sums[:games] for sums in regrets], axis=0) if games else []
    return Estimate(seats, (float(np.mean([value for value, _ in seats])), _interval(0.5, pairs)[1]))


def _interval(start: float, regrets: Any) -> tuple[float, float]:
    """Return the value of the start minus the mean regret, and the half-width of Student's t interval.

    The half-width is 1 for fewer than two games.
    """
    if len(regrets) < 2:
        return start - sum(regrets), 1.0
    half_width = float(stats.t.ppf(0.975, len(regrets) - 1) * np.std(regrets, ddof=1) / len(regrets) ** 0.5)
    return start - float(np.mean(regrets)), half_width
