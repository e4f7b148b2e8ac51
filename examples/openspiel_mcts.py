# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "open-spiel>=2.0"]
# ///
"""OpenSpiel: its tree search as an agent.

All games are available as OpenSpiel games, so its algorithms can play them. `BotAgent` turns a bot into an agent.
"""

import sys

from open_spiel.python.algorithms import mcts

import edge_envs
from agents.evaluation.verdict import against_random
from edge_envs.bridges.open_spiel import BotAgent

GAMES = round(60 * float(sys.argv[1] if len(sys.argv) > 1 else 1))


def searcher(game, random):
    """Search with 20 random playouts per decision."""
    return mcts.MCTSBot(game, 1.4, 20, mcts.RandomRolloutEvaluator(1, random), random_state=random)


game = edge_envs.load_game("beyond_maps", size=5)
against_random(game, BotAgent(game, searcher), GAMES)
