"""Compute the standings of a tournament: ratings, results of pairs, seats, and how well ratings fit."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from agents.arena.likelihood import Likelihood, Outcomes
from agents.arena.lines import GameLine
from agents.arena.ratings import Gap, Ratings, gaps, rate
from agents.evaluation.matches import mean_interval
from edge_envs import Game
from edge_envs.core.spec import Array

ANCHOR_AGENT = "heuristic"
MOST_REASONS = 5
"""The number of reasons of forfeits that are shown for an agent."""


@dataclass(frozen=True)
class Results:
    """The games of some agents, as arrays."""

    agents: Sequence[str]
    lines: Sequence[GameLine]
    outcomes: Outcomes
    clusters: Array  # (G,) games of one group on one seed have the same number

    @classmethod
    def of(cls, lines: Sequence[GameLine], agents: Sequence[str]) -> Results:
        """Select the games in which only these agents play."""
        number = {agent: at for at, agent in enumerate(agents)}
        among = [line for line in lines if number.keys() >= set(line.seats)]
        seats = np.array([[number[agent] for agent in line.seats] for line in among])
        groups: dict[Any, int] = {}
        clusters = [groups.setdefault((line.deal, tuple(sorted(line.seats))), len(groups)) for line in among]
        returns = np.array([line.returns for line in among])
        return cls(agents, among, Outcomes.of_returns(seats, returns), np.array(clusters))

    @property
    def anchor(self) -> int | None:
        """The agent with a fixed rating, if it plays."""
        return self.agents.index(ANCHOR_AGENT) if ANCHOR_AGENT in self.agents else None

    def rate(self, exact: bool = True) -> Ratings:
        """Rate the agents; without `exact`, only with bootstrap intervals."""
        return rate(self.outcomes, len(self.agents), self.anchor, self.clusters, exact)

    def gaps(self) -> list[Gap]:
        """Return the differences of all pairs of agents."""
        return gaps(self.outcomes, len(self.agents), self.clusters)


def standings(game: Game, results: Results) -> dict[str, Any]:
    """Return the standings as a JSON object, with the best agent first."""
    ratings = results.rate()
    pairs, skills = pair_results(results, ratings), open_skills(results)
    order = np.argsort(-ratings.points)
    return {
        "game": game.name,
        "version": game.type.version,
        "params": game.params_dict(),
        "games": len(results.lines),
        "deals": len({line.deal for line in results.lines}),
        "anchor": ANCHOR_AGENT if results.anchor is not None else "mean",
        "agents": [_agent(results, ratings, skills[at], at) for at in order.tolist()],
        "pairs": pairs,
        "seats": [
            {
                "seat": seat,
                "points": round(float(points), 1),
                "mean_return": _mean([line.returns[seat] for line in results.lines]),
            }
            for seat, points in enumerate(ratings.seats)
        ],
        "draws": {f"{size} of {count}": round(delta, 4) for (size, count), delta in ratings.draws.items()},
        "cycles": cycles(results.agents, pairs),
        "least_as_rated": _least_as_rated(pairs),
    }


def _agent(results: Results, ratings: Ratings, skill: tuple[float, float], at: int) -> dict[str, Any]:
    """Return the row of an agent."""
    name = results.agents[at]
    own = [(line, seat) for line in results.lines for seat, who in enumerate(line.seats) if who == name]
    returns = [line.returns[seat] for line, seat in own]
    paces = [line.seconds[seat] / line.decisions[seat] for line, seat in own if line.decisions[seat]]
    reasons = Counter(line.why for line, seat in own if line.forfeit == seat)
    low, high = ratings.by_likelihood[at]
    resampled = ratings.by_bootstrap[at]
    return {
        "agent": name,
        "rating": round(float(ratings.points[at]), 1),
        "low": round(float(low), 1),
        "high": round(float(high), 1),
        "bootstrap_low": round(float(resampled[0]), 1),
        "bootstrap_high": round(float(resampled[1]), 1),
        "openskill": {"mu": round(skill[0], 3), "sigma": round(skill[1], 3)},
        "games": int(ratings.games[at]),
        "wins": sum(value > 0 for value in returns),
        "draws": sum(value == 0 for value in returns),
        "mean_return": _mean(returns),
        "forfeits": reasons.total(),
        "forfeit_reasons": dict(reasons.most_common(MOST_REASONS)),
        "ms_per_decision": round(1000 * float(np.median(paces)) if paces else 0.0, 4),  # first ones compile
    }


def open_skills(results: Results) -> list[tuple[float, float]]:
    """Return mean and standard deviation of each agent's skill by openskill's Plackett-Luce model."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    skills = [model.rating() for _ in results.agents]
    for seats, ranks in zip(results.outcomes.seats.tolist(), results.outcomes.ranks.tolist(), strict=True):
        if len(set(seats)) == len(seats):  # it does not support one agent in several seats
            rated = model.rate([[skills[agent]] for agent in seats], ranks=ranks)
            for agent, (skill,) in zip(seats, rated, strict=True):
                skills[agent] = skill
    return [(skill.mu, skill.sigma) for skill in skills]


def pair_results(results: Results, ratings: Ratings) -> list[dict[str, Any]]:
    """Return for each pair the score and the score that the ratings predict.

    A draw counts half. A game counts once: if agents have several seats, by the mean over these. `surprise` is the
    difference in standard deviations of the predicted distribution.
    """
    outcomes = results.outcomes
    expected, variance = Likelihood(outcomes, len(results.agents)).beats(ratings.parameters)
    scores = _scores(outcomes)
    return [
        _pair(
            results.agents[one], results.agents[other],
            *(table[games, seats[0], seats[1]] for table in (scores, expected, variance)),
        )
        for one, other in itertools.combinations(range(len(results.agents)), 2)
        for games, seats in [_seats_of(outcomes, one, other)]
        if games.size
    ]  # fmt: skip


def _scores(outcomes: Outcomes) -> Array:
    """Return the score of the agent of each seat against that of each other (G, P, P), as the mean over its seats."""
    ranks = outcomes.ranks
    better = (ranks[:, :, None] < ranks[:, None, :]) + 0.5 * (ranks[:, :, None] == ranks[:, None, :])
    own = outcomes.own
    scores: Array = own @ better @ own.transpose(0, 2, 1)
    return scores


def _seats_of(outcomes: Outcomes, one: int, other: int) -> tuple[Array, tuple[Array, Array]]:
    """Return the games in which two agents met (k,), and the first seat of each there (k,)."""
    ones, others = (outcomes.seats == agent for agent in (one, other))
    games = np.flatnonzero(ones.any(axis=1) & others.any(axis=1))
    return games, (ones[games].argmax(axis=1), others[games].argmax(axis=1))


def _pair(one: str, other: str, scores: Array, expected: Array, variance: Array) -> dict[str, Any]:
    low, high = mean_interval(scores, 0.0, 1.0)
    return {
        "agent": one,
        "other": other,
        "games": len(scores),
        "score": round(float(scores.mean()), 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "by_ratings": round(float(expected.mean()), 4),
        "surprise": round(float((scores - expected).sum() / max(variance.sum(), 1e-9) ** 0.5), 2),
    }


def cycles(agents: Sequence[str], pairs: Sequence[dict[str, Any]]) -> list[list[str]]:
    """Return cycles of three agents in which each beats the next, with intervals that exclude one half."""
    beats = {(p["agent"], p["other"]) for p in pairs if p["low"] > 0.5}
    beats |= {(p["other"], p["agent"]) for p in pairs if p["high"] < 0.5}
    return [
        [a, b, c]
        for a, b, c in itertools.permutations(agents, 3)
        if a == min(a, b, c) and beats >= {(a, b), (b, c), (c, a)}
    ]


def _least_as_rated(pairs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the pair whose result differs most from the ratings, and the probability that some pair does by chance."""
    worst = max(pairs, key=lambda pair: abs(pair["surprise"]))
    chance = float(min(1.0, len(pairs) * 2 * stats.norm.sf(abs(worst["surprise"]))))
    return {"agent": worst["agent"], "other": worst["other"], "surprise": worst["surprise"], "p": round(chance, 4)}


def _mean(values: Sequence[float]) -> float:
    return round(float(np.mean(values)), 4)
