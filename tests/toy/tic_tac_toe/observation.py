"""The observation of `tic_tac_toe`: planes over the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.spec import Layout, ObservationField
from tests.toy.tic_tac_toe.state import LINES, NUM_SQUARES, SIDE


def layout(params: Mapping[str, Any]) -> Layout:
    """Return the planes of the observation, in order."""
    return Layout(
        (
            ObservationField("own", 1, 0, 1, "the viewer's stones"),
            ObservationField("other", 1, 0, 1, "the opponent's stones"),
            ObservationField("empty", 1, 0, 1, "empty squares"),
            ObservationField("turns", 1, 0, 1, "turns played, as a fraction of max_turns"),
        ),
        board_shape=(SIDE, SIDE),
        dtype=np.float32,
    )


@kernel
def observe(state: Any, player: Any, out: Any) -> None:
    """Write the board as `player` sees it."""
    for square in range(NUM_SQUARES):
        row, column = square // SIDE, square % SIDE
        out[0, row, column] = state.board[square] == player + 1
        out[1, row, column] = state.board[square] == 2 - player
        out[2, row, column] = state.board[square] == 0
        out[3, row, column] = state.turns / state.max_turns


@kernel
def read_observation(observation: Any, state: Any) -> Any:
    """Write a position that agrees with an observation, and return the viewer's seat.

    If both players have the same number of stones, the viewer is assumed to be player 0.
    """
    own, other = 0, 0
    for square in range(NUM_SQUARES):
        own += observation[0, square // SIDE, square % SIDE] > 0.0
        other += observation[1, square // SIDE, square % SIDE] > 0.0
    viewer = 1 if other > own else 0
    for square in range(NUM_SQUARES):
        row, column = square // SIDE, square % SIDE
        mine, theirs = observation[0, row, column] > 0.0, observation[1, row, column] > 0.0
        state.board[square] = viewer + 1 if mine else 2 - viewer if theirs else 0
    state.turns = own + other
    state.winner = -1
    for line in range(LINES.shape[0]):
        stone = state.board[LINES[line, 0]]
        if stone and stone == state.board[LINES[line, 1]] and stone == state.board[LINES[line, 2]]:
            state.winner = stone - 1
    return viewer
