"""The heuristic of a game as an agent."""

from __future__ import annotations

import re

import numpy as np

from edge_envs import Game
from edge_envs.core.errors import in_short
from edge_envs.core.opponent import Generator, check_shown
from edge_envs.core.spec import Array, Records


class HeuristicAgent:
    """Play by the game's `heuristic` kernel, or by that of an earlier version such as `v0`.

    Raises:
        ValueError: if the game does not have this version.
    """

    needs_states = True

    def __init__(self, game: Game, version: str = "") -> None:
        self.game, self.name = game, f"heuristic:{version}" if version else "heuristic"
        self._decide = (game.with_heuristic(version) if version else game).compiled.loops.heuristic_actions

    @classmethod
    def from_text(cls, text: str, game: Game) -> HeuristicAgent:
        """Create the agent from the version after the colon; see `check_text`."""
        return cls(game, text)

    @staticmethod
    def check_text(text: str) -> None:
        """Raise ValueError unless a string has the form of a version."""
        if not re.fullmatch(r"v\d+", text):
            raise ValueError(f"invalid version {in_short(text)}: expected v and a number, such as v0")

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Return legal actions (k,) of the players to act."""
        states = check_shown(self.game, action_masks, states)
        actions = np.empty(len(states), np.int64)
        self._decide(states, actions)
        return actions
