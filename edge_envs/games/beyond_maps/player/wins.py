"""Whether the mover can win in this turn: all ways through the turn, but for those that cannot end the game.

A game ends within a turn in few ways. The other's ship is closed in: every sea square beside it needs a marker, and
the markers of a land action hang together. Both ships are left in a sea of two squares. Or a ring of the mover's land
is closed around ships (`player.rings`). Else this is the last turn. So most positions are done with at once, and
elsewhere chains are followed only where markers enough are left for what is open.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.beyond_maps.map.bitboard import (
    ALL,
    EDGE,
    WORDS,
    around,
    both,
    count,
    either,
    first_of,
    frame_of,
    has,
    is_empty,
    load,
    minus,
    only,
    store,
)
from edge_envs.games.beyond_maps.player.chains import begin_chain, next_stop, open_for_pair
from edge_envs.games.beyond_maps.player.rings import may_be_ringed, ring_targets
from edge_envs.games.beyond_maps.player.scene import ahead, fill, find_sails, is_end, sail, sea_of
from edge_envs.games.beyond_maps.rules import enclosed
from edge_envs.games.beyond_maps.state import LAND, NO_MARKER, NUM_PLANES

_1 = np.uint64(1)
NOWHERE = -1
MOST = 100_000  # positions to look at; only land actions of many markers have more
SCRATCH = (2, NO_MARKER + 3, WORDS)  # for each order of actions: ends by the direction of the marker, and what serves


@kernel
def winning_action(stack, scratch, is_last):
    """The first action of a way to win in this turn from stack[0], at a decision; NOWHERE if there is none.

    `stack` has DEEPEST scenes, `scratch` has the shape SCRATCH. `is_last`: the game ends with this turn anyway.
    """
    scene = stack[0]
    scene.ends_only = not (is_last or _is_captured(scene))
    budget = np.full(1, MOST)
    if scene.reach > 0 and scene.last < 0:
        action = _by_sea(stack, scratch[0], is_last, budget)
        if action != NOWHERE:
            return action
    return _by_land(stack, scratch[1], is_last, budget) if scene.left > 0 else NOWHERE


@kernel
def _is_captured(scene):
    """Whether a ship is captured, or may be by what is enclosed and not filled yet."""
    if scene.ships[0] < 0 or scene.ships[1] < 0:
        return True
    if not scene.unsettled[0]:
        return False
    side = scene.side
    return not is_empty(enclosed(load(scene.land[0]), load(ALL[side]), load(EDGE[side]), frame_of(side)))


@inlined_kernel
def _is_won(scene, is_last):
    return scene.lead > 0 and (is_last or is_end(scene))


@kernel
def _find_what_serves(scene, by_chain, scratch):
    """Find sea actions that may be part of a win, the land action being able to take `by_chain` open squares.

    Write the ends into the first rows of `scratch`, and into the last two which of these ends, and which squares of
    markers, serve. Return whether all do, or NOWHERE if none does.
    """
    find_sails(scene, scratch)
    if not scene.ends_only:
        return True
    ends, targets = scratch[NO_MARKER + 1], scratch[NO_MARKER + 2]
    frame, sea = frame_of(scene.side), sea_of(scene)
    ring_targets(scene, targets)
    beside = both(around(only(scene.ships[1]), frame), sea)
    open_squares = count(beside)
    if open_squares <= by_chain:
        return True
    markers = np.int64(scene.left)
    by_both = 1 + markers - markers // 3
    for_pair = open_for_pair(scene, sea, frame, ends)
    none = minus(beside, beside)
    store(ends, beside if for_pair <= by_both else none)
    if open_squares <= by_chain + 1:
        store(targets, either(load(targets), beside))
    return False


@kernel
def _by_sea(stack, scratch, is_last, budget):
    """The sea action after which the turn can be won, with a land action after it if that is to be done."""
    root = stack[0]
    cells = np.int64(root.side) * np.int64(root.side)
    all_serve = _find_what_serves(root, (np.int64(root.left) + 1) // 2, scratch)
    root.rings = root.ends_only and root.left > 0 and may_be_ringed(root)
    ends, targets = scratch[NO_MARKER + 1], scratch[NO_MARKER + 2]
    for direction in range(NO_MARKER + 1):
        for k in range(WORDS):
            left = scratch[direction, k]
            while left:
                end = 64 * k + first_of(left)
                left &= left - _1
                helps = direction != NO_MARKER and has(targets, ahead(end, direction, root.side))
                if all_serve or root.rings or helps or has(ends, end):
                    stack[1] = root
                    stack[1].rings = root.rings or helps
                    sail(stack[1], end, direction)
                    if _land_wins(stack, is_last, budget):
                        return direction * cells + end
    return NOWHERE


@kernel
def _land_wins(stack, is_last, budget):
    """Whether the turn can be won from stack[1], with the sea action done."""
    scene = stack[1]
    budget[0] -= 1
    if scene.left == 0:
        return _is_won(scene, is_last)
    begin_chain(scene)
    if not scene.more:
        return _is_won(scene, is_last)
    level = next_stop(stack, 1, 1)
    while level >= 1 and budget[0] > 0:
        budget[0] -= 1
        end = stack[level + 1]
        stack[level + 1] = stack[level]
        fill(end)
        if _is_won(end, is_last):
            return True
        level = next_stop(stack, 1, level)
    return False


@kernel
def _by_land(stack, scratch, is_last, budget):
    """The marker, or the stop, after which the turn can be won; a sea action to do comes after the land action."""
    scene = stack[0]
    cells = np.int64(scene.side) * np.int64(scene.side)
    scene.rings = 0
    if scene.ends_only:
        scene.rings = may_be_ringed(scene)
        if scene.reach > 0:
            ring_targets(scene, scratch[NO_MARKER + 2])
            scene.rings = scene.rings or not is_empty(load(scratch[NO_MARKER + 2]))
    begin_chain(scene)
    if scene.last >= 0 and scene.more and scene.stop_early and _wins_after_land(stack, 0, scratch, is_last, budget):
        return NUM_PLANES * cells
    level = next_stop(stack, 0, 0)
    while level >= 0 and budget[0] > 0:
        if _wins_after_land(stack, level, scratch, is_last, budget):
            return LAND * cells + stack[1].last
        level = next_stop(stack, 0, level)
    return NOWHERE


@kernel
def _wins_after_land(stack, level, scratch, is_last, budget):
    """Whether the turn can be won when the land action stops at stack[level]."""
    scene = stack[level + 1]
    stack[level + 1] = stack[level]
    scene.left = 0
    scene.last = -1
    fill(scene)
    if scene.ships[0] < 0:
        scene.reach = 0
    if scene.reach == 0:
        return _is_won(scene, is_last)
    if scene.ships[1] < 0:
        scene.ends_only = 0
    all_serve = _find_what_serves(scene, 0, scratch)
    ends, targets = scratch[NO_MARKER + 1], scratch[NO_MARKER + 2]
    for direction in range(NO_MARKER + 1):
        for k in range(WORDS):
            left = scratch[direction, k]
            while left:
                end = 64 * k + first_of(left)
                left &= left - _1
                helps = direction != NO_MARKER and has(targets, ahead(end, direction, scene.side))
                if all_serve or helps or has(ends, end):
                    budget[0] -= 1
                    stack[level + 2] = scene
                    sail(stack[level + 2], end, direction)
                    if _is_won(stack[level + 2], is_last):
                        return True
    return False
