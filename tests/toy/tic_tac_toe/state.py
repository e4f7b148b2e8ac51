"""The state record of `tic_tac_toe`.

Index legend:

    square      a1 b1 c1 a2 b2 c2 a3 b3 c3        board[square]   0 empty, 1 player 0 (x), 2 player 1 (o)
    index        0  1  2  3  4  5  6  7  8        turns           stones on the board
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.spec import Record

SIDE = 3
NUM_SQUARES = SIDE * SIDE
STONES = ".xo"
LINES = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]], np.int64)

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rng", np.uint64),
                ("max_turns", np.int8),
                ("turns", np.int8),
                ("winner", np.int8),  # or -1
                ("board", np.int8, (NUM_SQUARES,)),
            ],
            align=True,
        ),
    )
)


def set_params(record: Record, params: Mapping[str, Any]) -> None:
    """Write the parameters into a blank record."""
    record.max_turns = params["max_turns"]


def board_rows(record: Record) -> list[str]:
    """Return the board as in JSON positions."""
    text = "".join(STONES[stone] for stone in record.board)
    return [text[start : start + SIDE] for start in range(0, NUM_SQUARES, SIDE)]
