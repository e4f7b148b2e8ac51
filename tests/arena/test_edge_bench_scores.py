"""Test scores of `python -m agents.benchmark`: ratings, means, intervals, comparisons."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from agents.arena.anchored import AnchoredScale, Tally, outcomes_of
from agents.benchmarking.scores import BoardGames, CellGames, Side, aggregate, bootstrap, improvement


def duel_outcomes(rng: np.random.Generator, strengths: list[float], games: int) -> tuple[list[Any], list[Any]]:
    """Draw games of all pairs of agents with given strengths."""
    seats, returns = [], []
    for one in range(len(strengths)):
        for other in range(one):
            for game in range(games):
                pair = (one, other) if game % 2 else (other, one)
                first = rng.random() < 1 / (1 + np.exp(strengths[pair[1]] - strengths[pair[0]]))
                seats.append(pair)
                returns.append((1, -1) if first else (-1, 1))
    return seats, returns


def test_agent_is_placed_at_the_strength_of_an_equal_reference() -> None:
    rng = np.random.default_rng(1)
    strengths = [0.0, 1.0, 2.0]
    references = Tally.of(outcomes_of(*duel_outcomes(rng, strengths, 2000), 2))
    seats, returns = duel_outcomes(rng, [*strengths, 1.5], 2000)
    games = [at for at, pair in enumerate(seats) if 3 in pair]
    own = Tally.of(outcomes_of([seats[at] for at in games], [returns[at] for at in games], 2))
    scale = AnchoredScale(references, 3, 2, own.outcomes)
    strength = scale.place(own.counts)
    low, high = scale.interval(strength, own.counts)
    assert low < scale.strengths[0] + 1.5 < high
    assert high - low < 0.25
    assert scale.points(float(scale.strengths[2])) == pytest.approx(1000.0)
    lost = ((own.outcomes.seats == 3) & (own.outcomes.ranks == 1)).any(axis=1)
    assert scale.place(own.counts * np.where(lost, 3.0, 1.0)) < strength


def test_derivatives_are_those_of_the_likelihood() -> None:
    rng = np.random.default_rng(2)
    returns = rng.choice([-1.0, 0.0, 1.0], size=(60, 1)) * np.array([1.0, -1.0])
    references = Tally.of(outcomes_of([(0, 1)] * 60, returns.tolist(), 2))
    possible = outcomes_of([(2, 0), (1, 2), (2, 1)], [(1, -1), (1, -1), (0, 0)], 2)
    scale = AnchoredScale(references, 2, 0, possible)
    for number in range(3):
        counts, step = np.eye(3)[number], 1e-4
        losses = [scale._loss(0.3 + side * step, counts) for side in (-1, 0, 1)]
        slopes, bends = scale.derivatives(0.3)
        numerical = -(losses[2] - losses[0]) / (2 * step) + scale.prior * 0.3
        assert slopes[number] == pytest.approx(numerical, abs=1e-5)
        curvature = (losses[2] - 2 * losses[1] + losses[0]) / step**2 - scale.prior
        assert bends[number] == pytest.approx(curvature, abs=1e-4)


def test_draws_that_references_never_had_are_possible() -> None:
    references = Tally.of(outcomes_of([(0, 1), (1, 0)], [(-1, 1), (1, -1)], 2))
    possible = outcomes_of([(2, 0), (2, 1)], [(0, 0), (0, 0)], 2)
    scale = AnchoredScale(references, 2, 1, possible)
    strength = scale.place(np.array([50.0, 50.0]))
    assert scale.strengths[0] < strength < scale.strengths[1]


def board(name: str, score: float, slopes: list[float], returns: list[float]) -> BoardGames:
    cell = CellGames(np.array(slopes), np.full(len(slopes), 0.25), np.array(returns))
    return BoardGames(name, score, 0.0, 0.0, -1.0, 2.0, (cell,))


def test_interquartile_mean_is_that_of_all_runs_and_boards() -> None:
    scores = np.random.default_rng(0).normal(size=(5, 6))
    side = Side([[board("b", score, [0.0, 0.0], [0.0, 0.0]) for score in column] for column in scores.T])
    mean, low, high = aggregate(side)
    assert mean == pytest.approx(stats.trim_mean(scores.ravel(), 0.25))
    assert low < mean < high


def test_interval_of_one_agent_is_that_of_its_resampled_games() -> None:
    slopes = [0.5] * 200 + [-0.5] * 200
    side = Side([[board("b", 50.0, slopes, slopes)]])
    mean, low, high = aggregate(side)
    assert mean == pytest.approx(50.0)
    deviation = 100.0 / 2.0 * 0.5 * 400**0.5 / (0.25 * 400)  # of the sum of slopes, by the information
    assert (high - low) / 2 == pytest.approx(1.96 * deviation, rel=0.1)


def test_probability_of_improvement_is_the_mann_whitney_statistic() -> None:
    rng = np.random.default_rng(3)
    left, right = rng.integers(0, 4, 30).astype(float), rng.integers(1, 4, 20).astype(float)
    one, other = (Side([[board("b", 0.0, [0.0] * len(x), x.tolist())]]) for x in (left, right))
    expected = stats.mannwhitneyu(left, right).statistic / (30 * 20)
    found, low, high = improvement(one, other)
    assert found == pytest.approx(expected)
    assert low < found < high


def test_single_samples_are_not_resampled() -> None:
    assert bootstrap([1, 1], lambda chosen: np.asarray(3.0)) == (3.0, 3.0, 3.0)
