"""The observation of `two_boxes`: the whole board, from the viewer's seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.spec import Layout, ObservationField
from tests.toy.two_boxes.state import NUM_BOXES, NUM_LINES


def layout(params: Mapping[str, Any]) -> Layout:
    """Return the slices of the observation, in order."""
    return Layout((
        ObservationField("drawn", NUM_LINES, 0, 1, "the lines that are drawn"),
        ObservationField("own", NUM_BOXES, 0, 1, "the viewer's boxes"),
        ObservationField("other", NUM_BOXES, 0, 1, "the opponent's boxes"),
        ObservationField("turn", 2, 0, 1, "whose turn it is: the viewer's, the opponent's"),
    ))  # fmt: skip


@kernel
def observe(state: Any, player: Any, out: Any) -> None:
    """Write the board as `player` sees it."""
    out[:] = 0
    for line in range(NUM_LINES):
        out[line] = state.drawn[line]
    for box in range(NUM_BOXES):
        out[NUM_LINES + box] = state.owner[box] == player
        out[NUM_LINES + NUM_BOXES + box] = state.owner[box] == 1 - player
    out[NUM_LINES + 2 * NUM_BOXES] = state.turn == player
    out[NUM_LINES + 2 * NUM_BOXES + 1] = state.turn != player
