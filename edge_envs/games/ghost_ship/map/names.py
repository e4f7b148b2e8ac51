"""What squares, places, tiles and symbols of `ghost_ship` are called."""

from __future__ import annotations

from edge_envs.games.ghost_ship.map.geometry import NUM_COLUMNS, NUM_RIM, NUM_SPOTS, NUM_SQUARES, RIM
from edge_envs.games.ghost_ship.pieces.tiles import CLASSES, SYMBOLS, UNSEEN

SPOT_NAMES = ("S", "C0", "C1", "K0", "K1", "K2", "K3", "H")
EDGE_NAMES = ("N", "E", "S", "W")

SQUARE_NAMES = tuple(f"{'ABCDEFG'[square // NUM_COLUMNS]}{square % NUM_COLUMNS + 1}" for square in range(NUM_SQUARES))
PLACE_NAMES = (
    *(f"{square}.{spot}" for square in SQUARE_NAMES for spot in SPOT_NAMES),
    *(f"B{circle}" for circle in range(NUM_RIM)),
)
MASK_NAMES = tuple("".join("L" if mask >> edge & 1 else "W" for edge in range(4)) for mask in range(16))
SYMBOL_NAMES = (*SYMBOLS, "?")
"""With what an unseen symbol is called."""
TILE_NAMES = (*MASK_NAMES, "LLLL6")
"""What a tile is called when it is laid: the masks, then `SIX_TILE`."""


def square_name(square: int) -> str:
    """A square's row and column: A1 is 0."""
    return SQUARE_NAMES[square]


def place_name(place: int) -> str:
    """A place by its square and spot, such as D5.C0, or a board-edge circle, such as B7."""
    return PLACE_NAMES[place]


def square_of(place: int) -> int:
    """The square that a place is on, -1 for a board-edge circle."""
    return place // NUM_SPOTS if place < RIM else -1


def symbol_tile_name(symbol: int, tile_class: int) -> str:
    """A symbol tile by its symbol and class, or by its class alone where the symbol is unseen."""
    return CLASSES[tile_class] if symbol == UNSEEN else f"{SYMBOLS[symbol]} {CLASSES[tile_class]}"
