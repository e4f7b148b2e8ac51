"""A position as a player thinks of it: the boards and ships alone, the mover's first, and what a turn does to them.

It is small, so that thousands of turns can be looked at, and keeps to the letter of the rules.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.jit import inlined_kernel, kernel
from edge_envs.games.beyond_maps.map.bitboard import (
    ALL,
    EAST,
    EDGE,
    EMPTY,
    NORTH,
    NOT_FIRST,
    NOT_LAST,
    SOUTH,
    WEST,
    WORDS,
    around,
    ball,
    both,
    count,
    drop,
    east,
    either,
    first_of,
    frame_of,
    has,
    is_empty,
    load,
    loose,
    minus,
    north,
    only,
    put,
    same,
    south,
    splitting,
    store,
    west,
)
from edge_envs.games.beyond_maps.phases.choices import markers_allowed, sailing_range
from edge_envs.games.beyond_maps.rules import SPLITS, enclosed, others_around, secured
from edge_envs.games.beyond_maps.state import NO_MARKER

_1 = np.uint64(1)
SCENE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("land", np.uint64, (2, WORDS)),  # of the mover and of the other
                ("score", np.float64),  # of the turn that ends so, and the action that begins it
                ("action", np.int64),
                ("todo", np.uint64, (WORDS,)),  # squares for the next marker that are yet to be tried
                ("lead", np.int16),  # squares of land that the mover has more
                ("ships", np.int16, (2,)),  # -1 for a captured one
                ("last", np.int16),  # the last marker of the land action under way, else -1
                ("side", np.uint8),
                ("left", np.uint8),  # markers that the land action may still place
                ("reach", np.uint8),  # the longest sail, 0 if the sea action is done
                ("unsettled", np.uint8, (2,)),  # as in a state
                ("parted", np.uint8),
                ("stop_early", np.uint8),
                ("more", np.uint8),  # whether a marker can be placed
                ("ends_only", np.uint8),  # whether chains are followed only where they may end the game
                ("rings", np.uint8),  # whether such an end may be a ring
            ],
            align=True,
        ),
    )
)


@kernel
def read_scene(state, scene):
    """Write the position of a state at a decision, seen by the turn player."""
    player = np.int64(state.turn_player)
    for side in range(2):
        of = player if side == 0 else 1 - player
        store(scene.land[side], load(state.land[of]))
        scene.ships[side] = state.ships[of]
        scene.unsettled[side] = state.unsettled[of]
    scene.lead = count(load(scene.land[0])) - count(load(scene.land[1]))
    scene.side = state.side
    scene.parted = state.parted
    scene.stop_early = state.stop_early
    scene.reach = 0 if state.sea_done or state.ships[player] < 0 else sailing_range(state)
    scene.left = 0 if state.land_done else markers_allowed(state) - state.markers_placed
    scene.last = state.last_marker if state.markers_placed > 0 else -1
    scene.ends_only = 0
    scene.rings = 0


@kernel
def turn_over(scene, reach, markers):
    """Let the other's turn begin."""
    for k in range(WORDS):
        scene.land[0, k], scene.land[1, k] = scene.land[1, k], scene.land[0, k]
    scene.lead = -scene.lead
    scene.ships[0], scene.ships[1] = scene.ships[1], scene.ships[0]
    scene.unsettled[0], scene.unsettled[1] = scene.unsettled[1], scene.unsettled[0]
    scene.reach = reach
    scene.left = markers
    scene.last = -1


@inlined_kernel
def sea_of(scene):
    """Return all squares without land."""
    return minus(load(ALL[scene.side]), either(load(scene.land[0]), load(scene.land[1])))


@inlined_kernel
def _is_sea(scene, square):
    return not (has(scene.land[0], square) or has(scene.land[1], square))


@kernel
def ways_out(scene, ship):
    """How many squares beside a ship are sea, 0 to 4; 0 for a captured one."""
    square, size = np.int64(scene.ships[ship]), np.int64(scene.side)
    if square < 0:
        return 0
    ways = 0
    if square >= size:
        ways += _is_sea(scene, square - size)
    if square + size < size * size:
        ways += _is_sea(scene, square + size)
    if has(NOT_FIRST[size], square):
        ways += _is_sea(scene, square - 1)
    if has(NOT_LAST[size], square):
        ways += _is_sea(scene, square + 1)
    return ways


@kernel
def is_end(scene):
    """Whether the game is over when the turn is: as `seas.ended`."""
    mine, other = ways_out(scene, 0), ways_out(scene, 1)
    if mine > 1 or other > 1:
        return mine == 0 or other == 0
    beside = not is_empty(both(around(only(scene.ships[0]), frame_of(scene.side)), only(scene.ships[1])))
    return mine == 0 or other == 0 or beside


@kernel
def hang_together(one, other, sea, frame):
    """Whether there is a way through a sea from a square to another."""
    reached, goal = only(one), only(other)
    while True:
        grown = either(reached, both(around(reached, frame), sea))
        if not is_empty(both(grown, goal)):
            return True
        if same(grown, reached):
            return False
        reached = grown


@inlined_kernel
def _rule(scene, sea, frame):
    """The path rule: the squares where it forbids markers for certain, and those where it may."""
    forbidden, doubtful = EMPTY, EMPTY
    if scene.ships[0] >= 0 and scene.ships[1] >= 0:
        beside_other = both(around(only(scene.ships[1]), frame), sea)
        ways_out = count(beside_other)
        if ways_out > 0:
            last_way_out = beside_other if ways_out == 1 else EMPTY
            if scene.parted:
                forbidden = minus(sea, last_way_out)
            else:
                doubtful = both(minus(sea, last_way_out), splitting(sea, frame))
    return forbidden, doubtful


@kernel
def look_at_land(scene):
    """Fill `todo` and `more` with the next markers of a land action."""
    frame, sea = frame_of(scene.side), sea_of(scene)
    own = load(scene.land[0])
    starts = only(scene.last) if scene.last >= 0 else loose(own, frame)
    squares = both(around(starts, frame), minus(sea, either(only(scene.ships[0]), only(scene.ships[1]))))
    if not is_empty(squares):
        forbidden, doubtful = _rule(scene, sea, frame)
        squares = minus(squares, forbidden)
        doubtful = both(doubtful, squares)
        if not is_empty(doubtful):
            store(scene.todo, doubtful)
            square = take(scene.todo)
            while square >= 0:
                if not hang_together(scene.ships[0], scene.ships[1], minus(sea, only(square)), frame):
                    squares = minus(squares, only(square))
                square = take(scene.todo)
    store(scene.todo, squares)
    scene.more = not is_empty(squares)


@inlined_kernel
def take(words):
    """Remove the first square of a board in an array of words and return it; -1 if it is empty."""
    square = -1
    for k in range(WORDS):
        if words[k] != 0:
            square = 64 * k + first_of(words[k])
            words[k] &= words[k] - _1
            break
    return square


@inlined_kernel
def _raise_land(scene, square):
    """Let the mover's land rise on a square, or replace the other's."""
    scene.lead += 1 + has(scene.land[1], square)
    drop(scene.land[1], square)
    put(scene.land[0], square)
    if SPLITS[others_around(scene, 0, square)]:
        scene.unsettled[0] = 1


@inlined_kernel
def place(scene, square):
    """Place a marker of the land action."""
    _raise_land(scene, square)
    scene.last = square
    scene.left -= 1


@kernel
def fill(scene):
    """Give the mover what is enclosed; `rules` does so after every action."""
    if not scene.unsettled[0]:
        return
    scene.unsettled[0] = 0
    side = scene.side
    own, enemy, frame = load(scene.land[0]), load(scene.land[1]), frame_of(side)
    inside = enclosed(own, load(ALL[side]), load(EDGE[side]), frame)
    if is_empty(inside):
        return
    for ship in range(2):
        if not is_empty(both(inside, only(scene.ships[ship]))):
            scene.ships[ship] = -1
    secure = secured(enemy, inside, frame)
    store(scene.land[0], either(own, minus(inside, secure)))
    store(scene.land[1], secure)
    scene.lead = count(load(scene.land[0])) - count(secure)


@kernel
def find_sails(scene, sails):
    """Fill `sails` (5, WORDS) with the squares where the ship may end, by the direction of the marker; none last."""
    frame, sea = frame_of(scene.side), sea_of(scene)
    mine, other = only(scene.ships[0]), only(scene.ships[1])
    empty = minus(sea, either(mine, other))
    forbidden, doubtful = _rule(scene, sea, frame)
    takes = minus(either(load(scene.land[1]), minus(sea, other)), forbidden)
    reached = ball(scene.ships[0], np.int64(scene.reach) - 1, sea, frame)
    end_n = either(both(north(reached, frame), empty), mine)
    end_e = either(both(east(reached, frame), empty), mine)
    end_s = either(both(south(reached, frame), empty), mine)
    end_w = either(both(west(reached, frame), empty), mine)
    store(sails[NORTH], both(end_n, south(takes, frame)))
    store(sails[EAST], both(end_e, west(takes, frame)))
    store(sails[SOUTH], both(end_s, north(takes, frame)))
    store(sails[WEST], both(end_w, east(takes, frame)))
    _forbid(scene, sails[NORTH], both(load(sails[NORTH]), south(doubtful, frame)), NORTH, sea, frame)
    _forbid(scene, sails[EAST], both(load(sails[EAST]), west(doubtful, frame)), EAST, sea, frame)
    _forbid(scene, sails[SOUTH], both(load(sails[SOUTH]), north(doubtful, frame)), SOUTH, sea, frame)
    _forbid(scene, sails[WEST], both(load(sails[WEST]), east(doubtful, frame)), WEST, sea, frame)
    ends = either(either(end_n, end_e), either(end_s, end_w))
    marked = either(either(load(sails[NORTH]), load(sails[EAST])), either(load(sails[SOUTH]), load(sails[WEST])))
    store(sails[NO_MARKER], minus(ends, marked))


@kernel
def _forbid(scene, ends, doubtful, direction, sea, frame):
    """Drop those ends, among the doubtful ones, whose marker parts the ships."""
    for k in range(WORDS):
        left = doubtful[k]
        while left:
            end = 64 * k + first_of(left)
            left &= left - _1
            target = ahead(end, direction, scene.side)
            if not hang_together(end, scene.ships[1], minus(sea, only(target)), frame):
                drop(ends, end)


@inlined_kernel
def ahead(square, direction, side):
    """The square next to a square; the caller knows that it lies on the board."""
    size = np.int64(side)
    return square + (-size if direction == NORTH else size if direction == SOUTH else 1 if direction == EAST else -1)


@kernel
def sail(scene, end, direction):
    """Take a sea action, and fill."""
    scene.ships[0] = end
    scene.reach = 0
    if direction != NO_MARKER:
        _raise_land(scene, ahead(end, direction, scene.side))
    fill(scene)
