"""Action and outcome ids of `falling_off` and their texts.

    id        decision
    0..7      reroll subset: bit i set = die i of the sorted three is thrown again; 0 is `keep`
    8..73     8 + the number of the pair (from, to) of places, ordered by from, then to: 11 + 10 + ... + 1 = 66

Chance outcomes number from 0 in the lexicographic order of their sorted values: 56 in `roll`; in `rerolled` 6, 21 or
56 by the number of dice thrown.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, product
from typing import Final

import numpy as np

from edge_envs.core.game import Record
from edge_envs.games.falling_off.state import FIRST_SPACE, NUM_DICE, OFF, REROLL, REROLLED, ROLL, START

PLACES: Final = (START, *range(FIRST_SPACE, OFF + 1))
NUM_PLACES: Final = len(PLACES)
MOVES: Final = tuple(combinations(PLACES, 2))
NUM_REROLLS: Final = 2**NUM_DICE
FIRST_MOVE: Final = NUM_REROLLS
NUM_ACTIONS: Final = NUM_REROLLS + len(MOVES)

ROLLS: Final = tuple(tuple(combinations_with_replacement(range(1, 7), count)) for count in range(NUM_DICE + 1))
"""`ROLLS[k]`: the sorted values of k dice, in the order of their outcome ids."""
NUM_ROLLS: Final = tuple(len(rolls) for rolls in ROLLS)  # 1, 6, 21, 56

# move_base[from index] + to index = action id
MOVE_BASE: Final = np.array([FIRST_MOVE + MOVES.index((PLACES[f], PLACES[f + 1])) - f - 1 for f in range(11)], np.int64)


def outcome_counts(count: int) -> list[int]:
    """How many of the 6**count throws give each sorted outcome of `count` dice."""
    throws = [tuple(sorted(throw)) for throw in product(range(1, 7), repeat=count)]
    return [throws.count(roll) for roll in ROLLS[count]]


def action_to_string(record: Record, action: int) -> str:
    """The text of a decision, or of a chance outcome at a chance node, in the position of `record`."""
    if record.phase == ROLL:
        return _words("roll", ROLLS[NUM_DICE][action])
    if record.phase == REROLLED:
        thrown = NUM_DICE - np.count_nonzero(record.dice)
        return _words("rerolled", ROLLS[thrown][action])
    if record.phase == REROLL:
        values = [int(die) for i, die in enumerate(record.dice) if action >> i & 1]
        return _words("reroll", values) if values else "keep"
    source, target = MOVES[action - FIRST_MOVE]
    return f"move {_place(source)} {_place(target)}"


def _words(verb: str, values: tuple[int, ...] | list[int]) -> str:
    return " ".join([verb, *map(str, values)])


def _place(place: int) -> str:
    return {START: "start", OFF: "off"}.get(place, str(place))
