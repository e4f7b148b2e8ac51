"""Tours of `ghost_ship`: how soon a player alone could take treasure worth a number of points.

    leg      the expected time from taking a treasure until taking another. The boat is with the scout, or for a
             treasure on a hill at the landing from which the hill is reached soonest
    tour     up to `LEGS` + 1 treasures in a row, each after the first one of the `NEAREST` treasures that are left
    front    the least times in which tours yield 1, 2, 3 ... points

`fill_outlook` keeps everything in a memory and recomputes only what has changed: times when a symbol is revealed,
fronts when a treasure is taken or a boat stays in another circle.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.map.geometry import C0, C1, NUM_SPOTS, NUM_SQUARES, RIM, H, S
from edge_envs.games.ghost_ship.pieces.tiles import HILL
from edge_envs.games.ghost_ship.planning.expected_turns import (
    NEVER,
    TIMES,
    fill_times_to_boat,
    fill_times_to_treasure,
    landing_of,
)
from edge_envs.games.ghost_ship.planning.turn_reach import (
    NUM_CIRCLES,
    NUM_NODES,
    REACH_SCRATCH,
    TURN_REACH,
    WITH_BOAT,
    fill_reach,
)
from edge_envs.games.ghost_ship.state import CHITS, GOLD, MAX_PLAYERS, MOST_TREASURES, SYMBOL, TILE, VALUE

LEGS, NEAREST = 4, 3
MOST_POINTS: Final = 10
"""The points of the longest front."""
HAS_CHIT, HAS_GOLD = 1, 2
SUCCESS: Final = MAX_PLAYERS
"""The number of a player's outlook after an attempt that succeeds."""
FRONTS: Final = 32
WITH_SCOUT: Final = NUM_CIRCLES
"""In place of a circle: the boat is where the pawn is."""

# The treasures of a tour that is being built.
STACK = np.dtype(
    [
        ("treasure", np.int64),
        ("gone", np.int64),  # the treasures taken so far, as bits
        ("following", np.int64),  # the position in `nearest` of the next treasure to try
        ("tried", np.int64),
        ("time", np.int64),
        ("points", np.int64),
    ],
    align=True,
)

FRONT = np.dtype(
    [
        ("treasure", np.uint64),  # the treasure left and its points: the key of `front_of`
        ("circle", np.int64),
        ("after", np.int16, (MOST_TREASURES, MOST_POINTS + 1)),  # times from a treasure until so many points
    ],
    align=True,
)

# The result of `fill_outlook`.
OUTLOOK = np.dtype(
    [
        ("treasure", np.uint64),
        ("at_hand", np.int64),
        ("pawn", np.int64),
        ("boat", np.int64),
        ("chit_points", np.int64),
        ("gold_points", np.int64),
        ("home", np.int64),  # the time of walking to the boat
        ("until", np.int64, (MOST_TREASURES,)),  # times to treasure, NEVER if it is gone
        ("front", np.int64, (MOST_POINTS + 1,)),
    ],
    align=True,
)

MEMORY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("reach", TURN_REACH),
                ("reach_scratch", REACH_SCRATCH),
                ("scratch", TIMES),
                ("is_filled", np.bool_),  # whether `map` is that of `reach`
                ("map", np.uint8, (NUM_SQUARES, 2)),
                ("has_times", np.uint8, (NUM_SQUARES,)),
                ("times", np.int16, (NUM_SQUARES, NUM_NODES)),  # until the treasure of a tile is taken
                ("landing", np.int16, (NUM_SQUARES,)),  # of a hill, -1 for none
                ("has_walks", np.uint8, (NUM_CIRCLES,)),
                ("walks", np.int16, (NUM_CIRCLES, NUM_NODES)),  # to a boat in a circle
                ("treasures", np.int64),
                ("slot", np.int8, (NUM_SQUARES,)),  # the treasure of a tile, -1 for none
                ("square", np.int16, (MOST_TREASURES,)),
                ("content", np.uint8, (MOST_TREASURES,)),  # HAS_CHIT + HAS_GOLD, now
                ("leg", np.int16, (MOST_TREASURES, MOST_TREASURES)),
                ("nearest", np.int8, (MOST_TREASURES, MOST_TREASURES)),  # the other treasures in the order of legs
                ("points", np.int64, (MOST_TREASURES,)),  # scratch: what the treasure of a tile is worth
                ("stack", STACK, (LEGS + 1,)),
                ("fronts", FRONT, (FRONTS,)),
                ("next_front", np.int64),  # the oldest of them
                ("outlook", OUTLOOK, (MAX_PLAYERS + 1,)),  # of the players, and the one at `SUCCESS`
            ],
            align=True,
        ),
    )
)


@kernel
def fill_outlook(state, number, pawn, boat, chit_points, gold_points, at_hand, memory):
    """Fill an outlook, for a position on the tour for which `read_treasure` was called.

    Args:
        state: The position.
        number: The number of the outlook.
        pawn: The place of the active pawn.
        boat: The place of the boat.
        chit_points: The points of a chit, at least 1.
        gold_points: The points of a piece of gold, at least 1.
        at_hand: A tile where the player could take treasure at once, or -1.
        memory: The memory, with any content that an earlier call left, or zeros.
    """
    outlook = memory.outlook[number]
    key = _treasure_key(memory, chit_points, gold_points)
    is_known = outlook.treasure == key and outlook.at_hand == at_hand
    if is_known and outlook.pawn == pawn and outlook.boat == boat:
        return
    outlook.treasure, outlook.at_hand = key, at_hand
    outlook.pawn, outlook.boat = pawn, boat
    outlook.chit_points, outlook.gold_points = chit_points, gold_points
    for treasure in range(memory.treasures):
        memory.points[treasure] = _points_of(memory.content[treasure], chit_points, gold_points)
    _fill_outlook(state, memory, outlook, key)


@kernel
def read_treasure(state, memory):
    """Note the map and what lies on it; a chit that is being taken no longer counts."""
    if not (memory.is_filled and _is_same_map(state, memory)):
        _read_map(state, memory)
    taking = np.int64(state.pawn[state.turn_player]) // NUM_SPOTS if state.phase == VALUE else np.int64(-1)
    for treasure in range(memory.treasures):
        memory.content[treasure] = 0
    for square in range(NUM_SQUARES):
        content = _content_of(state, square, taking)
        if content == 0:
            continue
        if memory.slot[square] < 0:  # a chit was moved here
            _list_treasure(state, taking, memory)
            return
        memory.content[memory.slot[square]] = content


@kernel
def circle_of(place):
    """Return the circle 2 x square + side of a place C0 or C1."""
    return 2 * (place // NUM_SPOTS) + place % NUM_SPOTS - C0


@kernel
def _content_of(state, square, taking):
    """Return what lies on a tile, HAS_CHIT + HAS_GOLD."""
    chits = np.int64(state.squares[square, CHITS]) - (square == taking)
    return HAS_CHIT * (chits > 0) + HAS_GOLD * (state.squares[square, GOLD] > 0)


@kernel
def _points_of(content, chit_points, gold_points):
    """Return what the best treasure of a tile is worth."""
    points = chit_points if content & HAS_CHIT else np.int64(0)
    return max(points, gold_points) if content & HAS_GOLD else points


@kernel
def _is_same_map(state, memory):
    same = True
    for square in range(NUM_SQUARES):
        same &= memory.map[square, 0] == state.squares[square, TILE]
        same &= memory.map[square, 1] == state.squares[square, SYMBOL]
    return same


@kernel
def _read_map(state, memory):
    fill_reach(state, memory.reach, memory.reach_scratch)
    for square in range(NUM_SQUARES):
        memory.map[square, 0] = state.squares[square, TILE]
        memory.map[square, 1] = state.squares[square, SYMBOL]
        memory.has_times[square] = False
        memory.slot[square] = -1
    for circle in range(NUM_CIRCLES):
        memory.has_walks[circle] = False
    memory.is_filled = True
    memory.treasures = 0


@kernel
def _list_treasure(state, taking, memory):
    """List the treasure on the map, and forget what depends on the list."""
    memory.treasures = 0
    for square in range(NUM_SQUARES):
        memory.slot[square] = -1
        content = _content_of(state, square, taking)
        if content:
            memory.slot[square] = memory.treasures
            memory.square[memory.treasures] = square
            memory.content[memory.treasures] = content
            memory.treasures += 1
            _fill_times(state, memory, square)
    _fill_legs(state, memory)
    for k in range(FRONTS):
        memory.fronts[k].treasure = 0
    for number in range(MAX_PLAYERS + 1):
        memory.outlook[number].treasure = 0


@kernel
def _fill_times(state, memory, square):
    if not memory.has_times[square]:
        memory.has_times[square] = True
        fill_times_to_treasure(state, memory.reach, memory.scratch, square, memory.times[square])
        memory.landing[square] = landing_of(memory.times[square]) if state.squares[square, TILE] == HILL else -1


@kernel
def _fill_walks(state, memory, circle):
    if not memory.has_walks[circle]:
        memory.has_walks[circle] = True
        fill_times_to_boat(state, memory.reach, memory.scratch, circle, memory.walks[circle])


@kernel
def _fill_legs(state, memory):
    """Compute the legs between all treasures, and sort them."""
    treasures, legs, nearest = np.int64(memory.treasures), memory.leg, memory.nearest
    for start in range(treasures):
        for end in range(treasures):
            leg = NEVER
            if start != end:
                leg = _leg(state, memory, np.int64(memory.square[start]), np.int64(memory.square[end]))
            legs[start, end] = leg
            n = end
            while n > 0 and legs[start, nearest[start, n - 1]] > leg:
                nearest[start, n] = nearest[start, n - 1]
                n -= 1
            nearest[start, n] = end


@kernel
def _leg(state, memory, start, end):
    """Return the time from taking the treasure of a tile until taking that of another."""
    mask, times = state.squares[start, TILE], memory.times[end]
    if mask == 0:
        return np.int64(times[start * NUM_SPOTS + S])
    if mask != HILL:
        first, second = WITH_BOAT + 2 * start, WITH_BOAT + 2 * start + 1
        return min(np.int64(times[first]), np.int64(times[second]))
    direct, landing = np.int64(times[start * NUM_SPOTS + H]), np.int64(memory.landing[start])
    if landing < 0:
        return direct
    _fill_walks(state, memory, landing)
    back = np.int64(memory.walks[landing, start * NUM_SPOTS + H])
    return min(direct, back + np.int64(times[WITH_BOAT + landing]))


@kernel
def _treasure_key(memory, chit_points, gold_points):
    """Return a number, never 0, that identifies the treasure left and its points."""
    key = np.uint64(chit_points * 8 + gold_points)
    for treasure in range(memory.treasures):
        key = key << np.uint64(2) | np.uint64(memory.content[treasure])
    return key


@kernel
def _fill_outlook(state, memory, outlook, key):
    """Write the times to treasure and the front."""
    pawn, boat, treasures = outlook.pawn, outlook.boat, np.int64(memory.treasures)
    outlook.home = 0
    outlook.front[:] = NEVER
    outlook.front[0] = 0
    start, circle = pawn, np.int64(WITH_SCOUT)
    on_foot = pawn != boat
    if boat < RIM and boat % NUM_SPOTS != S:  # ashore
        start = WITH_BOAT + circle_of(boat)
        if on_foot:
            circle = circle_of(boat)
            _fill_walks(state, memory, circle)
            outlook.home = memory.walks[circle, pawn]
    tours = front_of(state, memory, key, np.int64(WITH_SCOUT))
    for treasure in range(treasures):
        outlook.until[treasure] = NEVER
        if memory.content[treasure]:
            time = outlook.home + np.int64(memory.times[memory.square[treasure], start])
            if memory.square[treasure] == outlook.at_hand and not on_foot:
                time = np.int64(0)
            outlook.until[treasure] = min(time, NEVER)
            _improve(memory, outlook.front, tours, treasure, time)
    if on_foot:
        tours = front_of(state, memory, key, circle)
        for treasure in range(treasures):
            if memory.content[treasure]:
                time = np.int64(memory.times[memory.square[treasure], pawn])
                if memory.square[treasure] == outlook.at_hand:
                    time = np.int64(0)
                outlook.until[treasure] = min(outlook.until[treasure], time)
                _improve(memory, outlook.front, tours, treasure, time)


@kernel
def _improve(memory, front, tours, treasure, time):
    """Lower a front by tours that begin with a treasure at this time."""
    worth, after = memory.points[treasure], memory.fronts[tours].after[treasure]
    for points in range(1, MOST_POINTS + 1):
        front[points] = min(front[points], time + np.int64(after[max(points - worth, 0)]))


@kernel
def front_of(state, memory, key, circle):
    """Return the number of the fronts for the treasure left, with the boat in a circle that is not the treasure's."""
    for k in range(FRONTS):
        if memory.fronts[k].treasure == key and memory.fronts[k].circle == circle:
            return k
    tours = np.int64(0)
    if circle != WITH_SCOUT:
        tours = front_of_boat(memory, key)
    k = np.int64(memory.next_front)
    if circle != WITH_SCOUT and k == tours:
        k = (k + 1) % FRONTS
    memory.next_front = (k + 1) % FRONTS
    front = memory.fronts[k]
    front.treasure, front.circle = key, circle
    for treasure in range(memory.treasures):
        if memory.content[treasure]:
            if circle == WITH_SCOUT:
                _fill_tours(memory, front.after[treasure], treasure)
            else:
                _fill_tours_on_foot(state, memory, front.after[treasure], tours, treasure, circle)
    return k


@kernel
def front_of_boat(memory, key):
    """Return the number of the fronts with the boat at hand, which are in the memory."""
    for k in range(FRONTS):
        if memory.fronts[k].treasure == key and memory.fronts[k].circle == WITH_SCOUT:
            return k
    return 0


@kernel
def _fill_tours(memory, after, treasure):
    """Find the front of all tours from a treasure, by depth-first search."""
    after[:] = NEVER
    after[0] = 0
    stack, depth = memory.stack, 0
    _push(stack, 0, treasure, np.int64(0), np.int64(0), np.int64(0))
    while depth >= 0:
        here = stack[depth]
        following = _next_to_try(memory, here) if depth < LEGS else np.int64(-1)
        if following < 0 or here.points >= MOST_POINTS:
            depth -= 1
            continue
        time = here.time + np.int64(memory.leg[here.treasure, following])
        points = min(here.points + memory.points[following], MOST_POINTS)
        for least in range(here.points + 1, points + 1):
            after[least] = min(np.int64(after[least]), time)
        depth += 1
        _push(stack, depth, following, here.gone, time, points)


@kernel
def _push(stack, depth, treasure, gone, time, points):
    """Continue a tour to a treasure."""
    entry = stack[depth]
    entry.treasure = treasure
    entry.gone = gone | (np.int64(1) << treasure)
    entry.following = 0
    entry.tried = 0
    entry.time = time
    entry.points = points


@kernel
def _next_to_try(memory, entry):
    """Return the next nearest treasure that is left, -1 if enough have been tried."""
    while entry.tried < NEAREST and entry.following < memory.treasures:
        following = np.int64(memory.nearest[entry.treasure, entry.following])
        entry.following += 1
        if memory.content[following] and not (entry.gone >> following) & 1:
            entry.tried += 1
            return following if entry.time + memory.leg[entry.treasure, following] < NEVER else np.int64(-1)
    return np.int64(-1)


@kernel
def _fill_tours_on_foot(state, memory, after, tours, treasure, circle):
    """Find the front of tours after walking to a treasure, with the boat in a circle; none is sooner than by boat."""
    square = np.int64(memory.square[treasure])
    mask, by_boat = state.squares[square, TILE], memory.fronts[tours].after
    after[:] = by_boat[treasure]
    if mask == 0:
        return
    first, last = (H, H) if mask == HILL else (C0, C1)
    back = NEVER
    for spot in range(first, last + 1):
        back = min(back, np.int64(memory.walks[circle, square * NUM_SPOTS + spot]))
    after[1:] = NEVER
    for other in range(memory.treasures):
        if other == treasure or memory.content[other] == 0:
            continue
        times = memory.times[memory.square[other]]
        time = back + np.int64(times[WITH_BOAT + circle])
        for spot in range(first, last + 1):
            time = min(time, np.int64(times[square * NUM_SPOTS + spot]))
        for points in range(1, MOST_POINTS + 1):
            rest = np.int64(by_boat[other, max(points - memory.points[other], 0)])
            after[points] = min(np.int64(after[points]), time + rest)
    for points in range(1, MOST_POINTS + 1):
        after[points] = max(after[points], by_boat[treasure, points])
