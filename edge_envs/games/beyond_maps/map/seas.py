"""Connected seas: find the markers that would divide a sea, without a flood fill for each candidate.

Seas are separated by land that is connected, including diagonally. So a marker divides its sea only if it closes a loop
of connected land. `label` stores connected land as a union-find forest: land never becomes sea again, so sets only
merge. Land of both players counts alike, and everything off the board is one piece of land.

A marker on a square is tested in this order, cheapest first:

1. The 3x3 test on all squares at once (`bitboard.splitting`): neighbours that are connected around the square remain
   connected.
2. The same label in two gaps between its neighbours (`is_cut`): the marker divides its sea.
3. Which neighbours the marker separates (`separates`), and on which sides the ships are. A single search from the
   opponent's ship, made for the first such square of a decision, determines for every square which neighbour leads to
   that ship (`search_from`).
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.beyond_maps.map.bitboard import (
    ALL,
    EAST,
    EMPTY,
    INNER,
    MAX_SIZE,
    NORTH,
    SOUTH,
    WEST,
    WORDS,
    both,
    count,
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
    south,
    store,
    west,
)

_1 = np.uint64(1)

STRIDE = MAX_SIZE + 2  # cells per row
NUM_CELLS = STRIDE * STRIDE
SEA = 0xFFFF
BORDER = 0  # the root of everything off the board

# By width: the cell of each square, and the labels of an empty board with the most rows.
CELL = np.zeros((MAX_SIZE + 1, MAX_SIZE * MAX_SIZE), np.uint16)
OPEN_SEA = np.full((MAX_SIZE + 1, NUM_CELLS), BORDER, np.uint16)
for _width in range(1, MAX_SIZE + 1):
    _rows, _columns = np.divmod(np.arange(MAX_SIZE * _width), _width)
    CELL[_width, : MAX_SIZE * _width] = (_rows + 1) * STRIDE + _columns + 1
    OPEN_SEA[_width, CELL[_width, : MAX_SIZE * _width]] = SEA

# The cells around a cell: n, ne, e, se, s, sw, w, nw.
RING = np.array([-STRIDE, 1 - STRIDE, 1, 1 + STRIDE, STRIDE, STRIDE - 1, -1, -STRIDE - 1])


@inlined_kernel
def root_of(label, cell):
    """Return the root of the land on a cell, with path halving."""
    while label[cell] != cell:
        label[cell] = label[label[cell]]
        cell = np.int64(label[cell])
    return cell


@kernel
def add_land(state, square):
    """Add land on a sea square and merge it with the land around it."""
    label = state.label
    cell = np.int64(CELL[state.width, square])
    label[cell] = cell
    for k in range(8):
        near = cell + RING[k]
        if label[near] != SEA:
            root, other = root_of(label, cell), root_of(label, near)
            label[max(root, other)] = min(root, other)


@inlined_kernel
def fill_ring(state, square):
    """Fill `ring` with the roots of the eight cells around a square, or SEA."""
    label = state.label
    cell = np.int64(CELL[state.width, square])
    for k in range(8):
        near = cell + RING[k]
        state.ring[k] = SEA if label[near] == SEA else root_of(label, near)


@kernel
def is_cut(state, square):
    """Return whether land on a square would divide its sea: the same land is in two gaps between its neighbours."""
    fill_ring(state, square)
    ring = state.ring
    start = 0
    while start < 8 and ring[start] != SEA:
        start += 2
    # Go around the square from a sea neighbour: a root already seen before the last sea neighbour closes a loop.
    for i in range(start + 3, start + 8):
        root = ring[i & 7]
        if root != SEA:
            passed = False
            for j in range(i - 1, start, -1):
                if (j & 1) == 0 and ring[j & 7] == SEA:
                    passed = True
                elif passed and ring[j & 7] == root:
                    return True
    return False


@kernel
def separates(state, square, a, b):
    """Return whether land on a square would separate its neighbours in the directions a and b, both of them sea."""
    if a == b:
        return False
    fill_ring(state, square)
    ring = state.ring
    first, last = 2 * min(a, b), 2 * max(a, b)
    for i in range(first + 1, last):
        root = ring[i]
        if root != SEA:
            for j in range(last + 1, first + 8):
                if ring[j & 7] == root:
                    return True
    return False


@kernel
def cut_squares(state, candidates):
    """Write the squares of `candidates` that would divide their sea into `work`; return whether there are any."""
    work = state.work
    store(work, candidates)
    found = False
    for k in range(WORDS):
        left = work[k]
        while left:
            index = first_of(left)
            left &= left - _1
            if is_cut(state, 64 * k + index):
                found = True
            else:
                work[k] ^= _1 << np.uint64(index)
    return found


@kernel
def search_from(state, square, sea, wanted):
    """Search the sea from a square, breadth first, until all squares of `wanted` are reached.

    Afterwards path[d] contains the squares whose shortest path to `square` begins in direction d.
    """
    frame = frame_of(state.format)
    frontier = only(square)
    rest = minus(sea, frontier)
    to_north, to_east, to_south, to_west = EMPTY, EMPTY, EMPTY, EMPTY
    while not is_empty(both(wanted, rest)) and not is_empty(frontier):
        from_north = both(south(frontier, frame), rest)
        to_north = either(to_north, from_north)
        rest = minus(rest, from_north)
        from_east = both(west(frontier, frame), rest)
        to_east = either(to_east, from_east)
        rest = minus(rest, from_east)
        from_south = both(north(frontier, frame), rest)
        to_south = either(to_south, from_south)
        rest = minus(rest, from_south)
        from_west = both(east(frontier, frame), rest)
        to_west = either(to_west, from_west)
        rest = minus(rest, from_west)
        frontier = either(either(from_north, from_east), either(from_south, from_west))
    store(state.path[NORTH], to_north)
    store(state.path[EAST], to_east)
    store(state.path[SOUTH], to_south)
    store(state.path[WEST], to_west)


@inlined_kernel
def first_step(state, square):
    """Return the first direction of the path from a square, after `search_from`."""
    if has(state.path[NORTH], square):
        return NORTH
    if has(state.path[EAST], square):
        return EAST
    if has(state.path[SOUTH], square):
        return SOUTH
    return WEST


@inlined_kernel
def beside(state, square, direction):
    """Return the adjacent square in a direction; the caller ensures that it is on the board."""
    width = np.int64(state.width)
    if direction == NORTH:
        return square - width
    if direction == SOUTH:
        return square + width
    return square + 1 if direction == EAST else square - 1


@inlined_kernel
def open_sea(state):
    """Return all squares without land, including those with ships."""
    return minus(load(ALL[state.format]), either(load(state.land[0]), load(state.land[1])))


@inlined_kernel
def last_way_out(ship, sea, frame):
    """Return the only sea square next to a ship, as boards; an empty board if there are more or none."""
    near = both(neighbours(ship, frame), sea)
    return near if count(near) == 1 else EMPTY


@kernel
def island_squares(state):
    """Return the squares for the next island: not on the edge, and no land or opposite square around them."""
    frame = frame_of(state.format)
    land = either(load(state.land[0]), load(state.land[1]))
    wide = either(land, either(east(land, frame), west(land, frame)))
    return minus(load(INNER[state.format]), either(wide, either(north(wide, frame), south(wide, frame))))


@kernel
def label_land(state):
    """Recompute the labels from the land of both players."""
    below = (np.int64(state.height) + 1) * STRIDE
    for cell in range(NUM_CELLS):
        state.label[cell] = OPEN_SEA[state.width, cell] if cell < below else BORDER
    for k in range(WORDS):
        left = state.land[0, k] | state.land[1, k]
        while left:
            add_land(state, 64 * k + first_of(left))
            left &= left - _1


@kernel
def ended(state):
    """Return whether a ship is captured, closed in, or cannot reach an empty square."""
    if state.ships[0] < 0 or state.ships[1] < 0:
        return True
    frame, sea = frame_of(state.format), open_sea(state)
    mine, other = only(state.ships[0]), only(state.ships[1])
    near_mine, near_other = both(neighbours(mine, frame), sea), both(neighbours(other, frame), sea)
    return is_empty(near_mine) or is_empty(near_other) or (equal(near_mine, other) and equal(near_other, mine))
