"""The agent that plays uniformly at random."""

from __future__ import annotations

import numpy as np

from edge_envs import Game
from edge_envs.core.game import Array, Records
from edge_envs.envs.opponents import Generator


class RandomAgent:
    """Uniform over the legal actions."""

    name = "random"
    needs_states = False

    def __init__(self, game: Game | None = None) -> None:
        """The agent plays any game."""

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Legal actions (k,) of the players to act."""
        chosen = rng.integers(0, action_masks.sum(axis=1, dtype=np.int64))
        return np.argmax(np.cumsum(action_masks, axis=1, dtype=np.int32) > chosen[:, None], axis=1)
