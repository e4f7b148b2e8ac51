"""Search for a win of the mover in the current turn, pruning all continuations that cannot end the game.

A turn can end the game in few ways. The other ship is closed in: every sea square next to it needs a marker, and the
markers of a land action are connected. Both ships are left in a sea of two squares. A ring of the mover's land is
closed around ships (`player.rings`). Or this is the last turn. So most positions are decided at once; in the others,
chains are followed only if enough markers are left for the open squares. Nothing is pruned if the mover may close in
its own ship, or if that ship is closed in already.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.beyond_maps.map.bitboard import (
    ALL,
    EDGE,
    WORDS,
    area_of,
    both,
    count,
    either,
    first_of,
    frame_of,
    has,
    is_empty,
    load,
    minus,
    neighbours,
    only,
    store,
)
from edge_envs.games.beyond_maps.player.chains import begin_chain, next_stop, open_for_pair
from edge_envs.games.beyond_maps.player.rings import may_be_ringed, ring_targets
from edge_envs.games.beyond_maps.player.scene import ahead, fill, find_sails, is_end, sail, sea_of, ways_out
from edge_envs.games.beyond_maps.rules import enclosed
from edge_envs.games.beyond_maps.state import LAND, NO_MARKER, NUM_PLANES

_1 = np.uint64(1)
NOWHERE = -1
MAX_POSITIONS = 100_000  # positions to examine; only land actions with many markers have more
SCRATCH = (
    2,
    NO_MARKER + 3,
    WORDS,
)  # for each order of actions: ends by direction of the marker, useful ends, useful targets


@kernel
def winning_action(stack, scratch, is_last):
    """Return the first action of a win in this turn from the decision in stack[0], or NOWHERE.

    Args:
        stack: DEEPEST scenes.
        scratch: boards of shape SCRATCH.
        is_last: whether the game ends with this turn in any case.
    """
    scene = stack[0]
    scene.ends_only = not (is_last or scene.close_self or _is_captured(scene) or ways_out(scene, 0) == 0)
    budget = np.full(1, MAX_POSITIONS)
    if scene.reach > 0 and scene.last < 0:
        action = _by_sea(stack, scratch[0], is_last, budget)
        if action != NOWHERE:
            return action
    return _by_land(stack, scratch[1], is_last, budget) if scene.left > 0 else NOWHERE


@kernel
def _is_captured(scene):
    """Return whether a ship is captured, or may be captured by squares that are enclosed but not filled yet."""
    if scene.ships[0] < 0 or scene.ships[1] < 0:
        return True
    if not scene.unsettled[0]:
        return False
    of = scene.format
    return not is_empty(enclosed(load(scene.land[0]), load(ALL[of]), load(EDGE[of]), frame_of(of)))


@inlined_kernel
def _is_won(scene, is_last):
    return scene.lead > 0 and (is_last or is_end(scene))


@kernel
def _find_useful_sails(scene, by_chain, scratch):
    """Find the sea actions that may be part of a win if the land action can take `by_chain` open squares.

    The first rows of `scratch` receive the ends of all sea actions, and the last two rows the useful ends and the
    useful squares of markers.

    Returns:
        Whether all sea actions are useful.
    """
    find_sails(scene, scratch)
    if not scene.ends_only:
        return True
    ends, targets = scratch[NO_MARKER + 1], scratch[NO_MARKER + 2]
    frame, sea = frame_of(scene.format), sea_of(scene)
    ring_targets(scene, targets)
    beside = both(neighbours(only(scene.ships[1]), frame), sea)
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
    """Return a sea action after which the turn can be won, with a land action after it if still open."""
    root = stack[0]
    cells = area_of(root)
    all_useful = _find_useful_sails(root, (np.int64(root.left) + 1) // 2, scratch)
    root.rings = root.ends_only and root.left > 0 and may_be_ringed(root)
    ends, targets = scratch[NO_MARKER + 1], scratch[NO_MARKER + 2]
    for direction in range(NO_MARKER + 1):
        for k in range(WORDS):
            left = scratch[direction, k]
            while left:
                end = 64 * k + first_of(left)
                left &= left - _1
                helps = direction != NO_MARKER and has(targets, ahead(end, direction, root.width))
                if all_useful or root.rings or helps or has(ends, end):
                    stack[1] = root
                    stack[1].rings = root.rings or helps
                    sail(stack[1], end, direction)
                    if _land_wins(stack, is_last, budget):
                        return direction * cells + end
    return NOWHERE


@kernel
def _land_wins(stack, is_last, budget):
    """Return whether the turn can be won from stack[1], with the sea action done."""
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
    """Return a marker, or `stop`, after which the turn can be won; an open sea action follows the land action."""
    scene = stack[0]
    cells = area_of(scene)
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
    """Return whether the turn can be won if the land action stops at stack[level]."""
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
    all_useful = _find_useful_sails(scene, 0, scratch)
    ends, targets = scratch[NO_MARKER + 1], scratch[NO_MARKER + 2]
    for direction in range(NO_MARKER + 1):
        for k in range(WORDS):
            left = scratch[direction, k]
            while left:
                end = 64 * k + first_of(left)
                left &= left - _1
                helps = direction != NO_MARKER and has(targets, ahead(end, direction, scene.width))
                if all_useful or helps or has(ends, end):
                    budget[0] -= 1
                    stack[level + 2] = scene
                    sail(stack[level + 2], end, direction)
                    if _is_won(stack[level + 2], is_last):
                        return True
    return False
