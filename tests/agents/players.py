"""Agents for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.networks import Architecture, Perceptron
from agents.players.policy import PolicyAgent, ValuedPolicy, value_outputs
from edge_envs import Game, State
from edge_envs.core.features import Features
from edge_envs.core.spec import Array


def untrained(game: Game, architecture: Architecture | None = None) -> PolicyAgent:
    """Return a policy with its initial weights."""
    architecture = architecture or Perceptron(hidden=[8])
    return PolicyAgent(architecture.make_network(game), game, architecture)


def untrained_with_values(game: Game, architecture: Architecture | None = None) -> ValuedPolicy:
    """Return a policy with an untrained critic."""
    policy = untrained(game, architecture)
    critic = policy.network.make_critic(value_outputs(game))
    return ValuedPolicy(policy.network, critic, game, policy.architecture)


class Stubborn:
    """Plays the same action at every decision, legal or not."""

    name = "stubborn"
    needs_states = False

    def __init__(self, action: int) -> None:
        self.action = action

    def act(
        self, observations: Array, action_masks: Array, states: Any, players: Array, rng: np.random.Generator
    ) -> Array:
        return np.full(len(players), self.action)


def decisions(game: Game, games: int, heuristic: float = 0.0) -> list[State]:
    """Collect all decision positions of random games, in which the heuristic acts with probability `heuristic`."""
    rng, found = np.random.default_rng(0), []
    for seed in range(games):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance())
                continue
            found.append(state.clone())
            by_heuristic = rng.random() < heuristic
            state.apply_action(state.heuristic_action() if by_heuristic else int(rng.choice(state.legal_actions())))
    return found


def observed(states: list[State]) -> Array:
    """Stack the observations of the players to act."""
    return np.stack([state.observation_tensor(state.current_player()) for state in states])


def assert_only_who_is_to_act_is_advised(game: Game, features: Features) -> None:
    """Check at every node of a game that the hints of players who are not to act all have the worst value."""
    state = game.new_initial_state(seed=0)
    while not state.is_terminal():
        view = features(np.stack([state.observation_tensor(player) for player in range(game.num_players)]))
        worst = (view.hints == -1.0).all(axis=1).tolist()
        assert worst == [player != state.current_player() for player in range(game.num_players)]
        state.apply_action(state.sample_chance() if state.is_chance_node() else state.heuristic_action())
