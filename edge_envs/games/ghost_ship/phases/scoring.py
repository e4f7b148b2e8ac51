"""The end of `ghost_ship`: scores, winners, rewards."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.map.geometry import NUM_COLUMNS, NUM_SPOTS, RIM, RIM_COLUMN, RIM_ROW
from edge_envs.games.ghost_ship.state import NUM_VALUES, OVER

SCORE_UNIT = 40.0
"""The divisor of scores in rewards with `score_reward`."""


@kernel
def score(state, player):
    """Return the sum of the player's chits, plus the gold times the number of chits of value 1, at least 1."""
    total = np.int64(state.num_gold[player]) * max(1, np.int64(state.own[player, 0]))
    for k in range(NUM_VALUES):
        total += (k + 1) * np.int64(state.own[player, k])
    return total


@kernel
def distance(state, player):
    """Return the distance of the active pawn from the ghost; a diagonal step counts as one."""
    place = np.int64(state.pawn[player])
    if place >= RIM:
        row, column = np.int64(RIM_ROW[state.sea, place - RIM]), np.int64(RIM_COLUMN[state.sea, place - RIM])
    else:
        square = place // NUM_SPOTS
        row, column = square // NUM_COLUMNS, square % NUM_COLUMNS
    ghost = np.int64(state.ghost)
    return max(abs(row - ghost // NUM_COLUMNS), abs(column - ghost % NUM_COLUMNS))


@kernel
def standing(state, player):
    """Return a number that ranks players: by score, then by distance from the ghost."""
    return 16 * score(state, player) + distance(state, player)


@kernel
def rewards(state, out):
    """Fill `out` (n,) with the rewards of the last transition; zeros before the end."""
    players = np.int64(state.num_players)
    for player in range(players):
        out[player] = 0.0
    if state.phase != OVER:
        return
    if state.score_reward:
        _reward_scores(state, players, out)
        return
    best, winners = np.int64(-1), 0
    for player in range(players):
        own = standing(state, player)
        winners = 1 if own > best else winners + (own == best)
        best = max(own, best)
    if winners == players:
        return
    for player in range(players):
        out[player] = 1.0 / winners if standing(state, player) == best else -1.0 / (players - winners)


@kernel
def _reward_scores(state, players, out):
    total = np.int64(0)
    for player in range(players):
        total += score(state, player)
    for player in range(players):
        own = score(state, player)
        out[player] = (own * (players - 1) - (total - own)) / (SCORE_UNIT * (players - 1))
