"""The ends of a turn of `ghost_ship` from every node of the finished map.

    node     a place; a place ashore is that of a scout whose boat is elsewhere. Nodes from `WITH_BOAT` on are circles
             ashore with the boat in them: WITH_BOAT + 2 x square + side
    reach    for each node, the nodes from which a turn may end there, and with which results, as bits

Nothing here depends on players, treasure or the ghost. Out of the circle of a hidden symbol a pawn goes only from the
beginning of a turn, with any result: the symbol is not known before, and `wait_at` is the mean time of waiting for a
result that it lets pass.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.map.geometry import (
    C0,
    C1,
    IN,
    INSIDE,
    NEXT,
    NUM_PLACES,
    NUM_SPOTS,
    NUM_SQUARES,
    NUM_WAYS,
    OUT,
    RIM,
    RIM_COST,
    RIM_SIZE,
    RIM_SQUARE,
    SAIL_COST,
    SPOTS,
    WITHIN,
    S,
)
from edge_envs.games.ghost_ship.phases.acts import drift_end
from edge_envs.games.ghost_ship.phases.choices import CHEST_COST, CHIT_COST, PASSES
from edge_envs.games.ghost_ship.pieces.tiles import KIND_OF, NO_SYMBOL, NUM_SYMBOLS, SKULL, STORM, UNSEEN
from edge_envs.games.ghost_ship.state import FEWEST, MOST, NUM_NUMBERS, SYMBOL, TILE, WET

WITH_BOAT = NUM_PLACES
NUM_CIRCLES = 2 * NUM_SQUARES
NUM_NODES = WITH_BOAT + NUM_CIRCLES
MOST_PAIRS = 60_000
"""The capacity of the lists; random maps need about 8,000 pairs of nodes."""
MOST_QUEUED = 512
MOST_STORMS = 8
NOT_REACHED = -1

# PASS_BITS[symbol]: the results with which a step out of its circle is legal, as bits.
PASS_BITS = (PASSES[:, FEWEST:].astype(np.int64) << np.arange(FEWEST, MOST + 1)).sum(axis=1)

PER_TURN: Final = 60
"""The unit of times: a sixtieth of a turn."""

# WAIT[at sea, symbol]: the expected time until a result lets a pawn out of the circle, without the turn of the step. At
# sea in a storm it is the drift.
WAIT = np.array([[PER_TURN * (NUM_NUMBERS / PASSES[symbol, FEWEST:].sum() - 1) for symbol in range(NO_SYMBOL + 1)]] * 2)
WAIT[1, STORM] = PER_TURN

TURN_REACH = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("at_sea", np.uint8, (NUM_SQUARES,)),  # results that pass out of the circle at sea, as bits
                ("ashore", np.uint8, (NUM_SQUARES,)),  # the same ashore
                ("hidden", np.uint8, (NUM_SQUARES,)),  # whether the symbol is
                ("wait_at_sea", np.int16, (NUM_SQUARES,)),  # the mean waiting time for a hidden symbol
                ("wait_ashore", np.int16, (NUM_SQUARES,)),
                ("storm", np.uint8, (NUM_SQUARES,)),  # whether entering it at sea ends movement
                ("last", np.uint8, (NUM_SQUARES,)),  # whether a step out of the circle is the last of a turn
                ("first", np.int32, (NUM_NODES + 1,)),  # where the pairs that end at a node begin
                ("source", np.int16, (MOST_PAIRS,)),
                ("ends", np.uint8, (MOST_PAIRS,)),  # results with which a turn may end there, as bits
                ("takes", np.uint8, (MOST_PAIRS,)),  # the same with a point left for a chit or gold
                ("opens", np.uint8, (MOST_PAIRS,)),  # the same with the points left for a chest
                ("storms", np.int64),
                ("storm_square", np.int16, (MOST_STORMS,)),
                ("ways", np.int64, (MOST_STORMS,)),  # the number of directions that move a boat
                ("drifts", np.uint8, (NUM_NODES,)),  # the storms from which a boat may drift there, as bits
            ],
            align=True,
        ),
    )
)

REACH_SCRATCH = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("left", np.int8, (NUM_NODES,)),
                ("count", np.int64, (MOST + 1,)),
                ("queue", np.int16, (MOST + 1, MOST_QUEUED)),
                ("ends", np.uint8, (NUM_NODES,)),
                ("takes", np.uint8, (NUM_NODES,)),
                ("opens", np.uint8, (NUM_NODES,)),
                ("reached", np.int16, (NUM_NODES,)),
                ("num_reached", np.int64),
                ("first", np.int32, (NUM_NODES + 1,)),  # the pairs by source
                ("pair_end", np.int16, (MOST_PAIRS,)),
                ("pair_ends", np.uint8, (MOST_PAIRS,)),
                ("pair_takes", np.uint8, (MOST_PAIRS,)),
                ("pair_opens", np.uint8, (MOST_PAIRS,)),
                ("filled", np.int32, (NUM_NODES,)),
            ],
            align=True,
        ),
    )
)


@kernel
def square_of_node(node):
    """Return the square of a node that is not a board-edge circle."""
    return (node - WITH_BOAT) // 2 if node >= WITH_BOAT else node // NUM_SPOTS


@kernel
def spot_of_node(node):
    """Return the spot of a node that is not a board-edge circle."""
    return C0 + (node - WITH_BOAT) % 2 if node >= WITH_BOAT else node % NUM_SPOTS


@kernel
def is_rim(node):
    """Return whether a node is a board-edge circle."""
    return RIM <= node < WITH_BOAT


@kernel
def fill_reach(state, reach, scratch):
    """Fill `reach` for the finished map of a position."""
    _read_symbols(state, reach)
    _clear(reach, scratch)
    pairs = 0
    for node in range(NUM_NODES):
        scratch.first[node] = pairs
        if _exists(state, node) and not _in_storm(reach, node):
            _reach_from(state, reach, scratch, node)
            pairs = _store(reach, scratch, pairs)
    scratch.first[NUM_NODES] = pairs
    _sort_by_end(reach, scratch)
    _add_drifts(state, reach)


@kernel
def _clear(reach, scratch):
    for node in range(NUM_NODES):
        scratch.left[node] = NOT_REACHED
        scratch.ends[node] = 0
        scratch.takes[node] = 0
        scratch.opens[node] = 0
        reach.drifts[node] = 0
        reach.first[node + 1] = 0
    reach.first[0] = 0


@kernel
def _read_symbols(state, reach):
    """Write what the symbols do to steps."""
    reach.storms = 0
    for square in range(NUM_SQUARES):
        symbol = np.int64(state.squares[square, SYMBOL])
        reach.storm[square] = symbol == STORM
        reach.last[square] = symbol in (STORM, SKULL)
        reach.wait_at_sea[square] = 0
        reach.wait_ashore[square] = 0
        reach.hidden[square] = symbol == UNSEEN
        if symbol == UNSEEN:
            kind = np.int64(KIND_OF[state.squares[square, TILE]])
            reach.wait_at_sea[square] = _hidden_wait(state, kind, 1)
            reach.wait_ashore[square] = _hidden_wait(state, kind, 0)
        reach.at_sea[square] = 0 if symbol == STORM else PASS_BITS[symbol]
        reach.ashore[square] = PASS_BITS[symbol]
        if symbol == STORM and reach.storms < MOST_STORMS:
            reach.storm_square[reach.storms] = square
            reach.storms += 1


@kernel
def _hidden_wait(state, kind, at_sea):
    """Return the mean waiting time over the hidden symbols of a class."""
    wait, count = 0.0, 0.0
    for symbol in range(NUM_SYMBOLS):
        left = np.float64(state.tiles_left[symbol, kind])
        count += left
        wait += left * WAIT[at_sea, symbol]
    return np.int64(wait / max(count, 1.0))


@kernel
def wait_at(reach, node):
    """Return the mean time of waiting for a result that the hidden symbol of a node lets pass, 0 for other nodes."""
    if is_rim(node) or spot_of_node(node) > C1:
        return np.int64(0)
    square = square_of_node(node)
    return np.int64(reach.wait_at_sea[square] if spot_of_node(node) == S else reach.wait_ashore[square])


@kernel
def _exists(state, node):
    if is_rim(node):
        return node - RIM < RIM_SIZE[state.sea]
    square = square_of_node(node)
    if not INSIDE[state.sea, square]:
        return False
    spots = np.int64(SPOTS[state.squares[square, TILE], state.squares[square, WET]])
    return (spots >> 2 * spot_of_node(node)) & 1 != 0


@kernel
def _in_storm(reach, node):
    return not is_rim(node) and spot_of_node(node) == S and reach.storm[square_of_node(node)]


@kernel
def _reach_from(state, reach, scratch, node):
    """Find all nodes where a turn from a node may end, for all results."""
    scratch.num_reached = 0
    count, queue, left = scratch.count, scratch.queue, scratch.left
    for result in range(FEWEST, MOST + 1):
        for points in range(MOST + 1):
            count[points] = 0
        _arrive(scratch, node, result, result, False, False)
        for points in range(result, 0, -1):
            n = 0
            while n < count[points]:
                here = np.int64(queue[points, n])
                n += 1
                if left[here] == points:
                    _expand(state, reach, scratch, here, points, result)
        for n in range(scratch.num_reached):
            left[scratch.reached[n]] = NOT_REACHED


@kernel
def _arrive(scratch, node, points, result, is_last, without_taking):
    """Note that a node is reached with these points left."""
    if scratch.ends[node] == 0:
        scratch.reached[scratch.num_reached] = node
        scratch.num_reached += 1
    bit = 1 << result
    scratch.ends[node] |= bit
    if not without_taking:
        if points >= CHIT_COST:
            scratch.takes[node] |= bit
        if points >= CHEST_COST:
            scratch.opens[node] |= bit
    if not is_last and points > scratch.left[node] and scratch.count[points] < MOST_QUEUED:
        scratch.left[node] = points
        scratch.queue[points, scratch.count[points]] = node
        scratch.count[points] += 1


@kernel
def _step(reach, scratch, square, spot, points, result, is_last):
    """Arrive at a spot of a tile, by a step that may be the last of the turn."""
    ends = is_last or (spot == S and reach.storm[square])
    _arrive(scratch, square * NUM_SPOTS + spot, points, result, ends, is_last)


@kernel
def _expand(state, reach, scratch, node, points, result):
    """Make all steps from a node."""
    if is_rim(node):
        circle, size = node - RIM, np.int64(RIM_SIZE[state.sea])
        _step(reach, scratch, np.int64(RIM_SQUARE[state.sea, circle]), S, points - SAIL_COST, result, False)
        if points >= RIM_COST:
            for way in (1, -1):
                _arrive(scratch, RIM + (circle + way) % size, points - RIM_COST, result, False, False)
    elif spot_of_node(node) == S:
        _expand_at_sea(state, reach, scratch, node // NUM_SPOTS, points, result)
    else:
        _expand_ashore(state, reach, scratch, node, points, result)


@kernel
def _expand_at_sea(state, reach, scratch, square, points, result):
    mask = np.int64(state.squares[square, TILE])
    within = np.int64(WITHIN[mask, S, state.squares[square, WET]])
    for side in range(2):
        cost = (within >> 2 * (C0 + side)) & 3
        if 0 < cost <= points:
            _arrive(scratch, WITH_BOAT + 2 * square + side, points - cost, result, False, False)
    if not (np.int64(reach.at_sea[square]) >> result) & 1 or (reach.hidden[square] and points < result):
        return
    is_last = reach.last[square]
    for edge in range(4):
        if (mask >> edge) & 1:
            continue
        beyond = np.int64(NEXT[state.sea, square, edge])
        if beyond >= 0:
            _step(reach, scratch, beyond, S, points - SAIL_COST, result, is_last)
        else:
            _arrive(scratch, RIM - 1 - beyond, points - SAIL_COST, result, is_last, is_last)


@kernel
def _expand_ashore(state, reach, scratch, node, points, result):
    square, spot = square_of_node(node), spot_of_node(node)
    mask = np.int64(state.squares[square, TILE])
    within = np.int64(WITHIN[mask, spot, state.squares[square, WET]])
    if node >= WITH_BOAT and within & 3 <= points:
        _step(reach, scratch, square, S, points - (within & 3), result, False)
    is_last = False
    if spot <= C1:
        if not (np.int64(reach.ashore[square]) >> result) & 1 or (reach.hidden[square] and points < result):
            return
        is_last = reach.last[square]
    _take_steps(reach, scratch, square, within, points, result, is_last)
    for edge in range(4):
        ways, beyond = OUT[mask, spot, edge], np.int64(NEXT[state.sea, square, edge])
        if ways and beyond >= 0:
            other = state.squares[beyond, TILE]
            costs = np.int64(IN[other, (edge + 2) & 3, ways, state.squares[beyond, WET]])
            _take_steps(reach, scratch, beyond, costs, points, result, is_last)


@kernel
def _take_steps(reach, scratch, square, costs, points, result, is_last):
    """Make all steps to spots ashore of a tile, by their packed costs."""
    for spot in range(S + 1, NUM_SPOTS):
        cost = (costs >> 2 * spot) & 3
        if 0 < cost <= points:
            _step(reach, scratch, square, spot, points - cost, result, is_last)


@kernel
def _store(reach, scratch, pairs):
    """Append what was reached to the pairs by source, and return their number."""
    for n in range(scratch.num_reached):
        end = np.int64(scratch.reached[n])
        if pairs < MOST_PAIRS:
            scratch.pair_end[pairs] = end
            scratch.pair_ends[pairs] = scratch.ends[end]
            scratch.pair_takes[pairs] = scratch.takes[end]
            scratch.pair_opens[pairs] = scratch.opens[end]
            reach.first[end + 1] += 1
            pairs += 1
        scratch.ends[end] = 0
        scratch.takes[end] = 0
        scratch.opens[end] = 0
    return pairs


@kernel
def _sort_by_end(reach, scratch):
    """Sort the pairs by the nodes where they end."""
    for node in range(NUM_NODES):
        scratch.filled[node] = reach.first[node]
        reach.first[node + 1] += reach.first[node]
    for node in range(NUM_NODES):
        for pair in range(np.int64(scratch.first[node]), np.int64(scratch.first[node + 1])):
            end = np.int64(scratch.pair_end[pair])
            at = np.int64(scratch.filled[end])
            scratch.filled[end] += 1
            reach.source[at] = node
            reach.ends[at] = scratch.pair_ends[pair]
            reach.takes[at] = scratch.pair_takes[pair]
            reach.opens[at] = scratch.pair_opens[pair]


@kernel
def drift_node(state, square, way):
    """Return the node to which a boat drifts, -1 for "spin again"."""
    end = np.int64(drift_end(state, square, way))
    if end < 0 or end >= RIM or end % NUM_SPOTS == S:
        return end
    return WITH_BOAT + 2 * (end // NUM_SPOTS) + end % NUM_SPOTS - C0


@kernel
def _add_drifts(state, reach):
    for k in range(reach.storms):
        reach.ways[k] = 0
        for way in range(NUM_WAYS):
            end = drift_node(state, np.int64(reach.storm_square[k]), way)
            if end >= 0:
                reach.ways[k] += 1
                reach.drifts[end] |= 1 << k
