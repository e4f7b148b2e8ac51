"""Land actions as chains of markers, one after the other: a search in depth on a stack of scenes."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.beyond_maps.map.bitboard import (
    EMPTY,
    WORDS,
    around,
    both,
    count,
    either,
    first_of,
    frame_of,
    load,
    minus,
    only,
    store,
)
from edge_envs.games.beyond_maps.player.rings import may_be_ringed
from edge_envs.games.beyond_maps.player.scene import look_at_land, place, sea_of, take

_1 = np.uint64(1)
DEEPEST = 24  # scenes of a stack: a land action of 18 markers, and what is before and after
FAR = 99  # more squares than can be open


@kernel
def begin_chain(scene):
    """Look for the first, or next, markers of a land action."""
    look_at_land(scene)
    if scene.ends_only and scene.more:
        if scene.rings and scene.reach == 0:
            scene.rings = may_be_ringed(scene)
        if not scene.rings:
            _leave_hopeless(scene)


@kernel
def next_stop(stack, floor, level):
    """Go on to the next position in which the land action that begins at level `floor` may stop.

    Return its level, or floor - 1 if there is none. Its markers are the `last` of the levels above `floor`. What they
    enclose is not filled. `level` is what this returned before, or `floor`.
    """
    while level >= floor:
        square = take(stack[level].todo)
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
    """How few squares are open around the other's ship and the mover's, if that sails beside it, or is there.

    All squares that are open around any such pair are added to `goal` (WORDS,).
    """
    other, fewest = only(scene.ships[1]), FAR
    beside = both(around(other, frame), sea)
    for k in range(WORDS):
        left = beside[k]
        while left:
            square = 64 * k + first_of(left)
            left &= left - _1
            if scene.reach > 0 or square == scene.ships[0]:
                pair = either(other, only(square))
                open_squares = minus(either(beside, both(around(only(square), frame), sea)), pair)
                fewest = min(fewest, count(open_squares))
                store(goal, either(load(goal), open_squares))
    return fewest


@inlined_kernel
def _within(goal, steps, frame):
    """The squares at most so many steps from a goal; none if there are less than no steps."""
    near = goal if steps >= 0 else EMPTY
    for _ in range(steps):
        near = either(near, around(near, frame))
    return near


@kernel
def _leave_hopeless(scene):
    """Drop the squares of `todo` from which a chain cannot get to all that is open around the ships.

    A sea action to come may take one open square. Markers beside one ship are at least two steps apart.
    """
    frame, sea, todo = frame_of(scene.side), sea_of(scene), load(scene.todo)
    later, spare = np.int64(scene.reach > 0), np.int64(scene.left) - 1
    beside = both(around(only(scene.ships[1]), frame), sea)
    open_squares = count(beside) - later
    store(scene.todo, EMPTY)
    for_pair = open_for_pair(scene, sea, frame, scene.todo) - later
    if open_squares > 0 and for_pair > 0:
        near = _within(beside, spare - 2 * (open_squares - 1), frame)
        todo = both(todo, either(near, _within(load(scene.todo), spare - (for_pair - 1), frame)))
    store(scene.todo, todo)
