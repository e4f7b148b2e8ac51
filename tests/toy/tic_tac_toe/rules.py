"""The rules of `tic_tac_toe` as kernels over its state record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.nodes import TERMINAL
from edge_envs.core.spec import Spec
from tests.toy.tic_tac_toe.state import LINES, NUM_SQUARES

MAX_CHANCE_OUTCOMES = 0


def spec(params: Mapping[str, Any]) -> Spec:
    """Return the sizes of the game with these parameters."""
    return Spec(
        num_distinct_actions=NUM_SQUARES,
        max_chance_outcomes=0,
        max_game_length=params["max_turns"],
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
    )


@kernel
def new_game(state: Any) -> None:
    """Start with an empty board."""
    state.turns = 0
    state.winner = -1
    for square in range(NUM_SQUARES):
        state.board[square] = 0


@kernel
def current_player(state: Any) -> Any:
    """Return the player to act, or terminal; player 0 (x) begins."""
    if state.winner >= 0 or state.turns == state.max_turns:
        return np.int64(TERMINAL)
    return np.int64(state.turns % 2)


@kernel
def legal_action_mask(state: Any, out: Any) -> None:
    """Allow the empty squares."""
    for square in range(NUM_SQUARES):
        out[square] = state.board[square] == 0


@kernel
def chance_probabilities(state: Any, out: Any) -> None:
    """Do nothing: the game has no chance nodes."""


@kernel
def apply(state: Any, action: Any) -> None:
    """Put a stone on a square."""
    player = state.turns % 2
    state.board[action] = player + 1
    state.turns += 1
    if has_line(state, player):
        state.winner = player


@kernel
def has_line(state: Any, player: Any) -> Any:
    """Return whether a player has three in a row."""
    for line in range(LINES.shape[0]):
        count = 0
        for i in range(LINES.shape[1]):
            if state.board[LINES[line, i]] == player + 1:
                count += 1
        if count == LINES.shape[1]:
            return True
    return False


@kernel
def turn_of(state: Any) -> Any:
    """Return the number of stones on the board."""
    return np.int64(state.turns)


@kernel
def rewards(state: Any, out: Any) -> None:
    """Write the rewards: 1 for the winner, -1 for the loser, 0 otherwise."""
    for p in range(2):
        out[p] = 0.0 if state.winner < 0 else 1.0 if state.winner == p else -1.0
