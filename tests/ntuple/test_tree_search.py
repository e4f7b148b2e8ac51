"""The tree search over whole turns against a slow reference."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import edge_envs
from edge_envs import Game
from edge_envs.ntuple.agent import TurnsAgent
from edge_envs.ntuple.network import TupleSpec
from edge_envs.search.agent import SearchAgent
from edge_envs.search.budgets import Budget
from edge_envs.search.tree_memory import MAX_CANDIDATES, new_memory
from tests.contract.play import decisions
from tests.ntuple.test_turn_search import NOUGHTS, SPECS, acting, network_with_weights
from tests.ntuple.tree_search_twin import SlowPlanSearch
from tests.toy import kuhn


def search_agent(game: Game, specs: list[TupleSpec], iterations: int) -> SearchAgent:
    """Return a search with random weights."""
    network, weights, _ = network_with_weights(game, specs)
    guide = TurnsAgent(game, network, weights, beam=100, depth=9, name="guide")
    return SearchAgent(game, Budget(iterations), guide)


def set_options(agent: SearchAgent, turns: int, width: int) -> None:
    """Set the length of playouts and the macro-actions of a node."""
    options = agent.searcher._memory.options
    options["playout_turns"], options["width"] = turns, width


@pytest.mark.parametrize(
    ("iterations", "turns", "width"), [(1, 0, 8), (7, 0, 8), (40, 0, 8), (7, 1, 0), (30, 3, 0), (30, 2, 3)]
)
def test_search_agrees_with_the_slow_reference(iterations: int, turns: int, width: int) -> None:
    _, _, slow = network_with_weights(NOUGHTS, SPECS)
    agent = search_agent(NOUGHTS, SPECS, iterations)
    set_options(agent, turns, width)
    for state in decisions(NOUGHTS, 12):
        if sum(end.is_terminal() for _, end in slow.turns(state)) > 1:
            continue  # leaves of equal value come in a random order
        twin = SlowPlanSearch(slow, turns, width)
        action, visits, means = twin.search(state, iterations)
        root = agent.root(state)
        assert root.best == action
        assert dict(zip(root.actions.tolist(), root.visits.tolist(), strict=True)) == visits
        for a, value in zip(root.actions.tolist(), root.values.tolist(), strict=True):
            assert value == pytest.approx(means[a], abs=1e-5, nan_ok=True)


def test_more_iterations_find_a_win_behind_the_reply() -> None:
    state = NOUGHTS.new_initial_state()
    for action in (0, 1, 3, 6):  # the next player wins by 4, which threatens 5 and 8
        state.apply_action(action)
    agent = search_agent(NOUGHTS, SPECS, 400)
    set_options(agent, 0, 8)
    root = agent.root(state)
    assert root.best == 4
    assert root.values[root.actions.tolist().index(4)] > 0.8


def test_search_of_chance_and_hidden_information_returns_legal_actions() -> None:
    game = Game(kuhn.GAME, {})
    layout = game.type.cell_layout(game.params)
    assert layout is not None
    agent = search_agent(game, [TupleSpec(cells=tuple(field.name for field in layout.fields))], 30)
    for state in decisions(game, 20):
        root = agent.root(state)
        assert root.best in state.legal_actions()
        assert root.visits.sum() == 30


def test_result_depends_only_on_the_record_and_survives_pickling() -> None:
    game = edge_envs.load_game("beyond_maps", size=5)
    agent = search_agent(game, [TupleSpec(window=(2, 2)), TupleSpec(cells=("own_ship", "other_ship"))], 12)
    again = pickle.loads(pickle.dumps(agent))
    for state in decisions(game, 4):
        action = int(agent.act(*acting(state))[0])
        assert action in state.legal_actions()
        assert int(again.act(*acting(state))[0]) == action


def test_each_macro_action_is_played_once_if_nothing_is_random_or_hidden() -> None:
    network, weights, _ = network_with_weights(NOUGHTS, SPECS)
    guide = TurnsAgent(NOUGHTS, network, weights, beam=100, depth=9)
    for budget in (Budget(100), Budget(milliseconds=5)):
        root = SearchAgent(NOUGHTS, budget, guide).root(NOUGHTS.new_initial_state())
        assert root.visits.tolist() == [1] * 9


def test_memory_has_room_for_all_macro_actions_of_a_root_in_a_game_with_few_actions() -> None:
    game = Game(kuhn.GAME, {})
    assert game.num_distinct_actions < MAX_CANDIDATES
    assert len(new_memory(game, 8).candidates) > MAX_CANDIDATES


def test_search_within_milliseconds_visits_every_candidate() -> None:
    network, weights, _ = network_with_weights(NOUGHTS, SPECS)
    guide = TurnsAgent(NOUGHTS, network, weights, beam=100, depth=9)
    agent = SearchAgent(NOUGHTS, Budget(milliseconds=5), guide)
    state = NOUGHTS.new_initial_state()
    root = agent.root(state)
    assert (root.visits > 0).sum() == 9
    assert np.isfinite(root.values).all()
