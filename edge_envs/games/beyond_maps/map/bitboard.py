"""Bitboards: sets of squares as bits, with operations on all squares at once.

A *board* is a tuple of six uint64 words. Bit `square` of the 384 bits says whether the square is in the set, where
square = row * width + column and a1 = 0. Tuples are kept in registers, so a step in all directions at once takes about
a hundred instructions at any size. A *frame* holds the data for shifts: the width and the columns that must not wrap.

Boards of every width and height have a row in each of the tables; its number is the board's *format* (`format_of`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.core.kernels.bits import count_bits

MIN_SIZE, MAX_SIZE = 5, 18
NUM_SIZES = MAX_SIZE - MIN_SIZE + 1
WORDS = 6
NORTH, EAST, SOUTH, WEST = range(4)


def _words(squares: Iterable[int]) -> list[int]:
    bits = sum(1 << int(square) for square in squares)
    return [bits >> 64 * k & (1 << 64) - 1 for k in range(WORDS)]


def format_of(width: int, height: int) -> int:
    """Return the format of a board: its row in the tables below."""
    return (width - MIN_SIZE) * NUM_SIZES + height - MIN_SIZE


# By format: width, all squares, those outside the first column, those outside the last column, those on the edge, and
# those that can be islands on an empty board: all but the edge and the middle, where a square and its opposite touch.
WIDTH = np.zeros(NUM_SIZES * NUM_SIZES, np.uint64)
ALL = np.zeros((len(WIDTH), WORDS), np.uint64)
NOT_FIRST, NOT_LAST, EDGE, INNER = np.zeros_like(ALL), np.zeros_like(ALL), np.zeros_like(ALL), np.zeros_like(ALL)
for _width, _height in itertools.product(range(MIN_SIZE, MAX_SIZE + 1), repeat=2):
    _format = format_of(_width, _height)
    _squares = np.arange(_width * _height)
    _rows, _columns = np.divmod(_squares, _width)
    WIDTH[_format] = _width
    ALL[_format] = _words(_squares)
    NOT_FIRST[_format] = _words(_squares[_columns > 0])
    NOT_LAST[_format] = _words(_squares[_columns < _width - 1])
    _edge = (_columns % (_width - 1) == 0) | (_rows % (_height - 1) == 0)
    _middle = (abs(2 * _columns + 1 - _width) <= 1) & (abs(2 * _rows + 1 - _height) <= 1)
    EDGE[_format] = _words(_squares[_edge])
    INNER[_format] = _words(_squares[~_edge & ~_middle])

_0, _1, _2, _3, _4, _5, _6, _7 = map(np.uint64, range(8))
_61, _63, _64 = np.uint64(61), np.uint64(63), np.uint64(64)
EMPTY = (_0, _0, _0, _0, _0, _0)


@inlined_kernel
def load(words):
    """Return the board in an array of six words."""
    return (words[0], words[1], words[2], words[3], words[4], words[5])


@inlined_kernel
def store(words, a):
    """Write a board into an array of six words."""
    words[0] = a[0]
    words[1] = a[1]
    words[2] = a[2]
    words[3] = a[3]
    words[4] = a[4]
    words[5] = a[5]


@inlined_kernel
def frame_of(board_format):
    """Return the frame of a format: the width, and the squares without the first and without the last column."""
    return WIDTH[board_format], load(NOT_FIRST[board_format]), load(NOT_LAST[board_format])


@inlined_kernel
def area_of(record):
    """Return the number of squares of the board of a state or scene."""
    return np.int64(record.width) * np.int64(record.height)


@inlined_kernel
def both(a, b):
    """Return the squares in a and b."""
    return (a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3], a[4] & b[4], a[5] & b[5])


@inlined_kernel
def either(a, b):
    """Return the squares in a or b."""
    return (a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3], a[4] | b[4], a[5] | b[5])


@inlined_kernel
def minus(a, b):
    """Return the squares in a, but not in b."""
    return (a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3], a[4] & ~b[4], a[5] & ~b[5])


@inlined_kernel
def is_empty(a):
    """Return whether a board is empty."""
    return (a[0] | a[1] | a[2] | a[3] | a[4] | a[5]) == _0


@inlined_kernel
def equal(a, b):
    """Return whether two boards are equal."""
    return (
        (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]) | (a[4] ^ b[4]) | (a[5] ^ b[5])
    ) == _0  # fmt: skip


@inlined_kernel
def count(a):
    """Return the number of squares of a board."""
    return (
        count_bits(a[0]) + count_bits(a[1]) + count_bits(a[2]) + count_bits(a[3]) + count_bits(a[4]) + count_bits(a[5])
    )


@inlined_kernel
def only(square):
    """Return the board with one square, or an empty one for -1."""
    s = np.uint64(square) if square >= 0 else np.uint64(512)
    k, bit = s >> np.uint64(6), _1 << (s & _63)
    return (
        bit if k == np.uint64(0) else _0,
        bit if k == np.uint64(1) else _0,
        bit if k == np.uint64(2) else _0,
        bit if k == np.uint64(3) else _0,
        bit if k == np.uint64(4) else _0,
        bit if k == np.uint64(5) else _0,
    )


@inlined_kernel
def first_of(word):
    """Return the index of the lowest set bit of a nonzero word."""
    return count_bits(~word & (word - _1))


@inlined_kernel
def has(words, square):
    """Return whether a board in an array of words contains a square."""
    return (words[square >> 6] >> np.uint64(square & 63)) & _1 != _0


@inlined_kernel
def put(words, square):
    """Add a square to a board in an array of words."""
    words[square >> 6] |= _1 << np.uint64(square & 63)


@inlined_kernel
def drop(words, square):
    """Remove a square from a board in an array of words."""
    words[square >> 6] &= ~(_1 << np.uint64(square & 63))


@kernel
def around(words, record, square):
    """Return which of the eight squares around a square are in a board in an array of words.

    Args:
        words: The array.
        record: The state, with the width and the height of the board.
        square: The square.

    Returns:
        A byte: bit k is the k-th of the squares in reading order; squares off the board are not in the set.
    """
    width, height = np.int64(record.width), np.int64(record.height)
    row = square // width
    column = square - row * width
    first = column > 0
    mask = (_7 if first else _6) & (_7 if column + 1 < width else _3)
    bits = _0
    for step in range(3):
        r = row + step - 1
        if r < 0 or r >= height:
            continue
        at = r * width + column - (1 if first else 0)
        k, shift = at >> 6, np.uint64(at & 63)
        three = words[k] >> shift
        if shift > _61 and k + 1 < WORDS:
            three |= words[k + 1] << (_64 - shift)
        if not first:
            three <<= _1
        three &= mask
        if step == 1:
            bits |= (three & _1) << _3 | (three >> _2) << _4
        else:
            bits |= three << (_0 if step == 0 else _5)
    return np.int64(bits)


@inlined_kernel
def _down(a, by):
    """Return the board with all bits moved to lower squares."""
    up = _64 - by
    return (
        a[0] >> by | a[1] << up,
        a[1] >> by | a[2] << up,
        a[2] >> by | a[3] << up,
        a[3] >> by | a[4] << up,
        a[4] >> by | a[5] << up,
        a[5] >> by,
    )


@inlined_kernel
def _up(a, by):
    """Return the board with all bits moved to higher squares; the caller cuts off squares beyond the board."""
    down = _64 - by
    return (
        a[0] << by,
        a[1] << by | a[0] >> down,
        a[2] << by | a[1] >> down,
        a[3] << by | a[2] >> down,
        a[4] << by | a[3] >> down,
        a[5] << by | a[4] >> down,
    )


@inlined_kernel
def north(a, frame):
    """Return the board with every square moved one row up."""
    return _down(a, frame[0])


@inlined_kernel
def south(a, frame):
    """Return the board with every square moved one row down; the caller cuts off squares below the board."""
    return _up(a, frame[0])


@inlined_kernel
def west(a, frame):
    """Return the board with every square moved one column to the left."""
    return _down(both(a, frame[1]), _1)


@inlined_kernel
def east(a, frame):
    """Return the board with every square moved one column to the right."""
    return _up(both(a, frame[2]), _1)


@inlined_kernel
def neighbours(a, frame):
    """Return the neighbours of all squares; the caller cuts off squares below the board."""
    return either(either(north(a, frame), south(a, frame)), either(west(a, frame), east(a, frame)))


@inlined_kernel
def _at_least_two(a, b, c, d):
    """Return the squares in two or more of four boards."""
    return either(either(both(a, b), both(c, d)), both(either(a, b), either(c, d)))


@inlined_kernel
def peninsulas(a, frame):
    """Return the squares of a with at most one neighbour in it."""
    return minus(a, _at_least_two(north(a, frame), south(a, frame), west(a, frame), east(a, frame)))


@inlined_kernel
def splitting(a, frame):
    """Return the squares whose neighbours in a are not connected within the eight surrounding squares: the 3x3 test.

    There is a gap between two consecutive neighbours around the square unless the corner between them is also in a. Two
    or more gaps split the neighbours (Yokoi's connectivity number; Yokoi, Toriwaki and Fukumura 1975).
    """
    # squares with a northern, eastern, southern or western neighbour in a
    n, e, s, w = south(a, frame), west(a, frame), north(a, frame), east(a, frame)
    gap_n = minus(n, both(e, west(n, frame)))
    gap_e = minus(e, both(s, west(s, frame)))
    gap_s = minus(s, both(w, east(s, frame)))
    gap_w = minus(w, both(n, east(n, frame)))
    return _at_least_two(gap_n, gap_e, gap_s, gap_w)


@inlined_kernel
def flood(seeds, within, frame):
    """Return all squares of `within` that are connected to `seeds`, a subset of it (flood fill)."""
    reached, before = seeds, EMPTY
    while not equal(reached, before):
        before = reached
        reached = either(reached, both(neighbours(reached, frame), within))
    return reached


@inlined_kernel
def within_steps(square, radius, within, frame):
    """Return all squares of `within` that are at most `radius` steps from `square`, which is in it."""
    reached, before = only(square), EMPTY
    while radius > 0 and not equal(reached, before):
        before = reached
        reached = either(reached, both(neighbours(reached, frame), within))
        radius -= 1
    return reached
