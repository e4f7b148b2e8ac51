"""Agents that tests need."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.networks import Architecture, Perceptron
from agents.policy import PolicyAgent
from edge_envs import Game
from edge_envs.core.game import Array


def untrained(game: Game, architecture: Architecture | None = None) -> PolicyAgent:
    """A policy with the weights that it begins with."""
    architecture = architecture or Perceptron(hidden=[8])
    return PolicyAgent(architecture.make_network(game), game, architecture)


class Stubborn:
    """Always plays the same action, legal or not."""

    name = "stubborn"
    needs_states = False

    def __init__(self, action: int) -> None:
        self.action = action

    def act(
        self, observations: Array, action_masks: Array, states: Any, players: Array, rng: np.random.Generator
    ) -> Array:
        return np.full(len(players), self.action)
