"""Land actions as chains of markers: a depth-first search on a stack of scenes."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.beyond_maps.map.bitboard import (
    EMPTY,
    WORDS,
    both,
    count,
    either,
    first_of,
    frame_of,
    load,
    minus,
    neighbours,
    only,
    store,
)
from edge_envs.games.beyond_maps.player.rings import may_be_ringed
from edge_envs.games.beyond_maps.player.scene import find_markers, place, pop_first, sea_of

_1 = np.uint64(1)
DEEPEST = 24  # scenes of a stack: a land action of 18 markers, and the positions before and after it
FAR = 99  # more than the number of open squares around a pair of ships


@kernel
def begin_chain(scene):
    """Find the squares for the first or next marker of a land action."""
    find_markers(scene)
    if scene.ends_only and scene.more:
        if scene.rings and scene.reach == 0:
            scene.rings = may_be_ringed(scene)
        if not scene.rings:
            _leave_hopeless(scene)


@kernel
def next_stop(stack, floor, level):
    """Advance to the next position in which the land action that begins at level `floor` can stop.

    The markers of the land action are the `last` fields of the levels above `floor`. Enclosed squares are not filled.

    Args:
        stack: the scenes.
        floor: the level at which the land action begins.
        level: the previous return value, or `floor` for the first call.

    Returns:
        The level of the position, or floor - 1 if there is none.
    """
    while level >= floor:
        square = pop_first(stack[level].todo)
        if square < 0:
            level -= 1
            continue
        stack[level + 1] = stack[level]
        level += 1
        scene = stack[level]
        place(scene, square)
        scene.more = 0
        store(scene.todo, EMPTY)
        if scene.left > 0:
            begin_chain(scene)
        if scene.stop_early or not scene.more:
            return level
    return level


@kernel
def open_for_pair(scene, sea, frame, goal):
    """Return the minimum number of open squares around the two ships if the mover's ship is next to the other's.

    The mover's ship may be there already or sail there. All squares that are open around any such pair are added to
    `goal` (WORDS,).
    """
    other, fewest = only(scene.ships[1]), FAR
    beside = both(neighbours(other, frame), sea)
    for k in range(WORDS):
        left = beside[k]
        while left:
            square = 64 * k + first_of(left)
            left &= left - _1
            if scene.reach > 0 or square == scene.ships[0]:
                pair = either(other, only(square))
                open_squares = minus(either(beside, both(neighbours(only(square), frame), sea)), pair)
                fewest = min(fewest, count(open_squares))
                store(goal, either(load(goal), open_squares))
    return fewest


@inlined_kernel
def _within(goal, steps, frame):
    """Return the squares at most `steps` steps from `goal`; empty if `steps` is negative."""
    near = goal if steps >= 0 else EMPTY
    for _ in range(steps):
        near = either(near, neighbours(near, frame))
    return near


@kernel
def _leave_hopeless(scene):
    """Remove the squares of `todo` from which a chain cannot reach all open squares around the ships.

    A later sea action may take one open square. Markers next to the same ship are at least two steps apart.
    """
    frame, sea, todo = frame_of(scene.format), sea_of(scene), load(scene.todo)
    later, spare = np.int64(scene.reach > 0), np.int64(scene.left) - 1
    beside = both(neighbours(only(scene.ships[1]), frame), sea)
    open_squares = count(beside) - later
    store(scene.todo, EMPTY)
    for_pair = open_for_pair(scene, sea, frame, scene.todo) - later
    if open_squares > 0 and for_pair > 0:
        near = _within(beside, spare - 2 * (open_squares - 1), frame)
        todo = both(todo, either(near, _within(load(scene.todo), spare - (for_pair - 1), frame)))
    store(scene.todo, todo)
