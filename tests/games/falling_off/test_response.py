"""Best responses: exact ones against brute force and theory, and responses to a queried agent."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from edge_envs import load_game
from edge_envs.core.spec import Array, Records
from edge_envs.games.falling_off.pieces.sets import FIRST_ROLL, PAWN_SET_NUMBER, PLACES
from edge_envs.games.falling_off.solver.policies import policy_value, side_of, uniform_tables
from edge_envs.games.falling_off.solver.response import AgentQueries, Response, respond_to
from edge_envs.games.falling_off.solver.solution import solve
from edge_envs.games.falling_off.state import REROLL
from tests.games.falling_off.test_solver import Brute, Pawns, compiled, take_best

__all__ = ["compiled"]

CUT = 3
GAME = load_game("falling_off")


def take_first(estimated: Any, true: Any) -> Any:
    return true[0]


def lowest_action(states: Records) -> Array:
    """Play as an agent that keeps its dice and moves its rearmost movable pawn as little as possible."""
    mask, actions = np.empty(GAME.num_distinct_actions, np.int8), np.empty(len(states), np.int64)
    for i in range(len(states)):
        GAME.compiled.loops.legal_action_mask(states[i : i + 1], mask)
        actions[i] = mask.argmax()
    return actions


def number(pawns: Pawns) -> int:
    return PAWN_SET_NUMBER[tuple(PLACES.index(place) for place in pawns)]


def one_left(place: int) -> Pawns:
    return (place, 14, 14, 14)


@pytest.fixture(scope="module")
def late(compiled: None) -> AgentQueries:
    """Return all decisions of an agent with one pawn left on each side; more than three turns owed count as lost."""
    queries, places = AgentQueries(lowest_action, cut=CUT), PLACES[:-1]
    positions = [(number(one_left(a)), number(one_left(b)), t) for a, b, t in product(places, places, range(1, 13))]
    queries.query(np.array(positions), np.inf, lambda known: None)
    return queries


@pytest.fixture(scope="module")
def response(late: AgentQueries) -> Response:
    return late.response()


def test_the_response_to_a_queried_agent_agrees_with_brute_force(response: Response) -> None:
    brute = Brute((take_best, take_first), most_owed=CUT)
    for mine, other in [(0, 0), (4, 9), (9, 4), (12, 6), (7, 13)]:
        own, others = number(one_left(mine)), number(one_left(other))
        for owed in range(1, CUT + 1):
            won = brute.win(0, one_left(mine), one_left(other), owed)
            assert response.own[own, owed - 1, others] == pytest.approx(won, abs=1e-12)
            lost = brute.win(1, one_left(other), one_left(mine), owed)
            assert response.other[others, owed - 1, own] == pytest.approx(lost, abs=1e-12)


def test_the_agent_is_assumed_to_play_perfectly_where_it_was_not_queried(response: Response) -> None:
    perfect = solve(cut=CUT)
    two_left = number((4, 9, 14, 14))
    assert response.own[two_left, 0, two_left] > perfect.values[two_left, 0, two_left] + 0.01
    nothing_known = AgentQueries(lowest_action, cut=CUT).response()
    value = perfect.first_player_win_probability
    assert nothing_known.win_probabilities == pytest.approx((value, 1.0 - value), abs=1e-12)


def test_decision_values_agree_with_the_value_of_the_position(response: Response) -> None:
    mine, other = number(one_left(0)), number(one_left(9))
    states = GAME.new_records(56)
    GAME.compiled.loops.new_games(states)
    states["pawns"][:, :2] = mine, other
    states["phase"], states["dice"] = REROLL, np.arange(FIRST_ROLL, FIRST_ROLL + 56)
    values = np.empty((56, GAME.num_distinct_actions))
    response.decision_values(states, values)
    probabilities = np.empty(GAME.max_chance_outcomes)
    start = GAME.new_records(1)
    GAME.compiled.loops.new_games(start)
    GAME.compiled.loops.chance_probabilities(start, probabilities)
    assert probabilities @ np.nanmax(values, axis=1) == pytest.approx(response.own[mine, 0, other], abs=1e-12)


def test_positions_met_in_games_are_queried_only_once(late: AgentQueries, response: Response) -> None:
    known = response.positions
    met = late.positions_met(response, 20, seed=3)
    assert (met == late.positions_met(response, 20, seed=3)).all()
    assert [number((0, 0, 0, 0)), number((0, 0, 0, 0)), 1] in met.tolist()
    queried: list[int] = []
    late.query(met[:5], np.inf, queried.append)
    late.query(met[:5], np.inf, queried.append)
    assert queried == [known + (met[:5, 2] <= CUT).sum()]


def test_without_time_there_are_no_queries(late: AgentQueries, response: Response) -> None:
    queried: list[int] = []
    late.query(late.positions_met(response, 4, seed=9), 0.0, queried.append)
    assert not queried


def test_the_best_response_to_the_perfect_player_wins_the_value_of_the_game() -> None:
    value = solve(pawns=1).first_player_win_probability
    exact = respond_to(side_of("perfect", 1), pawns=1)
    assert exact.exact
    assert exact.win_probabilities == pytest.approx((value, 1.0 - value), abs=1e-12)


def test_the_best_response_to_random_play_wins_more_than_the_perfect_player() -> None:
    random = uniform_tables(1)
    exact = respond_to(side_of(random, 1), pawns=1)
    assert exact.win_probabilities == pytest.approx(policy_value("best_response", random, pawns=1), abs=1e-12)
    assert sum(exact.win_probabilities) >= sum(policy_value("perfect", random, solve(pawns=1), pawns=1))
