"""Compare an agent with random play, in one line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from agents.common.seeds import EVALUATION
from agents.evaluation.matches import play_match
from agents.evaluation.report import equal_share, rates
from edge_envs import Game
from edge_envs.core.spec import Array, Records
from edge_envs.intervals import format_rate
from edge_envs.players import Agent
from edge_envs.players.random import RandomAgent

MARGIN = 0.1
"""How far above chance the whole interval must lie."""


@dataclass(frozen=True)
class Chooser:
    """An agent from a function that maps observations (k, *shape) and action masks (k, A) to legal actions (k,)."""

    choose: Callable[[Array, Array], Array]
    name: str = "yours"
    needs_states: bool = False

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Return legal actions (k,) of the seats to act."""
        return self.choose(observations, action_masks)


def against_random(game: Game, agent: Agent, games: int = 2000) -> None:
    """Play from every seat against random agents, and print the win rate with its 95 % interval.

    End the program with exit code 1 unless the interval lies clearly above the win rate of random play.
    """
    result = rates(play_match(game, agent, RandomAgent(game), games, EVALUATION).returns)
    won = format_rate(result["win_rate"], result["low"], result["high"])
    print(f"{game.name}: won {won} of {games:,} games against random")
    if result["low"] < equal_share(game) + MARGIN:
        sys.exit(1)
