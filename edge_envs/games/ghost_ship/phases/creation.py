"""Phase 1 of `ghost_ship`: symbol tiles, stacks, filling and completion."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.map.geometry import NUM_SPOTS, NUM_SQUARES, S
from edge_envs.games.ghost_ship.map.start import FIRST_TILE, SET_OUT, STARTS
from edge_envs.games.ghost_ship.phases.board import put_chits, put_gold, wet_corners
from edge_envs.games.ghost_ship.phases.derived import derive
from edge_envs.games.ghost_ship.phases.laying import (
    can_fill,
    first_vacant,
    lay,
    mark,
    next_to_turn_up,
    turned_up,
)
from edge_envs.games.ghost_ship.phases.symbol_squares import find_squares
from edge_envs.games.ghost_ship.phases.turns import clear_turn
from edge_envs.games.ghost_ship.pieces.tiles import (
    HILL,
    KIND_OF,
    NO_SYMBOL,
    NUM_CLASSES,
    NUM_KINDS,
    NUM_STACKS,
    NUM_SYMBOL_TILES,
    SIX_TILE,
    SIXES,
    STACKS,
    TILES_OF,
    UNSEEN,
)
from edge_envs.games.ghost_ship.state import (
    COMPLETE,
    DRAW,
    DRAWN,
    FILL,
    GHOST,
    MAX_PLAYERS,
    NUM_VALUES,
    OPEN,
    PLACE,
    SIX,
    STACK,
    SYMBOL,
    SYMBOL_PHASE,
    TILE,
    VACANT,
)


@kernel
def begin_creation(state):
    """Set out the first tiles, and the boats in the corners. The first symbol tile is to be turned up."""
    for square in range(NUM_SQUARES):
        for column in range(state.squares.shape[1]):
            state.squares[square, column] = 0
        state.squares[square, TILE] = VACANT
        state.squares[square, SYMBOL] = NO_SYMBOL
        if SET_OUT[state.sea, square]:
            state.squares[square, TILE] = FIRST_TILE[state.sea, square]
            state.squares[square, SIX] = FIRST_TILE[state.sea, square] == HILL
    for player in range(MAX_PLAYERS):
        _clear_player(state, player)
        start = np.int64(STARTS[state.sea, np.int64(state.num_players), player]) * NUM_SPOTS + S
        state.pawn[player] = start
        state.boat[player] = start
    for k in range(NUM_VALUES):
        state.pool[k] = state.full[k]
    for stack in range(NUM_STACKS):
        state.stacks[stack] = STACKS[state.sea, stack]
    for kind in range(NUM_KINDS):
        state.hand[kind] = 0
        state.discards[kind] = 0
    for row in range(state.dropped.shape[0]):
        for column in range(NUM_CLASSES):
            state.dropped[row, column] = 0
    state.hand_symbol = -1
    state.hand_class = -1
    state.to_draw = 0
    state.ghost = -1
    state.turn = 0
    state.turn_player = 0
    state.decider = 0
    state.phase = SYMBOL_PHASE
    clear_turn(state)
    derive(state)


@kernel
def _clear_player(state, player):
    state.ashore[player] = 0
    state.num_gold[player] = 0
    state.saved[player] = 0
    state.triple_number[player] = 0
    state.triple_count[player] = 0
    state.skip[player] = 0
    state.claim[player] = -1
    for k in range(NUM_VALUES):
        state.own[player, k] = 0
        state.lost[player, k] = 0
    for other in range(MAX_PLAYERS):
        for k in range(state.shown.shape[2]):
            state.shown[player, other, k] = 0


@kernel
def turn_up(state, outcome):
    """Take a symbol tile in hand. If it can be placed nowhere, it leaves the game.

    With random creation all symbol tiles are then taken back and turned up again.
    """
    if state.covered:
        symbol, tile_class = UNSEEN, outcome
    else:
        symbol, tile_class = outcome // NUM_CLASSES, outcome % NUM_CLASSES
    state.tiles_left[symbol, tile_class] -= 1
    if find_squares(state, TILES_OF[tile_class]):
        state.hand_symbol = symbol
        state.hand_class = tile_class
        state.phase = PLACE
    elif state.random:
        begin_creation(state)
    else:
        state.dropped[symbol, tile_class] += 1
        _turn_up_next(state)


@kernel
def _turn_up_next(state):
    """Continue with the symbol tile of the next player, or after the last one with the filling."""
    number = turned_up(state)
    player = 0
    if number == NUM_SYMBOL_TILES[state.sea]:
        state.phase = STACK
    else:
        player = next_to_turn_up(number, np.int64(state.num_players), state.sea)
        state.phase = SYMBOL_PHASE
    state.turn_player = player
    state.decider = player


@kernel
def lay_symbol_tile(state, square, mask):
    """Lay the symbol tile in hand on the board."""
    lay(state, square, mask, 0)
    mark(state, square, state.hand_symbol)
    for other in range(NUM_SQUARES):
        state.squares[other, OPEN] = 0
    state.hand_symbol = -1
    state.hand_class = -1
    _turn_up_next(state)


@kernel
def choose_stack(state, stack):
    """Take the top ten tiles of a stack, which are then drawn."""
    drawn = min(np.int64(state.stacks[stack]), DRAWN)
    state.to_draw = drawn
    state.stacks[stack] -= drawn
    state.phase = DRAW


@kernel
def draw_tile(state, kind):
    """Draw a tile into the hand. After the last one, continue with the laying, or with the completion if none fits."""
    state.deck[kind] -= 1
    state.hand[kind] += 1
    state.to_draw -= 1
    if state.to_draw == 0:
        if can_fill(state):
            state.phase = FILL
        else:
            _begin_completing(state)


@kernel
def lay_filling(state, square, tile):
    """Lay a tile of the hand. Then continue with the next tile, the next player, or the end of the filling."""
    if tile == SIX_TILE:
        lay(state, square, HILL, 1)
        state.hand[SIXES] -= 1
    else:
        lay(state, square, tile, 0)
        state.hand[KIND_OF[tile]] -= 1
    if state.vacant == 0:
        _finish_map(state)
        return
    if can_fill(state):
        return
    left = 0
    for stack in range(NUM_STACKS):
        left += np.int64(state.stacks[stack])
    if left == 0:
        _begin_completing(state)
        return
    _discard(state, state.hand)
    player = (np.int64(state.turn_player) + 1) % np.int64(state.num_players)
    state.turn_player = player
    state.decider = player
    state.phase = STACK


@kernel
def _discard(state, heap):
    for kind in range(NUM_KINDS):
        state.discards[kind] += heap[kind]
        heap[kind] = 0


@kernel
def _begin_completing(state):
    """Put stacks, hand and discards into one heap."""
    _discard(state, state.hand)
    _discard(state, state.deck)
    for stack in range(NUM_STACKS):
        state.stacks[stack] = 0
    state.phase = COMPLETE


@kernel
def complete(state, tile):
    """Lay a tile chosen by chance on the first vacant square."""
    six = tile == SIX_TILE
    kind = SIXES if six else np.int64(KIND_OF[tile])
    if state.discards[kind]:
        state.discards[kind] -= 1
    lay(state, first_vacant(state), HILL if six else tile, six)
    if state.vacant == 0:
        _finish_map(state)


@kernel
def _finish_map(state):
    """Put a chit on every symbol tile and gold on every 6. The last player is to place the ghost."""
    for square in range(NUM_SQUARES):
        if state.squares[square, SYMBOL] != NO_SYMBOL:
            put_chits(state, square, 1)
        put_gold(state, square, state.squares[square, SIX])
    wet_corners(state)
    for kind in range(NUM_KINDS):
        state.hand[kind] = 0
        state.deck[kind] = 0
        state.discards[kind] = 0
    for stack in range(NUM_STACKS):
        state.stacks[stack] = 0
    player = np.int64(state.num_players) - 1
    state.turn_player = player
    state.decider = player
    state.phase = GHOST
