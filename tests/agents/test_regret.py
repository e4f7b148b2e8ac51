"""Test the estimate against perfect play: regrets of decisions, and their sums against exact dynamic programming."""

from __future__ import annotations

import numpy as np
import pytest

import edge_envs
from agents.evaluation.regret import RegretMeter, estimate
from agents.evaluation.report import Evaluation, evaluate_against
from agents.players.agent import make_agent
from edge_envs import Game
from edge_envs.core.loops.seat_codes import STAY
from edge_envs.envs.seat_lanes import SeatLanes
from edge_envs.games.falling_off.solver.contests import heuristic_tables
from edge_envs.games.falling_off.solver.policies import policy_value
from edge_envs.games.falling_off.solver.solution import Solution
from tests.agents.players import Stubborn, untrained

WIDTHS = 2.0  # an error of twice the half-width of a 95 % interval occurs once in 10,000 samples


@pytest.fixture(scope="session")
def meter(falling_off: Game) -> RegretMeter:
    return RegretMeter(falling_off)


def against_perfect(game: Game, name: str, games: int) -> Evaluation:
    return evaluate_against(game, make_agent(name, game), make_agent("perfect", game), games)


def check_estimate(evaluation: Evaluation, exact: tuple[float, float], narrower: float) -> None:
    """Check that the estimates of both seats and of their mean are close to the exact values, with narrow intervals."""
    assert evaluation.estimate is not None
    pairs = [*zip(evaluation.estimate.seats, exact, strict=True), (evaluation.estimate.mean, sum(exact) / 2)]
    for (value, half_width), true in pairs:
        assert abs(value - true) < WIDTHS * half_width
        assert 0.0 < half_width < narrower


def test_the_estimate_of_the_heuristic_agrees_with_its_exact_value(falling_off: Game, solution: Solution) -> None:
    exact = policy_value(heuristic_tables(), "perfect", solution)
    assert 0.25 < sum(exact) / 2 < 0.5
    check_estimate(against_perfect(falling_off, "heuristic", 4000), exact, narrower=0.0075)


def test_random_play_never_beats_perfect_play(falling_off: Game) -> None:
    evaluation = against_perfect(falling_off, "random", 4000)
    check_estimate(evaluation, (0.0, 0.0), narrower=0.0065)
    assert (evaluation.match.returns == -1.0).all()


def test_perfect_play_has_the_value_of_the_game(falling_off: Game, solution: Solution) -> None:
    evaluation = against_perfect(falling_off, "perfect", 200)
    first = solution.first_player_win_probability
    assert evaluation.estimate is not None
    assert evaluation.estimate.seats == [(first, 0.0), (1.0 - first, 0.0)]
    assert evaluation.estimate.mean == (0.5, 0.0)
    assert (evaluation.match.returns > 0).mean() == 0.5


def test_estimate_of_forfeiting_every_game_is_zero(falling_off: Game) -> None:
    evaluation = evaluate_against(falling_off, Stubborn(0), make_agent("perfect", falling_off), 4000)
    assert evaluation.match.illegal == 4000
    check_estimate(evaluation, (0.0, 0.0), narrower=0.0065)


def test_estimate_requires_the_perfect_agent_as_opponent(falling_off: Game) -> None:
    random = make_agent("random", falling_off)
    assert evaluate_against(falling_off, random, make_agent("heuristic", falling_off), 4).estimate is None
    by_name_only = untrained(falling_off)
    by_name_only.name = "perfect"
    assert evaluate_against(falling_off, random, by_name_only, 4).estimate is None


@pytest.mark.parametrize("games", [1, 2, 3])
def test_few_games_give_an_uninformative_interval(falling_off: Game, games: int) -> None:
    evaluation = against_perfect(falling_off, "heuristic", games)
    assert evaluation.estimate is not None
    assert evaluation.estimate.mean[1] == 1.0
    assert evaluation.to_dict()["half_width"] == 1.0


def test_evaluation_to_dict_has_counts_and_estimates(falling_off: Game) -> None:
    d = against_perfect(falling_off, "heuristic", 21).to_dict()
    assert (d["opponent"], d["games"], d["illegal"]) == ("perfect", 21, 0)
    assert d["games_per_second"] > 0
    assert [seat["games"] for seat in d["seats"]] == [11, 10]
    assert d["wins"] == sum(seat["wins"] for seat in d["seats"])
    assert d["estimate"] == pytest.approx(np.mean([seat["estimate"] for seat in d["estimate_seats"]]))


def test_regret_is_the_value_gap_to_the_best_action(falling_off: Game, meter: RegretMeter) -> None:
    table = SeatLanes(falling_off, 50, "heuristic", 0, "raise", STAY)
    table.reset(0)
    states = table.shown_states(np.arange(50))
    values = meter.values(states).copy()
    assert np.array_equal(~np.isnan(values), table.action_mask == 1)
    best = np.nanargmax(values, axis=1)
    assert (meter.regrets(states, best) == 0.0).all()
    keep = np.zeros(50, np.int64)
    assert meter.regrets(states, keep) == pytest.approx(values[np.arange(50), best] - values[:, 0])
    some_legal = np.arange(50) % 2 == 0
    regrets = meter.regrets(states, np.where(some_legal, keep, -1), some_legal)
    assert regrets[some_legal] == pytest.approx(meter.regrets(states, keep)[some_legal])
    assert regrets[~some_legal] == pytest.approx(values[np.arange(50), best][~some_legal])


def test_interval_of_the_mean_accounts_for_common_random_numbers(meter: RegretMeter) -> None:
    sums = np.random.default_rng(0).random(1000)
    alike = estimate(meter, [sums.tolist(), sums.tolist()])
    opposed = estimate(meter, [sums.tolist(), (1.0 - sums).tolist()])
    assert alike.mean[1] == pytest.approx(alike.seats[0][1])
    assert opposed.mean[1] == pytest.approx(0.0, abs=1e-12)


def test_regret_meter_requires_a_solved_game() -> None:
    with pytest.raises(ValueError, match="no perfect player"):
        RegretMeter(edge_envs.load_game("falling_off", num_players=3))
