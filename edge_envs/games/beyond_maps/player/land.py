"""What land and ships are worth, in squares."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.beyond_maps.map.bitboard import (
    ALL,
    EDGE,
    around,
    both,
    count,
    either,
    frame_of,
    is_empty,
    load,
    loose,
    minus,
    only,
    splitting,
)
from edge_envs.games.beyond_maps.rules import enclosed

WON = 1000.0


@inlined_kernel
def value_of_land(own, enemy, sea, board, edge, frame, weights):
    """The value of the land of both to a player, in squares."""
    loose_own, loose_enemy = loose(own, frame), loose(enemy, frame)
    value = np.float64(count(own) - count(enemy))
    if is_empty(both(around(loose_own, frame), sea)):
        value += weights.no_start
    if is_empty(both(around(loose_enemy, frame), sea)):
        value += weights.other_no_start
    value += weights.enclosed * nearly_enclosed(own, loose_enemy, sea, board, edge, frame)
    value += weights.other_enclosed * nearly_enclosed(enemy, loose_own, sea, board, edge, frame)
    return value


@inlined_kernel
def _by_ways_out(ways, one, two, three):
    """What few ways out count; four are enough."""
    return one if ways == 1 else two if ways == 2 else three if ways == 3 else 0.0


@inlined_kernel
def with_ships(value, lead, mine, other, sea, frame, weights):
    """The value of a position from that of its land; `lead` is what the game would end with if it ends now."""
    mine_ways = count(both(around(mine, frame), sea))
    other_ways = count(both(around(other, frame), sea))
    return with_ways_out(value, lead, mine_ways, other_ways, weights)


@inlined_kernel
def with_ways_out(value, lead, mine, other, weights):
    """The same by how many ways out each ship has."""
    if mine == 0 or other == 0:
        return settled(lead)
    value += _by_ways_out(mine, weights.one_way_out, weights.two_ways_out, weights.three_ways_out)
    return value + _by_ways_out(
        other, weights.other_one_way_out, weights.other_two_ways_out, weights.other_three_ways_out
    )


@kernel
def value_of(own, enemy, mine, other, side, weights):
    """The value of a position to a player, in squares of land; a captured ship is no square."""
    frame, board, edge = frame_of(side), load(ALL[side]), load(EDGE[side])
    sea = minus(board, either(own, enemy))
    value = value_of_land(own, enemy, sea, board, edge, frame, weights)
    return with_ships(value, count(own) - count(enemy), mine, other, sea, frame, weights)


@inlined_kernel
def settled(lead):
    """The value of the end of a game."""
    return lead + (WON if lead > 0 else -WON if lead < 0 else 0.0)


@inlined_kernel
def nearly_enclosed(own, loose_enemy, sea, board, edge, frame):
    """What the player would win if all gaps of one square between the own land were closed."""
    others = minus(board, own)
    gaps = minus(both(splitting(others, frame), others), edge)
    inside = enclosed(either(own, gaps), board, edge, frame)
    return count(both(inside, sea)) + 2 * count(both(inside, loose_enemy))


@kernel
def fill_features(state, player, weights, out):
    """Fill `out` (5,) with the features of a player: the value, land, what is nearly enclosed, a start, ways out."""
    side = np.int64(state.side)
    frame, board, edge = frame_of(side), load(ALL[side]), load(EDGE[side])
    own, enemy = load(state.land[player]), load(state.land[1 - player])
    mine, other = only(state.ships[player]), only(state.ships[1 - player])
    sea = minus(board, either(own, enemy))
    lead = count(own) - count(enemy)
    out[0] = settled(lead) if state.over else value_of(own, enemy, mine, other, side, weights)
    out[1] = count(own)
    out[2] = nearly_enclosed(own, loose(enemy, frame), sea, board, edge, frame)
    out[3] = not is_empty(both(around(loose(own, frame), frame), sea))
    out[4] = count(both(around(mine, frame), sea))
