"""Test the agent `turn`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import CHANCE, Game, State
from edge_envs.core.spec import Records
from edge_envs.players import built_in_agent
from edge_envs.search import turns
from edge_envs.search.fitted import read_fit
from edge_envs.search.tree_memory import new_memory
from edge_envs.search.turns import TurnAgent
from tests.contract.cases import case_name, games
from tests.contract.play import decisions
from tests.search.test_search import shown, some_records

fitted = [game for game in games() if read_fit(game) is not None]
each_fitted = pytest.mark.parametrize("game", fitted, ids=case_name)


def state_of(game: Game, records: Records) -> State:
    return State.of_records(game, records)


def expectation(game: Game, state: State, player: int, turn: int) -> float:
    """Return a player's expected return by expectimax over a turn, in plain Python, with fitted values at its end."""
    rules = game.compiled.kernels
    if state.is_terminal():
        return 0.0
    records = state._records
    if rules.turn_of(records[0]) != turn:  # type: ignore[misc]
        return behind(game, records.copy(), player)
    if state.current_player() == CHANCE:
        return sum(p * after(game, state, outcome, player, turn) for outcome, p in state.chance_outcomes())
    assert state.current_player() == player
    return max(after(game, state, action, player, turn) for action in state.legal_actions())


def after(game: Game, state: State, action: int, player: int, turn: int) -> float:
    following = State.of_records(game, state._records)
    following.apply_action(action)
    return following.rewards()[player] + expectation(game, following, player, turn)


def behind(game: Game, records: Any, player: int) -> float:
    """Return the fitted value at the next decision."""
    rules, fit, values = game.compiled.kernels, read_fit(game), game.type.values
    assert fit is not None
    assert values is not None
    while (mover := int(rules.current_player(records[0]))) == CHANCE:
        rules.apply(records[0], rules.sample_chance(records[0]))
    scores = np.empty(game.num_players)
    for p in range(game.num_players):
        features = np.empty(len(values.features))
        rules.position_features(records[0], p, player, values.weights_with()[0], features)  # type: ignore[misc]
        row = fit.weights[0 if p == mover else 1]
        scores[p] = features @ row[:-1] + row[-1]
    powers = np.exp(scores - scores.max())
    low = game.min_utility
    assert game.utility_sum is not None
    assert game.max_utility == -low  # zero-sum
    return low + (game.utility_sum - game.num_players * low) * float(powers[player] / powers.sum())


def test_its_values_are_the_exact_expectations_of_a_turn() -> None:
    game = edge_envs.load_game("falling_off")
    agent, looked = TurnAgent(game), 0
    for number, state in enumerate(decisions(game, 12)):
        if len(state.legal_actions()) > 3 and number % 2:
            continue  # rerolls of many dice are slow in plain Python
        records = shown(state, number)
        values = agent.action_values(records)[0]
        player, turn = state.current_player(), int(game.compiled.kernels.turn_of(records[0]))  # type: ignore[misc]
        for action in state.legal_actions():
            assert values[action] == pytest.approx(after(game, state_of(game, records), action, player, turn))
            looked += 1
    assert looked > 10


@each_fitted
def test_it_values_the_legal_actions_and_chooses_the_best(game: Game) -> None:
    agent = TurnAgent(game)
    for number, state in enumerate(decisions(game, 3)):
        records = shown(state, number)
        before = records.tobytes()
        values = agent.action_values(records)[0]
        assert records.tobytes() == before
        assert np.flatnonzero(np.isfinite(values)).tolist() == state.legal_actions()
        masks, players = state.legal_action_mask()[None], np.array([state.current_player()])
        (action,) = agent.act(np.zeros(0), masks, records, players, np.random.default_rng(0))
        assert action == np.nanargmax(values)


def test_a_small_edge_limit_reduces_the_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    game = edge_envs.load_game("beyond_maps", size=7, land_markers=5)
    records = some_records(game, 6)
    values = {}
    for most in (1, 300, 3000):
        monkeypatch.setattr(turns, "MAX_GRAPH_EDGES", most)
        values[most] = TurnAgent(game).action_values(records)
        assert (np.isfinite(values[most]) == np.isfinite(values[1])).all()
    assert not np.array_equal(values[1], values[3000], equal_nan=True)
    assert not np.array_equal(values[300], values[3000], equal_nan=True)


def test_values_do_not_depend_on_the_batch() -> None:
    game = edge_envs.load_game("over_the_edge", map="pond")
    records, agent = some_records(game, 6), TurnAgent(game)
    together = agent.action_values(records)
    for i in range(len(records)):
        assert np.array_equal(agent.action_values(records[i : i + 1])[0], together[i], equal_nan=True)


def test_a_game_without_fitted_values_is_rejected() -> None:
    for name in ("tic_tac_toe", "kuhn"):
        with pytest.raises(ValueError, match=f"turn compares position values, but {name} has none"):
            built_in_agent("turn", edge_envs.load_game(name))


def test_its_tree_memory_is_small() -> None:
    memory = new_memory(edge_envs.load_game("falling_off"), 1)
    assert sum(array.nbytes for array in memory) < 200_000
