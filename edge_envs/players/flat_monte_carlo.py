"""Flat Monte Carlo: choose the action with the best mean return of random playouts."""

from __future__ import annotations

import numpy as np

from edge_envs import Game
from edge_envs.core.opponent import Generator, check_shown
from edge_envs.core.spec import Array, Records

PLAYOUTS = 200  # per decision


class FlatMonteCarloAgent:
    """Play the action with the best mean return; the playouts are spread evenly over the legal actions."""

    name = "flat_monte_carlo"
    needs_states = True

    def __init__(self, game: Game, playouts: int = PLAYOUTS) -> None:
        self.game, self._playouts = game, playouts
        self._decide = game.compiled.loops.flat_monte_carlo

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Return legal actions (k,) of the players to act."""
        states = check_shown(self.game, action_masks, states)
        actions = np.empty(len(states), np.int64)
        generators = rng.integers(2**64, size=len(states), dtype=np.uint64)
        copies, mask = self.game.new_records(1), np.zeros(self.game.num_distinct_actions, np.int8)
        rewards = np.zeros((2, self.game.num_players))
        self._decide(states, generators, self._playouts, actions, copies, mask, rewards)
        return actions
