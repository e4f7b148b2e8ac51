"""Conservative test whether the mover's markers can close a ring around the other ship in this turn.

A ship is inside a ring if it cannot reach the edge of the board through squares that are not the mover's land. The
markers of a land action are connected; the marker of a sea action can be anywhere. The test assumes that all squares in
reach of the land action, from any of its starts, are closed. If a path to the edge remains, no land action closes a
ring. Otherwise the test returns True, even if in doubt.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.beyond_maps.map.bitboard import (
    ALL,
    EDGE,
    EMPTY,
    WORDS,
    both,
    count,
    east,
    either,
    equal,
    first_of,
    flood,
    frame_of,
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
from edge_envs.games.beyond_maps.player.scene import sea_of

_1 = np.uint64(1)
OWN_RING = 6  # with this many markers a ring needs no earlier land


@inlined_kernel
def _others(scene):
    """Return the squares that are not the mover's land."""
    return minus(load(ALL[scene.format]), load(scene.land[0]))


@kernel
def _without_chain(scene):
    """Return the squares that are neither the mover's land nor in reach of the land action."""
    frame, other = frame_of(scene.format), only(scene.ships[1])
    starts = only(scene.last) if scene.last >= 0 else peninsulas(load(scene.land[0]), frame)
    return minus(_others(scene), _reach_of_chain(starts, scene.left, minus(sea_of(scene), other), frame))


@kernel
def _reach_of_chain(starts, markers, empty, frame):
    """Return the empty squares in reach of a chain of `markers` markers that begins next to one of `starts`."""
    reached = EMPTY
    if markers > 0:
        reached = both(neighbours(starts, frame), empty)
    for _ in range(np.int64(markers) - 1):
        reached = either(reached, both(neighbours(reached, frame), empty))
    return reached


@kernel
def _gets_out(ship, within, edge, frame):
    """Return whether a path through `within` leads from the ship to the edge."""
    reached, before = ship, EMPTY
    while not equal(reached, before):
        if not is_empty(both(reached, edge)):
            return True
        before = reached
        reached = either(reached, both(neighbours(reached, frame), within))
    return False


@kernel
def may_be_ringed(scene):
    """Return whether a land action, without a sea action, may close a ring."""
    edge, other = load(EDGE[scene.format]), only(scene.ships[1])
    if scene.left + (scene.reach > 0) >= OWN_RING:
        return True
    return not _gets_out(other, _without_chain(scene), edge, frame_of(scene.format))


@kernel
def ring_targets(scene, targets):
    """Write the squares where a sea marker may help the land action to close a ring into `targets`."""
    frame, edge, other = frame_of(scene.format), load(EDGE[scene.format]), only(scene.ships[1])
    found = EMPTY
    if is_empty(both(other, edge)):
        rest = _without_chain(scene)
        gaps = minus(splitting(rest, frame), other)
        exits = both(flood(other, minus(rest, gaps), frame), edge)
        if count(exits) < 2:
            found = either(gaps, exits)
    store(targets, found)
    if scene.left > 0 and scene.last < 0 and is_empty(both(other, edge)):
        _add_starts(scene, targets, edge, frame)


@kernel
def _add_starts(scene, targets, edge, frame):
    """Add the squares from which a land action may close a ring if the sea marker is placed there."""
    other, others = only(scene.ships[1]), _others(scene)
    empty = minus(sea_of(scene), other)
    starts = neighbours(within_steps(scene.ships[0], np.int64(scene.reach), sea_of(scene), frame), frame)
    starts = both(starts, either(empty, load(scene.land[1])))
    # each straight line from the ship to the edge that is free needs a marker on it
    up, down, left, right = other, other, other, other
    for _ in range(max(np.int64(scene.width), np.int64(scene.height))):
        up = either(up, both(north(up, frame), others))
        down = either(down, both(south(down, frame), others))
        left = either(left, both(west(left, frame), others))
        right = either(right, both(east(right, frame), others))
    starts = _near_line(starts, up, other, scene.left, edge, frame)
    starts = _near_line(starts, down, other, scene.left, edge, frame)
    starts = _near_line(starts, left, other, scene.left, edge, frame)
    starts = _near_line(starts, right, other, scene.left, edge, frame)
    for k in range(WORDS):
        word = starts[k]
        while word:
            bit = word & (~word + _1)
            word &= word - _1
            start = only(64 * k + first_of(bit))
            closed = either(start, _reach_of_chain(start, scene.left, empty, frame))
            if not _gets_out(other, minus(others, closed), edge, frame):
                targets[k] |= bit


@inlined_kernel
def _near_line(squares, line, ship, steps, edge, frame):
    """Return those of `squares` within `steps` steps of a line of the ship, or all if it does not reach the edge."""
    if is_empty(both(line, edge)):
        return squares
    near = minus(line, ship)
    for _ in range(np.int64(steps)):
        near = either(near, neighbours(near, frame))
    return both(squares, near)
