"""Rate one agent on a fixed scale: the ratings of some references, which its own games do not change.

The model is that of tournaments (`agents.arena.likelihood`). The references' games determine all parameters but one,
the strength of the agent, which is then the maximum of the posterior given the agent's games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from agents.arena.likelihood import Outcomes
from agents.arena.ratings import ANCHOR, DROP, POINTS, Fit
from edge_envs.core.spec import Array

WIDEST = 40.0  # strengths beyond this are not searched; it is 6,900 points


@dataclass(frozen=True)
class Tally:
    """Distinct outcomes, and how often each occurred."""

    outcomes: Outcomes
    counts: Array  # (G,)

    @classmethod
    def of(cls, outcomes: Outcomes) -> Tally:
        """Count the distinct outcomes of games."""
        distinct, numbers = outcomes.distinct()
        return cls(distinct, np.bincount(numbers, minlength=len(distinct.seats)).astype(float))


class AnchoredScale:
    """The scale that the games of K references determine; games of the agent number K are placed on it.

    Args:
        references: the games of the references.
        agents: the number K of references.
        anchor: the reference that has 1,000 points.
        possible: outcomes of games that will be placed, which determine what draws are possible.
    """

    def __init__(self, references: Tally, agents: int, anchor: int, possible: Outcomes) -> None:
        both = Outcomes(
            np.concatenate([references.outcomes.seats, possible.seats]),
            np.concatenate([references.outcomes.ranks, possible.ranks]),
        )
        self._agents, self._anchor = agents, anchor
        self._fit = Fit(both, agents + 1, anchor)
        self._known = len(references.counts)
        weights = np.concatenate([references.counts, np.zeros(len(possible.seats))])
        self._parameters = self._fit.parameters(weights)
        self.prior = float(self._fit.prior[agents])

    @property
    def strengths(self) -> Array:
        """The strengths of the references (K,)."""
        return self._parameters[: self._agents]

    def points(self, strength: float | Array) -> Array:
        """Return the rating of a strength, in points."""
        points: Array = ANCHOR + POINTS * (np.asarray(strength) - self.strengths[self._anchor])
        return points

    def derivatives(self, strength: float) -> tuple[Array, Array]:
        """Return, for each possible outcome, the derivative of its log-likelihood and minus the second derivative."""
        parameters, direction = self._parameters.copy(), np.zeros(len(self._parameters))
        parameters[self._agents], direction[self._agents] = strength, 1.0
        likelihood = self._fit.likelihood
        slopes, bends = likelihood.slopes(parameters), likelihood.bends(parameters)
        along = likelihood.along(slopes, direction)[self._known :]
        return along, likelihood.bend_along(bends, direction)[self._known :]

    def place(self, counts: Array) -> float:
        """Return the strength of an agent whose games had each possible outcome `counts` (G,) times."""

        def downhill(strength: float) -> float:
            return float(counts @ self.derivatives(strength)[0] - self.prior * strength)

        return float(optimize.brentq(downhill, -WIDEST, WIDEST, xtol=1e-6))

    def interval(self, strength: float, counts: Array) -> tuple[float, float]:
        """Return the 95 % profile likelihood interval of a strength; the references are taken as exact."""
        least = self._loss(strength, counts)

        def beyond(other: float) -> float:
            return self._loss(other, counts) - least - DROP

        bounds = []
        for side in (-1.0, 1.0):
            far = 0.1
            while beyond(strength + side * far) < 0.0:
                far *= 2.0
            bounds.append(float(optimize.brentq(beyond, strength, strength + side * far, xtol=1e-4)))
        return bounds[0], bounds[1]

    def _loss(self, strength: float, counts: Array) -> float:
        parameters = self._parameters.copy()
        parameters[self._agents] = strength
        weights = np.concatenate([np.zeros(self._known), counts])
        return self._fit.loss(parameters, weights)


def outcomes_of(seats: Sequence[Sequence[int]], returns: Sequence[Sequence[float]], players: int) -> Outcomes:
    """Return the outcomes of games, of which there may be none."""
    shape = (len(seats), players)
    return Outcomes.of_returns(np.array(seats, np.int64).reshape(shape), np.array(returns, float).reshape(shape))
