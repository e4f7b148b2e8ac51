"""The board of `ghost_ship` before the first tile is laid."""

from __future__ import annotations

import numpy as np

from edge_envs.games.ghost_ship.map.geometry import NUM_SQUARES

# A1, A10, G1, G10, which are sea, and B3, B8, D5, D6, F3, F8, which receive gold.
SEA_AT_FIRST = np.array([0, 9, 60, 69], np.int64)
GOLD_AT_FIRST = np.array([12, 17, 34, 35, 52, 57], np.int64)
SET_OUT = np.zeros(NUM_SQUARES, np.bool_)
SET_OUT[[*SEA_AT_FIRST, *GOLD_AT_FIRST]] = True

# STARTS[players, player]: the square of the boat.
STARTS = np.zeros((5, 4), np.int64)
STARTS[2, :2] = 0, 69
STARTS[3, :3] = 0, 9, 60
STARTS[4, :4] = 0, 9, 69, 60
