"""Cells of `beyond_maps`, from which n-tuple networks learn: land and ships on the board, and counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.cells import CellField, CellLayout
from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.beyond_maps.map.bitboard import both, count, frame_of, load, minus, neighbours, only, peninsulas
from edge_envs.games.beyond_maps.map.seas import open_sea

LEAD = 15
STAGES = 8
STARTS = 7

_1 = np.uint64(1)


def cell_layout(params: Mapping[str, Any]) -> CellLayout:
    """Return the fields of the cells."""
    side = params["size"]
    square = side * side + 1
    return CellLayout(
        fields=(
            CellField("board", 5, "sea, own land, other land, own ship, other ship", grid=(side, side)),
            CellField("own_ship", square, "square of the own ship, or none", place=True),
            CellField("other_ship", square, "square of the other ship, or none", place=True),
            CellField("lead", 2 * LEAD + 1, f"own land minus other land, clipped to ±{LEAD}"),
            CellField("stage", STAGES, "share of the board that is land, in eighths"),
            CellField(
                "phase", 6, "the other's turn; own turn: begun, sea done, land done, land begun, land begun and sea done"
            ),
            CellField("own_starts", STARTS + 1, f"sea squares beside own peninsulas, at most {STARTS}"),
            CellField("other_starts", STARTS + 1, f"sea squares beside the other's peninsulas, at most {STARTS}"),
        ),
        square=True,
    )


@kernel
def cells(state, viewer, out):
    """Fill `out` with the board as `viewer` sees it; see `cell_layout`."""
    squares = np.int64(state.side) * np.int64(state.side)
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
        out[own_ship] = 3
    if other_ship >= 0:
        out[other_ship] = 4
    out[squares] = own_ship if own_ship >= 0 else squares
    out[squares + 1] = other_ship if other_ship >= 0 else squares
    own, others = count(load(state.land[viewer])), count(load(state.land[other]))
    out[squares + 2] = min(max(own - others, -LEAD), LEAD) + LEAD
    out[squares + 3] = min((own + others) * STAGES // squares, STAGES - 1)
    out[squares + 4] = _phase(state) if state.turn_player == viewer else 0
    out[squares + 5] = min(_starts(state, viewer), STARTS)
    out[squares + 6] = min(_starts(state, other), STARTS)


@inlined_kernel
def _phase(state):
    """Return how far the turn is."""
    if state.markers_placed > 0:
        return 5 if state.sea_done else 4
    if state.land_done:
        return 3
    return 2 if state.sea_done else 1


@kernel
def _starts(state, player):
    """Return the number of empty squares beside peninsulas of a player, where a land action may begin."""
    frame = frame_of(state.side)
    sea = minus(minus(open_sea(state), only(state.ships[0])), only(state.ships[1]))
    return count(both(neighbours(peninsulas(load(state.land[player]), frame), frame), sea))
