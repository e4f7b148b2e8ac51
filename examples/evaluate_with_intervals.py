# /// script
# requires-python = ">=3.11"
# dependencies = ["edge-envs[train]", "numpy>=1.26"]
# ///
"""Evaluation: compare two agents with intervals.

Compute win rates with intervals, and the difference between two agents in paired games. Game k has the same chance
events for every agent, so the interval of the difference is narrower than those of two separate rates.
"""

import sys

import numpy as np

import edge_envs
from agents.evaluation.matches import play_match
from agents.evaluation.report import rates
from agents.evaluation.verdict import Chooser, against_random
from agents.players.agent import make_agent
from edge_envs.intervals import format_rate

GAMES = round(4000 * float(sys.argv[1] if len(sys.argv) > 1 else 1))

game = edge_envs.load_game("falling_off")


def lowest(observations, action_masks):
    """Play the legal action with the lowest id."""
    return action_masks.argmax(axis=1)


players = [Chooser(lowest, name="lowest"), make_agent("noisy:0.01", game), make_agent("heuristic", game)]
opponent = make_agent("heuristic", game)
returns = {}
for player in players:
    match = play_match(game, player, opponent, GAMES)
    returns[player.name] = match.returns
    found = rates(match.returns)
    rate = format_rate(found["win_rate"], found["low"], found["high"])
    print(f"{player.name:10} against {opponent.name}: {rate}")

difference = returns["heuristic"] - returns["noisy:0.01"]
mean, half_width = difference.mean(), 1.96 * difference.std() / len(difference) ** 0.5
apart = 1.96 * np.sqrt(sum(returns[name].var() for name in ("heuristic", "noisy:0.01")) / GAMES)
print(f"heuristic - noisy:0.01: {mean:+.3f} ± {half_width:.3f} a game; from separate games it would be ± {apart:.3f}")

against_random(game, players[1], GAMES)
