"""Numbered sets of pawns and dice, and lookup tables that turn the rules into table lookups.

pawn set   0..1364   the places (index 0..11) of a player's four pawns, sorted, in lexicographic order
dice set   0..83     no dice (0), one die (1..6), two dice (7..27), three dice (28..83), each in lexicographic
                     order of the sorted values: a roll of three dice is the set 28 + its outcome id

The parameters `pawns`, `dice` and `spaces` choose among these tables. With fewer than four pawns the missing ones are
over the edge from the start. With fewer dice a roll is a set of that many dice. With fewer spaces the first ones are
used, and every higher sum is over the edge; the tables of what dice name are indexed by the number of spaces.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, product
from typing import Any, Final

import numpy as np

NUM_PAWNS: Final = 4
NUM_DICE: Final = 3
START, FIRST_SPACE, OFF = 0, 4, 14
PLACES: Final = (START, *range(FIRST_SPACE, OFF + 1))
MOST_SPACES: Final = OFF - FIRST_SPACE
NUM_PLACES: Final = len(PLACES)
MOVES: Final = tuple(combinations(range(NUM_PLACES), 2))  # (from, to) by place index
NUM_MOVES: Final = len(MOVES)
MOVE_TARGET = np.array([target for _, target in MOVES])
NUM_SUBSETS: Final = 2**NUM_DICE

PAWN_SETS: Final = tuple(combinations_with_replacement(range(NUM_PLACES), NUM_PAWNS))
PAWN_SET_NUMBER: Final[dict[tuple[int, ...], int]] = {pawns: number for number, pawns in enumerate(PAWN_SETS)}
ALL_OFF: Final = PAWN_SET_NUMBER[(NUM_PLACES - 1,) * NUM_PAWNS]

ROLLS: Final = tuple(tuple(combinations_with_replacement(range(1, 7), count)) for count in range(NUM_DICE + 1))
"""`ROLLS[k]`: the sorted values of k dice, in the order of their outcome ids."""
NUM_ROLLS: Final = tuple(len(rolls) for rolls in ROLLS)  # 1, 6, 21, 56
DICE_SETS: Final = tuple(dice for rolls in ROLLS for dice in rolls)
DICE_SET_NUMBER: Final[dict[tuple[int, ...], int]] = {dice: number for number, dice in enumerate(DICE_SETS)}
FIRST_ROLL: Final = DICE_SET_NUMBER[ROLLS[NUM_DICE][0]]
FIRST_OF = np.array([DICE_SET_NUMBER[rolls[0]] for rolls in ROLLS], np.uint8)
"""`FIRST_OF[k]`: the first set of k dice."""


def place_named(total: int, spaces: int = MOST_SPACES) -> int:
    """Return the index of the place that a sum of dice names on a world of some spaces; 0 if it names none."""
    if total < FIRST_SPACE:
        return 0
    return total - FIRST_SPACE + 1 if total < FIRST_SPACE + spaces else NUM_PLACES - 1


def places_named(dice: tuple[int, ...], spaces: int = MOST_SPACES) -> set[int]:
    """Return the indices of all places that sums of one or more of these dice name."""
    sums = {sum(die for i, die in enumerate(dice) if subset >> i & 1) for subset in range(1, 2 ** len(dice))}
    return {place_named(total, spaces) for total in sums} - {0}


# Tables by pawn set: lowest place, pawns on each place, whether a pawn can start each move, the set after each move.
_pawns = np.array(PAWN_SETS)
_weights = NUM_PLACES ** np.arange(NUM_PAWNS)[::-1]
PAWN_SET_BY_CODE = np.zeros(NUM_PLACES**NUM_PAWNS, np.uint16)
"""The number of a pawn set, indexed by its sorted places as base-12 digits."""
PAWN_SET_BY_CODE[_pawns @ _weights] = np.arange(len(PAWN_SETS))
LOWEST = _pawns[:, 0].astype(np.uint8)
PAWN_COUNTS = (_pawns[:, :, None] == np.arange(NUM_PLACES)).sum(axis=1).astype(np.int8)
MOVES_FROM = np.ascontiguousarray(PAWN_COUNTS[:, [source for source, _ in MOVES]] > 0).astype(np.int8)
MOVED = np.zeros((len(PAWN_SETS), NUM_MOVES), np.uint16)
for _move, (_source, _target) in enumerate(MOVES):
    _rows = np.flatnonzero(MOVES_FROM[:, _move])
    _after = _pawns[_rows]
    _after[np.arange(len(_rows)), (_after == _source).argmax(axis=1)] = _target
    MOVED[_rows, _move] = PAWN_SET_BY_CODE[np.sort(_after, axis=1) @ _weights]
# FIRST_PAWNS[k]: the pawn set of k pawns at the start. SENT_BACK[s, place]: pawn set s after its pawns on a place have
# returned to the start.
FIRST_PAWNS = np.array(
    [PAWN_SET_NUMBER[(0,) * pawns + (NUM_PLACES - 1,) * (NUM_PAWNS - pawns)] for pawns in range(NUM_PAWNS + 1)],
    np.uint16,
)
SENT_BACK = np.array(
    [PAWN_SET_BY_CODE[np.sort(np.where(_pawns == place, 0, _pawns), axis=1) @ _weights] for place in range(NUM_PLACES)]
).T.copy()

# Tables by dice set: values padded with zeros, one-hot values, number of dice, whether the dice name the target
# of each move, highest place named, legal reroll subsets (the lowest of those with equal values), and the dice set that
# each subset keeps.
DICE_VALUES = np.array([dice + (0,) * (NUM_DICE - len(dice)) for dice in DICE_SETS], np.uint8)
DICE_SET_BY_CODE = np.zeros(7**NUM_DICE, np.uint8)
"""The number of a dice set, indexed by its values as base-7 digits."""
DICE_SET_BY_CODE[DICE_VALUES @ 7 ** np.arange(NUM_DICE)[::-1]] = np.arange(len(DICE_SETS))
DICE_ONE_HOT = np.array([[die == value for die in dice for value in range(1, 7)] for dice in DICE_VALUES], np.int8)
DICE_COUNT = np.array([len(dice) for dice in DICE_SETS], np.uint8)
# PLACES_NAMED[spaces, d, place]: whether sums of some of dice set d name a place; nothing for 0 spaces.
PLACES_NAMED = np.zeros((MOST_SPACES + 1, len(DICE_SETS), NUM_PLACES), np.int8)
for _spaces in range(1, MOST_SPACES + 1):
    for _number, _dice in enumerate(DICE_SETS):
        PLACES_NAMED[_spaces, _number, list(places_named(_dice, _spaces))] = 1
MOVES_TO_OF = np.ascontiguousarray(PLACES_NAMED[:, :, [target for _, target in MOVES]])
HIGHEST_NAMED_OF = (PLACES_NAMED * np.arange(NUM_PLACES)).max(axis=2).astype(np.uint8)
MOVES_TO, HIGHEST_NAMED = MOVES_TO_OF[MOST_SPACES], HIGHEST_NAMED_OF[MOST_SPACES]
REROLLS = np.zeros((len(DICE_SETS), NUM_SUBSETS), np.int8)
KEPT = np.zeros((len(DICE_SETS), NUM_SUBSETS), np.uint8)
for _number, _dice in enumerate(DICE_SETS):
    _kept = [tuple(d for i, d in enumerate(_dice) if not subset >> i & 1) for subset in range(NUM_SUBSETS)]
    KEPT[_number] = [DICE_SET_NUMBER[kept] for kept in _kept]
    if _dice:  # the empty set has no rerolls
        REROLLS[_number] = [kept not in _kept[:subset] for subset, kept in enumerate(_kept)]

# JOINED_OF[k, d, o]: the set of k dice after outcome o completes dice set d.
JOINED_OF = np.zeros((NUM_DICE + 1, FIRST_ROLL, NUM_ROLLS[NUM_DICE]), np.uint8)
for _count in range(1, NUM_DICE + 1):
    for _number, _dice in enumerate(DICE_SETS[: FIRST_OF[_count]]):
        for _outcome, _thrown in enumerate(ROLLS[_count - len(_dice)]):
            JOINED_OF[_count, _number, _outcome] = DICE_SET_NUMBER[tuple(sorted(_dice + _thrown))]

# OUTCOME_PROBABILITIES[k, o]: the probability of outcome o of k dice.
# THROWS[k, t]: the outcome of the t-th of 6**k equally likely throws.
OUTCOME_PROBABILITIES = np.zeros((NUM_DICE + 1, NUM_ROLLS[NUM_DICE]), np.float64)
THROWS = np.zeros((NUM_DICE + 1, 6**NUM_DICE), np.uint8)
NUM_THROWS = 6 ** np.arange(NUM_DICE + 1)
for _count in range(NUM_DICE + 1):
    _throws = [tuple(sorted(throw)) for throw in product(range(1, 7), repeat=_count)]
    _ways = [_throws.count(roll) for roll in ROLLS[_count]]
    OUTCOME_PROBABILITIES[_count, : len(_ways)] = np.array(_ways) / 6**_count
    THROWS[_count, : len(_throws)] = np.repeat(np.arange(len(_ways)), _ways)


def _packed(rows: np.ndarray[Any, np.dtype[Any]]) -> np.ndarray[Any, np.dtype[Any]]:
    """Pack rows of 66 zeros and ones into two 64-bit words each, with the first move in the lowest bit."""
    bits = np.zeros((len(rows), 128), np.uint8)
    bits[:, :NUM_MOVES] = rows
    return np.packbits(bits, axis=1, bitorder="little").view(np.uint64)


# MOVES_FROM and MOVES_TO as bits. REROLL_COUNT: the number of legal reroll subsets of each dice set; REROLL_LIST: all
# subsets, the legal ones first.
MOVES_FROM_BITS = _packed(MOVES_FROM)
MOVES_TO_BITS = np.stack([_packed(moves) for moves in MOVES_TO_OF])  # by number of spaces
REROLL_COUNT = REROLLS.sum(axis=1).astype(np.uint8)
REROLL_LIST = np.argsort(1 - REROLLS, axis=1, kind="stable").astype(np.uint8)
