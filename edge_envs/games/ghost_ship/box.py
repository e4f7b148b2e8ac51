"""What is in the box of `ghost_ship`, and how it is set out."""

from __future__ import annotations

import numpy as np

from edge_envs.games.ghost_ship.geometry import NUM_SQUARES
from edge_envs.games.ghost_ship.record import CLASSES, MAX_PLAYERS, SYMBOLS

# Drawn tiles by kind, and the sizes of their stacks.
DRAW_TILES = np.array([14, 23, 12, 21, 14, 2, 4], np.uint8)
STACKS = np.array([23, 23, 22, 22], np.uint8)

_SYMBOL_TILES = {
    "skull": "WWWW LWWW LLWW",
    "storm": "WWWW WWWW LWWW LWLW",
    "hostile": "LWWW LLWW LLLW",
    "ruins": "LWLW LLWW LLLW",
    "friendly": "LWWW LWLW LLWW LLLW",
    "chest": "WWWW LWWW LLLW",
}
# SYMBOL_TILES[symbol, class]: how many there are.
SYMBOL_TILES = np.array(
    [[_SYMBOL_TILES[symbol].split().count(name) for name in CLASSES] for symbol in SYMBOLS], np.uint8
)

# A1, A10, G1, G10, which are sea, and B3, B8, D5, D6, F3, F8, which take gold.
SEA_AT_FIRST = np.array([0, 9, 60, 69], np.int64)
GOLD_AT_FIRST = np.array([12, 17, 34, 35, 52, 57], np.int64)
SET_OUT = np.zeros(NUM_SQUARES, np.bool_)
SET_OUT[[*SEA_AT_FIRST, *GOLD_AT_FIRST]] = True

# STARTS[players, player]: the square of the boat.
STARTS = np.zeros((MAX_PLAYERS + 1, MAX_PLAYERS), np.int64)
STARTS[2, :2] = 0, 69
STARTS[3, :3] = 0, 9, 60
STARTS[4, :4] = 0, 9, 69, 60
