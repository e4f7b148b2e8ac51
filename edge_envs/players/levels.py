"""Opponents of rising strength: `level:1` plays randomly, the highest is the strongest agent of its board."""

from __future__ import annotations

import re

from edge_envs import Game
from edge_envs.core.errors import in_short
from edge_envs.core.opponent import Generator, check_made_for
from edge_envs.core.spec import Array, Records
from edge_envs.players import Agent, built_in_agent


class LevelAgent:
    """Play like the agent that a game declares for a level.

    Raises:
        ValueError: if the game does not have this level.
    """

    def __init__(self, game: Game, text: str = "") -> None:
        self.game, self.name = game, f"level:{text}"
        self._agent: Agent = built_in_agent(agent_of_level(text, game), game)
        self.needs_states = self._agent.needs_states

    @classmethod
    def from_text(cls, text: str, game: Game) -> LevelAgent:
        """Create the agent from the level after the colon; see `check_text`."""
        return cls(game, text)

    @staticmethod
    def check_text(text: str) -> None:
        """Raise ValueError unless a string has the form of a level."""
        if not re.fullmatch(r"[1-9][0-9]?", text):
            raise ValueError(f"invalid level {in_short(text)}: expected a number, such as 2")

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Return legal actions (k,) of the players to act."""
        return self._agent.act(observations, action_masks, states, players, rng)

    def check_plays(self, game: Game) -> None:
        """Raise ValueError if the agent of the level does not play a game."""
        check_made_for(self._agent, game)


def agent_of_level(text: str, game: Game) -> str:
    """Return the name of the agent of a level.

    Raises:
        ValueError: if the game does not have this level.
    """
    if not text or int(text) > len(game.levels):
        raise ValueError(f"unknown level {text or '(no number)'} of {game!r} (choose from 1 to {len(game.levels)})")
    return game.levels[int(text) - 1]
