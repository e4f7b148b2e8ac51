"""The continuations of a turn of `beyond_maps`, as changes of cells; see `edge_envs.core.turn_tree`.

The sea action comes before the land action here, unless the land action has begun or is done. Sea actions that place
the same marker form a group. Almost every marker changes only its own square. Where it may enclose something or end the
game, the rules are applied to a copy of the state instead.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import lean_inlined_kernel, lean_kernel
from edge_envs.core.turn_tree import END, INNER, NODES, OPEN, OVER, add_change, add_node
from edge_envs.games.beyond_maps.cells import (
    LEAD_CELL,
    OTHER_TIPS_CELL,
    OWN_LAND,
    OWN_SHIP,
    OWN_SHIP_CELL,
    OWN_TIPS_CELL,
    PHASE_CELL,
    STAGE_CELL,
    TIPS,
    cells,
    lead_value,
    stage_value,
    tips,
)
from edge_envs.games.beyond_maps.cells import (
    SEA as SEA_CELL,
)
from edge_envs.games.beyond_maps.map.bitboard import (
    EMPTY,
    WORDS,
    area_of,
    around,
    both,
    count,
    first_of,
    flood,
    frame_of,
    has,
    is_empty,
    load,
    minus,
    only,
    put,
    store,
)
from edge_envs.games.beyond_maps.map.seas import CELL, RING, SEA, beside, ended, is_cut, open_sea
from edge_envs.games.beyond_maps.phases.choices import markers_allowed
from edge_envs.games.beyond_maps.rules import SPLITS, fill, place, score
from edge_envs.games.beyond_maps.state import LAND, NO_MARKER, NUM_PLANES

MOST_MARKERS = 3
"""The number of markers that are listed at once; the land action is searched further from there."""

OWN, OTHERS, OWN_TIPS, OTHER_TIPS, MAY_END = range(5)
"""Columns of `TurnTree.scratch`: after the markers so far, land and peninsulas of both players, and whether the rules
must be applied because the game may be over."""

_SIDE_BITS = np.array([1, 4, 6, 3])  # the bits of `around` of the squares n, e, s, w
_1 = np.uint64(1)
_RING_PLACES = (1, 2, 4, 7, 6, 5, 3, 0)  # the bits of `SPLITS` of the squares n, ne, e, se, s, sw, w, nw


@lean_kernel
def turns(state, viewer, tree):
    """List the continuations of the turn of `viewer`."""
    tree.counts[:] = 0
    cells(state, viewer, tree.base[0])
    tree.scratch[0, OWN] = count(load(state.land[viewer]))
    tree.scratch[0, OTHERS] = count(load(state.land[1 - viewer]))
    tree.scratch[0, OWN_TIPS], tree.scratch[0, OTHER_TIPS] = tips(state, viewer), tips(state, 1 - viewer)
    if state.sea_done or state.markers_placed > 0:
        _list_markers(state, viewer, tree)
    else:
        _list_sails(state, viewer, tree)


@lean_kernel
def _list_sails(state, viewer, tree):
    """List the sea actions."""
    squares = area_of(state)
    for plane in range(LAND):
        for k in range(WORDS):
            left = state.legal[plane, k]
            while left:
                square = 64 * k + first_of(left)
                left &= left - _1
                _list_sail(state, viewer, tree, square, plane, plane * squares + square)


@lean_inlined_kernel
def _list_sail(state, viewer, tree, square, plane, action):
    """List a sea action."""
    squares = area_of(state)
    target = np.int64(-1)
    if plane != NO_MARKER:
        target = beside(state, square, plane)
    ends = state.land_done != 0
    ship = np.int64(state.ships[viewer])
    if not add_node(tree, 1, action, END if ends else OPEN, np.uint64(target + 1)):
        return
    enemy = target >= 0 and has(state.land[1 - viewer], target)
    ring = around(state.land[viewer], state, target) if target >= 0 else np.int64(0)
    if (
        state.unsettled[viewer]
        or SPLITS[255 - ring]
        or (ends and _may_end(state, viewer, square, target if not enemy else -1))
    ):
        copy = _copy_of(state, tree)
        copy.ships[viewer] = square
        if target >= 0:
            place(copy, target)
        fill(copy)
        copy.sea_done = 1
        _add_all(copy, viewer, tree)
        return
    if square != ship:
        if target != ship:
            add_change(tree, ship, SEA_CELL)
        add_change(tree, square, OWN_SHIP)
        add_change(tree, squares + OWN_SHIP_CELL, square)
    if target >= 0:
        _add_marker(state, viewer, tree, target, ring, enemy, 0, -1)
    add_change(tree, squares + PHASE_CELL, 0 if ends else 2)


@lean_kernel
def _list_markers(state, viewer, tree):
    """List the sequences of markers of the land action, depth first."""
    squares, stop = area_of(state), NUM_PLANES * area_of(state)
    states, done, most = tree.scratch_states, np.int64(state.markers_placed), np.int64(markers_allowed(state))
    ends, sea_done = (END, True) if state.sea_done else (OPEN, False)
    last_depth = min(most - done, MOST_MARKERS)
    states[0] = state
    tree.scratch[0, MAY_END] = sea_done and _may_end(state, viewer, state.ships[viewer], -1)
    if state.can_stop and add_node(tree, 1, stop, ends, _own_group(tree)):
        if state.unsettled[viewer] or tree.scratch[0, MAY_END]:
            _add_stopped(_copy_of(states[0], tree), viewer, tree)
        else:
            add_change(tree, squares + PHASE_CELL, 0 if sea_done else 3)
    depth = 0
    while depth >= 0:
        here = states[depth]
        square = _next_square(here)
        if square < 0:
            depth -= 1
            continue
        depth += 1
        ring = around(here.land[viewer], here, square)
        by_rules = here.unsettled[viewer] != 0 or SPLITS[255 - ring] != 0
        if sea_done and not by_rules:
            by_rules = tree.scratch[depth - 1, MAY_END] != 0
            if not by_rules and (_is_beside(here, square, 0) or _is_beside(here, square, 1)):
                by_rules = _may_end(here, viewer, here.ships[viewer], square)
        ahead, is_last = states[depth], done + depth == most
        if not is_last:
            states[depth] = here
            place(ahead, square)
            ahead.markers_placed += 1
            ahead.last_marker = square
            is_last = not _find_next(ahead, viewer, square)  # the action ends by itself
        if is_last:
            if not add_node(tree, depth, LAND * squares + square, ends, _own_group(tree)):
                return
            if by_rules:
                copy = _copy_of(here, tree)
                place(copy, square)
                _add_stopped(copy, viewer, tree)
            else:
                _add_marker(here, viewer, tree, square, ring, False, depth - 1, -1)
                add_change(tree, squares + PHASE_CELL, 0 if sea_done else 3)
            depth -= 1
            continue
        if not add_node(tree, depth, LAND * squares + square, OPEN if depth == last_depth else INNER, _own_group(tree)):
            return
        _add_marker(here, viewer, tree, square, ring, False, depth - 1, depth)
        tree.scratch[depth, MAY_END] = by_rules
        add_change(tree, squares + PHASE_CELL, 5 if sea_done else 4)
        if depth == last_depth:
            depth -= 1
            continue
        if ahead.stop_early:
            if not add_node(tree, depth + 1, stop, ends, _own_group(tree)):
                return
            if by_rules:
                _add_stopped(_copy_of(ahead, tree), viewer, tree)
            else:
                add_change(tree, squares + PHASE_CELL, 0 if sea_done else 3)


@lean_inlined_kernel
def _own_group(tree):
    """Return a group for the next node alone."""
    return np.uint64(tree.counts[NODES] + (1 << 32))


@lean_inlined_kernel
def _copy_of(state, tree):
    """Return a copy of a state in the last scratch record."""
    last = tree.scratch_states.shape[0] - 1
    tree.scratch_states[last] = state
    return tree.scratch_states[last]


@lean_kernel
def _add_stopped(state, viewer, tree):
    """End the land action of a scratch state, by the rules, and add all changes."""
    fill(state)
    state.land_done, state.markers_placed, state.last_marker = 1, 0, -1
    _add_all(state, viewer, tree)


@lean_kernel
def _add_all(state, viewer, tree):
    """Add the values of all cells of a scratch state after an action, and the rewards if the game is over then."""
    n, out = tree.counts[NODES] - 1, tree.scratch_cells
    cells(state, viewer, out[0])
    if state.sea_done and state.land_done:
        out[0, area_of(state) + PHASE_CELL] = 0
        if state.turn + 1 == state.max_turns or ended(state):
            tree.kinds[n] = OVER
            lead = score(state, viewer) - score(state, 1 - viewer)
            tree.rewards[n, viewer] = 1.0 if lead > 0 else (-1.0 if lead < 0 else 0.0)
            tree.rewards[n, 1 - viewer] = -tree.rewards[n, viewer]
    for cell in range(out.shape[1] - 1):
        add_change(tree, cell, out[0, cell])


@lean_inlined_kernel
def _next_square(state):
    """Take the next square from the land actions of a scratch state; return -1 if there is none."""
    for k in range(WORDS):
        word = state.legal[LAND, k]
        if word:
            state.legal[LAND, k] = word & (word - _1)
            return 64 * k + first_of(word)
    return np.int64(-1)


@lean_kernel
def _find_next(state, viewer, square):
    """Fill the land actions of a scratch state after a marker on `square`; return whether there are any."""
    width = np.int64(state.width)
    row = square // width
    column = square - row * width
    store(state.legal[LAND], EMPTY)
    found = False
    for direction in range(4):
        if (
            (direction == 0 and row == 0)
            or (direction == 1 and column == width - 1)
            or (direction == 2 and row == np.int64(state.height) - 1)
            or (direction == 3 and column == 0)
        ):
            continue
        target = beside(state, square, direction)
        if (
            state.label[CELL[width, target]] == SEA
            and target != state.ships[0]
            and target != state.ships[1]
            and _keeps_path(state, viewer, target)
        ):
            put(state.legal[LAND], target)
            found = True
    return found


@lean_kernel
def _keeps_path(state, viewer, square):
    """Return whether the path rule allows a marker on an empty square."""
    ship, other = np.int64(state.ships[viewer]), np.int64(state.ships[1 - viewer])
    if ship < 0 or other < 0:
        return True
    cell = np.int64(CELL[state.width, square])
    bits = 0
    for k in range(8):
        if state.label[cell + RING[k]] == SEA:
            bits |= 1 << _RING_PLACES[k]
    if not state.parted and not SPLITS[bits]:
        return True
    if _has_no_other_way(state, other, cell) or (state.close_self and _has_no_other_way(state, ship, cell)):
        return True
    if state.parted:
        return False
    if not is_cut(state, square):
        return True
    sea = minus(open_sea(state), only(square))
    return not is_empty(both(flood(only(ship), sea, frame_of(state.format)), only(other)))


@lean_inlined_kernel
def _has_no_other_way(state, ship, cell):
    """Return whether no sea cell except `cell` is next to a ship."""
    near, found = np.int64(CELL[state.width, ship]), False
    for k in range(0, 8, 2):
        if state.label[near + RING[k]] == SEA and near + RING[k] != cell:
            found = True
    return not found


@lean_kernel
def _may_end(state, viewer, ship, marker):
    """Return whether the game may be over after the turn, with a marker on a square (or -1) and the ship at `ship`."""
    if state.turn + 1 == state.max_turns:
        return True
    other = np.int64(state.ships[1 - viewer])
    if ship < 0 or other < 0:
        return True
    return not (_can_sail(state, ship, other, marker) and _can_sail(state, other, ship, marker))


@lean_inlined_kernel
def _is_beside(state, square, player):
    """Return whether a square is beside a player's ship."""
    ship = np.int64(state.ships[player])
    distance = abs(np.int64(CELL[state.width, square]) - np.int64(CELL[state.width, ship])) if ship >= 0 else 0
    return distance == 1 or distance == RING[4]


@lean_inlined_kernel
def _can_sail(state, ship, other, marker):
    """Return whether an empty square is beside a ship."""
    cell = np.int64(CELL[state.width, ship])
    other_cell = np.int64(CELL[state.width, other])
    marker_cell = np.int64(CELL[state.width, marker]) if marker >= 0 else np.int64(-1)
    found = False
    for k in range(0, 8, 2):
        near = cell + RING[k]
        if state.label[near] == SEA and near != other_cell and near != marker_cell:
            found = True
    return found


@lean_inlined_kernel
def _add_marker(state, viewer, tree, square, ring, enemy, before, after):
    """Add the changes of a marker that encloses nothing, and count land and peninsulas after it.

    Args:
        state: The state before the marker.
        viewer: The player.
        tree: The tree.
        square: The square of the marker.
        ring: The player's land around it, see `around`.
        enemy: Whether it replaces enemy land.
        before: The row of `tree.scratch` with the numbers before the marker.
        after: The row for those after it, or -1.
    """
    squares, numbers = area_of(state), tree.scratch
    own, others = numbers[before, OWN] + 1, numbers[before, OTHERS]
    own_tips, other_tips = numbers[before, OWN_TIPS], numbers[before, OTHER_TIPS]
    own_tips += (1 if _sides(ring) <= 1 else 0) - _tips_at(state, viewer, square, ring, 1)
    if enemy:
        others -= 1
        enemy_ring = around(state.land[1 - viewer], state, square)
        other_tips += _tips_at(state, 1 - viewer, square, enemy_ring, 2) - (1 if _sides(enemy_ring) <= 1 else 0)
        add_change(tree, squares + OTHER_TIPS_CELL, min(other_tips, TIPS))
    add_change(tree, square, OWN_LAND)
    add_change(tree, squares + LEAD_CELL, lead_value(own - others))
    add_change(tree, squares + STAGE_CELL, stage_value(own + others, squares))
    add_change(tree, squares + OWN_TIPS_CELL, min(own_tips, TIPS))
    if after >= 0:
        numbers[after, OWN], numbers[after, OTHERS] = own, others
        numbers[after, OWN_TIPS], numbers[after, OTHER_TIPS] = own_tips, other_tips


@lean_inlined_kernel
def _sides(ring):
    """Return how many of the four squares beside a square are in a ring, see `around`."""
    return (ring >> 1 & 1) + (ring >> 3 & 1) + (ring >> 4 & 1) + (ring >> 6 & 1)


@lean_inlined_kernel
def _tips_at(state, player, square, ring, number):
    """Return how many squares of a player's land beside a square have `number` squares of that land beside them."""
    found = 0
    for direction in range(4):
        if ring >> _SIDE_BITS[direction] & 1:
            near = beside(state, square, direction)
            if _sides(around(state.land[player], state, near)) == number:
                found += 1
    return found
