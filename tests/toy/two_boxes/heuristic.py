"""The heuristic of `two_boxes`."""

from __future__ import annotations

from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import kernel
from tests.toy.two_boxes.rules import sides
from tests.toy.two_boxes.state import BOXES, NUM_BOXES, NUM_LINES


@kernel
def heuristic(state: Any) -> Any:
    """Complete a box; otherwise draw the first line that does not let the opponent complete one."""
    best, chosen = np.int64(-2), np.int64(0)
    for line in range(NUM_LINES):
        value = np.int64(0)
        for box in range(NUM_BOXES):
            for i in range(BOXES.shape[1]):
                if BOXES[box, i] == line:
                    value += (0, 0, -1, 3)[sides(state, box)] if not state.drawn[line] else 0
        if not state.drawn[line] and value > best:
            best, chosen = value, np.int64(line)
    return chosen
