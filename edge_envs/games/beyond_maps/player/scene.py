"""Scenes: compact positions for the heuristic, and the effects of actions on them.

A scene contains only the land, the ships and the state of the turn, with the mover's data first. It is small, so that
the heuristic can examine thousands of turns, and follows the rules exactly.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
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
    area_of,
    both,
    count,
    drop,
    east,
    either,
    equal,
    first_of,
    frame_of,
    has,
    is_empty,
    load,
    minus,
    neighbours,
    north,
    only,
    peninsulas,
    put,
    south,
    splitting,
    store,
    west,
    within_steps,
)
from edge_envs.games.beyond_maps.map.seas import last_way_out
from edge_envs.games.beyond_maps.phases.choices import markers_allowed, sailing_range
from edge_envs.games.beyond_maps.rules import SPLITS, enclosed, others_around, surviving
from edge_envs.games.beyond_maps.state import NO_MARKER

_1 = np.uint64(1)
SCENE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("land", np.uint64, (2, WORDS)),  # of the mover and of the opponent
                ("score", np.float64),  # of the turn that ends in this scene; `action` begins the turn
                ("action", np.int64),
                ("todo", np.uint64, (WORDS,)),  # untried squares for the next marker
                ("lead", np.int16),  # the mover's lead in squares of land, including the handicap
                ("bonus", np.int16),  # the mover's part of this lead by the handicap
                ("ships", np.int16, (2,)),  # -1 for a captured one
                ("last", np.int16),  # the last marker of the land action in progress, otherwise -1
                ("width", np.uint8),
                ("height", np.uint8),
                ("format", np.uint8),
                ("left", np.uint8),  # markers that the land action can still place
                ("reach", np.uint8),  # maximum steps of the sea action, 0 if it is done
                ("unsettled", np.uint8, (2,)),  # as in a state
                ("parted", np.uint8),
                ("stop_early", np.uint8),
                ("more", np.uint8),  # whether a marker can be placed
                ("ends_only", np.uint8),  # whether chains are followed only if they may end the game
                ("rings", np.uint8),  # whether such an end may be a ring
                ("close_self", np.uint8),  # whether a marker may close in the mover's own ship
            ],
            align=True,
        ),
    )
)


@kernel
def read_scene(state, scene):
    """Write the position of a state at a decision, from the turn player's perspective."""
    player = np.int64(state.turn_player)
    for side in range(2):
        of = player if side == 0 else 1 - player
        store(scene.land[side], load(state.land[of]))
        scene.ships[side] = state.ships[of]
        scene.unsettled[side] = state.unsettled[of]
    scene.bonus = state.handicap if player == 1 else -state.handicap
    scene.lead = count(load(scene.land[0])) - count(load(scene.land[1])) + scene.bonus
    scene.close_self = state.close_self
    scene.width, scene.height, scene.format = state.width, state.height, state.format
    scene.parted = state.parted
    scene.stop_early = state.stop_early
    scene.reach = 0 if state.sea_done or state.ships[player] < 0 else sailing_range(state)
    scene.left = 0 if state.land_done else markers_allowed(state) - state.markers_placed
    scene.last = state.last_marker if state.markers_placed > 0 else -1
    scene.ends_only = 0
    scene.rings = 0


@kernel
def pass_turn(scene, reach, markers):
    """Exchange the players and begin the opponent's turn."""
    for k in range(WORDS):
        scene.land[0, k], scene.land[1, k] = scene.land[1, k], scene.land[0, k]
    scene.lead = -scene.lead
    scene.bonus = -scene.bonus
    scene.ships[0], scene.ships[1] = scene.ships[1], scene.ships[0]
    scene.unsettled[0], scene.unsettled[1] = scene.unsettled[1], scene.unsettled[0]
    scene.reach = reach
    scene.left = markers
    scene.last = -1


@inlined_kernel
def sea_of(scene):
    """Return all squares without land."""
    return minus(load(ALL[scene.format]), either(load(scene.land[0]), load(scene.land[1])))


@inlined_kernel
def _is_sea(scene, square):
    return not (has(scene.land[0], square) or has(scene.land[1], square))


@kernel
def ways_out(scene, ship):
    """Return the number of sea squares next to a ship, 0 to 4; 0 if it is captured."""
    square, width = np.int64(scene.ships[ship]), np.int64(scene.width)
    if square < 0:
        return 0
    ways = 0
    if square >= width:
        ways += _is_sea(scene, square - width)
    if square + width < area_of(scene):
        ways += _is_sea(scene, square + width)
    if has(NOT_FIRST[scene.format], square):
        ways += _is_sea(scene, square - 1)
    if has(NOT_LAST[scene.format], square):
        ways += _is_sea(scene, square + 1)
    return ways


@kernel
def is_end(scene):
    """Return whether the game ends with this turn, as `seas.ended` does."""
    mine, other = ways_out(scene, 0), ways_out(scene, 1)
    if mine > 1 or other > 1:
        return mine == 0 or other == 0
    beside = not is_empty(both(neighbours(only(scene.ships[0]), frame_of(scene.format)), only(scene.ships[1])))
    return mine == 0 or other == 0 or beside


@kernel
def connected(one, other, sea, frame):
    """Return whether a path through `sea` connects two squares."""
    reached, goal = only(one), only(other)
    while True:
        grown = either(reached, both(neighbours(reached, frame), sea))
        if not is_empty(both(grown, goal)):
            return True
        if equal(grown, reached):
            return False
        reached = grown


@inlined_kernel
def _path_rule(scene, sea, frame):
    """Return the squares where the path rule surely forbids markers, and those where it might."""
    forbidden, doubtful = EMPTY, EMPTY
    if scene.ships[0] >= 0 and scene.ships[1] >= 0:
        beside_other = both(neighbours(only(scene.ships[1]), frame), sea)
        ways_out = count(beside_other)
        if scene.close_self and is_empty(both(neighbours(only(scene.ships[0]), frame), sea)):
            ways_out = 0
        if ways_out > 0:
            exempt = beside_other if ways_out == 1 else EMPTY
            if scene.parted:
                forbidden = minus(sea, exempt)
            else:
                doubtful = both(minus(sea, exempt), splitting(sea, frame))
    return forbidden, doubtful


@inlined_kernel
def _closing(scene, sea, frame):
    """Return the square where a marker may close in the mover's own ship; an empty board if there is none."""
    if not scene.close_self:
        return EMPTY
    return minus(last_way_out(only(scene.ships[0]), sea, frame), only(scene.ships[1]))


@kernel
def find_markers(scene):
    """Fill `todo` and `more` with the legal squares for the next marker of a land action."""
    frame, sea = frame_of(scene.format), sea_of(scene)
    own = load(scene.land[0])
    starts = only(scene.last) if scene.last >= 0 else peninsulas(own, frame)
    squares = both(neighbours(starts, frame), minus(sea, either(only(scene.ships[0]), only(scene.ships[1]))))
    if not is_empty(squares):
        closing = both(squares, _closing(scene, sea, frame))
        forbidden, doubtful = _path_rule(scene, sea, frame)
        squares = minus(squares, forbidden)
        doubtful = both(doubtful, squares)
        if not is_empty(doubtful):
            store(scene.todo, doubtful)
            square = pop_first(scene.todo)
            while square >= 0:
                if not connected(scene.ships[0], scene.ships[1], minus(sea, only(square)), frame):
                    squares = minus(squares, only(square))
                square = pop_first(scene.todo)
        squares = either(squares, closing)
    store(scene.todo, squares)
    scene.more = not is_empty(squares)


@inlined_kernel
def pop_first(words):
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
    """Add the mover's land on a square, replacing enemy land."""
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
    """Fill the squares enclosed by the mover's land, as the rules do after every action."""
    if not scene.unsettled[0]:
        return
    scene.unsettled[0] = 0
    own, enemy, frame = load(scene.land[0]), load(scene.land[1]), frame_of(scene.format)
    inside = enclosed(own, load(ALL[scene.format]), load(EDGE[scene.format]), frame)
    if is_empty(inside):
        return
    for ship in range(2):
        if not is_empty(both(inside, only(scene.ships[ship]))):
            scene.ships[ship] = -1
    secure = surviving(enemy, inside, frame)
    store(scene.land[0], either(own, minus(inside, secure)))
    store(scene.land[1], secure)
    scene.lead = count(load(scene.land[0])) - count(secure) + scene.bonus


@kernel
def find_sails(scene, sails):
    """Fill `sails` (5, WORDS) with the squares where the ship can end, by direction of the marker, `-` last."""
    frame, sea = frame_of(scene.format), sea_of(scene)
    mine, other = only(scene.ships[0]), only(scene.ships[1])
    empty = minus(sea, either(mine, other))
    forbidden, doubtful = _path_rule(scene, sea, frame)
    takes = minus(either(load(scene.land[1]), minus(sea, other)), forbidden)
    reached = within_steps(scene.ships[0], np.int64(scene.reach) - 1, sea, frame)
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
    if scene.close_self:
        closing = _closing(scene, sea, frame)
        store(sails[NORTH], either(load(sails[NORTH]), both(mine, south(closing, frame))))
        store(sails[EAST], either(load(sails[EAST]), both(mine, west(closing, frame))))
        store(sails[SOUTH], either(load(sails[SOUTH]), both(mine, north(closing, frame))))
        store(sails[WEST], either(load(sails[WEST]), both(mine, east(closing, frame))))
    ends = either(either(end_n, end_e), either(end_s, end_w))
    marked = either(either(load(sails[NORTH]), load(sails[EAST])), either(load(sails[SOUTH]), load(sails[WEST])))
    store(sails[NO_MARKER], minus(ends, marked))


@kernel
def _forbid(scene, ends, doubtful, direction, sea, frame):
    """Remove the ends, among the doubtful ones, whose marker separates the ships."""
    for k in range(WORDS):
        left = doubtful[k]
        while left:
            end = 64 * k + first_of(left)
            left &= left - _1
            target = ahead(end, direction, scene.width)
            if not connected(end, scene.ships[1], minus(sea, only(target)), frame):
                drop(ends, end)


@inlined_kernel
def ahead(square, direction, columns):
    """Return the adjacent square in a direction; the caller ensures that it is on the board."""
    width = np.int64(columns)
    return square + (-width if direction == NORTH else width if direction == SOUTH else 1 if direction == EAST else -1)


@kernel
def sail(scene, end, direction):
    """Perform a sea action, including the filling."""
    scene.ships[0] = end
    scene.reach = 0
    if direction != NO_MARKER:
        _raise_land(scene, ahead(end, direction, scene.width))
    fill(scene)
