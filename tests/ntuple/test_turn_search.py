"""The search of a whole turn against a slow reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from edge_envs import Game, State
from edge_envs.core.spec import Array
from edge_envs.ntuple.agent import TurnsAgent
from edge_envs.ntuple.network import Network, TupleSpec, network_of
from edge_envs.ntuple.turn_search import new_settings
from tests.contract.play import decisions
from tests.ntuple.reference import SlowNetwork, SlowValues
from tests.toy import tic_tac_toe

NOUGHTS = Game(tic_tac_toe.GAME, {})
SPECS = [TupleSpec(window=(2, 2)), TupleSpec(window=(1, 3)), TupleSpec(cells=("turns_left",))]


def network_with_weights(game: Game, specs: list[TupleSpec], seed: int = 0) -> tuple[Network, Array, SlowValues]:
    """Return a network with random weights, and the slow reference of its values."""
    network, layout = network_of(game, specs), game.type.cell_layout(game.params)
    assert layout is not None
    weights = np.random.default_rng(seed).normal(size=int(network.size[0])).astype(np.float32)
    return network, weights, SlowValues(game, SlowNetwork(layout, specs), weights)


def values_of(agent: TurnsAgent, state: State) -> Array:
    """Return the values of all actions in a position."""
    return agent.action_values(state._records.copy())[0]


def share(game: Game, value: float) -> float:
    """Return a return as a share of the win."""
    assert game.utility_sum is not None
    return (value - game.min_utility) / (game.utility_sum - game.num_players * game.min_utility)


def test_values_of_actions_are_those_of_the_best_turn_they_start() -> None:
    network, weights, slow = network_with_weights(NOUGHTS, SPECS)
    agent = TurnsAgent(NOUGHTS, network, weights, beam=100, depth=9)
    for state in decisions(NOUGHTS, 15):
        player, found = state.current_player(), values_of(agent, state)
        best: dict[int, float] = {}
        for path, end in slow.turns(state):
            best[path[0]] = max(best.get(path[0], -1.0), slow.shares(end, player)[player])
        assert {a for a in range(9) if not np.isnan(found[a])} == set(best)
        for action, value in best.items():
            assert share(NOUGHTS, found[action]) == pytest.approx(value, abs=1e-5)


def acting(state: State) -> tuple[Any, ...]:
    """Return the arguments of `act` for one position."""
    player = state.current_player()
    records, rng = state._records.copy(), np.random.default_rng(0)
    return state.observation_tensor(player)[None], state.legal_action_mask()[None], records, np.array([player]), rng


def test_a_win_is_preferred_to_any_learned_value() -> None:
    network, weights, _ = network_with_weights(NOUGHTS, SPECS)
    state = NOUGHTS.new_initial_state()
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    for replies in (0, 4):
        agent = TurnsAgent(NOUGHTS, network, weights, beam=100, depth=9, replies=replies)
        assert agent.act(*acting(state)).tolist() == [2]


def test_a_legal_action_is_found_when_the_memory_holds_no_whole_turn() -> None:
    network, weights, _ = network_with_weights(NOUGHTS, SPECS)
    agent = TurnsAgent(NOUGHTS, network, weights, beam=100, depth=9)
    agent._memory = agent._memory._replace(paths=agent._memory.paths[:, :1].copy())  # turns of less than one decision
    for state in decisions(NOUGHTS, 8):
        assert int(agent.act(*acting(state))[0]) in state.legal_actions()


def test_settings_need_a_fixed_sum_of_returns() -> None:
    assert new_settings(NOUGHTS, 8, 4, 0)[0].shared == 2.0
    varying = Game(tic_tac_toe.GAME, {})
    varying.utility_sum = None
    with pytest.raises(ValueError, match="no fixed sum of returns"):
        new_settings(varying, 8, 4, 0)
