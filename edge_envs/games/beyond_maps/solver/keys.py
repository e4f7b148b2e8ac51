"""Canonical keys of positions on small boards, as two words; equal for positions that are equal up to symmetry.

A position, its images under the rotations and reflections of the board (eight for a square, otherwise four), and these
positions with the players exchanged all have the same key. The key contains everything that determines the rest of the
game except the number of turns.
"""

from __future__ import annotations

import itertools

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.beyond_maps.map.bitboard import MAX_SIZE, MIN_SIZE, NUM_SIZES, format_of

LARGEST = 36
"""The number of squares of the largest board that a key can describe."""

NUM_TURNS = 8
_CHUNK = 9  # squares per lookup
_CHUNKS = 4
_NOWHERE = 63


def _turned(width: int, height: int) -> list[np.ndarray]:
    """Return the image of each square under each rotation and reflection; a board that is not square has each twice."""
    board = np.arange(width * height).reshape(height, width)
    images = [np.rot90(side, quarters) for side in (board, board.T) for quarters in range(4)]
    fitting = [np.argsort(image.ravel()) for image in images if image.shape == board.shape]
    return fitting * (NUM_TURNS // len(fitting))


_SIZES = [
    (width, height)
    for width, height in itertools.product(range(MIN_SIZE, MAX_SIZE + 1), repeat=2)
    if width * height <= LARGEST
]

# NUMBER[format]: the number of a small board in the other tables.
# SQUARE[number, turn, square]: the image of a square; _NOWHERE stays _NOWHERE.
# CHUNK[number, turn, k, bits]: the image of a subset of the k-th nine squares.
NUMBER = np.zeros(NUM_SIZES * NUM_SIZES, np.int64)
SQUARE = np.full((len(_SIZES), NUM_TURNS, 64), _NOWHERE, np.uint64)
CHUNK = np.zeros((len(_SIZES), NUM_TURNS, _CHUNKS, 1 << _CHUNK), np.uint64)
for _number, _size in enumerate(_SIZES):
    NUMBER[format_of(*_size)] = _number
    for _turn, _image in enumerate(_turned(*_size)):
        SQUARE[_number, _turn, : len(_image)] = _image
        for _square, _to in enumerate(_image.tolist()):
            _k, _bit = divmod(_square, _CHUNK)
            _with = np.arange(1 << _CHUNK) >> _bit & 1 == 1
            CHUNK[_number, _turn, _k, _with] |= np.uint64(1 << _to)


@inlined_kernel
def _turn_land(number, turn, land):
    """Return the image of the land on a small board."""
    image = np.uint64(0)
    for k in range(_CHUNKS):
        image |= CHUNK[number, turn, k, np.int64(land >> np.uint64(_CHUNK * k)) & ((1 << _CHUNK) - 1)]
    return image


@kernel
def position_key(state, key):
    """Fill `key` (2,) with the smallest encoding over all symmetries, from the perspective of the player to act."""
    number, player = NUMBER[state.format], np.int64(state.turn_player)
    own, enemy = state.land[player, 0], state.land[1 - player, 0]
    mine, other = np.int64(state.ships[player]) & _NOWHERE, np.int64(state.ships[1 - player]) & _NOWHERE
    last = np.int64(state.last_marker) & _NOWHERE
    actions = np.uint64(2 * state.sea_done + state.land_done) | np.uint64(state.markers_placed) << np.uint64(2)
    handicapped = np.uint64(state.handicap != 0 and player == 1) << np.uint64(63)  # then the players are not equal
    for turn in range(NUM_TURNS):
        first = _turn_land(number, turn, own) << np.uint64(12)
        first |= SQUARE[number, turn, mine] << np.uint64(6) | SQUARE[number, turn, other]
        if turn == 0 or first <= key[0]:
            second = _turn_land(number, turn, enemy) << np.uint64(6) | SQUARE[number, turn, last]
            second = second << np.uint64(8) | actions | handicapped
            if turn == 0 or first < key[0] or second < key[1]:
                key[0] = first
                key[1] = second


@kernel
def turns_left(state):
    """Return the number of turns left, including this one."""
    return np.int64(state.max_turns) - np.int64(state.turn)
