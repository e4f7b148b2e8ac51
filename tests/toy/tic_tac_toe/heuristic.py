"""The heuristic of `tic_tac_toe`."""

from __future__ import annotations

from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.values import Feature, Values, Weight
from tests.toy.tic_tac_toe.state import LINES, NUM_SQUARES

VALUES = Values(
    unit="points",
    span=10.0,
    weights=(
        Weight("win", 30.0, 0.0, 50.0, "completing a line"),
        Weight("block", 20.0, 0.0, 50.0, "keeping the opponent from completing one"),
        Weight("centre", 10.0, 0.0, 50.0, "the centre"),
    ),
    features=(Feature("stones", "on the board"), Feature("can_complete", "1 if a line could be completed")),
)
WEIGHTS = VALUES.weights_with()


@kernel
def heuristic(state: Any) -> Any:
    """Win, else block, else take the centre, else the first empty square."""
    values = np.empty(NUM_SQUARES)
    action_values(state, WEIGHTS[0], values)
    return np.argmax(values)


@kernel
def action_values(state: Any, weights: Any, values: Any) -> None:
    """Write the value of each square for the player to act into values (9,), in points; -inf if it is taken."""
    for square in range(NUM_SQUARES):
        values[square] = -square if state.board[square] == 0 else -np.inf
    if state.board[NUM_SQUARES // 2] == 0:
        values[NUM_SQUARES // 2] = weights.centre
    own = state.turns % 2 + 1
    blocking, winning = _completing(state, 3 - own), _completing(state, own)
    if blocking >= 0:
        values[blocking] = weights.block
    if winning >= 0:
        values[winning] = weights.win


@kernel
def position_features(state: Any, player: Any, viewer: Any, weights: Any, out: Any) -> None:
    """Write the number of a player's stones, and whether it could complete a line, into out (2,)."""
    out[0] = 0
    for square in range(NUM_SQUARES):
        out[0] += state.board[square] == player + 1
    out[1] = _completing(state, player + 1) >= 0


@kernel
def _completing(state: Any, stone: Any) -> Any:
    """Return an empty square that completes a line of `stone`, or -1."""
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
