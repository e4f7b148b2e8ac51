"""A sensible player of `tic_tac_toe`."""

from __future__ import annotations

from typing import Any

import numpy as np

from edge_envs.core.jit import kernel
from tests.toy.tic_tac_toe.state import LINES, NUM_SQUARES


@kernel
def heuristic(state: Any) -> Any:
    """Win, or else block, or else the centre, or else the first empty square."""
    own = state.turns % 2 + 1
    winning = _completing(state, own)
    if winning >= 0:
        return winning
    blocking = _completing(state, 3 - own)
    if blocking >= 0:
        return blocking
    if state.board[NUM_SQUARES // 2] == 0:
        return np.int64(NUM_SQUARES // 2)
    square = 0
    while state.board[square] != 0:
        square += 1
    return np.int64(square)


@kernel
def _completing(state: Any, stone: Any) -> Any:
    """An empty square that completes a line of `stone`, or -1."""
    for line in range(LINES.shape[0]):
        count, empty = 0, -1
        for i in range(LINES.shape[1]):
            square = LINES[line, i]
            if state.board[square] == stone:
                count += 1
            elif state.board[square] == 0:
                empty = square
        if count == LINES.shape[1] - 1 and empty >= 0:
            return np.int64(empty)
    return np.int64(-1)
