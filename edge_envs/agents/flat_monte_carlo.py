"""Flat Monte Carlo: each decision by uniform play to the end, again and again."""

from __future__ import annotations

import numpy as np

from edge_envs import Game
from edge_envs.core.asking import Generator
from edge_envs.core.game import Array, Records

PLAYOUTS = 200  # a decision


class FlatMonteCarloAgent:
    """Takes the action after which uniform play of all seats went best, in games spread evenly over the legal ones."""

    name = "flat_monte_carlo"
    needs_states = True

    def __init__(self, game: Game, playouts: int = PLAYOUTS) -> None:
        self._decide = game.type.loops.flat_monte_carlo
        self._playouts = playouts
        self._copies = game.new_records(1)
        self._mask = np.zeros(game.num_distinct_actions, np.int8)
        self._rewards = np.zeros((2, game.num_players))

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Legal actions (k,) of the players to act."""
        actions = np.empty(len(players), np.int64)
        generators = rng.integers(2**64, size=len(players), dtype=np.uint64)
        self._decide(states, generators, self._playouts, actions, self._copies, self._mask, self._rewards)
        return actions
