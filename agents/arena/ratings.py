"""Rate agents by maximum likelihood, in points: a difference of 400 points means odds of ten to one."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from scipy import optimize, stats

from agents.arena.likelihood import Likelihood, Outcomes
from edge_envs.core.spec import Array

POINTS = 400.0 / np.log(10.0)  # per unit of strength
ANCHOR = 1000.0  # points of the anchor
SPREAD = 1200.0  # points; the standard deviation of the prior, without which winning always means an infinite rating
REPLICATIONS = 200  # of the bootstrap
_LEVEL = 0.95
DROP = float(stats.chi2.ppf(_LEVEL, 1)) / 2.0
_WIDTH = float(stats.norm.ppf((1 + _LEVEL) / 2))  # standard deviations in half an interval


@dataclass(frozen=True)
class Ratings:
    """Ratings of K agents and P seats, with 95 % intervals."""

    points: Array  # (K,)
    by_likelihood: Array  # (K, 2) profile likelihood intervals
    by_bootstrap: Array  # (K, 2) cluster bootstrap intervals
    parameters: Array  # the maximum-likelihood estimate
    seats: Array  # (P,) points of each seat relative to the mean
    draws: dict[tuple[int, int], float]  # delta by (size of the best set, remaining players)
    games: Array  # (K,) games of each agent


def rate(
    outcomes: Outcomes, agents: int, anchor: int | None, clusters: Array, exact: bool = True, seed: int = 0
) -> Ratings:
    """Rate agents by their games.

    Args:
        outcomes: the games.
        agents: the number of agents.
        anchor: the agent that has 1,000 points; None for the mean of all agents.
        clusters: the cluster of each game (G,): games on the same seed, which the bootstrap resamples together.
        exact: whether to compute profile likelihood intervals; without them it is faster, and they are NaN.
        seed: the seed of the bootstrap.
    """
    distinct, numbers = outcomes.distinct()
    fit = Fit(distinct, agents, anchor)
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
    """The estimated difference of two agents."""

    better: int
    worse: int
    points: float
    half: float  # the half-width of its 95 % interval
    level: float  # the confidence level at which the interval reaches 0


def gaps(outcomes: Outcomes, agents: int, clusters: Array) -> list[Gap]:
    """Return the differences of all pairs of agents.

    The interval is normal. Its variance is that of the model or the cluster-robust one, whichever is larger: only the
    model's is valid if results never varied. `level` comes from the likelihood ratio test of equal agents, scaled by
    the same variance: a normal interval would reach 0 if one agent always wins.
    """
    distinct, numbers = outcomes.distinct()
    fit = Fit(distinct, agents, None)
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


class Fit:
    """Maximum-likelihood estimates for the same games with different weights."""

    def __init__(self, outcomes: Outcomes, agents: int, anchor: int | None) -> None:
        self.likelihood = Likelihood(outcomes, agents)
        self.agents, self.anchor = agents, anchor
        self.prior = np.zeros(self.likelihood.size)
        self.prior[: agents + outcomes.players] = (POINTS / SPREAD) ** 2
        self.prior[agents + outcomes.players :] = 1e-4

    def points(self, parameters: Array) -> Array:
        """Return the ratings (K,) of parameters."""
        worths = parameters[: self.agents]
        zero = worths.mean() if self.anchor is None else worths[self.anchor]
        return ANCHOR + POINTS * (worths - zero)

    def _slope(self, agent: int) -> Array:
        """Return the gradient of an agent's rating by the parameters."""
        slope = np.zeros(self.likelihood.size)
        slope[agent] = POINTS
        if self.anchor is None:
            slope[: self.agents] -= POINTS / self.agents
        else:
            slope[self.anchor] -= POINTS
        return slope

    def loss(self, parameters: Array, weights: Array) -> float:
        """Return the negative log-posterior."""
        return float(0.5 * self.prior @ parameters**2 - weights @ self.likelihood.logarithms(parameters))

    def _downhill(self, parameters: Array, weights: Array) -> Array:
        return self.likelihood.gradient(self.likelihood.slopes(parameters), weights) - self.prior * parameters

    def _information(self, parameters: Array, weights: Array) -> Array:
        return np.diag(self.prior) + self.likelihood.information(self.likelihood.bends(parameters), weights)

    def parameters(self, weights: Array) -> Array:
        """Return the maximum of the posterior if each game counts `weights` (G,) times."""
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
        """Return the covariance of the estimate, from the Hessian at the maximum."""
        return np.linalg.inv(self._information(best, weights))

    def profile_intervals(self, best: Array, weights: Array) -> Array:
        """Return profile likelihood intervals (K, 2)."""
        covariance = self.covariance(best, weights)
        least = self.loss(best, weights)
        return np.array([self._profile(best, weights, covariance, least, agent) for agent in range(self.agents)])

    def _profile(self, best: Array, weights: Array, covariance: Array, least: float, agent: int) -> list[float]:
        slope, points = self._slope(agent), float(self.points(best)[agent])
        deviation = float(np.sqrt(slope @ covariance @ slope))
        if deviation < 1e-9:  # the anchor
            return [points, points]

        def beyond(shift: float) -> float:
            """Return by how much the profile exceeds the bound if the agent's rating is shifted."""
            start = best + covariance @ slope * shift / deviation**2
            return self.least_loss_at(slope, start, weights) - least - DROP

        bounds = []
        for side in (-1.0, 1.0):
            far = 2.0 * deviation
            while beyond(side * far) < 0.0:
                far *= 1.5
            bounds.append(points + side * optimize.brentq(lambda x, side=side: beyond(side * x), 0.0, far, xtol=0.05))
        return bounds

    def least_loss_at(self, slope: Array, start: Array, weights: Array) -> float:
        """Return the least loss among parameters with the same `slope @ parameters` as `start`, by Newton's method."""
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
        """Return cluster bootstrap intervals (K, 2): quantiles of the ratings over resampled clusters of games.

        Each replicate takes one Newton step from the estimate.
        """
        slopes, bends = self.likelihood.slopes(best), self.likelihood.bends(best)
        _, cluster = np.unique(clusters, return_inverse=True)
        count, drawn = cluster.max() + 1, []
        for _ in range(REPLICATIONS):
            times = np.bincount(rng.integers(count, size=count), minlength=count)
            weights = np.bincount(numbers, times[cluster], len(slopes))
            downhill = self.likelihood.gradient(slopes, weights) - self.prior * best
            information = np.diag(self.prior) + self.likelihood.information(bends, weights)
            drawn.append(self.points(best + np.linalg.solve(information, downhill)))
        interval: Array = np.quantile(drawn, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2], axis=0).T
        return interval
