"""The derived fields of a record of `ghost_ship`."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.map.geometry import NUM_SQUARES
from edge_envs.games.ghost_ship.map.start import SET_OUT
from edge_envs.games.ghost_ship.phases.board import put_chits, put_ghost, put_gold, wet_corners
from edge_envs.games.ghost_ship.phases.choices import list_options
from edge_envs.games.ghost_ship.phases.laying import RIM_FITS, lay, mark
from edge_envs.games.ghost_ship.phases.symbol_squares import find_squares
from edge_envs.games.ghost_ship.pieces.tiles import (
    DRAW_TILES,
    KIND_OF,
    NO_SYMBOL,
    NUM_CLASSES,
    NUM_KINDS,
    NUM_SYMBOLS,
    SIXES,
    SYMBOL_TILES,
    TILES_OF,
    UNSEEN,
)
from edge_envs.games.ghost_ship.state import (
    CHITS,
    COMPLETE,
    GOLD,
    MAX_PLAYERS,
    NEAR,
    NUM_BOARD_PLANES,
    NUM_VALUES,
    OPEN,
    PLACE,
    PLANE,
    SIX,
    SYMBOL,
    TILE,
    VACANT,
    WET,
)


@kernel
def derive(state):
    """Write all fields that follow from tiles, symbols, treasure, the ghost, the heaps and the phase."""
    for cell in range(NUM_BOARD_PLANES * PLANE):
        state.board[cell] = 0
    state.vacant = NUM_SQUARES
    state.halves[0] = 0
    state.halves[1] = 0
    state.chits_left = 0
    state.gold_left = 0
    for square in range(NUM_SQUARES):
        state.fits[square] = RIM_FITS[state.sea, square]
        state.squares[square, NEAR] = 0
        state.squares[square, OPEN] = 0
        state.squares[square, WET] = 0
    for square in range(NUM_SQUARES):
        _put_back(state, square)
    if state.vacant == 0:
        wet_corners(state)
    if state.ghost >= 0:
        put_ghost(state, state.ghost)
    if state.phase == PLACE:
        find_squares(state, TILES_OF[state.hand_class])
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
    """Count the symbol tiles that have not been turned up.

    With covered symbols these are counted by class, and the hidden symbols are also counted.
    """
    for k in range(NUM_CLASSES):
        state.tiles_left[UNSEEN, k] = 0
        for symbol in range(NUM_SYMBOLS):
            there = SYMBOL_TILES[state.sea, state.symbol_mix, symbol, k]
            state.tiles_left[symbol, k] = there - state.dropped[symbol, k]
            if state.covered:
                state.tiles_left[UNSEEN, k] += there
        if state.covered:
            state.tiles_left[UNSEEN, k] -= state.dropped[UNSEEN, k]
    for square in range(NUM_SQUARES):
        symbol = np.int64(state.squares[square, SYMBOL])
        if symbol != NO_SYMBOL:
            k = KIND_OF[state.squares[square, TILE]]
            if symbol != UNSEEN:
                state.tiles_left[symbol, k] -= 1
            if state.covered:
                state.tiles_left[UNSEEN, k] -= 1
    if state.phase == PLACE:
        state.tiles_left[state.hand_symbol, state.hand_class] -= 1


@kernel
def _count_deck(state):
    """Count the tiles in the stacks or being drawn: those not on the board, in hand or discarded."""
    filling = state.vacant > 0 and state.phase <= COMPLETE
    for kind in range(NUM_KINDS):
        state.deck[kind] = DRAW_TILES[state.sea, kind] - state.hand[kind] - state.discards[kind] if filling else 0
    if not filling:
        return
    for square in range(NUM_SQUARES):
        mask = state.squares[square, TILE]
        if mask != VACANT and state.squares[square, SYMBOL] == NO_SYMBOL and not SET_OUT[state.sea, square]:
            state.deck[SIXES if state.squares[square, SIX] else KIND_OF[mask]] -= 1
    if state.phase == COMPLETE:
        for kind in range(NUM_KINDS):
            state.deck[kind] = 0
