"""Ids of actions and chance outcomes of `falling_off`, and their strings.

    id        decision
    0..7      reroll subset: bit i is set if die i of the sorted three is rerolled; 0 is `keep`
    8..73     8 + index of the pair (from, to) of places, ordered by from, then to: 11 + 10 + ... + 1 = 66 pairs

Chance outcomes are numbered from 0 in lexicographic order of their sorted values. There are 56 in `roll`, and 6, 21 or
56 in `rerolled`, depending on the number of dice rerolled.
"""

from __future__ import annotations

from typing import Final

from edge_envs.core.spec import Record
from edge_envs.games.falling_off.pieces.sets import (
    DICE_COUNT,
    DICE_SETS,
    MOVES,
    NUM_MOVES,
    NUM_SUBSETS,
    OFF,
    PLACES,
    ROLLS,
    START,
)
from edge_envs.games.falling_off.state import REROLL, REROLLED, ROLL

FIRST_MOVE: Final = NUM_SUBSETS
NUM_ACTIONS: Final = NUM_SUBSETS + NUM_MOVES


def action_to_string(record: Record, action: int) -> str:
    """Return the string of an action, or of an outcome if `record` is at a chance node."""
    if record.phase == ROLL:
        return _words("roll", ROLLS[record.num_dice][action])
    if record.phase == REROLLED:
        return _words("rerolled", ROLLS[record.num_dice - DICE_COUNT[record.dice]][action])
    if record.phase == REROLL:
        values = [die for i, die in enumerate(DICE_SETS[record.dice]) if action >> i & 1]
        return _words("reroll", values) if values else "keep"
    source, target = MOVES[action - FIRST_MOVE]
    return f"move {_place(PLACES[source])} {_place(PLACES[target])}"


def _words(verb: str, values: tuple[int, ...] | list[int]) -> str:
    return " ".join([verb, *map(str, values)])


def _place(place: int) -> str:
    return {START: "start", OFF: "off"}.get(place, str(place))
