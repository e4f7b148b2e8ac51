"""Test search over whole turns: macro-actions, and deviations from the turn of the heuristic."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from edge_envs import Game, State, load_game
from edge_envs.core.spec import Records
from edge_envs.search import macro_actions as macro_actions_module
from edge_envs.search import turn_search
from edge_envs.search.agent import SearchAgent
from edge_envs.search.budgets import Budget
from edge_envs.search.loop import FULL
from edge_envs.search.macro_actions import MAX_MACRO_ACTIONS, find_macro_actions, new_macro_actions, read_steps
from edge_envs.search.searcher import Searcher, compares_turns
from edge_envs.search.turn_search import TRIED, is_significant, new_turn_memory
from tests.contract.cases import case_name, games
from tests.search.test_search import some_records
from tests.search.turn_search_twin import TurnSearchTwin, fields_of

valued = [game for game in games() if game.type.values is not None]
each_valued = pytest.mark.parametrize("game", valued, ids=case_name)
of_turns = [game for game in valued if compares_turns(game.type)]
each_of_turns = pytest.mark.parametrize("game", of_turns, ids=case_name)


def macro_actions_of(game: Game, records: Records, most: int = MAX_MACRO_ACTIONS) -> list[tuple[float, list[int]]]:
    """Return the loss and the actions of each macro-action of a position."""
    assert game.type.values is not None
    memory, steps = new_macro_actions(game), np.zeros(macro_actions_module.MAX_POSITIONS, np.int64)
    find = find_macro_actions(game.compiled.kernels, game.type.folder)
    find(records[0], game.type.values.weights_with()[0], most, memory)
    found = []
    for macro in range(memory.counts[0].ends):
        count = read_steps(memory, macro, steps)
        found.append((float(memory.nodes[memory.ends[macro]].loss), steps[:count].tolist()))
    return found


def follow(game: Game, records: Records, actions: list[int]) -> tuple[State, list[float]]:
    """Return the position after some actions, and the loss of each by the heuristic's action values."""
    state, losses = State.of_records(game, records), []
    for action in actions:
        values = state.action_values()
        losses.append(float(values.max() - values[action]))
        state.apply_action(action)
    return state, losses


def turn_of(state: State) -> Any:
    """Return the number of the turn."""
    return state.game.compiled.kernels.turn_of(state._records[0])  # type: ignore[misc]


@each_valued
def test_macro_actions_have_distinct_ends_in_order_of_loss(game: Game) -> None:
    for records in some_records(game, 6).reshape(-1, 1):
        begun, found, ends = State.of_records(game, records), macro_actions_of(game, records), set()
        for loss, actions in found:
            end, losses = follow(game, records, actions)
            assert loss == pytest.approx(sum(losses))
            assert end.current_player() != begun.current_player() or turn_of(end) != turn_of(begun)
            end._records["rng"] = 0
            ends.add(fields_of(end._records))
        assert len(ends) == len(found) > 0
        assert [loss for loss, _ in found] == sorted(loss for loss, _ in found)
        assert found[0][0] == 0.0


@each_valued
def test_the_first_macro_action_is_the_built_in_players_own_turn(game: Game) -> None:
    for records in some_records(game, 6).reshape(-1, 1):
        state = State.of_records(game, records)
        loss, actions = macro_actions_of(game, records, 1)[0]
        assert loss == 0.0
        for action in actions:
            assert action == state.heuristic_action()
            state.apply_action(action)


def test_a_macro_action_ends_when_the_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(macro_actions_module, "MAX_POSITIONS", 1)
    for game in valued:
        records = some_records(game, 1)
        assert len(macro_actions_of(game, records)) == 1


def test_a_position_is_new_once() -> None:
    macros = new_macro_actions(load_game("tic_tac_toe"))
    for number, expected in ((1, True), (2, True), (1, False), (2, False), (3, True)):
        macros.words[macros.counts[0].records] = number
        assert macro_actions_module.is_new(macros) == expected


@each_of_turns
def test_the_reference_implementation_agrees(game: Game) -> None:
    for records in some_records(game, 2).reshape(-1, 1):
        roots = Searcher(game, Budget(40))(records)
        best, visits = TurnSearchTwin(game).search(records, 40)
        assert {a: int(roots.visits[0, a]) for a in np.flatnonzero(roots.visits[0])} == visits
        assert roots.actions[0] == best


def test_the_reference_implementation_agrees_on_short_turns() -> None:
    game = load_game("tic_tac_toe")
    search, memory = turn_search.turn_search_loop(game.compiled.kernels, game.type.folder), new_turn_memory(game)
    for records in some_records(game, 4).reshape(-1, 1):
        actions, (means, policy) = np.empty(1, np.int64), np.empty((2, 1, 9))
        visits = np.empty((1, 9), np.int64)
        search(records, FULL, 40, memory, actions, visits, means, policy)
        best, expected = TurnSearchTwin(game).search(records, 40)
        assert {a: int(visits[0, a]) for a in np.flatnonzero(visits[0])} == expected
        assert actions[0] == best
        assert np.nanmax(means) <= 1.0
        assert np.nanmin(means) >= -1.0


def test_significance_agrees_with_students_t_test() -> None:
    rng, significant = np.random.default_rng(0), 0
    for _ in range(200):
        differences = rng.normal(0.7, 1.0, 10)
        tried = np.zeros(1, TRIED)
        tried[0]["iterations"], tried[0]["gain"] = len(differences), differences.sum()
        tried[0]["squares"] = (differences**2).sum()
        found = is_significant(tried[0])
        assert found == (stats.ttest_1samp(differences, 0.0).statistic > turn_search.MIN_T_STATISTIC)
        significant += found
    assert 20 < significant < 180


def test_one_iteration_is_never_significant_but_equal_gains_are() -> None:
    tried = np.zeros(1, TRIED)
    tried[0]["iterations"], tried[0]["gain"], tried[0]["squares"] = 1, 2.0, 4.0
    assert not is_significant(tried[0])
    tried[0]["iterations"], tried[0]["gain"], tried[0]["squares"] = 2, 4.0, 8.0
    assert is_significant(tried[0])
    tried[0]["gain"] = -4.0
    assert not is_significant(tried[0])


@each_of_turns
def test_few_iterations_play_as_the_built_in_player(game: Game) -> None:
    for records in some_records(game, 4).reshape(-1, 1):
        state = State.of_records(game, records)
        assert Searcher(game, Budget(1))(records).actions[0] == state.heuristic_action()


@each_of_turns
def test_a_budget_of_milliseconds(game: Game) -> None:
    roots = SearchAgent(game, Budget(milliseconds=40)).searcher(some_records(game, 1))
    assert roots.visits.sum() > 0
    assert roots.visits[0, roots.actions[0]] > 0
