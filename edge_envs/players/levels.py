"""Opponents by how strong they are: `level:1` plays at random, the highest level is the strongest without training."""

from __future__ import annotations

import re

from edge_envs import Game
from edge_envs.core.errors import in_short
from edge_envs.core.opponent import Generator
from edge_envs.core.spec import Array, Records
from edge_envs.players import Agent, built_in_agent


class LevelAgent:
    """Plays as the agent does that a game names for a level; ValueError if the game has no such level."""

    def __init__(self, game: Game, text: str = "") -> None:
        self.name = f"level:{text}"
        self._agent: Agent = built_in_agent(agent_of_level(text, game), game)
        self.needs_states = self._agent.needs_states

    @classmethod
    def from_text(cls, text: str, game: Game) -> LevelAgent:
        """The agent whose name has the level behind the colon; see `check_text`."""
        return cls(game, text)

    @staticmethod
    def check_text(text: str) -> None:
        """ValueError unless a text is written like a level."""
        if not re.fullmatch(r"[1-9][0-9]?", text):
            raise ValueError(f"{in_short(text)} is no level, like 2")

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Legal actions (k,) of the players to act."""
        return self._agent.act(observations, action_masks, states, players, rng)


def agent_of_level(text: str, game: Game) -> str:
    """The name of the agent that is a level of a game; ValueError says which levels there are."""
    if not text or int(text) > len(game.levels):
        what = f"no level {text}" if text else "no level without a number"
        raise ValueError(f"{game!r} has {what}; possible are level:1 to level:{len(game.levels)}")
    return game.levels[int(text) - 1]
