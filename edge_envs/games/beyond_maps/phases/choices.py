"""Legal choices of the player to act, as sets of squares for each action plane."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.beyond_maps.map.bitboard import (
    EAST,
    EMPTY,
    NORTH,
    SOUTH,
    WEST,
    WORDS,
    both,
    count,
    drop,
    east,
    either,
    first_of,
    flood,
    frame_of,
    has,
    is_empty,
    load,
    minus,
    neighbours,
    north,
    only,
    peninsulas,
    south,
    splitting,
    store,
    west,
    within_steps,
)
from edge_envs.games.beyond_maps.map.seas import (
    beside,
    cut_squares,
    first_step,
    label_land,
    last_way_out,
    open_sea,
    search_from,
    separates,
)
from edge_envs.games.beyond_maps.state import LAND, NO_MARKER, NUM_PLANES

_1 = np.uint64(1)


@inlined_kernel
def _opposite(direction):
    return (direction + 2) & 3


@inlined_kernel
def markers_allowed(state):
    """Return the maximum number of markers of a land action in this turn."""
    return state.low if state.dice else state.land_markers


@inlined_kernel
def sailing_range(state):
    """Return the maximum number of steps of a sea action in this turn."""
    return state.high if state.dice else state.sea_range


@kernel
def find_choices(state):
    """Fill `legal`, `can_stop` and `choices` for the turn player."""
    player = np.int64(state.turn_player)
    frame, sea = frame_of(state.format), open_sea(state)
    ship, other_ship = state.ships[player], state.ships[1 - player]
    mine, other = only(ship), only(other_ship)
    legal = state.legal
    forbidden, doubtful = _path_rule(state, sea, ship, other_ship, frame)

    lands, starts = EMPTY, EMPTY
    if not state.land_done:
        starts = _next_lands(state, player, minus(sea, either(mine, other)), frame)
        lands = minus(starts, forbidden)
    store(legal[LAND], lands)

    sails = not state.sea_done and state.markers_placed == 0 and ship >= 0
    ends = EMPTY
    doubts = both(lands, doubtful)
    if sails:
        reached = within_steps(ship, np.int64(sailing_range(state)) - 1, sea, frame)
        empty = minus(sea, either(mine, other))
        takes = minus(either(load(state.land[1 - player]), minus(sea, other)), forbidden)
        ends, targets = _find_targets(state, reached, empty, mine, takes, frame)
        doubts = either(doubts, both(targets, doubtful))

    if not is_empty(doubts) and cut_squares(state, doubts):
        cuts = load(state.work)
        search_from(state, np.int64(other_ship), sea, either(cuts, mine))
        if sails:
            _forbid_targets(state)
        if not is_empty(both(lands, cuts)):
            _forbid_lands(state, np.int64(ship), np.int64(other_ship))

    if state.close_self:
        _allow_closing(state, starts, mine, other, sea, sails, frame)

    choices = count(load(legal[LAND]))
    state.can_stop = state.markers_placed > 0 and state.stop_early and choices > 0
    choices += state.can_stop
    if sails:
        choices += _offer_ends(state, ends, frame)
    else:
        for plane in range(LAND):
            store(legal[plane], EMPTY)
    state.choices = choices


@inlined_kernel
def _path_rule(state, sea, ship, other_ship, frame):
    """Return the sea squares where the path rule surely forbids land, and those where it might."""
    beside_other = both(neighbours(only(other_ship), frame), sea)
    ways_out = count(beside_other)
    forbidden, doubtful = EMPTY, EMPTY
    if state.close_self and is_empty(both(neighbours(only(ship), frame), sea)):
        ways_out = 0  # the mover's ship is closed in, so the rule no longer applies
    if ship >= 0 and other_ship >= 0 and ways_out > 0:
        last_way_out = beside_other if ways_out == 1 else EMPTY
        if state.parted:
            forbidden = minus(sea, last_way_out)
        else:
            doubtful = both(minus(sea, last_way_out), splitting(sea, frame))
    return forbidden, doubtful


@kernel
def _allow_closing(state, lands, mine, other, sea, sails, frame):
    """Add the marker on the last sea square next to the mover's ship, at land or by a ship that stays.

    Args:
        state: The state; `legal` has targets in the sea planes.
        lands: The squares for a land marker before the path rule.
        mine: The square of the mover's ship.
        other: The square of the other ship.
        sea: All squares without land.
        sails: Whether the sea action is possible.
        frame: The frame of the board.
    """
    closing = minus(last_way_out(mine, sea, frame), other)
    legal = state.legal
    store(legal[LAND], either(load(legal[LAND]), both(lands, closing)))
    if sails:
        store(legal[NORTH], either(load(legal[NORTH]), both(north(mine, frame), closing)))
        store(legal[EAST], either(load(legal[EAST]), both(east(mine, frame), closing)))
        store(legal[SOUTH], either(load(legal[SOUTH]), both(south(mine, frame), closing)))
        store(legal[WEST], either(load(legal[WEST]), both(west(mine, frame), closing)))


@inlined_kernel
def _find_targets(state, reached, empty, mine, takes, frame):
    """Fill the sea planes of `legal` with the target squares of markers, among the squares `takes`.

    The ship ends one step from `reached`, either on an empty square or where it is.

    Returns:
        All squares where the ship can end, and all target squares.
    """
    legal = state.legal
    end_n = either(both(north(reached, frame), empty), mine)
    end_e = either(both(east(reached, frame), empty), mine)
    end_s = either(both(south(reached, frame), empty), mine)
    end_w = either(both(west(reached, frame), empty), mine)
    target_n = both(north(end_n, frame), takes)
    target_e = both(east(end_e, frame), takes)
    target_s = both(south(end_s, frame), takes)
    target_w = both(west(end_w, frame), takes)
    store(legal[NORTH], target_n)
    store(legal[EAST], target_e)
    store(legal[SOUTH], target_s)
    store(legal[WEST], target_w)
    ends = either(either(end_n, end_e), either(end_s, end_w))
    return ends, either(either(target_n, target_e), either(target_s, target_w))


@inlined_kernel
def _offer_ends(state, ends, frame):
    """Convert target squares in `legal` into end squares of the ship, and add the ends without a marker.

    Returns:
        The number of legal sea actions.
    """
    legal = state.legal
    with_n = south(load(legal[NORTH]), frame)
    with_e = west(load(legal[EAST]), frame)
    with_s = north(load(legal[SOUTH]), frame)
    with_w = east(load(legal[WEST]), frame)
    without = minus(ends, either(either(with_n, with_e), either(with_s, with_w)))
    store(legal[NORTH], with_n)
    store(legal[EAST], with_e)
    store(legal[SOUTH], with_s)
    store(legal[WEST], with_w)
    store(legal[NO_MARKER], without)
    return count(with_n) + count(with_e) + count(with_s) + count(with_w) + count(without)


@inlined_kernel
def _next_lands(state, player, empty, frame):
    """Return the squares for the next marker of a land action, before the path rule."""
    if state.markers_placed > 0:
        starts = only(state.last_marker)
    else:
        own = load(state.land[player])
        starts = peninsulas(own, frame)
    return both(neighbours(starts, frame), empty)


@kernel
def _forbid_targets(state):
    """Remove the sea markers, among the squares in `work`, that separate the ship's end from the other ship."""
    for direction in range(4):
        for k in range(WORDS):
            left = state.legal[direction, k] & state.work[k]
            while left:
                index = first_of(left)
                left &= left - _1
                target = 64 * k + index
                if separates(state, target, _opposite(direction), first_step(state, target)):
                    state.legal[direction, k] ^= _1 << np.uint64(index)


@kernel
def _forbid_lands(state, ship, other_ship):
    """Remove the land markers, among the squares in `work`, that separate the ships.

    Such a square is on every path between the ships, so it is enough to follow one path.
    """
    came_from = -1
    square = ship
    while square != other_ship:
        onward = first_step(state, square)
        doubtful = square != ship and has(state.work, square) and has(state.legal[LAND], square)
        if doubtful and separates(state, square, came_from, onward):
            drop(state.legal[LAND], square)
        came_from = _opposite(onward)
        square = beside(state, square, onward)


@kernel
def no_choices(state):
    """Clear all choices, because this is not a decision."""
    state.choices = 0
    state.can_stop = 0
    for plane in range(NUM_PLANES):
        store(state.legal[plane], EMPTY)


@kernel
def update_derived(state):
    """Compute the derived fields of a position: labels, choices, and whether the ships are separated."""
    label_land(state)
    state.unsettled[0] = 1
    state.unsettled[1] = 1
    state.parted = 0
    if state.ships[0] >= 0 and state.ships[1] >= 0:
        sea = flood(only(state.ships[0]), open_sea(state), frame_of(state.format))
        state.parted = is_empty(both(sea, only(state.ships[1])))
    if state.over or state.islands_left > 0 or (state.dice and state.high == 0):
        no_choices(state)
    else:
        find_choices(state)
