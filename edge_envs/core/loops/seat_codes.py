"""One learning seat per lane, all other seats being played inside: what a lane is, and who plays a seat.

A lane is a game and a record of the dtype `LANE`. Each seat of a lane has a code: `LEARNER`, `RANDOM`, `HEURISTIC`,
or `FIRST_OBJECT` + k for opponent object k, whose decisions are asked for in Python. A lane runs until it waits for
the learner or an object, or until its game has ended.
"""

from __future__ import annotations

import numpy as np

MAX_SEATS = 16
NEVER, ENDED, LEARNER, RANDOM, HEURISTIC, FIRST_OBJECT = -2, -1, 0, 1, 2, 3
MOST_REPLACED = 10_000  # games in a row without a decision of the learner, before its lane gives up and waits for NEVER

# What becomes of a game that has ended: it stays as it is; it is a new game in the next step, or in the same step.
STAY, NEXT_STEP, SAME_STEP = 0, 1, 2

LANE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rng", np.uint64),  # the second generator: seats, opponents
                ("reward", np.float64),  # the learner's, since its last decision
                ("waiting", np.int16),  # the code of who is to decide, ENDED, or NEVER
                ("replaced", np.int32),  # games in a row that ended before the learner's first decision
                ("learner", np.int16),  # the learner's seat
                ("fresh", np.bool_),  # the learner has not yet decided in this game
                ("terminated", np.bool_),  # the learner's game ended in this step
                ("opening", np.int32),  # decisions at the start of each game that are drawn uniformly
                ("to_draw", np.int32),  # of them, those that are still to come in this game
                ("codes", np.int16, (MAX_SEATS,)),  # who plays each seat
            ],
            align=True,
        ),
    )
)
