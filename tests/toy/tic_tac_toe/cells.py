"""Cells of `tic_tac_toe`: the board and the number of turns that are left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.cells import CellField, CellLayout
from edge_envs.core.compiler.jit import kernel
from tests.toy.tic_tac_toe.state import NUM_SQUARES, SIDE


def cell_layout(params: Mapping[str, Any]) -> CellLayout:
    """Return the fields of the cells."""
    return CellLayout(
        fields=(
            CellField("board", 3, "empty, own stone, other stone", grid=(SIDE, SIDE), ordered=False),
            CellField("turns_left", params["max_turns"] + 1, "turns until the limit"),
        ),
        square=True,
    )


@kernel
def cells(state: Any, viewer: Any, out: Any) -> None:
    """Write the board as `viewer` sees it."""
    for square in range(NUM_SQUARES):
        stone = state.board[square]
        out[square] = 0 if stone == 0 else 1 if stone == viewer + 1 else 2
    out[NUM_SQUARES] = state.max_turns - state.turns
