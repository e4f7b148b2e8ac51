"""Tours of `ghost_ship`: what a player alone could take next, from the expected turns between treasures.

    leg      the expected time from taking a treasure until taking another. The boat is with the scout, or for a
             treasure on a hill at the landing from which the hill is reached soonest
    tour     a value in points: each treasure of the tour counts its value, multiplied by a discount for each expected
             turn until it is taken. A tour from a treasure has up to `LEGS` more, and each leads to one of the
             `NEAREST` treasures that are left

`prepare` computes all that does not change within a turn. `evaluate_player` then needs about a microsecond.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.map.geometry import C0, C1, NUM_SPOTS, NUM_SQUARES, H, S
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
    PER_TURN,
    REACH,
    REACH_SCRATCH,
    WITH_BOAT,
    fill_reach,
)
from edge_envs.games.ghost_ship.state import CHITS, GAINED, GOLD, KNOWN, MAX_PLAYERS, NUM_VALUES, SYMBOL, TILE, VALUE

MOST_TREASURES: Final = 28
"""The largest number of tiles with treasure: twenty with chits, eight with gold."""
DISCOUNTS = (0.7, 0.8, 0.9)
"""The discounts for which tours are evaluated, a generic range: values learn which of them matter."""
LEGS, NEAREST = 4, 3
NEAR = 3
"""The number of treasures whose times are listed."""
HAS_CHIT, HAS_GOLD = 1, 2

_POWERS = np.array([[discount ** (time / PER_TURN) for time in range(NEVER)] + [0.0] for discount in DISCOUNTS])

# The treasures of a tour that is being built.
STACK = np.dtype(
    [
        ("treasure", np.int64),
        ("gone", np.int64),  # the treasures taken so far, as bits
        ("following", np.int64),  # the position in `nearest` of the next treasure to try
        ("tried", np.int64),
        ("best", np.float64),  # the value of the best tour from here
    ],
    align=True,
)

MEMORY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("reach", REACH),
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
                ("square", np.int16, (MOST_TREASURES,)),
                ("content", np.uint8, (MOST_TREASURES,)),  # HAS_CHIT + HAS_GOLD
                ("leg", np.int16, (MOST_TREASURES, MOST_TREASURES)),
                ("nearest", np.int8, (MOST_TREASURES, MOST_TREASURES)),  # the other treasures in the order of legs
                ("points", np.float64, (MAX_PLAYERS, MOST_TREASURES)),  # what the best treasure of a tile is worth
                ("tour", np.float64, (MAX_PLAYERS, len(DISCOUNTS), MOST_TREASURES)),  # after taking a treasure
                ("stack", STACK, (LEGS + 1,)),
                ("near", np.int64, (NEAR,)),  # results of `evaluate_player`
                ("value", np.float64, (len(DISCOUNTS),)),
                ("until", np.int64, (MAX_PLAYERS, MOST_TREASURES)),
                ("home", np.int64),
            ],
            align=True,
        ),
    )
)


@kernel
def content_of(state, square):
    """Return what lies on a tile, HAS_CHIT + HAS_GOLD."""
    return HAS_CHIT * (state.squares[square, CHITS] > 0) + HAS_GOLD * (state.squares[square, GOLD] > 0)


@kernel
def prepare(state, viewer, memory):
    """Fill the memory for a finished map, treasure, and what the viewer knows of chits.

    `memory` may have any content that an earlier call left, or zeros.
    """
    if not (memory.is_filled and _is_same_map(state, memory)):
        fill_reach(state, memory.reach, memory.reach_scratch)
        for square in range(NUM_SQUARES):
            memory.map[square, 0] = state.squares[square, TILE]
            memory.map[square, 1] = state.squares[square, SYMBOL]
            memory.has_times[square] = False
        for circle in range(NUM_CIRCLES):
            memory.has_walks[circle] = False
        memory.is_filled = True
        memory.treasures = -1
    if memory.treasures < 0 or not _is_same_treasure(state, memory):
        _find_treasures(state, memory)
        _fill_legs(state, memory)
    for player in range(np.int64(state.num_players)):
        walk_times(state, memory, player)
        _set_points(state, memory, player, viewer)
        for d in range(len(DISCOUNTS)):
            for treasure in range(memory.treasures):
                memory.tour[player, d, treasure] = _tour(memory, player, d, treasure)


@kernel
def _is_same_map(state, memory):
    for square in range(NUM_SQUARES):
        if (
            memory.map[square, 0] != state.squares[square, TILE]
            or memory.map[square, 1] != state.squares[square, SYMBOL]
        ):
            return False
    return True


@kernel
def _is_same_treasure(state, memory):
    treasure = 0
    for square in range(NUM_SQUARES):
        content = content_of(state, square)
        if content == 0:
            continue
        if treasure == memory.treasures or memory.square[treasure] != square or memory.content[treasure] != content:
            return False
        treasure += 1
    return treasure == memory.treasures


@kernel
def _find_treasures(state, memory):
    memory.treasures = 0
    for square in range(NUM_SQUARES):
        content = content_of(state, square)
        if content:
            memory.square[memory.treasures] = square
            memory.content[memory.treasures] = content
            memory.treasures += 1
            _fill_times(state, memory, square)


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
def circle_of(place):
    """Return the circle 2 x square + side of a place C0 or C1."""
    return 2 * (place // NUM_SPOTS) + place % NUM_SPOTS - C0


@kernel
def walk_times(state, memory, player):
    """Compute the times of walking to the player's boat, if it is ashore."""
    if state.ashore[player]:
        _fill_walks(state, memory, circle_of(np.int64(state.boat[player])))


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
def count_unseen(state, viewer, unseen):
    """Fill `unseen` (values,) with the chits whose value the viewer has never seen; return their number."""
    count = 0
    for k in range(NUM_VALUES):
        left = np.int64(state.full[k]) - np.int64(state.own[viewer, k]) - np.int64(state.lost[viewer, k])
        for other in range(np.int64(state.num_players)):
            if other != viewer and state.shown[viewer, other, KNOWN]:
                left -= np.int64(state.shown[viewer, other, k])
        unseen[k] = max(left, 0)
        count += unseen[k]
    return count


@kernel
def mean_of_unseen(state, viewer):
    """Return the mean value of chits that the viewer has never seen, and the share of the value 1 among them."""
    unseen = np.empty(NUM_VALUES, np.int64)
    count = max(count_unseen(state, viewer, unseen), 1)
    total = np.int64(0)
    for k in range(NUM_VALUES):
        total += (k + 1) * unseen[k]
    return total / count, unseen[0] / count


@kernel
def known_chits(state, player, viewer, mean, ones):
    """Return the expected value of a player's chits and the expected number of value 1, as far as the viewer knows.

    Each of the shown chits, and of those gained since, is equally likely to be among those lost since.
    """
    held, own_ones = 0.0, 0.0
    if player == viewer:
        for k in range(NUM_VALUES):
            held += np.int64(state.own[player, k]) * (k + 1)
        return held, np.float64(state.own[player, 0])
    gained, shown = np.float64(state.num_chits[player]), 0.0
    if state.shown[viewer, player, KNOWN]:
        gained = np.float64(state.shown[viewer, player, GAINED])
        for k in range(NUM_VALUES):
            count = np.float64(state.shown[viewer, player, k])
            shown += count
            held += count * (k + 1)
        own_ones = np.float64(state.shown[viewer, player, 0])
    kept = np.float64(state.num_chits[player]) / max(shown + gained, 1.0)
    return kept * (held + gained * mean), kept * (own_ones + gained * ones)


@kernel
def _set_points(state, memory, player, viewer):
    """Write what the best treasure of each tile is worth to a player."""
    mean, ones = mean_of_unseen(state, viewer)
    _, own_ones = known_chits(state, player, viewer, mean, ones)
    gold = max(1.0, own_ones)
    for treasure in range(memory.treasures):
        chit = mean if memory.content[treasure] & HAS_CHIT else 0.0
        memory.points[player, treasure] = max(chit, gold if memory.content[treasure] & HAS_GOLD else 0.0)


@kernel
def _tour(memory, player, d, treasure):
    """Return the value of the best tour from a treasure, by depth-first search."""
    stack, depth = memory.stack, 0
    _push(stack, 0, treasure, np.int64(0))
    while True:
        here = stack[depth]
        following = _next_to_try(memory, here) if depth < LEGS else np.int64(-1)
        if following >= 0:
            depth += 1
            _push(stack, depth, following, np.int64(here.gone))
            continue
        if depth == 0:
            return here.best
        depth -= 1
        before = stack[depth]
        value = memory.points[player, here.treasure] + here.best
        before.best = max(before.best, _POWERS[d, memory.leg[before.treasure, here.treasure]] * value)


@kernel
def _push(stack, depth, treasure, gone):
    """Continue a tour to a treasure."""
    entry = stack[depth]
    entry.treasure = treasure
    entry.gone = gone | (np.int64(1) << treasure)
    entry.following = 0
    entry.tried = 0
    entry.best = 0.0


@kernel
def _next_to_try(memory, entry):
    """Return the next nearest treasure that is left, -1 if enough have been tried."""
    while entry.tried < NEAREST and entry.following < memory.treasures:
        following = np.int64(memory.nearest[entry.treasure, entry.following])
        entry.following += 1
        if not (entry.gone >> following) & 1:
            entry.tried += 1
            return following if memory.leg[entry.treasure, following] < NEVER else np.int64(-1)
    return np.int64(-1)


@kernel
def taken_since(state, memory):
    """Return the treasures that have been taken since `prepare`, or are being taken, as bits."""
    gone = np.int64(0)
    taking = np.int64(state.pawn[state.turn_player]) // NUM_SPOTS if state.phase == VALUE else np.int64(-1)
    for treasure in range(memory.treasures):
        square = np.int64(memory.square[treasure])
        content = content_of(state, square)
        if square == taking and state.squares[square, CHITS] == 1:
            content &= ~HAS_CHIT
        if content != memory.content[treasure]:
            gone |= np.int64(1) << treasure
    return gone


@kernel
def evaluate_player(state, memory, player, gone):
    """Write the times to the treasures into `until`, the least of them into `near`, and tours into `value`.

    `home` becomes the time of walking to the boat.
    """
    pawn, boat, until = np.int64(state.pawn[player]), np.int64(state.boat[player]), memory.until[player]
    memory.home = 0
    memory.near[:] = NEVER
    memory.value[:] = 0.0
    ashore = state.ashore[player]
    circle = circle_of(boat) if ashore else np.int64(0)
    if ashore and pawn != boat:
        _fill_walks(state, memory, circle)
        memory.home = memory.walks[circle, pawn]
    for treasure in range(memory.treasures):
        until[treasure] = NEVER
        if (gone >> treasure) & 1:
            continue
        times = memory.times[memory.square[treasure]]
        direct = np.int64(times[pawn])
        by_boat = memory.home + np.int64(times[WITH_BOAT + circle]) if ashore else direct
        until[treasure] = min(direct, by_boat, NEVER)
        _insert(memory.near, until[treasure])
        for d in range(len(DISCOUNTS)):
            points, tour, best = memory.points[player, treasure], memory.tour[player, d, treasure], memory.value[d]
            if by_boat < direct or not ashore:
                best = max(best, _POWERS[d, min(by_boat, NEVER)] * (points + tour))
            if ashore and _POWERS[d, direct] * (points + tour) > best:
                if state.squares[memory.square[treasure], TILE]:
                    tour = min(tour, _tour_on_foot(state, memory, player, d, treasure, circle, gone))
                best = max(best, _POWERS[d, direct] * (points + tour))
            memory.value[d] = best


@kernel
def _insert(near, time):
    """Insert a time into a sorted list of the least ones."""
    for n in range(near.shape[0]):
        if time < near[n]:
            near[n], time = time, near[n]


@kernel
def _tour_on_foot(state, memory, player, d, treasure, circle, gone):
    """Return the value of the best tour after walking to a treasure, with the boat in a circle."""
    _fill_walks(state, memory, circle)
    square = np.int64(memory.square[treasure])
    first, last = (H, H) if state.squares[square, TILE] == HILL else (C0, C1)
    back = NEVER
    for spot in range(first, last + 1):
        back = min(back, np.int64(memory.walks[circle, square * NUM_SPOTS + spot]))
    best = 0.0
    for other in range(memory.treasures):
        if other == treasure or (gone >> other) & 1:
            continue
        times = memory.times[memory.square[other]]
        time = back + np.int64(times[WITH_BOAT + circle])
        for spot in range(first, last + 1):
            time = min(time, np.int64(times[square * NUM_SPOTS + spot]))
        value = memory.points[player, other] + memory.tour[player, d, other]
        best = max(best, _POWERS[d, min(time, NEVER)] * value)
    return best
