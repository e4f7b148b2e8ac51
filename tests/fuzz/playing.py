"""Initial positions for fuzzing, and playing from a position with checks of its invariants."""

from __future__ import annotations

import functools
import json
from random import Random
from typing import Any

import numpy as np

from edge_envs import Game, State
from tests.contract.play import random_step, settle

GAMES_PLAYED = 4
NODES_KEPT = 40  # per game


@functools.cache
def nodes_of(game: Game) -> tuple[State, ...]:
    """Return nodes, evenly spread over games of uniform and heuristic play; callers must not modify them."""
    nodes: list[State] = []
    for seed in range(GAMES_PLAYED):
        rng, length, met = np.random.default_rng(seed), 0, []
        state = game.new_initial_state(seed=seed)
        step = 1  # a node is kept every `step` transitions; doubled when there are too many
        while True:
            if length % step == 0:
                met.append(state.clone())
            if len(met) > NODES_KEPT:
                step, met = 2 * step, met[::2]
            if state.is_terminal():
                break
            if seed % 2 and not state.is_chance_node():
                state.apply_action(state.heuristic_action())
            else:
                random_step(state, rng)
            length += 1
        nodes += [*met, state]
    return tuple(nodes)


@functools.cache
def positions_of(game: Game) -> tuple[dict[str, Any], ...]:
    """Return the nodes as JSON positions."""
    return tuple(json.loads(json.dumps(node.to_dict())) for node in nodes_of(game))


def decision_of(game: Game, rng: Random) -> State:
    """Return a copy of a random decision node."""
    while True:
        state = settle(rng.choice(nodes_of(game)).clone())
        if not state.is_terminal():
            return state


def check_round_trip(state: State) -> None:
    """Check that a position survives JSON."""
    position = state.to_dict()
    again = state.game.state_from_dict(json.loads(json.dumps(position, allow_nan=False)))
    assert again.to_dict() == position, f"through JSON, the position becomes {again.to_dict()}"
    assert again.current_player() == state.current_player()
    assert again.legal_actions() == state.legal_actions()


def play_on(state: State, rng: Random, transitions: int) -> None:
    """Continue with random and heuristic actions, and check every node."""
    generator = np.random.default_rng(rng.getrandbits(64))
    heuristic = rng.random() < 0.4
    for number in range(transitions):
        check_node(state, look=number % 5 == 0)
        if number == transitions // 2:
            check_round_trip(state)
        if state.is_terminal():
            return
        if state.is_chance_node():
            state.apply_action(state.sample_chance() if heuristic else rng.choice(state.legal_actions()))
        elif heuristic:
            state.apply_action(state.heuristic_action())
        else:
            random_step(state, generator)
        if number % 8 == 0 and not state.is_terminal():
            viewer = rng.randrange(state.game.num_players)
            check_node(state.resample(viewer, generator), look=False)


def check_node(state: State, look: bool) -> None:
    """Check the invariants of a node: player, actions, probabilities, rewards; with `look` also the observations."""
    game, player = state.game, state.current_player()
    legal = state.legal_actions()
    rewards = state.rewards()
    assert len(rewards) == game.num_players
    assert all(np.isfinite(rewards))
    if state.is_terminal():
        assert legal == []
    elif state.is_chance_node():
        total = sum(p for _, p in state.chance_outcomes())
        assert abs(total - 1.0) < 1e-9, f"probabilities sum to {total}"
        assert state.sample_chance() in legal
    else:
        assert 0 <= player < game.num_players
        assert legal
        assert set(np.unique(state.legal_action_mask())) <= {0, 1}
        assert state.heuristic_action() in legal
    if look:
        low, high = game.observation_bounds
        for viewer in range(game.num_players):
            seen = state.observation_tensor(viewer)
            assert np.all((low <= seen) & (seen <= high)), f"the observation of player {viewer} is out of bounds"
            assert state.observation_string(viewer)
        assert str(state)
        for action in legal[:3]:
            assert state.action_to_string(action)
