"""The game's own heuristic player as an agent."""

from __future__ import annotations

import numpy as np

from edge_envs import Game
from edge_envs.core.game import Array, Records
from edge_envs.envs.opponents import Generator


class HeuristicAgent:
    """Plays as the game's `heuristic` kernel does."""

    name = "heuristic"
    needs_states = True

    def __init__(self, game: Game) -> None:
        self._decide = game.type.loops.heuristic_actions

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Legal actions (k,) of the players to act."""
        actions = np.empty(len(players), np.int64)
        self._decide(states, actions)
        return actions
