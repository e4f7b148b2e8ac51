"""The tiles of `ghost_ship`, their symbols, and the number of each."""

from __future__ import annotations

from typing import Final

import numpy as np

from edge_envs.games.ghost_ship.pieces.mixes import MIXED_TILES, MIXES

SYMBOLS = ("skull", "storm", "hostile", "ruins", "friendly", "chest")
NUM_SYMBOLS: Final = len(SYMBOLS)
SKULL, STORM, HOSTILE, RUINS, FRIENDLY, CHEST = range(NUM_SYMBOLS)
UNSEEN: Final = NUM_SYMBOLS
NO_SYMBOL: Final = UNSEEN + 1
CLASSES = ("WWWW", "LWWW", "LWLW", "LLWW", "LLLW")
"""The classes of symbol tiles. The kinds of drawn tiles begin with these."""
NUM_CLASSES: Final = len(CLASSES)
KINDS = (*CLASSES, "LLLL6", "LLLL")
NUM_KINDS: Final = len(KINDS)
SIXES, HILLS = 5, 6
SIX_TILE: Final = 16
"""The number of `LLLL6` among the masks."""
TILE_IDS: Final = SIX_TILE + 1
"""The number of ways to lay a tile on a square: the masks, and `LLLL6`."""

HILL = 15
"""The mask of a tile without water."""
STRAITS = (5, 10)
"""The masks of tiles with two regions."""

_CLASS_MASKS = ((0,), (1, 2, 4, 8), (5, 10), (3, 6, 12, 9), (7, 14, 13, 11))
# KIND_OF[mask]: the kind of a drawn tile with that mask; the class of a symbol tile.
KIND_OF = np.full(16, HILLS, np.int8)
for _class, _masks in enumerate(_CLASS_MASKS):
    KIND_OF[list(_masks)] = _class
# TILES_OF[kind]: the ways to lay a tile of a kind, as bits.
TILES_OF = np.array([*(sum(1 << mask for mask in masks) for masks in _CLASS_MASKS), 1 << SIX_TILE, 1 << HILL], np.int64)

# DRAW_TILES[sea, kind]: drawn tiles. STACKS[sea]: the sizes of their stacks.
DRAW_TILES = np.array([[14, 23, 12, 21, 14, 2, 4], [6, 9, 5, 8, 5, 1, 2]], np.uint8)
STACKS = np.array([[23, 23, 22, 22], [9, 9, 9, 9]], np.uint8)
NUM_STACKS: Final = STACKS.shape[1]

# SYMBOL_TILES[sea, mix, symbol, class]: the number of symbol tiles. The mixes have equal numbers of each class.
SYMBOL_TILES = np.array(
    [
        [[[mixes[mix][symbol].split().count(name) for name in CLASSES] for symbol in SYMBOLS] for mix in MIXES]
        for mixes in MIXED_TILES
    ],
    np.uint8,
)
# NUM_SYMBOL_TILES[sea]: their number, half of which belongs on each half of the board.
NUM_SYMBOL_TILES = SYMBOL_TILES[:, 0].sum(axis=(1, 2)).astype(np.int64)
