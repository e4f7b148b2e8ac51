"""Cells of `beyond_maps`, from which n-tuple networks learn: land and ships on the board, and counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.cells import CellField, CellLayout
from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.beyond_maps.map.bitboard import area_of, count, frame_of, load, peninsulas
from edge_envs.games.beyond_maps.state import dimensions

LEAD = 40
STAGES = 8
TIPS = 9

OWN_SHIP_CELL, OTHER_SHIP_CELL, LEAD_CELL, STAGE_CELL, PHASE_CELL, OWN_TIPS_CELL, OTHER_TIPS_CELL = range(7)
"""The cells after those of the board."""

SEA, OWN_LAND, OTHER_LAND, OWN_SHIP, OTHER_SHIP = range(5)
"""Values of a cell of the board."""

_1 = np.uint64(1)


def cell_layout(params: Mapping[str, Any]) -> CellLayout:
    """Return the fields of the cells."""
    width, height = dimensions(params)
    square = width * height + 1
    return CellLayout(
        fields=(
            CellField("board", 5, "sea, own land, other land, own ship, other ship", grid=(height, width)),
            CellField("own_ship", square, "square of the own ship, or none", place=True),
            CellField("other_ship", square, "square of the other ship, or none", place=True),
            CellField("lead", 2 * LEAD + 1, f"own land minus other land, clipped to ±{LEAD}"),
            CellField("stage", STAGES, "share of the board that is land, in eighths"),
            CellField(
                "phase",
                6,
                "the other's turn; own turn: begun, sea done, land done, land begun, land begun and sea done",
            ),
            CellField("own_tips", TIPS + 1, f"own peninsulas, at most {TIPS}"),
            CellField("other_tips", TIPS + 1, f"the other's peninsulas, at most {TIPS}"),
        ),
        square=True,
    )


@kernel
def cells(state, viewer, out):
    """Fill `out` with the board as `viewer` sees it; see `cell_layout`."""
    squares = area_of(state)
    other = 1 - viewer
    left = squares
    for k in range(state.land.shape[1]):
        if left <= 0:
            break
        mine, theirs = state.land[viewer, k], state.land[other, k]
        start = 64 * k
        for b in range(min(left, 64)):
            out[start + b] = np.int16((mine & _1) | ((theirs & _1) << _1))
            mine >>= _1
            theirs >>= _1
        left -= 64
    own_ship, other_ship = np.int64(state.ships[viewer]), np.int64(state.ships[other])
    if own_ship >= 0:
        out[own_ship] = OWN_SHIP
    if other_ship >= 0:
        out[other_ship] = OTHER_SHIP
    out[squares + OWN_SHIP_CELL] = own_ship if own_ship >= 0 else squares
    out[squares + OTHER_SHIP_CELL] = other_ship if other_ship >= 0 else squares
    own, others = count(load(state.land[viewer])), count(load(state.land[other]))
    out[squares + LEAD_CELL] = lead_value(own - others)
    out[squares + STAGE_CELL] = stage_value(own + others, squares)
    out[squares + PHASE_CELL] = _phase(state) if state.turn_player == viewer and not state.over else 0
    out[squares + OWN_TIPS_CELL] = min(tips(state, viewer), TIPS)
    out[squares + OTHER_TIPS_CELL] = min(tips(state, other), TIPS)


@inlined_kernel
def lead_value(lead):
    """Return the value of the cell `lead`."""
    return min(max(lead, -LEAD), LEAD) + LEAD


@inlined_kernel
def stage_value(land, squares):
    """Return the value of the cell `stage`."""
    return min(land * STAGES // squares, STAGES - 1)


@inlined_kernel
def _phase(state):
    """Return how far the turn is."""
    if state.markers_placed > 0:
        return 5 if state.sea_done else 4
    if state.land_done:
        return 3
    return 2 if state.sea_done else 1


@kernel
def tips(state, player):
    """Return the number of peninsulas of a player."""
    return count(peninsulas(load(state.land[player]), frame_of(state.format)))
