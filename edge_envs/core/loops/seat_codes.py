"""Lanes with one learning seat: the record of a lane, and the codes of its seats.

A lane is a game and a record of the dtype `LANE`. Each seat of a lane has a code for the agent that plays it:
`LEARNER`, `RANDOM`, `HEURISTIC`, or `FIRST_OBJECT` + k for opponent object k, which is called in Python. A lane runs
until the learner or an object has to decide, or until its game has ended.
"""

from __future__ import annotations

import numpy as np

MAX_SEATS = 16
NEVER, ENDED, LEARNER, RANDOM, HEURISTIC, FIRST_OBJECT = -2, -1, 0, 1, 2, 3
MOST_REPLACED = 10_000  # consecutive games without a decision of the learner, after which its lane waits for NEVER

# Autoreset: a finished game stays as it is, is replaced in the next step, or in the same step.
STAY, NEXT_STEP, SAME_STEP = 0, 1, 2

LANE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rng", np.uint64),  # the generator for seats and opponents
                ("reward", np.float64),  # the learner's, since its last decision
                ("waiting", np.int16),  # the code of the seat to act, ENDED, or NEVER
                ("replaced", np.int32),  # consecutive games that ended before the learner's first decision
                ("learner", np.int16),  # the learner's seat
                ("fresh", np.bool_),  # whether the learner has not decided yet in this game
                ("terminated", np.bool_),  # whether the learner's game ended in this step
                ("opening", np.int32),  # number of random decisions at the start of each game
                ("to_draw", np.int32),  # how many of them are left in this game
                ("codes", np.int16, (MAX_SEATS,)),  # of each seat
            ],
            align=True,
        ),
    )
)
