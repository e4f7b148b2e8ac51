"""Ratings of agents by maximum likelihood, in points: 400 points more are odds of ten to one."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from scipy import optimize, stats

from agents.arena.likelihood import Likelihood, Outcomes
from edge_envs.core.spec import Array

POINTS = 400.0 / np.log(10.0)  # of a unit of worth
ANCHOR = 1000.0  # points of the agent that all are measured by
SPREAD = 1200.0  # points; the standard deviation of the prior, which keeps finite who always wins
REPLICATIONS = 200  # of the bootstrap
_LEVEL = 0.95
_DROP = float(stats.chi2.ppf(_LEVEL, 1)) / 2.0
_WIDTH = float(stats.norm.ppf((1 + _LEVEL) / 2))  # standard deviations in half an interval


@dataclass(frozen=True)
class Ratings:
    """What games say about K agents and P seats; intervals have 95 %."""

    points: Array  # (K,)
    by_likelihood: Array  # (K, 2) where the likelihood has fallen to the bounds of the interval
    by_bootstrap: Array  # (K, 2) of games drawn anew, those with the same chance together
    parameters: Array  # of the likelihood, at its greatest
    seats: Array  # (P,) points that each seat is worth more than the mean of all
    draws: dict[tuple[int, int], float]  # delta of so many that do best of so many: the odds, where all are equal
    games: Array  # (K,) games of each agent


def rate(
    outcomes: Outcomes, agents: int, anchor: int | None, clusters: Array, exact: bool = True, seed: int = 0
) -> Ratings:
    """Rate agents by their games; the agent `anchor`, or for None the mean of all, has 1,000 points.

    Games of one cluster (G,) share their chance; the bootstrap draws them together. Without `exact`, which is faster,
    there are no intervals by the likelihood, but NaN.
    """
    distinct, numbers = outcomes.distinct()
    fit = _Fit(distinct, agents, anchor)
    counts = np.bincount(numbers, minlength=len(distinct.seats)).astype(float)
    best = fit.parameters(counts)
    at_tables = np.zeros((len(outcomes.seats), agents), bool)
    np.put_along_axis(at_tables, outcomes.seats, True, axis=1)
    own = best[agents : agents + outcomes.players]
    return Ratings(
        points=fit.points(best),
        by_likelihood=fit.profile_intervals(best, counts) if exact else np.full((agents, 2), np.nan),
        by_bootstrap=fit.bootstrap_intervals(best, numbers, clusters, np.random.default_rng(seed)),
        parameters=best,
        seats=POINTS * (own - own.mean()),
        draws=dict(zip(fit.likelihood.draws, np.exp(best[agents + outcomes.players :]).tolist(), strict=True)),
        games=at_tables.sum(axis=0),
    )


@dataclass(frozen=True)
class Gap:
    """What is known of the difference of two agents."""

    better: int
    worse: int
    points: float
    half: float  # of its interval of 95 %
    level: float  # of the narrowest interval that reaches 0


def gaps(outcomes: Outcomes, agents: int, clusters: Array) -> list[Gap]:
    """The differences of all pairs of agents.

    `half` is that of a normal interval. Its variance is the model's, or that of games which depend on each other within
    their clusters (G,), whichever is larger: the model's alone holds where a result never varied. `level` goes by the
    likelihood of equal agents, corrected by the same: a normal interval would reach 0 where one always wins.
    """
    distinct, numbers = outcomes.distinct()
    fit = _Fit(distinct, agents, None)
    counts = np.bincount(numbers, minlength=len(distinct.seats)).astype(float)
    best = fit.parameters(counts)
    covariance = fit.covariance(best, counts)
    least, slopes = fit.loss(best, counts), fit.likelihood.slopes(best)
    _, cluster = np.unique(clusters, return_inverse=True)

    def gap(better: int, worse: int) -> Gap:
        slope = np.zeros(len(best))
        slope[better], slope[worse] = POINTS, -POINTS
        direction, points = covariance @ slope, float(slope @ best)
        by_model = float(slope @ direction)
        by_game = fit.likelihood.along(slopes, direction)[numbers]
        variance = max(by_model, float((np.bincount(cluster, by_game) ** 2).sum()))
        equal = fit.least_loss_at(slope, best - direction * points / by_model, counts)
        level = stats.chi2.cdf(2.0 * (equal - least) * by_model / variance, 1)
        return Gap(better, worse, points, _WIDTH * variance**0.5, float(level))

    order = np.argsort(-best[:agents], kind="stable").tolist()
    return [gap(better, worse) for better, worse in itertools.combinations(order, 2)]


class _Fit:
    """Parameters of greatest likelihood for the same games, counted in one way or another."""

    def __init__(self, outcomes: Outcomes, agents: int, anchor: int | None) -> None:
        self.likelihood = Likelihood(outcomes, agents)
        self.agents, self.anchor = agents, anchor
        self._prior = np.zeros(self.likelihood.size)
        self._prior[: agents + outcomes.players] = (POINTS / SPREAD) ** 2
        self._prior[agents + outcomes.players :] = 1e-4

    def points(self, parameters: Array) -> Array:
        """The ratings (K,) that parameters stand for."""
        worths = parameters[: self.agents]
        zero = worths.mean() if self.anchor is None else worths[self.anchor]
        return ANCHOR + POINTS * (worths - zero)

    def _slope(self, agent: int) -> Array:
        """How the points of an agent grow with the parameters."""
        slope = np.zeros(self.likelihood.size)
        slope[agent] = POINTS
        if self.anchor is None:
            slope[: self.agents] -= POINTS / self.agents
        else:
            slope[self.anchor] -= POINTS
        return slope

    def loss(self, parameters: Array, weights: Array) -> float:
        """Minus the logarithm of likelihood and prior."""
        return float(0.5 * self._prior @ parameters**2 - weights @ self.likelihood.logarithms(parameters))

    def _downhill(self, parameters: Array, weights: Array) -> Array:
        return self.likelihood.gradient(self.likelihood.slopes(parameters), weights) - self._prior * parameters

    def _information(self, parameters: Array, weights: Array) -> Array:
        return np.diag(self._prior) + self.likelihood.information(self.likelihood.bends(parameters), weights)

    def parameters(self, weights: Array) -> Array:
        """The parameters of greatest likelihood where each game counts `weights` (G,) times."""
        found = optimize.minimize(
            self.loss,
            np.zeros(self.likelihood.size),
            (weights,),
            method="trust-exact",
            jac=lambda x, w: -self._downhill(x, w),
            hess=self._information,
            options={"gtol": 1e-6 * max(1.0, float(weights.sum()))},
        )
        best: Array = found.x
        return best

    def covariance(self, best: Array, weights: Array) -> Array:
        """That of the parameters of greatest likelihood, by its bend there."""
        return np.linalg.inv(self._information(best, weights))

    def profile_intervals(self, best: Array, weights: Array) -> Array:
        """For each agent the points (K, 2) beyond which even the best other parameters are too unlikely."""
        covariance = self.covariance(best, weights)
        least = self.loss(best, weights)
        return np.array([self._profile(best, weights, covariance, least, agent) for agent in range(self.agents)])

    def _profile(self, best: Array, weights: Array, covariance: Array, least: float, agent: int) -> list[float]:
        slope, points = self._slope(agent), float(self.points(best)[agent])
        deviation = float(np.sqrt(slope @ covariance @ slope))
        if deviation < 1e-9:  # the anchor
            return [points, points]

        def beyond(shift: float) -> float:
            """How much more the likelihood falls than it may, with the agent's points shifted."""
            start = best + covariance @ slope * shift / deviation**2
            return self.least_loss_at(slope, start, weights) - least - _DROP

        bounds = []
        for side in (-1.0, 1.0):
            far = 2.0 * deviation
            while beyond(side * far) < 0.0:
                far *= 1.5
            bounds.append(points + side * optimize.brentq(lambda x, side=side: beyond(side * x), 0.0, far, xtol=0.05))
        return bounds

    def least_loss_at(self, slope: Array, start: Array, weights: Array) -> float:
        """The least loss among parameters that are as far along a slope as `start`, by Newton's method."""
        parameters, loss = start, self.loss(start, weights)
        for _ in range(50):
            both = np.stack([self._downhill(parameters, weights), slope], axis=1)
            step, across = np.linalg.solve(self._information(parameters, weights), both).T
            step = step - across * (slope @ step) / (slope @ across)
            while (next_loss := self.loss(parameters + step, weights)) > loss + 1e-12 * abs(loss):
                step = step / 2.0
            parameters, gained, loss = parameters + step, loss - next_loss, next_loss
            if gained < 1e-6:
                break
        return loss

    def bootstrap_intervals(self, best: Array, numbers: Array, clusters: Array, rng: np.random.Generator) -> Array:
        """For each agent the quantiles (K, 2) of its points over games drawn anew in clusters.

        Each time the parameters are found by one step of Newton's method from the best.
        """
        slopes, bends = self.likelihood.slopes(best), self.likelihood.bends(best)
        _, cluster = np.unique(clusters, return_inverse=True)
        count, drawn = cluster.max() + 1, []
        for _ in range(REPLICATIONS):
            times = np.bincount(rng.integers(count, size=count), minlength=count)
            weights = np.bincount(numbers, times[cluster], len(slopes))
            downhill = self.likelihood.gradient(slopes, weights) - self._prior * best
            information = np.diag(self._prior) + self.likelihood.information(bends, weights)
            drawn.append(self.points(best + np.linalg.solve(information, downhill)))
        interval: Array = np.quantile(drawn, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2], axis=0).T
        return interval
