"""The state record of `tic_tac_toe` and its JSON form.

Index legend:

    square      a1 b1 c1 a2 b2 c2 a3 b3 c3        board[square]   0 empty, 1 player 0 (x), 2 player 1 (o)
    index        0  1  2  3  4  5  6  7  8        turns           stones on the board
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.game import Record
from edge_envs.core.position import check, check_keys

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


def to_dict(record: Record) -> dict[str, Any]:
    """The position, without `game` and `params`."""
    return {"board": board_rows(record), "by_limit": _by_limit(record)}


def board_rows(record: Record) -> list[str]:
    """The board as JSON has it."""
    text = "".join(STONES[stone] for stone in record.board)
    return [text[start : start + SIDE] for start in range(0, NUM_SQUARES, SIDE)]


def _by_limit(record: Record) -> bool:
    return bool(record.winner < 0 and record.turns == record.max_turns < NUM_SQUARES)


def from_dict(record: Record, d: Mapping[str, Any]) -> None:
    """Write a position; InvalidPositionError names the key at fault."""
    from tests.toy.tic_tac_toe import rules

    check_keys(d, ("board", "by_limit"))
    board = d["board"]
    check(isinstance(board, list), "board", "a list of rows is wanted")
    check([_width(row) for row in board] == [SIDE] * SIDE, "board", f"{SIDE} rows of {SIDE} squares are wanted")
    text = "".join(board)
    check(set(text) <= set(STONES), "board", f"squares are one of {STONES}")
    crosses, noughts = text.count("x"), text.count("o")
    check(0 <= crosses - noughts <= 1, "board", f"{crosses} crosses and {noughts} noughts")
    check(crosses + noughts <= record.max_turns, "board", "the game ended before that")
    record.board[:] = [STONES.index(stone) for stone in text]
    record.turns = crosses + noughts
    last = (record.turns + 1) % 2
    check(not rules.has_line(record, 1 - last), "board", "the game ended before that")
    record.winner = last if rules.has_line(record, last) else -1
    check(d["by_limit"] is _by_limit(record), "by_limit", f"{d['by_limit']!r} does not fit the board")


def _width(row: object) -> int:
    return len(row) if isinstance(row, str) else -1
