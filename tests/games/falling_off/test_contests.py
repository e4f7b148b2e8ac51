"""Exact results of policies against each other: the tables of the heuristic, and the order of the contests."""

from __future__ import annotations

import pytest

from edge_envs import Game
from edge_envs.games.falling_off import GAME
from edge_envs.games.falling_off.actions import FIRST_MOVE
from edge_envs.games.falling_off.pieces.sets import ROLLS
from edge_envs.games.falling_off.solver import contests
from edge_envs.games.falling_off.solver.contests import CONTESTS, heuristic_tables, value_contests
from edge_envs.games.falling_off.solver.policies import TablePolicy, policy_value, uniform_tables
from edge_envs.games.falling_off.solver.tables import pawn_set_numbers


@pytest.fixture
def falling_off() -> Game:
    return Game(GAME, {})


@pytest.fixture(scope="session")
def heuristic() -> TablePolicy:
    return heuristic_tables()


def test_the_tables_of_the_heuristic_match_its_play(falling_off: Game, heuristic: TablePolicy) -> None:
    decisions = 0
    for seed in range(5):
        state = falling_off.new_initial_state(seed=seed)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance())
                continue
            action, d = state.heuristic_action(), state.to_dict()
            pawns = pawn_set_numbers()[tuple(d["pawns"][d["turn_player"]])]
            roll = ROLLS[3].index(tuple(d["dice"]))
            chance = (
                heuristic.reroll[pawns, roll, action]
                if d["phase"] == "reroll"
                else heuristic.move[pawns, roll, action - FIRST_MOVE]
            )
            assert chance == 1.0
            decisions += 1
            state.apply_action(action)
    assert decisions > 500


def test_the_heuristic_never_loses_to_random_play(heuristic: TablePolicy) -> None:
    assert policy_value(heuristic, uniform_tables()) == pytest.approx((1.0, 1.0), abs=1e-9)


def test_contests_are_evaluated_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluated: list[tuple[object, object]] = []

    def value(first: object, second: object) -> tuple[float, float]:
        evaluated.append((first, second))
        return 0.25, 0.5

    monkeypatch.setattr(contests, "policy_value", value)
    announced: list[tuple[str, str]] = []
    results = value_contests(lambda policy, opponent: announced.append((policy, opponent)))
    assert announced == [(contest.policy, contest.opponent) for contest in results] == list(CONTESTS)
    assert ("best_response", "heuristic") in announced
    assert [isinstance(policy, TablePolicy) for policy in evaluated[-1]] == [False, True]
    assert results[0].to_dict() == {
        "policy": "random", "opponent": "random", "moving_first": 0.25, "moving_second": 0.5, "mean": 0.375,
    }  # fmt: skip
