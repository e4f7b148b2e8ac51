"""The search among whole turns: its plans, and when it leaves the built-in player's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from edge_envs import Game, State
from edge_envs.core.spec import Records
from edge_envs.search import plans as plans_module
from edge_envs.search import rehearsal
from edge_envs.search.agent import SearchAgent
from edge_envs.search.budgets import Budget
from edge_envs.search.plans import MOST_PLANS, find_plans, new_plans, read_steps
from edge_envs.search.rehearsal import TRIED, is_sure
from edge_envs.search.searcher import Searcher, compares_turns
from tests.contract.cases import case_name, games
from tests.search.rehearsal_twin import RehearsalTwin, fields_of
from tests.search.test_search import some_records

valued = [game for game in games() if game.type.values is not None]
each_valued = pytest.mark.parametrize("game", valued, ids=case_name)
of_turns = [game for game in valued if compares_turns(game.type)]
each_of_turns = pytest.mark.parametrize("game", of_turns, ids=case_name)


def plans_of(game: Game, records: Records, most: int = MOST_PLANS) -> list[tuple[float, list[int]]]:
    """The plans of a position: what each loses, and its actions."""
    assert game.type.values is not None
    memory, steps = new_plans(game), np.zeros(plans_module.MOST_POSITIONS, np.int64)
    find = find_plans(game.compiled.kernels, game.type.folder)
    find(records[0], game.type.values.weights_with()[0], most, memory)
    found = []
    for plan in range(memory.counts[0].ends):
        count = read_steps(memory, plan, steps)
        found.append((float(memory.nodes[memory.ends[plan]].loss), steps[:count].tolist()))
    return found


def follow(game: Game, records: Records, actions: list[int]) -> tuple[State, list[float]]:
    """The position after some actions, and what each loses by what the built-in player thinks."""
    state, losses = State.of_records(game, records), []
    for action in actions:
        values = state.action_values()
        losses.append(float(values.max() - values[action]))
        state.apply_action(action)
    return state, losses


def turn_of(state: State) -> Any:
    """The number of the turn."""
    return state.game.compiled.kernels.turn_of(state._records[0])  # type: ignore[misc]


@each_valued
def test_plans_come_to_different_ends_of_the_turn_those_first_that_lose_least(game: Game) -> None:
    for records in some_records(game, 6).reshape(-1, 1):
        begun, found, ends = State.of_records(game, records), plans_of(game, records), set()
        for loss, actions in found:
            end, losses = follow(game, records, actions)
            assert loss == pytest.approx(sum(losses))
            assert end.current_player() != begun.current_player() or turn_of(end) != turn_of(begun)
            end._records["rng"] = 0
            ends.add(fields_of(end._records))
        assert len(ends) == len(found) > 0
        assert [loss for loss, _ in found] == sorted(loss for loss, _ in found)


@each_valued
def test_the_first_plan_is_the_built_in_players_own(game: Game) -> None:
    for records in some_records(game, 6).reshape(-1, 1):
        state = State.of_records(game, records)
        loss, actions = plans_of(game, records, 1)[0]
        assert loss == 0.0
        for action in actions:
            assert action == state.heuristic_action()
            state.apply_action(action)


def test_a_turn_that_is_too_long_ends_where_the_memory_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans_module, "MOST_POSITIONS", 1)
    for game in valued:
        records = some_records(game, 1)
        assert len(plans_of(game, records)) == 1


@each_of_turns
def test_the_twin_searches_alike(game: Game) -> None:
    for records in some_records(game, 2).reshape(-1, 1):
        roots = Searcher(game, Budget(40))(records)
        best, visits = RehearsalTwin(game).search(records, 40)
        assert {a: int(roots.visits[0, a]) for a in np.flatnonzero(roots.visits[0])} == visits
        assert roots.actions[0] == best


def test_differences_are_sure_by_the_students_test() -> None:
    rng, sure = np.random.default_rng(0), 0
    for _ in range(200):
        differences = rng.normal(0.7, 1.0, 10)
        tried = np.zeros(1, TRIED)
        tried[0]["iterations"], tried[0]["ahead"] = len(differences), differences.sum()
        tried[0]["squares"] = (differences**2).sum()
        found = is_sure(tried[0])
        assert found == (stats.ttest_1samp(differences, 0.0).statistic > rehearsal.SURE)
        sure += found
    assert 20 < sure < 180


def test_one_iteration_is_never_sure_and_equal_gains_are() -> None:
    tried = np.zeros(1, TRIED)
    tried[0]["iterations"], tried[0]["ahead"], tried[0]["squares"] = 1, 2.0, 4.0
    assert not is_sure(tried[0])
    tried[0]["iterations"], tried[0]["ahead"], tried[0]["squares"] = 2, 4.0, 8.0
    assert is_sure(tried[0])
    tried[0]["ahead"] = -4.0
    assert not is_sure(tried[0])


@each_of_turns
def test_few_iterations_are_the_built_in_player(game: Game) -> None:
    for records in some_records(game, 4).reshape(-1, 1):
        state = State.of_records(game, records)
        assert Searcher(game, Budget(1))(records).actions[0] == state.heuristic_action()


@each_of_turns
def test_it_may_have_time_instead_of_iterations(game: Game) -> None:
    roots = SearchAgent(game, Budget(milliseconds=40)).searcher(some_records(game, 1))
    assert roots.visits.sum() > 0
    assert roots.visits[0, roots.actions[0]] > 0
