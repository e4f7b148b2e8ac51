"""Change things on the board of `ghost_ship`, together with their planes of the observation."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.map.geometry import AROUND, K0, NUM_SQUARES, SPOTS
from edge_envs.games.ghost_ship.pieces.tiles import (
    KIND_OF,
    UNSEEN,
)
from edge_envs.games.ghost_ship.state import (
    CELL,
    CHITS,
    CHITS_PLANE,
    CORNER_PLANES,
    GHOST_PLANE,
    GOLD,
    GOLD_PLANE,
    PLANE,
    SYMBOL,
    SYMBOL_PLANES,
    TILE,
    WET,
)


@kernel
def put_chits(state, square, count):
    """Set the number of chits on a square."""
    state.chits_left += np.int64(count) - np.int64(state.squares[square, CHITS])
    state.squares[square, CHITS] = count
    state.board[CHITS_PLANE * PLANE + CELL[square]] = count


@kernel
def put_gold(state, square, count):
    """Put gold on a square, or remove it."""
    state.gold_left += np.int64(count) - np.int64(state.squares[square, GOLD])
    state.squares[square, GOLD] = count
    state.board[GOLD_PLANE * PLANE + CELL[square]] = count


@kernel
def put_ghost(state, square):
    """Put the ghost on a square."""
    if state.ghost >= 0:
        state.board[GHOST_PLANE * PLANE + CELL[state.ghost]] = 0
    state.ghost = square
    state.board[GHOST_PLANE * PLANE + CELL[square]] = 1


@kernel
def turn_face_up(state, square, symbol):
    """Turn a hidden symbol face up."""
    kind = KIND_OF[state.squares[square, TILE]]
    state.tiles_left[symbol, kind] -= 1
    state.squares[square, SYMBOL] = symbol
    state.board[(SYMBOL_PLANES + UNSEEN) * PLANE + CELL[square]] = 0
    state.board[(SYMBOL_PLANES + symbol) * PLANE + CELL[square]] = 1


@kernel
def _is_wet(state, square, corner):
    """Return whether an edge at the corner is water, or the corner is on the rim of the board."""
    opposite = np.int64(AROUND[state.sea, square, 2 * corner + 1])
    if opposite < 0:
        return True
    own, other = np.int64(state.squares[square, TILE]), np.int64(state.squares[opposite, TILE])
    lands = own >> corner & own >> ((corner + 1) & 3) & other >> ((corner + 2) & 3) & other >> ((corner + 3) & 3)
    return lands & 1 == 0


@kernel
def wet_corners(state):
    """Write which corners are wet and which tiles have places at them, after all tiles are laid."""
    for square in range(NUM_SQUARES):
        wet = 0
        for corner in range(4):
            wet |= np.int64(_is_wet(state, square, corner)) << corner
        state.squares[square, WET] = wet
        spots = np.int64(SPOTS[state.squares[square, TILE], wet])
        for corner in range(4):
            there = spots >> 2 * (K0 + corner) & 1
            state.board[(CORNER_PLANES + corner) * PLANE + CELL[square]] = there
