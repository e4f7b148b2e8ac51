"""The graph of the places of a `ghost_ship` map, and travel times in it.

    tick     the unit of time of searches, an integer; a turn has `TURN` ticks
    graph    one record of scratch memory for a decision: arcs, delays and times

`build_graph` writes the arcs: for each place the places from which a step leads to it. `spread_back` then finds the
time from everywhere to the nearest of some goals, by Dijkstra's algorithm (1959) with a circular array of buckets
(Dial 1969). It also finds the times between goals. For these it treats arcs as two-way, which all are except some steps
overland.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.ghost_ship.map.geometry import (
    IN,
    INSIDE,
    NEXT,
    NUM_PLACES,
    NUM_RIM,
    NUM_SPOTS,
    NUM_SQUARES,
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
from edge_envs.games.ghost_ship.state import TILE, WET

TURN = 14
FAR = 600
"""The time in ticks to unreachable places."""
RING = 256
"""The number of buckets. It exceeds the longest step with its delay, and the largest initial time of a goal."""
MOST_ARCS, MOST_WAITING = 10_240, 4096
"""The capacity of a graph."""
NO_TREASURE = -1

# An arc of a graph: 8 x place + 4 between sea and land + its cost in points.
SHORE_BIT = 4

GRAPH = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("first", np.int16, (NUM_PLACES + 1,)),
                ("arcs", np.int16, (MOST_ARCS,)),
                ("step", np.int32, (4,)),  # ticks by points
                ("delay", np.int16, (NUM_PLACES,)),  # ticks that a symbol adds to steps out of a circle
                ("launch", np.int16, (NUM_PLACES,)),  # ticks for putting to sea from a circle ashore
                ("landing", np.int16, (NUM_SQUARES,)),  # ticks for landing
                ("time", np.int32, (NUM_PLACES,)),
                ("treasure", np.int8, (NUM_PLACES,)),  # the goal that `time` leads to
                ("head", np.int16, (RING,)),  # the first entry in the bucket of a tick
                ("next", np.int16, (MOST_WAITING,)),  # the next entry in the same bucket, -1 for none
                ("place", np.int16, (MOST_WAITING,)),  # the place of an entry
            ],
            align=True,
        ),
    )
)


def _back() -> np.ndarray:
    """Return BACK[mask, spot, edge, other]: packed costs to a spot over an edge from the spots of the next tile."""
    back = np.zeros((16, NUM_SPOTS, 4, 16), np.int64)
    for mask, spot, edge, other in np.ndindex(back.shape):
        for start in range(NUM_SPOTS):
            cost = int(IN[mask, edge, OUT[other, start, (edge + 2) % 4], 15]) >> 2 * spot & 3
            back[mask, spot, edge, other] |= cost << 2 * start
    return back


BACK = _back()


@kernel
def build_graph(state, graph):
    """Write the arcs of the finished map into a graph."""
    squares, first, arcs, sea = state.squares, graph.first, graph.arcs, state.sea
    count = 0
    for square in range(NUM_SQUARES):
        mask, wet = np.int64(squares[square, TILE]), np.int64(squares[square, WET])
        spots = np.int64(SPOTS[mask, wet])
        for spot in range(NUM_SPOTS):
            first[square * NUM_SPOTS + spot] = count
            if not spots >> 2 * spot & 1 or not INSIDE[sea, square]:
                continue
            costs = np.int64(WITHIN[mask, spot, wet])
            for start in range(NUM_SPOTS):
                cost = costs >> 2 * start & 3
                if cost:
                    shore = SHORE_BIT if spot == S or start == S else 0
                    arcs[count] = (square * NUM_SPOTS + start) << 3 | shore | cost
                    count += 1
            for edge in range(4):
                beyond = np.int64(NEXT[sea, square, edge])
                if beyond < 0:
                    if spot == S:
                        arcs[count] = (RIM - 1 - beyond) << 3 | SAIL_COST
                        count += 1
                    continue
                other = np.int64(squares[beyond, TILE])
                costs = BACK[mask, spot, edge, other] & 3 * np.int64(SPOTS[other, squares[beyond, WET]])
                start = 0
                while costs:
                    if costs & 3:
                        arcs[count] = (beyond * NUM_SPOTS + start) << 3 | costs & 3
                        count += 1
                    costs >>= 2
                    start += 1
    size = np.int64(RIM_SIZE[sea])
    for circle in range(NUM_RIM):
        first[RIM + circle] = count
        if circle < size:
            arcs[count] = (np.int64(RIM_SQUARE[sea, circle]) * NUM_SPOTS + S) << 3 | SAIL_COST
            arcs[count + 1] = (RIM + (circle + 1) % size) << 3 | RIM_COST
            arcs[count + 2] = (RIM + (circle - 1) % size) << 3 | RIM_COST
            count += 3
    first[NUM_PLACES] = count


@inlined_kernel
def clear_times(graph):
    """Reset all times to FAR, and empty the buckets."""
    time, treasure, head = graph.time, graph.treasure, graph.head
    for place in range(NUM_PLACES):
        time[place] = FAR
        treasure[place] = NO_TREASURE
    for tick in range(RING):
        head[tick] = -1


@inlined_kernel
def set_goal(graph, waiting, place, tick, treasure):
    """Add a place to start a search from, as entry number `waiting`; `tick` is less than RING."""
    if tick < graph.time[place]:
        graph.time[place] = tick
        graph.treasure[place] = treasure
    graph.place[waiting] = place
    graph.next[waiting] = graph.head[tick]
    graph.head[tick] = waiting
    return waiting + 1


@kernel
def spread_back(graph, waiting, between):
    """Compute the time from every place to the nearest goal; `waiting` goals have been set.

    Also write the shortest times between treasures with adjoining search regions into `between` (treasures, treasures).
    """
    first, arcs, time, treasure = graph.first, graph.arcs, graph.time, graph.treasure
    delay, launch, landing, step = graph.delay, graph.launch, graph.landing, graph.step
    head, following, places = graph.head, graph.next, graph.place
    left, entries, now = waiting, waiting, 0
    while left > 0:
        slot = now & (RING - 1)
        entry = np.int64(head[slot])
        if entry < 0:
            now += 1
            continue
        head[slot] = following[entry]
        left -= 1
        place = np.int64(places[entry])
        if time[place] != now:
            continue
        own = np.int64(treasure[place])
        at_sea = place % NUM_SPOTS == S
        for k in range(np.int64(first[place]), np.int64(first[place + 1])):
            arc = np.int64(arcs[k])
            start = arc >> 3
            ticks = np.int64(step[arc & 3]) + np.int64(delay[start])
            if arc & SHORE_BIT:
                ticks = np.int64(launch[start]) if at_sea else np.int64(landing[start >> 3])
            before = np.int64(time[start])
            other = np.int64(treasure[start])
            if other != own and other >= 0:
                whole = now + ticks + before
                if whole < between[own, other]:
                    between[own, other] = whole
                    between[other, own] = whole
            if now + ticks < before and entries < MOST_WAITING:
                time[start] = now + ticks
                treasure[start] = own
                slot = (now + ticks) & (RING - 1)
                places[entries] = start
                following[entries] = head[slot]
                head[slot] = entries
                entries += 1
                left += 1
