"""The rules of `two_boxes` as kernels over its state record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.nodes import TERMINAL
from edge_envs.core.spec import Spec
from tests.toy.two_boxes.state import BOXES, NUM_BOXES, NUM_LINES

MAX_CHANCE_OUTCOMES = 0


def spec(params: Mapping[str, Any]) -> Spec:
    """Return the sizes of the game."""
    return Spec(
        num_distinct_actions=NUM_LINES,
        max_chance_outcomes=0,
        max_game_length=NUM_LINES,
        min_utility=-float(NUM_BOXES),
        max_utility=float(NUM_BOXES),
        utility_sum=0.0,
    )


@kernel
def new_game(state: Any) -> None:
    """Draw no lines yet; player 0 begins."""
    state.num_drawn = 0
    state.turn = 0
    state.gain = 0
    state.gainer = 0
    for line in range(NUM_LINES):
        state.order[line] = 0
        state.drawn[line] = 0
    for box in range(NUM_BOXES):
        state.owner[box] = -1


@kernel
def current_player(state: Any) -> Any:
    """Return the player to draw, until all lines are drawn."""
    return np.int64(TERMINAL) if state.num_drawn == NUM_LINES else np.int64(state.turn)


@kernel
def legal_action_mask(state: Any, out: Any) -> None:
    """Allow the lines that are not drawn."""
    for line in range(NUM_LINES):
        out[line] = 1 - state.drawn[line]


@kernel
def chance_probabilities(state: Any, out: Any) -> None:
    """Do nothing: the game has no chance nodes."""


@kernel
def apply(state: Any, action: Any) -> None:
    """Draw a line; a player who completes a box draws again."""
    state.drawn[action] = 1
    state.order[state.num_drawn] = action
    state.num_drawn += 1
    state.gain = 0
    state.gainer = state.turn
    for box in range(NUM_BOXES):
        if state.owner[box] < 0 and sides(state, box) == BOXES.shape[1]:
            state.owner[box] = state.turn
            state.gain += 1
    if state.gain == 0:
        state.turn = 1 - state.turn


@kernel
def sides(state: Any, box: Any) -> Any:
    """Return how many sides of a box are drawn."""
    count = np.int64(0)
    for i in range(BOXES.shape[1]):
        count += state.drawn[BOXES[box, i]]
    return count


@kernel
def rewards(state: Any, out: Any) -> None:
    """Pay a point for each box that the last transition completed, from one player to the other."""
    for player in range(2):
        out[player] = state.gain if player == state.gainer else -state.gain
