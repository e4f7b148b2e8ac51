"""Where a symbol tile of `ghost_ship` may be placed: tests 1 to 5 of the rules, and the room for tiles to come.

Room is a question of independent sets: can enough of the vacant squares that are not adjacent to a symbol tile be
chosen to bring both halves of the board to ten, no two of them adjacent? Squares of one checkerboard colour are never
adjacent, so counting them by colour answers most cases. The others are decided exactly by dynamic programming over the
columns, from west to east. A column has 34 subsets without adjacent squares. For each subset the program needs the
largest number of squares that can be chosen up to that column if the subset is chosen there. These numbers differ by at
most 4, because a column adds at most 4 and dropping its squares frees the column before it. The program therefore
stores, as bits of a word, the subsets whose number is at most 0, 1, 2 or 3 below the best.

In the small sea the squares outside it are never vacant, so the same tables serve. It needs four tiles on each half
instead of ten.

The squares of a half are bits of a word, column by column: 7 x column + row, with column 0 on the rim and 4 in the
middle.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.core.kernels.bits import count_bits
from edge_envs.games.ghost_ship.map.geometry import NEXT, NUM_COLUMNS, NUM_ROWS, NUM_SQUARES
from edge_envs.games.ghost_ship.map.seas import FULL_SEA
from edge_envs.games.ghost_ship.pieces.tiles import NUM_SYMBOL_TILES
from edge_envs.games.ghost_ship.state import BESIDE, DIAGONAL, NEAR, OPEN, TILE, VACANT

HALF_COLUMNS = NUM_COLUMNS // 2

# SIDE[square]: 0 in the west, 1 in the east. BIT[square]: its bit in the word of its half.
SIDE = np.array([square % NUM_COLUMNS // HALF_COLUMNS for square in range(NUM_SQUARES)], np.int64)
BIT = np.zeros(NUM_SQUARES, np.uint64)
# COLOUR[square]: of the checkerboard. OF_COLOUR[half, colour]: its squares in a half.
COLOUR = np.array([(square // NUM_COLUMNS + square % NUM_COLUMNS) % 2 for square in range(NUM_SQUARES)], np.int64)
OF_COLOUR = np.zeros((2, 2), np.uint64)
for _square in range(NUM_SQUARES):
    _row, _column = divmod(_square, NUM_COLUMNS)
    _bit = NUM_ROWS * min(_column, NUM_COLUMNS - 1 - _column) + _row
    BIT[_square] = np.uint64(1 << _bit)
    OF_COLOUR[SIDE[_square], COLOUR[_square]] |= BIT[_square]
# TAKEN[square, half]: the squares of a half that a symbol tile takes: its own and those adjacent to it.
TAKEN = np.zeros((NUM_SQUARES, 2), np.uint64)
for _square in range(NUM_SQUARES):
    for _other in (_square, *NEXT[FULL_SEA, _square].tolist()):
        if _other >= 0:
            TAKEN[_square, SIDE[_other]] |= BIT[_other]

_SUBSETS = sorted((rows for rows in range(1 << NUM_ROWS) if not rows & rows << 1), key=int.bit_count)
ALL_SUBSETS = np.uint64((1 << len(_SUBSETS)) - 1)
MOST_IN_COLUMN = 4


def _bits_of(chosen: list[bool]) -> int:
    return sum(1 << i for i, is_chosen in enumerate(chosen) if is_chosen)


# BESIDE_SUBSET[i]: the subsets that may be chosen in the next column, as bits. WITHIN_COLUMN[rows]: the subsets of some
# rows. LARGE[n + 4]: the subsets of at least n squares, for n from -4 to 8.
BESIDE_SUBSET = np.array([_bits_of([not one & other for other in _SUBSETS]) for one in _SUBSETS], np.uint64)
WITHIN_COLUMN = np.array(
    [_bits_of([not one & ~rows for one in _SUBSETS]) for rows in range(1 << NUM_ROWS)], np.uint64
)  # fmt: skip
LARGE = np.array([_bits_of([one.bit_count() >= size for one in _SUBSETS]) for size in range(-4, 9)], np.uint64)

_COLUMN = np.uint64((1 << NUM_ROWS) - 1)
_ZERO, _ONE = np.uint64(0), np.uint64(1)


@kernel
def _beside(subsets):
    """Return the subsets of a column that are compatible with at least one of some subsets of the column before."""
    if subsets & _ONE:  # the empty subset
        return ALL_SUBSETS
    found = _ZERO
    for i in range(BESIDE_SUBSET.shape[0]):
        if subsets >> np.uint64(i) & _ONE:
            found |= BESIDE_SUBSET[i]
    return found


@inlined_kernel
def _reaching(within, beside, gain):
    """Return the subsets with which a column adds at least `gain` to the best number before; `beside` by deficit."""
    at = gain + MOST_IN_COLUMN
    found = (beside[0] & LARGE[at]) | (beside[1] & LARGE[at + 1]) | (beside[2] & LARGE[at + 2])
    return within & (found | (beside[3] & LARGE[at + 3]) | LARGE[at + 4])


@kernel
def _choose(squares, first, end):
    """Choose as many squares of a half as possible, column by column: from the rim inward, or outward if `end` is 0.

    Args:
        first: The subsets allowed in the first column, as bits.

    Returns:
        The number, and the subsets of the last column that reach it, or all but 1, 2, 3 of it.
    """
    best = np.int64(0)
    levels = (ALL_SUBSETS, ALL_SUBSETS, ALL_SUBSETS, ALL_SUBSETS)
    for k in range(HALF_COLUMNS):
        column = k if end else HALF_COLUMNS - 1 - k
        within = WITHIN_COLUMN[squares >> np.uint64(NUM_ROWS * column) & _COLUMN]
        if k == 0:
            within &= first
        beside = (_beside(levels[0]), _beside(levels[1]), _beside(levels[2]), _beside(levels[3]))
        gain = MOST_IN_COLUMN
        while not _reaching(within, beside, gain):
            gain -= 1
        best += gain
        levels = (
            _reaching(within, beside, gain),
            _reaching(within, beside, gain - 1),
            _reaching(within, beside, gain - 2),
            _reaching(within, beside, gain - 3),
        )
    return best, levels


@kernel
def can_choose(west, east, needed_west, needed_east):
    """Return whether these numbers of squares can be chosen from each half, no two adjacent: the exact answer."""
    best, levels = _choose(west, ALL_SUBSETS, 1)
    spare = best - needed_west
    if spare < 0:
        return False
    at_fold = WITHIN_COLUMN[west >> np.uint64(NUM_ROWS * (HALF_COLUMNS - 1))]
    if spare < MOST_IN_COLUMN:
        at_fold = levels[0] if spare == 0 else levels[1] if spare == 1 else levels[2] if spare == 2 else levels[3]
    best, levels = _choose(east, _beside(at_fold), 0)
    return best >= needed_east


@inlined_kernel
def _colour_is_enough(west, east, needed_west, needed_east, colour):
    """Return whether the squares of one checkerboard colour are enough."""
    enough = count_bits(west & OF_COLOUR[0, colour]) >= needed_west
    return enough and count_bits(east & OF_COLOUR[1, colour]) >= needed_east


@kernel
def has_room(west, east, needed_west, needed_east):
    """Return whether these numbers of squares can be chosen from each half: by counting if possible, else exactly."""
    for colour in range(2):
        if _colour_is_enough(west, east, needed_west, needed_east, colour):
            return True
    return can_choose(west, east, needed_west, needed_east)


@kernel
def num_missing(state, half):
    """Return how many symbol tiles a half still needs."""
    return max(np.int64(NUM_SYMBOL_TILES[state.sea]) // 2 - np.int64(state.halves[half]), 0)


@kernel
def free_squares(state):
    """Return the vacant squares not adjacent to a symbol tile, a word for each half."""
    west, east = _ZERO, _ZERO
    for square in range(NUM_SQUARES):
        if state.squares[square, TILE] == VACANT and not state.squares[square, NEAR] & BESIDE:
            if SIDE[square]:
                east |= BIT[square]
            else:
                west |= BIT[square]
    return west, east


@kernel
def is_layout_open(state):
    """Return whether room is left for all symbol tiles that the halves need."""
    west, east = free_squares(state)
    return has_room(west, east, num_missing(state, 0), num_missing(state, 1))


@kernel
def find_squares(state, tiles):
    """Write into `OPEN` where one of `tiles` may be placed as a symbol tile, and return the number of these squares.

    With random creation only tests 1 and 2 count.
    """
    west, east = free_squares(state)
    count = _find_with_room(state, tiles, west, east, BESIDE | DIAGONAL)
    if count == 0:
        count = _find_with_room(state, tiles, west, east, BESIDE)
    if count == 0 and not state.random:
        count = _find_anywhere(state, tiles, BESIDE, True)
        if count == 0:
            count = _find_anywhere(state, tiles, BESIDE, False)
        if count == 0:
            count = _find_anywhere(state, tiles, 0, False)
    return count


@inlined_kernel
def _fits_away(state, square, tiles, near):
    """Return whether one of `tiles` fits a square and no symbol tile is `near` it."""
    return np.int64(state.fits[square]) & tiles != 0 and np.int64(state.squares[square, NEAR]) & near == 0


@kernel
def _find_with_room(state, tiles, west, east, near):
    """Apply tests 1 and 2: the half is not full, no symbol tile is `near`, and room is left."""
    needed_west, needed_east = num_missing(state, 0), num_missing(state, 1)
    even = _colour_is_enough(west, east, needed_west, needed_east, 0)
    odd = _colour_is_enough(west, east, needed_west, needed_east, 1)
    count = 0
    for square in range(NUM_SQUARES):
        passes = _fits_away(state, square, tiles, near)
        if passes:
            half = SIDE[square]
            passes = (needed_east if half else needed_west) > 0
            if passes and not (odd if COLOUR[square] else even):  # the square itself counts among those of its colour
                passes = has_room(
                    west & ~TAKEN[square, 0], east & ~TAKEN[square, 1], needed_west - 1 + half, needed_east - half
                )
        state.squares[square, OPEN] = passes
        count += passes
    return count


@kernel
def _find_anywhere(state, tiles, near, by_half):
    """Apply tests 3 to 5: no symbol tile is `near`, and if `by_half` the half is not full."""
    count = 0
    for square in range(NUM_SQUARES):
        passes = _fits_away(state, square, tiles, near)
        if by_half and num_missing(state, SIDE[square]) == 0:
            passes = False
        state.squares[square, OPEN] = passes
        count += passes
    return count
