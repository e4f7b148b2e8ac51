"""An OpenSpiel bot as an agent `module:function`."""

from __future__ import annotations

from typing import Any

import numpy as np
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

from edge_envs import Game
from edge_envs.bridges.open_spiel import BotAgent


def mcts(game: Game) -> BotAgent:
    """Return an agent that runs MCTS with four simulations per decision."""
    return BotAgent(game, _searcher)


def _searcher(game: Any, random_state: np.random.RandomState) -> Any:
    return MCTSBot(game, 1.4, 4, RandomRolloutEvaluator(1, random_state, max_length=50), random_state=random_state)
