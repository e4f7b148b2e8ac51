"""The game's own heuristic player as an agent."""

from __future__ import annotations

import re

import numpy as np

from edge_envs import Game
from edge_envs.core.errors import in_short
from edge_envs.core.opponent import Generator
from edge_envs.core.spec import Array, Records


class HeuristicAgent:
    """Plays as the game's `heuristic` kernel does, or as that of an earlier version such as `v0`.

    ValueError if the game has no such version.
    """

    needs_states = True

    def __init__(self, game: Game, version: str = "") -> None:
        self.name = f"heuristic:{version}" if version else "heuristic"
        self._decide = (game.with_heuristic(version) if version else game).compiled.loops.heuristic_actions

    @classmethod
    def from_text(cls, text: str, game: Game) -> HeuristicAgent:
        """The agent whose name has a version behind the colon; see `check_text`."""
        return cls(game, text)

    @staticmethod
    def check_text(text: str) -> None:
        """ValueError unless a text is written like a version."""
        if not re.fullmatch(r"v\d+", text):
            raise ValueError(f"{in_short(text)} is no version of a heuristic, like v0")

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Legal actions (k,) of the players to act."""
        actions = np.empty(len(players), np.int64)
        self._decide(states, actions)
        return actions
