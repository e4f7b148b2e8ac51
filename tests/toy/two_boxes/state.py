"""The state record of `two_boxes`.

Index legend:

    line    0 a   1 b   2 c   3 d   4 e   5 f   6 g        +a+b+
    box     0 left      1 right                            c d e
                                                           +f+g+

    order[i]    line number i that was drawn, for i < num_drawn
    drawn[l]    1 if line l is drawn
    owner[b]    the player who completed box b, or -1
    turn        the player to draw
    gain        boxes completed by the last transition
    gainer      the player who made the last transition
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.spec import Record

NAMES = "abcdefg"
NUM_LINES = len(NAMES)
BOXES = np.array([[0, 2, 3, 5], [1, 3, 4, 6]], np.int64)
NUM_BOXES = len(BOXES)

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rng", np.uint64),
                ("num_drawn", np.int8),
                ("order", np.int8, (NUM_LINES,)),
                ("drawn", np.int8, (NUM_LINES,)),
                ("owner", np.int8, (NUM_BOXES,)),
                ("turn", np.int8),
                ("gain", np.int8),
                ("gainer", np.int8),
            ],
            align=True,
        ),
    )
)


def set_params(record: Record, params: Mapping[str, Any]) -> None:
    """Do nothing: the game has no parameters."""


def lines(record: Record) -> str:
    """Return the names of the lines in the order in which they were drawn."""
    return "".join(NAMES[line] for line in record.order[: record.num_drawn])
