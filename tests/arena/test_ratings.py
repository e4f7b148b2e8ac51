"""Test ratings: the likelihood against its definition, simulated agents of known strength, interval coverage."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping

import numpy as np
import pytest

from agents.arena.likelihood import Likelihood, Outcomes
from agents.arena.ratings import POINTS, gaps, rate
from agents.arena.standings import Results, pair_results
from edge_envs.core.spec import Array
from tests.arena.coverage import play


def rankings(players: int) -> list[tuple[int, ...]]:
    """Return all results of a game: for each player, the number of players who did better."""
    found = set()
    for levels in itertools.product(range(players), repeat=players):
        found.add(tuple(sum(other < own for other in levels) for own in levels))
    return sorted(found)


Draws = Mapping[tuple[int, int], float]


def probability(ranks: tuple[int, ...], strengths: Array, draws: Draws) -> float:
    """Return the probability of a result by the definition of the model."""
    result, left = 1.0, set(range(len(ranks)))
    while left:
        best = {player for player in left if ranks[player] == min(ranks[other] for other in left)}
        usual = np.mean([strengths[player] for player in left])
        weights = {
            some: draws.get((size, len(left)), float(size == 1)) * np.exp(sum(strengths[one] - usual for one in some))
            for size in range(1, len(left) + 1)
            for some in itertools.combinations(sorted(left), size)
        }
        result *= weights[tuple(sorted(best))] / sum(weights.values())
        left -= best
    return result


def simulate(strengths: Array, seats: Array, draws: Draws, games: int, rng: np.random.Generator) -> Outcomes:
    """Simulate games of agents of known strength."""
    count, players, ends = len(strengths), len(seats), rankings(len(seats))
    chances = {
        group: np.array([probability(end, strengths[list(group)] + seats, draws) for end in ends])
        for group in itertools.permutations(range(count), players)
    }
    groups = [tuple(rng.permutation(count)[:players].tolist()) for _ in range(games)]
    drawn = [ends[rng.choice(len(ends), p=chances[group])] for group in groups]
    return Outcomes(np.array(groups), np.array(drawn))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_likelihood_matches_the_definition_of_the_model(players: int) -> None:
    rng = np.random.default_rng(players)
    ends = rankings(players)
    seats = np.array([rng.permutation(5)[:players] for _ in ends])
    fit = Likelihood(Outcomes(seats, np.array(ends)), 5)
    assert fit.draws == [(size, count) for count in range(2, players + 1) for size in range(2, count + 1)]
    parameters = rng.normal(size=fit.size)
    draws = dict(zip(fit.draws, np.exp(parameters[5 + players :]), strict=True))
    strengths = parameters[seats] + parameters[5 : 5 + players]
    expected = [probability(end, own, draws) for end, own in zip(ends, strengths, strict=True)]
    assert np.exp(fit.logarithms(parameters)) == pytest.approx(expected)
    group = strengths[0]
    assert sum(probability(end, group, draws) for end in ends) == pytest.approx(1.0)
    for one, other in itertools.permutations(range(players), 2):
        better = sum(
            (end[one] < end[other]) * chance + 0.5 * (end[one] == end[other]) * chance
            for end in ends
            for chance in [probability(end, group, draws)]
        )
        squares = sum(
            ((end[one] < end[other]) + 0.5 * (end[one] == end[other])) ** 2 * probability(end, group, draws)
            for end in ends
        )
        scores, variance = fit.beats(parameters)
        assert scores[0, one, other] == pytest.approx(better)
        assert variance[0, one, other] == pytest.approx(squares - better**2)


def test_score_of_agents_in_several_seats_is_the_mean_over_seats() -> None:
    rng, ends, seats = np.random.default_rng(0), rankings(4), np.array([0, 1, 1, 0])
    fit = Likelihood(Outcomes(np.tile(seats, (len(ends), 1)), np.array(ends)), 2)
    parameters = rng.normal(size=fit.size)
    draws = dict(zip(fit.draws, np.exp(parameters[6:]), strict=True))
    chances = np.array([probability(end, parameters[seats] + parameters[2:6], draws) for end in ends])
    scores = np.array([np.mean([(e[i] < e[j]) + 0.5 * (e[i] == e[j]) for i in (0, 3) for j in (1, 2)]) for e in ends])
    expected, variance = fit.beats(parameters)
    for one, other in itertools.product((0, 3), (1, 2)):
        assert expected[5, one, other] == pytest.approx(chances @ scores)
        assert variance[5, one, other] == pytest.approx(chances @ scores**2 - (chances @ scores) ** 2)


def results_of(outcomes: Outcomes, agents: int) -> Results:
    """Return results that consist of outcomes only."""
    return Results([f"agent {at}" for at in range(agents)], [], outcomes, np.arange(len(outcomes.seats)))


@pytest.mark.parametrize(
    ("players", "draws"),
    [(2, {}), (2, {(2, 2): 3.0}), (4, {(1, 4): 0.0, (2, 4): 0.0, (3, 4): 1.0})],
    ids=["no draws", "many draws", "one of four loses"],
)
def test_surprise_is_in_standard_deviations(players: int, draws: Draws) -> None:
    """If games follow the ratings, surprises have a standard deviation of 1, with few or many draws."""
    rng, agents, surprises = np.random.default_rng(4), 5, []
    strengths, seats = np.linspace(-0.5, 0.5, agents), np.zeros(players)
    games = simulate(strengths, seats, draws, 2400, rng)
    for first in range(0, 2400, 200):
        outcomes = Outcomes(games.seats[first : first + 200], games.ranks[first : first + 200])
        results = results_of(outcomes, agents)
        rated = results.rate(exact=False)
        log_draws = [np.log(draws[some]) if some in draws else 0.0 for some in Likelihood(outcomes, agents).draws]
        true = dataclasses.replace(rated, parameters=np.concatenate([strengths, seats, log_draws]))
        surprises += [pair["surprise"] for pair in pair_results(results, true)]
    assert np.std(surprises) == pytest.approx(1.0, abs=0.2)
    assert abs(np.mean(surprises)) < 0.3


def test_game_counts_once_even_if_agents_have_several_seats() -> None:
    seats = np.array([[0, 0, 1, 1], [0, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 1]] * 24)
    best = np.random.default_rng(5).integers(4, size=len(seats))
    outcomes = Outcomes.of_returns(seats, np.where(np.arange(4) == best[:, None], 1.0, -1 / 3))
    results = results_of(outcomes, 2)
    (pair,) = pair_results(results, results.rate(exact=False))
    won = float((seats[np.arange(len(seats)), best] == 0).mean())
    assert pair["games"] == 96
    assert pair["score"] == pytest.approx(0.75 * won + 0.25 * (1 - won), abs=1e-4)
    assert pair["low"] < 0.5 < pair["high"]


def test_draws_make_the_interval_of_a_pair_narrower() -> None:
    seats, drawn = np.array([[0, 1]] * 300), np.arange(300)[:, None] % 10 < 8
    first = np.arange(300)[:, None] % 10 == 8
    mostly_drawn = Outcomes.of_returns(seats, np.where(drawn, 0.0, np.where(first, [1.0, -1.0], [-1.0, 1.0])))
    decided = Outcomes.of_returns(seats, np.where(np.arange(300)[:, None] % 2 == 0, [1.0, -1.0], [-1.0, 1.0]))
    widths = []
    for outcomes in (mostly_drawn, decided):
        results = results_of(outcomes, 2)
        (pair,) = pair_results(results, results.rate(exact=False))
        widths.append(pair["high"] - pair["low"])
    assert widths[0] == pytest.approx(widths[1] * 0.2**0.5, rel=0.1)


@pytest.mark.parametrize("players", [2, 4])
def test_gradient_and_information_match_finite_differences(players: int) -> None:
    rng = np.random.default_rng(1)
    seats = np.array([rng.permutation(6)[:players] for _ in range(30)])
    fit = Likelihood(Outcomes.of_returns(seats, rng.integers(3, size=seats.shape)), 6)
    at, weights, step = rng.normal(size=fit.size), rng.random(30), 1e-5 * np.eye(fit.size)

    def total(parameters: Array) -> float:
        return float(weights @ fit.logarithms(parameters))

    def slope(parameters: Array) -> Array:
        return fit.gradient(fit.slopes(parameters), weights)

    assert slope(at) == pytest.approx(np.array([(total(at + d) - total(at - d)) / 2e-5 for d in step]), abs=1e-6)
    bends = np.array([(slope(at - d) - slope(at + d)) / 2e-5 for d in step])
    assert fit.information(fit.bends(at), weights) == pytest.approx(bends, abs=1e-6)


@pytest.mark.parametrize(("players", "games"), [(2, 4000), (3, 2000), (4, 1500)])
def test_ratings_of_simulated_agents_are_recovered(players: int, games: int) -> None:
    rng = np.random.default_rng(players)
    strengths, seats, draws = (
        np.array([0.0, 0.4, 1.0, 1.7, -1.2]),
        np.linspace(0.3, -0.3, players),
        {(2, count): 0.3 for count in range(2, players + 1)},
    )
    outcomes = simulate(strengths, seats, draws, games, rng)
    found = rate(outcomes, 5, 0, np.arange(games), exact=False)
    assert found.points == pytest.approx(1000.0 + POINTS * strengths, abs=45.0)
    assert found.seats == pytest.approx(POINTS * seats, abs=20.0)
    assert found.draws == pytest.approx(draws, abs=0.06)
    assert found.games.sum() == players * games


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("alone", ["wins", "loses"])
def test_rating_differences_are_log_odds_of_a_sole_winner_or_loser(players: int, alone: str) -> None:
    """For any number of players, 400 points are odds of ten to one."""
    rng, points = np.random.default_rng(players), np.array([1000.0, 1150.0, 850.0, 700.0, 1300.0])
    sign = 1.0 if alone == "wins" else -1.0
    tables = np.array([rng.permutation(5)[:players] for _ in range(4000)])
    odds = 10.0 ** (sign * points[tables] / 400.0)
    chosen = (rng.random((4000, 1)) < (odds / odds.sum(axis=1, keepdims=True)).cumsum(axis=1)).argmax(axis=1)
    returns = sign * (np.arange(players) == chosen[:, None])
    found = rate(Outcomes.of_returns(tables, returns), 5, 0, np.arange(4000), exact=False)
    assert found.points == pytest.approx(points, abs=60.0)


def test_interval_coverage_is_nominal() -> None:
    """80 tournaments have three 95 % intervals each: 228 are expected to cover, 220 to 236 are usual."""
    rng, strengths = np.random.default_rng(0), np.array([0.0, 0.5, 1.0, -0.8])
    truth = 1000.0 + POINTS * strengths
    within = {"likelihood": 0, "bootstrap": 0}
    for _ in range(80):
        found = rate(simulate(strengths, np.array([0.1, -0.1]), {(2, 2): 0.2}, 300, rng), 4, 0, np.arange(300))
        for kind, bounds in (("likelihood", found.by_likelihood), ("bootstrap", found.by_bootstrap)):
            within[kind] += int(((bounds[1:, 0] <= truth[1:]) & (truth[1:] <= bounds[1:, 1])).sum())
    assert 216 <= within["likelihood"] <= 238
    assert 214 <= within["bootstrap"] <= 239


def test_identical_games_of_one_seed_count_once() -> None:
    outcomes = simulate(np.array([0.0, 0.7]), np.zeros(2), {}, 200, np.random.default_rng(2))
    alone = rate(outcomes, 2, 0, np.arange(200), exact=False).by_bootstrap[1]
    four = Outcomes(np.repeat(outcomes.seats, 4, axis=0), np.repeat(outcomes.ranks, 4, axis=0))
    together = rate(four, 2, 0, np.repeat(np.arange(200), 4), exact=False).by_bootstrap[1]
    apart = rate(four, 2, 0, np.arange(800), exact=False).by_bootstrap[1]
    assert np.ptp(together) == pytest.approx(np.ptp(alone), rel=0.15)
    assert np.ptp(apart) == pytest.approx(np.ptp(alone) / 2, rel=0.2)


def test_agent_that_always_wins_has_a_finite_rating_and_a_wide_interval() -> None:
    seats = np.array([[0, 1], [1, 0]] * 20)
    found = rate(Outcomes.of_returns(seats, np.where(seats == 1, 1.0, -1.0)), 2, 0, np.arange(40))
    assert 1400 < found.points[1] < 3000
    low, high = found.by_likelihood[1]
    assert low > 1300
    assert high > found.points[1] + 500
    assert found.by_likelihood[0].tolist() == [1000.0, 1000.0]


def test_mean_rating_is_1000_without_an_anchor() -> None:
    outcomes = simulate(np.array([0.0, 0.5, 1.0]), np.zeros(2), {(2, 2): 0.5}, 500, np.random.default_rng(3))
    found = rate(outcomes, 3, None, np.arange(500))
    assert found.points.mean() == pytest.approx(1000.0)
    assert (found.by_likelihood[:, 0] < found.points).all()
    assert (found.points < found.by_likelihood[:, 1]).all()


def test_gap_interval_coverage_is_nominal() -> None:
    """80 tournaments have three gaps each: 228 are expected to cover; one in twenty equal pairs is separated."""
    rng, strengths, within, apart = np.random.default_rng(7), np.array([0.8, 0.0, -0.5]), 0, 0
    for _ in range(80):
        found = gaps(simulate(strengths, np.array([0.1, -0.1]), {(2, 2): 0.2}, 200, rng), 3, np.arange(200))
        assert {frozenset((gap.better, gap.worse)) for gap in found} == {frozenset(p) for p in ((0, 1), (0, 2), (1, 2))}
        assert min(gap.points for gap in found) >= 0
        truths = [POINTS * (strengths[gap.better] - strengths[gap.worse]) for gap in found]
        within += sum(abs(gap.points - truth) <= gap.half for gap, truth in zip(found, truths, strict=True))
        (equal,) = gaps(simulate(np.zeros(2), np.zeros(2), {}, 200, rng), 2, np.arange(200))
        apart += equal.level > 0.95
    assert 216 <= within <= 238
    assert 1 <= apart <= 9


def test_gap_to_an_agent_that_always_wins_is_wide_but_certain() -> None:
    """All bootstrap samples of such games are equal."""
    seats = np.array([[0, 1], [1, 0]] * 16)
    outcomes = Outcomes.of_returns(seats, np.where(seats == 1, 1.0, -1.0))
    (gap,) = gaps(outcomes, 2, np.arange(32))
    assert (gap.better, gap.worse) == (1, 0)
    assert gap.half > 400  # points
    assert gap.level > 0.999
    low, high = rate(outcomes, 2, 0, np.arange(32), exact=False).by_bootstrap[1]
    assert high - low < gap.half / 10


def test_gaps_count_identical_games_of_one_seed_once() -> None:
    outcomes = simulate(np.array([0.0, 0.4]), np.zeros(2), {}, 200, np.random.default_rng(2))
    (alone,) = gaps(outcomes, 2, np.arange(200))
    four = Outcomes(np.repeat(outcomes.seats, 4, axis=0), np.repeat(outcomes.ranks, 4, axis=0))
    (together,), (apart,) = (gaps(four, 2, clusters) for clusters in (np.repeat(np.arange(200), 4), np.arange(800)))
    assert together.half == pytest.approx(alone.half, rel=0.1)
    assert together.level == pytest.approx(alone.level, abs=0.02)
    assert apart.half == pytest.approx(alone.half / 2, rel=0.1)
    assert apart.level > alone.level


@pytest.mark.parametrize(("agents", "games", "tournaments"), [(8, 2400, 12), (2, 2000, 40)])
def test_interval_coverage_is_nominal_with_adaptive_pairings(agents: int, games: int, tournaments: int) -> None:
    """Equal agents would stay separated by luck if only neighbours played more games, or if 95 % sufficed to stop."""
    found = [play(2, [0.0] * agents, games, 15.0, seed) for seed in range(tournaments)]
    assert np.mean([one.games for one in found]) > 0.9 * games
    assert np.mean([abs(one.errors) <= one.halves for one in found]) >= 0.92
