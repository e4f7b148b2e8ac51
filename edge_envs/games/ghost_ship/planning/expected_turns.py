"""Expected turns to treasure and to a boat left behind in `ghost_ship`, over the numbers of the spinner.

A stochastic shortest path (Bertsekas and Tsitsiklis 1991): in each turn a pawn goes to the node from which the expected
number of turns is least, and stays if no node within reach is better. The turn in which a treasure is taken counts. An
improvement always leads to a node with fewer turns, so nodes are settled in rising order, as in Dijkstra's algorithm
(1959), here with buckets (Dial 1969). Times are in sixtieths of a turn, and rounded down.

Left out are other players, the ghost, saved points and triples. A drift that would end farther away than a later try
counts as such a try. From a circle with a hidden symbol the mean waiting time over the symbols that it may be is added.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.map.geometry import C0, C1, NUM_SPOTS, NUM_WAYS, RIM, H, S
from edge_envs.games.ghost_ship.pieces.tiles import (
    CHEST,
    FRIENDLY,
    HILL,
    HOSTILE,
    NO_SYMBOL,
    RUINS,
    STRAITS,
)
from edge_envs.games.ghost_ship.planning.turn_reach import (
    NUM_CIRCLES,
    NUM_NODES,
    PER_TURN,
    WITH_BOAT,
    drift_node,
    wait_at,
)
from edge_envs.games.ghost_ship.state import FEWEST, MOST, NUM_NUMBERS, SYMBOL, TILE

NEVER: Final = 40 * PER_TURN
"""Longer times are cut off."""
MOST_WAITING = 16_384

# SEARCH[symbol]: the expected time of a search for the boat, NEVER where it cannot succeed. On a hostile tile half of
# the tries succeed, and half of the others also cost the next turn.
SEARCH = np.full(NO_SYMBOL + 1, NEVER, np.int64)
SEARCH[[NO_SYMBOL, FRIENDLY, HOSTILE, RUINS]] = 4 * PER_TURN, PER_TURN, 5 * PER_TURN // 2, 2 * PER_TURN
SWIM = 2 * PER_TURN
"""The expected time for swimming across a strait."""

TIMES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("head", np.int16, (NEVER + 1,)),  # the first entry in the bucket of a time
                ("next", np.int16, (MOST_WAITING,)),
                ("node", np.int16, (MOST_WAITING,)),
                ("entries", np.int64),
                ("sum", np.int32, (NUM_NODES,)),  # of the times after the results known so far
                ("known", np.uint8, (NUM_NODES,)),  # these results, as bits
                ("settled", np.uint8, (NUM_NODES,)),
                ("storm_sum", np.int64, (8,)),
                ("storm_count", np.int64, (8,)),
            ],
            align=True,
        ),
    )
)


@kernel
def fill_times_to_treasure(state, reach, scratch, square, times):
    """Fill `times` (nodes,) with the expected times from all nodes until a chit or gold of a tile is taken."""
    _clear(scratch, times)
    mask = state.squares[square, TILE]
    is_chest = state.squares[square, SYMBOL] == CHEST
    if mask == HILL:
        _take_at(reach, scratch, times, square * NUM_SPOTS + H, False)
    elif mask == 0:
        _take_at(reach, scratch, times, square * NUM_SPOTS + S, is_chest)
        if reach.storm[square]:
            _queue(scratch, times, square * NUM_SPOTS + S, PER_TURN)  # salvage
    else:
        for side in range(2):
            _take_at(reach, scratch, times, square * NUM_SPOTS + C0 + side, is_chest)
            _take_at(reach, scratch, times, WITH_BOAT + 2 * square + side, is_chest)
    _spread(state, reach, scratch, times, False)


@kernel
def fill_times_to_boat(state, reach, scratch, circle, times):
    """Fill `times` (nodes,) with the expected times of walking to a boat: circle 2 x square + side."""
    _clear(scratch, times)
    _queue(scratch, times, circle // 2 * NUM_SPOTS + C0 + circle % 2, 0)
    _spread(state, reach, scratch, times, True)


@kernel
def landing_of(times):
    """Return the circle with a boat from which the time is least, -1 if there is none."""
    best, least = -1, NEVER
    for circle in range(NUM_CIRCLES):
        if times[WITH_BOAT + circle] < least:
            best, least = circle, np.int64(times[WITH_BOAT + circle])
    return best


@kernel
def _clear(scratch, times):
    for node in range(NUM_NODES):
        times[node] = NEVER
        scratch.sum[node] = 0
        scratch.known[node] = 0
        scratch.settled[node] = False
    for time in range(NEVER + 1):
        scratch.head[time] = -1
    for k in range(scratch.storm_sum.shape[0]):
        scratch.storm_sum[k] = 0
        scratch.storm_count[k] = 0
    scratch.entries = 0


@kernel
def _queue(scratch, times, node, time):
    """Lower the time of a node."""
    if time < times[node] and scratch.entries < MOST_WAITING:
        times[node] = time
        scratch.node[scratch.entries] = node
        scratch.next[scratch.entries] = scratch.head[time]
        scratch.head[time] = scratch.entries
        scratch.entries += 1


@kernel
def _lead_to(scratch, times, node, results, time, wait):
    """Let the turns from a node with these results end at this time; the first time for a result is the least.

    `wait` is added to the time of the node.
    """
    new = np.int64(results) & ~np.int64(scratch.known[node])
    if new == 0:
        return
    known = np.int64(scratch.known[node]) | new
    scratch.known[node] = known
    count = 0
    for result in range(FEWEST, MOST + 1):
        count += (known >> result) & 1
        scratch.sum[node] += ((new >> result) & 1) * time
    least = (NUM_NUMBERS * PER_TURN + np.int64(scratch.sum[node])) // count + wait
    _queue(scratch, times, node, min(least, NEVER))


@kernel
def _take_at(reach, scratch, times, node, is_chest):
    """Start at a node where the treasure can be taken."""
    for pair in range(np.int64(reach.first[node]), np.int64(reach.first[node + 1])):
        results = reach.opens[pair] if is_chest else reach.takes[pair]
        _lead_to(scratch, times, np.int64(reach.source[pair]), results, 0, np.int64(0))


@kernel
def _spread(state, reach, scratch, times, by_foot):
    """Settle all nodes."""
    now = 0
    while now < NEVER:
        entry = np.int64(scratch.head[now])
        if entry < 0:
            now += 1
            continue
        scratch.head[now] = scratch.next[entry]
        node = np.int64(scratch.node[entry])
        if scratch.settled[node] or times[node] != now:
            continue
        scratch.settled[node] = True
        for pair in range(np.int64(reach.first[node]), np.int64(reach.first[node + 1])):
            source = np.int64(reach.source[pair])
            if not scratch.settled[source]:
                _lead_to(scratch, times, source, reach.ends[pair], now, wait_at(reach, source))
        if not by_foot:
            _search_and_swim(state, scratch, times, node, now)
            _drift(state, reach, scratch, times, node, now)


@kernel
def _search_and_swim(state, scratch, times, node, now):
    """Continue to the nodes from which a search or swimming leads to a node."""
    if node >= WITH_BOAT:
        square = (node - WITH_BOAT) // 2
        circle = square * NUM_SPOTS + C0 + (node - WITH_BOAT) % 2
        _queue(scratch, times, circle, min(now + SEARCH[state.squares[square, SYMBOL]], NEVER))
    elif node < RIM and C0 <= node % NUM_SPOTS <= C1 and state.squares[node // NUM_SPOTS, TILE] in STRAITS:
        _queue(scratch, times, node + C0 + C1 - 2 * (node % NUM_SPOTS), min(now + SWIM, NEVER))


@kernel
def _drift(state, reach, scratch, times, node, now):
    """Continue to the storms from which a boat may drift to a node."""
    for k in range(reach.storms):
        if not (reach.drifts[node] >> k) & 1:
            continue
        square = np.int64(reach.storm_square[k])
        for way in range(NUM_WAYS):
            if drift_node(state, square, way) == node:
                scratch.storm_count[k] += 1
                scratch.storm_sum[k] += now
        time = (PER_TURN * reach.ways[k] + scratch.storm_sum[k]) // scratch.storm_count[k]
        _queue(scratch, times, square * NUM_SPOTS + S, min(time, NEVER))
