"""Phase 1 of `ghost_ship`: which tiles fit where, and laying them."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.kernels.bits import count_bits, select_bit
from edge_envs.core.kernels.rng import below
from edge_envs.games.ghost_ship.map.geometry import AROUND, INSIDE, NEXT, NUM_SQUARES, NUM_WAYS, is_land
from edge_envs.games.ghost_ship.phases.symbol_squares import SIDE
from edge_envs.games.ghost_ship.pieces.tiles import (
    HILL,
    KIND_OF,
    NUM_CLASSES,
    NUM_KINDS,
    NUM_SYMBOL_TILES,
    SIX_TILE,
    SIXES,
    TILE_IDS,
    TILES_OF,
)
from edge_envs.games.ghost_ship.state import (
    BESIDE,
    CELL,
    DIAGONAL,
    LAND_PLANES,
    NEAR,
    OPEN,
    PLACE,
    PLANE,
    SIX,
    SIX_PLANE,
    SYMBOL,
    SYMBOL_PLANES,
    TILE,
    TILE_PLANE,
)

# MATCHING[edge, land]: the masks whose edge is water, or land, as bits.
MATCHING = np.array(
    [
        [sum(1 << mask for mask in range(16) if is_land(mask, edge) == land) for land in (False, True)]
        for edge in range(4)
    ],
    np.uint16,
)
# RIM_FITS[sea, square]: the masks with water along the rim, as bits; none outside the sea.
RIM_FITS = np.where(INSIDE, 0xFFFF, 0).astype(np.uint16)
for _sea, _square, _edge in np.argwhere(NEXT < 0):
    RIM_FITS[_sea, _square] &= MATCHING[_edge, 0]


@kernel
def lay(state, square, mask, six):
    """Lay a tile on a vacant square. The caller updates the counts of the heap that it comes from."""
    state.squares[square, TILE] = mask
    state.squares[square, SIX] = six
    state.fits[square] = 0
    state.vacant -= 1
    cell = np.int64(CELL[square])
    state.board[TILE_PLANE * PLANE + cell] = INSIDE[state.sea, square]
    state.board[SIX_PLANE * PLANE + cell] = six
    for edge in range(4):
        land = np.int64(mask) >> edge & 1
        state.board[(LAND_PLANES + edge) * PLANE + cell] = land
        beyond = np.int64(NEXT[state.sea, square, edge])
        if beyond >= 0:
            state.fits[beyond] &= MATCHING[(edge + 2) & 3, land]


@kernel
def mark(state, square, symbol):
    """Put a symbol, which may be hidden, on a tile."""
    state.squares[square, SYMBOL] = symbol
    state.board[(SYMBOL_PLANES + np.int64(symbol)) * PLANE + CELL[square]] = 1
    state.halves[SIDE[square]] += 1
    for way in range(NUM_WAYS):
        other = np.int64(AROUND[state.sea, square, way])
        if other >= 0:
            state.squares[other, NEAR] |= DIAGONAL if way & 1 else BESIDE


@kernel
def tiles_in_hand(state):
    """Return the ways to lay the tiles in hand, as bits."""
    if state.phase == PLACE:
        return TILES_OF[state.hand_class]
    tiles = np.int64(0)
    for kind in range(NUM_KINDS):
        if state.hand[kind]:
            tiles |= TILES_OF[kind]
    return tiles


@kernel
def fitting(state, square, tiles):
    """Return which of some ways to lay tiles fit a square, as bits."""
    fits = np.int64(state.fits[square])
    return (fits | (fits >> HILL & 1) << SIX_TILE) & tiles


@kernel
def can_fill(state):
    """Return whether any tile in hand fits anywhere."""
    tiles, found = tiles_in_hand(state), np.int64(0)
    for square in range(NUM_SQUARES):
        found |= fitting(state, square, tiles)
    return found != 0


@kernel
def open_tiles(state, square, tiles):
    """Return the legal ways to lay `tiles` on a square, as bits."""
    if state.phase == PLACE and not state.squares[square, OPEN]:
        return np.int64(0)
    return fitting(state, square, tiles)


@kernel
def set_tiles(state, out, value):
    """Set the legal entries of `out`, whose ids are square x 17 + tile, in the phases `place` and `fill`."""
    tiles = tiles_in_hand(state)
    for square in range(NUM_SQUARES):
        found = open_tiles(state, square, tiles)
        for tile in range(TILE_IDS):
            if found >> tile & 1:
                out[square * TILE_IDS + tile] = value


@kernel
def count_tiles(state):
    """Return the number of legal actions in the phases `place` and `fill`."""
    tiles = tiles_in_hand(state)
    count = 0
    for square in range(NUM_SQUARES):
        count += count_bits(np.uint64(open_tiles(state, square, tiles)))
    return count


@kernel
def random_tile(state, bits):
    """Return a uniformly random legal way to lay a tile in the phases `place` and `fill`, from 64 random bits."""
    n = below(bits, count_tiles(state))
    tiles = tiles_in_hand(state)
    for square in range(NUM_SQUARES):
        found = np.uint64(open_tiles(state, square, tiles))
        count = count_bits(found)
        if n < count:
            return square * TILE_IDS + select_bit(found, n)
        n -= count
    return 0


@kernel
def first_vacant(state):
    """Return the first vacant square in reading order."""
    for square in range(NUM_SQUARES):
        if state.fits[square]:
            return square
    return NUM_SQUARES


@kernel
def completion_weight(state, square, tile):
    """Return the number of remaining tiles of the kind of `tile` if it fits the first vacant square, else 0."""
    if not fitting(state, square, np.int64(1) << tile):
        return np.int64(0)
    return np.int64(state.discards[SIXES if tile == SIX_TILE else KIND_OF[tile]])


@kernel
def completion_total(state, square):
    """Return the sum of the weights; 0 if all masks that fit are equally likely."""
    total = np.int64(0)
    for tile in range(TILE_IDS):
        total += completion_weight(state, square, tile)
    return total


@kernel
def completion_chances(state, out):
    """Fill `out` with the probabilities of the tiles on the first vacant square."""
    square = first_vacant(state)
    total = completion_total(state, square)
    for tile in range(TILE_IDS):
        if total:
            out[tile] = completion_weight(state, square, tile) / total
        elif tile < SIX_TILE and np.int64(state.fits[square]) >> tile & 1:
            out[tile] = 1.0 / count_bits(np.uint64(state.fits[square]))


@kernel
def random_completion(state, bits):
    """Return a random tile for the first vacant square, from 64 random bits."""
    square = first_vacant(state)
    total = completion_total(state, square)
    if total == 0:
        fits = np.uint64(state.fits[square])
        return select_bit(fits, below(bits, count_bits(fits)))
    n = below(bits, total)
    for tile in range(TILE_IDS):
        weight = completion_weight(state, square, tile)
        if n < weight:
            return tile
        n -= weight
    return 0


@kernel
def next_to_turn_up(number, players, sea):
    """Return the player who turns up the next symbol tile after this many; of three players the first has one less."""
    tiles = np.int64(NUM_SYMBOL_TILES[sea])
    return number - tiles + 3 if players == 3 and number >= tiles - 2 else number % players


@kernel
def turned_up(state):
    """Return the number of symbol tiles that have been placed or have left the game."""
    count = np.int64(state.halves[0]) + np.int64(state.halves[1])
    for row in range(state.dropped.shape[0]):
        for column in range(NUM_CLASSES):
            count += np.int64(state.dropped[row, column])
    return count
