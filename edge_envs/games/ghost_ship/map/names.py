"""The names of squares, places, tiles and symbols of `ghost_ship`."""

from __future__ import annotations

from edge_envs.games.ghost_ship.map.geometry import NUM_COLUMNS, NUM_RIM, NUM_SPOTS, NUM_SQUARES, RIM
from edge_envs.games.ghost_ship.pieces.tiles import CLASSES, SYMBOLS, UNSEEN

SPOT_NAMES = ("S", "C0", "C1", "K0", "K1", "K2", "K3", "H")
EDGE_NAMES = ("N", "E", "S", "W")

OUTSIDE_MARK = "-"
"""The mark of a square outside the sea in the rows of tiles of a position."""
SQUARE_NAMES = tuple(f"{'ABCDEFG'[square // NUM_COLUMNS]}{square % NUM_COLUMNS + 1}" for square in range(NUM_SQUARES))
PLACE_NAMES = (
    *(f"{square}.{spot}" for square in SQUARE_NAMES for spot in SPOT_NAMES),
    *(f"B{circle}" for circle in range(NUM_RIM)),
)
MASK_NAMES = tuple("".join("L" if mask >> edge & 1 else "W" for edge in range(4)) for mask in range(16))
SYMBOL_NAMES = (*SYMBOLS, "?")
"""The symbols and the name of a hidden symbol."""
TILE_NAMES = (*MASK_NAMES, "LLLL6")
"""The names of the ways to lay a tile: the masks, then `SIX_TILE`."""


def square_name(square: int) -> str:
    """Return a square's row and column, such as A1 for 0."""
    return SQUARE_NAMES[square]


def place_name(place: int) -> str:
    """Return a place by its square and spot, such as D5.C0, or a board-edge circle, such as B7."""
    return PLACE_NAMES[place]


def square_of(place: int) -> int:
    """Return the square of a place, -1 for a board-edge circle."""
    return place // NUM_SPOTS if place < RIM else -1


def symbol_tile_name(symbol: int, tile_class: int) -> str:
    """Return a symbol tile by its symbol and class, or by its class alone if the symbol is hidden."""
    return CLASSES[tile_class] if symbol == UNSEEN else f"{SYMBOLS[symbol]} {CLASSES[tile_class]}"
