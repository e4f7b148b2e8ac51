"""The game's own heuristic player as an agent."""

from __future__ import annotations

import numpy as np

from edge_envs import Game
from edge_envs.core.game import Array, Records
from edge_envs.envs.opponents import Generator


class HeuristicAgent:
    """Plays as the game's `heuristic` kernel does, or as that of an earlier version such as `v0`.

    ValueError if there is no such version.
    """

    needs_states = True

    def __init__(self, game: Game, version: str = "") -> None:
        self.name = f"heuristic:{version}" if version else "heuristic"
        self._decide = game.type.with_heuristic(version or game.type.heuristic).loops.heuristic_actions

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Legal actions (k,) of the players to act."""
        actions = np.empty(len(players), np.int64)
        self._decide(states, actions)
        return actions
