"""Values of laying tiles in `ghost_ship`: easy treasure and open sea near the player's own corner."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.map.geometry import NUM_COLUMNS, NUM_SPOTS, NUM_SQUARES
from edge_envs.games.ghost_ship.phases.laying import open_tiles, tiles_in_hand
from edge_envs.games.ghost_ship.pieces.tiles import (
    CHEST,
    FRIENDLY,
    HILL,
    HOSTILE,
    NUM_SYMBOLS,
    RUINS,
    SIX_TILE,
    SKULL,
    STORM,
    TILE_IDS,
    UNSEEN,
)
from edge_envs.games.ghost_ship.state import PLACE

# The extra turns that a chit takes compared with open sea, by its symbol.
EXTRA_TURNS = np.zeros(NUM_SYMBOLS + 1)
EXTRA_TURNS[[SKULL, STORM, HOSTILE, RUINS, FRIENDLY, CHEST, UNSEEN]] = 3.5, 1.5, 1.0, 0.4, 0.4, 0.5, 1.0
LAND_TURNS = np.array([0.0, 1.2, 1.2, 1.5, 2.0])  # by class


@kernel
def _nearness(state, player, square):
    """Return how much nearer a square is to the player's boat than to the nearest other boat, in squares."""
    row, column = square // NUM_COLUMNS, square % NUM_COLUMNS
    own, others = 0, 99
    for p in range(np.int64(state.num_players)):
        home = np.int64(state.boat[p]) // NUM_SPOTS
        steps = abs(row - home // NUM_COLUMNS) + abs(column - home % NUM_COLUMNS)
        if p == player:
            own = steps
        else:
            others = min(others, steps)
    return others - own


@kernel
def fill_tile_values(state, player, weights, values):
    """Fill `values` (A,) with the value of each way to lay a tile."""
    tiles = tiles_in_hand(state)
    placing = state.phase == PLACE
    for square in range(NUM_SQUARES):
        found = open_tiles(state, square, tiles)
        if not found:
            continue
        near = np.float64(_nearness(state, player, square))
        for tile in range(TILE_IDS):
            if not found >> tile & 1:
                continue
            value = _value_of_symbol(state, near, weights) if placing else _value_of_filling(tile, near, weights)
            values[square * TILE_IDS + tile] = value


@kernel
def _value_of_symbol(state, near, weights):
    extra = EXTRA_TURNS[state.hand_symbol] + LAND_TURNS[state.hand_class]
    return near * (weights.easy - extra)


@kernel
def _value_of_filling(tile, near, weights):
    """Return a value that prefers sea and gold near the player's own corner, and land near the others' corners."""
    land = 0
    for edge in range(4):
        land += (HILL if tile == SIX_TILE else tile) >> edge & 1
    value = -near * land * weights.sea
    return value + (near * weights.near_gold if tile == SIX_TILE else 0.0)
