"""The agent that plays uniformly at random."""

from __future__ import annotations

import numpy as np

from edge_envs import Game
from edge_envs.core.opponent import Generator
from edge_envs.core.spec import Array, Records


class RandomAgent:
    """Choose uniformly among the legal actions."""

    name = "random"
    needs_states = False

    def __init__(self, game: Game | None = None) -> None:
        """Accept any game."""

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Return legal actions (k,) of the players to act."""
        lanes, size = action_masks.shape
        legal = np.flatnonzero(np.ascontiguousarray(action_masks, np.bool_))
        ends = np.searchsorted(legal, np.arange(1, lanes + 1) * size)
        counts = np.diff(ends, prepend=0)
        return legal[ends - counts + rng.integers(0, counts)] % size
