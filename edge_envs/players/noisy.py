"""The heuristic with a share of random decisions: opponents between random play and the heuristic."""

from __future__ import annotations

import numpy as np

from edge_envs import Game
from edge_envs.core.errors import in_short
from edge_envs.core.opponent import Generator
from edge_envs.core.spec import Array, Records
from edge_envs.players.heuristic import HeuristicAgent
from edge_envs.players.random import RandomAgent

SHARE = 0.25


class NoisyAgent:
    """Choose a share of the decisions uniformly at random, and the others by the game's heuristic."""

    needs_states = True

    def __init__(self, game: Game, share: float = SHARE) -> None:
        self.game, self.name = game, f"noisy:{share:g}"
        self._share = share
        self._random, self._heuristic = RandomAgent(), HeuristicAgent(game)

    @classmethod
    def from_text(cls, text: str, game: Game) -> NoisyAgent:
        """Create the agent from the share after the colon; see `check_text`."""
        return cls(game, _share_of(text))

    @staticmethod
    def check_text(text: str) -> None:
        """Raise ValueError unless a string is a number from 0 to 1."""
        _share_of(text)

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Return legal actions (k,) of the players to act."""
        drawn = self._random.act(observations, action_masks, None, players, rng)
        actions = self._heuristic.act(observations, action_masks, states, players, rng)
        return np.where(rng.random(len(players)) < self._share, drawn, actions)


def _share_of(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise ValueError(
            f"invalid share of random decisions {in_short(text)}: expected a number from 0 to 1, such as 0.25"
        )
    return share
