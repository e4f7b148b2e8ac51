"""The board of `ghost_ship` before the first tile is laid, for each sea."""

from __future__ import annotations

import numpy as np

from edge_envs.games.ghost_ship.map.geometry import INSIDE, NUM_SQUARES
from edge_envs.games.ghost_ship.map.seas import FULL_SEA, NUM_SEAS, SMALL_SEA
from edge_envs.games.ghost_ship.pieces.tiles import HILL

# The corners, which are sea: north-west, north-east, south-west, south-east. The squares of hills that receive gold:
# B3, B8, D5, D6, F3, F8; in the small sea D5, D6.
SEA_AT_FIRST = ((0, 9, 60, 69), (12, 17, 52, 57))
GOLD_AT_FIRST = ((12, 17, 34, 35, 52, 57), (34, 35))

# SET_OUT[sea, square]: whether there is no tile to be laid. FIRST_TILE: the mask there; outside a sea, open water.
SET_OUT = ~INSIDE
FIRST_TILE = np.zeros((NUM_SEAS, NUM_SQUARES), np.uint8)
# STARTS[sea, players, player]: the square of the boat.
STARTS = np.zeros((NUM_SEAS, 5, 4), np.int64)
for _sea in (FULL_SEA, SMALL_SEA):
    _nw, _ne, _sw, _se = SEA_AT_FIRST[_sea]
    SET_OUT[_sea, [*SEA_AT_FIRST[_sea], *GOLD_AT_FIRST[_sea]]] = True
    FIRST_TILE[_sea, list(GOLD_AT_FIRST[_sea])] = HILL
    STARTS[_sea, 2, :2] = _nw, _se
    STARTS[_sea, 3, :3] = _nw, _ne, _sw
    STARTS[_sea, 4, :4] = _nw, _ne, _se, _sw
