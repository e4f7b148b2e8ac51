"""Evaluation of land and ships, in squares of land."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.beyond_maps.map.bitboard import (
    ALL,
    EDGE,
    both,
    count,
    either,
    frame_of,
    is_empty,
    load,
    minus,
    neighbours,
    only,
    peninsulas,
    splitting,
)
from edge_envs.games.beyond_maps.rules import enclosed

WON = 1000.0


@inlined_kernel
def value_of_land(own, enemy, sea, board, edge, frame, weights):
    """Return the value of the land of both players for the owner of `own`, in squares."""
    own_peninsulas, enemy_peninsulas = peninsulas(own, frame), peninsulas(enemy, frame)
    value = np.float64(count(own) - count(enemy))
    if is_empty(both(neighbours(own_peninsulas, frame), sea)):
        value += weights.no_start
    if is_empty(both(neighbours(enemy_peninsulas, frame), sea)):
        value += weights.other_no_start
    value += weights.enclosed * nearly_enclosed(own, enemy_peninsulas, sea, board, edge, frame)
    value += weights.other_enclosed * nearly_enclosed(enemy, own_peninsulas, sea, board, edge, frame)
    return value


@inlined_kernel
def _by_ways_out(ways, one, two, three):
    """Return the weight of a number of ways out; four ways out count as 0."""
    return one if ways == 1 else two if ways == 2 else three if ways == 3 else 0.0


@inlined_kernel
def with_ships(value, lead, mine, other, sea, frame, weights):
    """Return the value of a position, given the value of its land; `lead` is the final lead if the game ends now."""
    mine_ways = count(both(neighbours(mine, frame), sea))
    other_ways = count(both(neighbours(other, frame), sea))
    return with_ways_out(value, lead, mine_ways, other_ways, weights)


@inlined_kernel
def with_ways_out(value, lead, mine, other, weights):
    """Do the same as `with_ships`, given the number of ways out of each ship."""
    if mine == 0 or other == 0:
        return settled(lead)
    value += _by_ways_out(mine, weights.one_way_out, weights.two_ways_out, weights.three_ways_out)
    return value + _by_ways_out(
        other, weights.other_one_way_out, weights.other_two_ways_out, weights.other_three_ways_out
    )


@kernel
def value_of(own, enemy, mine, other, board_format, weights):
    """Return the value of a position for a player, in squares of land; the board of a captured ship is empty."""
    frame, board, edge = frame_of(board_format), load(ALL[board_format]), load(EDGE[board_format])
    sea = minus(board, either(own, enemy))
    value = value_of_land(own, enemy, sea, board, edge, frame, weights)
    return with_ships(value, count(own) - count(enemy), mine, other, sea, frame, weights)


@inlined_kernel
def settled(lead):
    """Return the value of a finished game."""
    return lead + (WON if lead > 0 else -WON if lead < 0 else 0.0)


@inlined_kernel
def nearly_enclosed(own, enemy_peninsulas, sea, board, edge, frame):
    """Return the squares that the player would gain if all one-square gaps in the player's land were closed.

    Enemy land that would fall counts twice.
    """
    others = minus(board, own)
    gaps = minus(both(splitting(others, frame), others), edge)
    inside = enclosed(either(own, gaps), board, edge, frame)
    return count(both(inside, sea)) + 2 * count(both(inside, enemy_peninsulas))


@kernel
def fill_features(state, player, weights, out):
    """Fill `out` (5,) with a player's features: value, land, nearly enclosed squares, can start, ways out."""
    board_format = state.format
    frame, board, edge = frame_of(board_format), load(ALL[board_format]), load(EDGE[board_format])
    own, enemy = load(state.land[player]), load(state.land[1 - player])
    mine, other = only(state.ships[player]), only(state.ships[1 - player])
    sea = minus(board, either(own, enemy))
    lead = count(own) - count(enemy) + (state.handicap if player == 1 else -state.handicap)
    out[0] = settled(lead) if state.over else value_of(own, enemy, mine, other, board_format, weights)
    out[1] = count(own)
    out[2] = nearly_enclosed(own, peninsulas(enemy, frame), sea, board, edge, frame)
    out[3] = not is_empty(both(neighbours(peninsulas(own, frame), frame), sea))
    out[4] = count(both(neighbours(mine, frame), sea))
