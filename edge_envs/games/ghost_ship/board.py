"""Things on the board of `ghost_ship` with their planes, and what a record holds that follows from the rest."""

from __future__ import annotations

import numpy as np

from edge_envs.core.jit import kernel
from edge_envs.games.ghost_ship.box import DRAW_TILES, SET_OUT, SYMBOL_TILES
from edge_envs.games.ghost_ship.choices import list_options
from edge_envs.games.ghost_ship.geometry import AROUND, K0, NUM_SQUARES, SPOTS
from edge_envs.games.ghost_ship.laying import KIND_OF, RIM_FITS, lay, mark
from edge_envs.games.ghost_ship.record import (
    CELL,
    CHITS,
    CHITS_PLANE,
    COMPLETE,
    CORNER_PLANES,
    GHOST_PLANE,
    GOLD,
    GOLD_PLANE,
    MAX_PLAYERS,
    NEAR,
    NO_SYMBOL,
    NUM_BOARD_PLANES,
    NUM_CLASSES,
    NUM_KINDS,
    NUM_SYMBOLS,
    NUM_VALUES,
    PLACE,
    PLANE,
    SIX,
    SIXES,
    SYMBOL,
    SYMBOL_PLANES,
    TILE,
    UNSEEN,
    VACANT,
    WET,
)


@kernel
def put_chits(state, square, count):
    """So many chits lie on a square."""
    state.chits_left += np.int64(count) - np.int64(state.squares[square, CHITS])
    state.squares[square, CHITS] = count
    state.board[CHITS_PLANE * PLANE + CELL[square]] = count


@kernel
def put_gold(state, square, count):
    """Gold lies on a square, or none."""
    state.gold_left += np.int64(count) - np.int64(state.squares[square, GOLD])
    state.squares[square, GOLD] = count
    state.board[GOLD_PLANE * PLANE + CELL[square]] = count


@kernel
def put_ghost(state, square):
    """The ghost is there."""
    if state.ghost >= 0:
        state.board[GHOST_PLANE * PLANE + CELL[state.ghost]] = 0
    state.ghost = square
    state.board[GHOST_PLANE * PLANE + CELL[square]] = 1


@kernel
def turn_face_up(state, square, symbol):
    """An unseen symbol is seen."""
    kind = KIND_OF[state.squares[square, TILE]]
    state.tiles_left[symbol, kind] -= 1
    state.squares[square, SYMBOL] = symbol
    state.board[(SYMBOL_PLANES + UNSEEN) * PLANE + CELL[square]] = 0
    state.board[(SYMBOL_PLANES + symbol) * PLANE + CELL[square]] = 1


@kernel
def _is_wet(state, square, corner):
    """Whether an edge at the corner is water, or the corner lies on the rim of the board."""
    opposite = np.int64(AROUND[square, 2 * corner + 1])
    if opposite < 0:
        return True
    own, other = np.int64(state.squares[square, TILE]), np.int64(state.squares[opposite, TILE])
    lands = own >> corner & own >> ((corner + 1) & 3) & other >> ((corner + 2) & 3) & other >> ((corner + 3) & 3)
    return lands & 1 == 0


@kernel
def wet_corners(state):
    """Once all tiles lie there: which corners are wet, and where a tile has places at them."""
    for square in range(NUM_SQUARES):
        wet = 0
        for corner in range(4):
            wet |= np.int64(_is_wet(state, square, corner)) << corner
        state.squares[square, WET] = wet
        spots = np.int64(SPOTS[state.squares[square, TILE], wet])
        for corner in range(4):
            there = spots >> 2 * (K0 + corner) & 1
            state.board[(CORNER_PLANES + corner) * PLANE + CELL[square]] = there


@kernel
def derive(state):
    """Write all that follows from tiles, symbols, treasure, the ghost, the heaps and the phase."""
    for cell in range(NUM_BOARD_PLANES * PLANE):
        state.board[cell] = 0
    state.vacant = NUM_SQUARES
    state.halves[0] = 0
    state.halves[1] = 0
    state.chits_left = 0
    state.gold_left = 0
    for square in range(NUM_SQUARES):
        state.fits[square] = RIM_FITS[square]
        state.squares[square, NEAR] = 0
        state.squares[square, WET] = 0
    for square in range(NUM_SQUARES):
        _put_back(state, square)
    if state.vacant == 0:
        wet_corners(state)
    if state.ghost >= 0:
        put_ghost(state, state.ghost)
    _count_tiles_left(state)
    _count_deck(state)
    for player in range(MAX_PLAYERS):
        state.num_chits[player] = 0
        for k in range(NUM_VALUES):
            state.num_chits[player] += state.own[player, k]
    list_options(state)


@kernel
def _put_back(state, square):
    mask = state.squares[square, TILE]
    if mask != VACANT:
        lay(state, square, mask, state.squares[square, SIX])
    symbol = state.squares[square, SYMBOL]
    if symbol != NO_SYMBOL:
        mark(state, square, symbol)
    chits, gold = state.squares[square, CHITS], state.squares[square, GOLD]
    state.squares[square, CHITS] = 0
    state.squares[square, GOLD] = 0
    put_chits(state, square, chits)
    put_gold(state, square, gold)


@kernel
def _count_tiles_left(state):
    """Symbol tiles that have not been turned up; with random creation those by class, and the symbols not seen."""
    for k in range(NUM_CLASSES):
        state.tiles_left[UNSEEN, k] = 0
        for symbol in range(NUM_SYMBOLS):
            there = SYMBOL_TILES[symbol, k]
            state.tiles_left[symbol, k] = there - state.dropped[symbol, k]
            if state.random:
                state.tiles_left[UNSEEN, k] += there
        if state.random:
            state.tiles_left[UNSEEN, k] -= state.dropped[UNSEEN, k]
    for square in range(NUM_SQUARES):
        symbol = np.int64(state.squares[square, SYMBOL])
        if symbol != NO_SYMBOL:
            k = KIND_OF[state.squares[square, TILE]]
            if symbol != UNSEEN:
                state.tiles_left[symbol, k] -= 1
            if state.random:
                state.tiles_left[UNSEEN, k] -= 1
    if state.phase == PLACE:
        state.tiles_left[state.hand_symbol, state.hand_class] -= 1


@kernel
def _count_deck(state):
    """What is in the stacks or being drawn: all drawn tiles but those on the board, in hand and discarded."""
    filling = state.vacant > 0 and state.phase <= COMPLETE
    for kind in range(NUM_KINDS):
        state.deck[kind] = DRAW_TILES[kind] - state.hand[kind] - state.discards[kind] if filling else 0
    if not filling:
        return
    for square in range(NUM_SQUARES):
        mask = state.squares[square, TILE]
        if mask != VACANT and state.squares[square, SYMBOL] == NO_SYMBOL and not SET_OUT[square]:
            state.deck[SIXES if state.squares[square, SIX] else KIND_OF[mask]] -= 1
    if state.phase == COMPLETE:
        for kind in range(NUM_KINDS):
            state.deck[kind] = 0
