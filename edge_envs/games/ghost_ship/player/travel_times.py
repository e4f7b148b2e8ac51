"""Ways over the places of a `ghost_ship` map, and the time that they take.

    tick     the unit of time of searches, a whole number; `TURN` of them are a turn
    chart    one record of scratch that a decision plans on: the ways, what holds up on them, and fields of time

`draw_chart` writes the ways into a chart: for each place those from which one steps to it, so that `spread_back` finds
the time from everywhere to the nearest of some goals. On the way it finds the times between goals; for these it takes
the ways for two-way ones, which all but some steps overland are.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.ghost_ship.map.geometry import (
    IN,
    NEXT,
    NUM_PLACES,
    NUM_RIM,
    NUM_SPOTS,
    NUM_SQUARES,
    OUT,
    RIM,
    RIM_COST,
    RIM_SQUARE,
    SAIL_COST,
    SPOTS,
    WITHIN,
    S,
)
from edge_envs.games.ghost_ship.state import TILE, WET

TURN = 14
FAR = 600
"""Ticks to what cannot be reached."""
RING = 256
"""More ticks than a step and what holds up before it take; also more than a goal may begin with."""
MOST_WAYS, MOST_WAITING = 10_240, 4096
"""What a chart has room for."""
NO_TREASURE = -1

# A way in a chart: 8 x place + 4 between sea and land + the points that it costs.
SHORE_BIT = 4

CHART = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("first", np.int16, (NUM_PLACES + 1,)),
                ("ways", np.int16, (MOST_WAYS,)),
                ("step", np.int32, (4,)),  # ticks by points
                ("delay", np.int16, (NUM_PLACES,)),  # ticks that a symbol adds to steps out of a circle
                ("launch", np.int16, (NUM_PLACES,)),  # ticks for putting to sea from a circle ashore
                ("landing", np.int16, (NUM_SQUARES,)),  # ticks for landing
                ("time", np.int32, (NUM_PLACES,)),
                ("treasure", np.int8, (NUM_PLACES,)),  # the goal that `time` leads to
                ("head", np.int16, (RING,)),  # the first entry that waits for a tick
                ("next", np.int16, (MOST_WAITING,)),  # of an entry the one after it, -1 for none
                ("place", np.int16, (MOST_WAITING,)),  # of an entry
            ],
            align=True,
        ),
    )
)


def _back() -> np.ndarray:
    """BACK[mask, spot, edge, other]: packed costs to a spot over an edge of its tile from those of the next tile."""
    back = np.zeros((16, NUM_SPOTS, 4, 16), np.int64)
    for mask, spot, edge, other in np.ndindex(back.shape):
        for start in range(NUM_SPOTS):
            cost = int(IN[mask, edge, OUT[other, start, (edge + 2) % 4], 15]) >> 2 * spot & 3
            back[mask, spot, edge, other] |= cost << 2 * start
    return back


BACK = _back()


@kernel
def draw_chart(state, chart):
    """Write the ways of the finished map into a chart."""
    squares, first, ways = state.squares, chart.first, chart.ways
    count = 0
    for square in range(NUM_SQUARES):
        mask, wet = np.int64(squares[square, TILE]), np.int64(squares[square, WET])
        spots = np.int64(SPOTS[mask, wet])
        for spot in range(NUM_SPOTS):
            first[square * NUM_SPOTS + spot] = count
            if not spots >> 2 * spot & 1:
                continue
            costs = np.int64(WITHIN[mask, spot, wet])
            for start in range(NUM_SPOTS):
                cost = costs >> 2 * start & 3
                if cost:
                    shore = SHORE_BIT if spot == S or start == S else 0
                    ways[count] = (square * NUM_SPOTS + start) << 3 | shore | cost
                    count += 1
            for edge in range(4):
                beyond = np.int64(NEXT[square, edge])
                if beyond < 0:
                    if spot == S:
                        ways[count] = (RIM - 1 - beyond) << 3 | SAIL_COST
                        count += 1
                    continue
                other = np.int64(squares[beyond, TILE])
                costs = BACK[mask, spot, edge, other] & 3 * np.int64(SPOTS[other, squares[beyond, WET]])
                start = 0
                while costs:
                    if costs & 3:
                        ways[count] = (beyond * NUM_SPOTS + start) << 3 | costs & 3
                        count += 1
                    costs >>= 2
                    start += 1
    for circle in range(NUM_RIM):
        first[RIM + circle] = count
        ways[count] = (np.int64(RIM_SQUARE[circle]) * NUM_SPOTS + S) << 3 | SAIL_COST
        ways[count + 1] = (RIM + (circle + 1) % NUM_RIM) << 3 | RIM_COST
        ways[count + 2] = (RIM + (circle - 1) % NUM_RIM) << 3 | RIM_COST
        count += 3
    first[NUM_PLACES] = count


@inlined_kernel
def clear_times(chart):
    """Nothing can be reached yet."""
    time, treasure, head = chart.time, chart.treasure, chart.head
    for place in range(NUM_PLACES):
        time[place] = FAR
        treasure[place] = NO_TREASURE
    for tick in range(RING):
        head[tick] = -1


@inlined_kernel
def set_goal(chart, waiting, place, tick, treasure):
    """One more place to begin a search from, as entry number `waiting`; `tick` is less than RING."""
    if tick < chart.time[place]:
        chart.time[place] = tick
        chart.treasure[place] = treasure
    chart.place[waiting] = place
    chart.next[waiting] = chart.head[tick]
    chart.head[tick] = waiting
    return waiting + 1


@kernel
def spread_back(chart, waiting, between):
    """The time from every place to the nearest goal; `waiting` goals have been set.

    Into between (treasures, treasures) the shortest ways between treasures whose surroundings meet.
    """
    first, ways, time, treasure = chart.first, chart.ways, chart.time, chart.treasure
    delay, launch, landing, step = chart.delay, chart.launch, chart.landing, chart.step
    head, following, places = chart.head, chart.next, chart.place
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
            way = np.int64(ways[k])
            start = way >> 3
            ticks = np.int64(step[way & 3]) + np.int64(delay[start])
            if way & SHORE_BIT:
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
