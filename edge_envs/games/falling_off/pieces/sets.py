"""Numbered sets of pawns and dice, and lookup tables that turn the rules into table lookups.

pawn set   0..1364   the places (index 0..11) of a player's four pawns, sorted, in lexicographic order
dice set   0..83     no dice (0), one die (1..6), two dice (7..27), three dice (28..83), each in lexicographic
                     order of the sorted values: a roll of three dice is the set 28 + its outcome id
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, product
from typing import Any, Final

import numpy as np

NUM_PAWNS: Final = 4
NUM_DICE: Final = 3
START, FIRST_SPACE, OFF = 0, 4, 14
PLACES: Final = (START, *range(FIRST_SPACE, OFF + 1))
NUM_PLACES: Final = len(PLACES)
MOVES: Final = tuple(combinations(range(NUM_PLACES), 2))  # (from, to) by place index
NUM_MOVES: Final = len(MOVES)
NUM_SUBSETS: Final = 2**NUM_DICE

PAWN_SETS: Final = tuple(combinations_with_replacement(range(NUM_PLACES), NUM_PAWNS))
PAWN_SET_NUMBER: Final[dict[tuple[int, ...], int]] = {pawns: number for number, pawns in enumerate(PAWN_SETS)}
ALL_START: Final = PAWN_SET_NUMBER[(0,) * NUM_PAWNS]
ALL_OFF: Final = PAWN_SET_NUMBER[(NUM_PLACES - 1,) * NUM_PAWNS]

ROLLS: Final = tuple(tuple(combinations_with_replacement(range(1, 7), count)) for count in range(NUM_DICE + 1))
"""`ROLLS[k]`: the sorted values of k dice, in the order of their outcome ids."""
NUM_ROLLS: Final = tuple(len(rolls) for rolls in ROLLS)  # 1, 6, 21, 56
DICE_SETS: Final = tuple(dice for rolls in ROLLS for dice in rolls)
DICE_SET_NUMBER: Final[dict[tuple[int, ...], int]] = {dice: number for number, dice in enumerate(DICE_SETS)}
FIRST_ROLL: Final = DICE_SET_NUMBER[ROLLS[NUM_DICE][0]]


def place_named(total: int) -> int:
    """Return the index of the place that a sum of dice names; 0 if it names none."""
    return 0 if total < FIRST_SPACE else PLACES.index(min(total, OFF))


def places_named(dice: tuple[int, ...]) -> set[int]:
    """Return the indices of all places that sums of one or more of these dice name."""
    sums = {sum(die for i, die in enumerate(dice) if subset >> i & 1) for subset in range(1, 2 ** len(dice))}
    return {place_named(total) for total in sums} - {0}


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

# Tables by dice set: values padded with zeros, one-hot values, number of missing dice, whether the dice name the target
# of each move, highest place named, legal reroll subsets (the lowest of those with equal values), and the dice set that
# each subset keeps.
DICE_VALUES = np.array([dice + (0,) * (NUM_DICE - len(dice)) for dice in DICE_SETS], np.uint8)
DICE_SET_BY_CODE = np.zeros(7**NUM_DICE, np.uint8)
"""The number of a dice set, indexed by its values as base-7 digits."""
DICE_SET_BY_CODE[DICE_VALUES @ 7 ** np.arange(NUM_DICE)[::-1]] = np.arange(len(DICE_SETS))
DICE_ONE_HOT = np.array([[die == value for die in dice for value in range(1, 7)] for dice in DICE_VALUES], np.int8)
DICE_MISSING = np.array([NUM_DICE - len(dice) for dice in DICE_SETS], np.uint8)
MOVES_TO = np.array([[target in places_named(dice) for _, target in MOVES] for dice in DICE_SETS], np.int8)
HIGHEST_NAMED = np.array([max(places_named(dice), default=0) for dice in DICE_SETS], np.uint8)
REROLLS = np.zeros((len(DICE_SETS), NUM_SUBSETS), np.int8)
KEPT = np.zeros((len(DICE_SETS), NUM_SUBSETS), np.uint8)
for _number, _dice in enumerate(DICE_SETS):
    if len(_dice) == NUM_DICE:
        _kept = [tuple(d for i, d in enumerate(_dice) if not subset >> i & 1) for subset in range(NUM_SUBSETS)]
        KEPT[_number] = [DICE_SET_NUMBER[kept] for kept in _kept]
        REROLLS[_number] = [kept not in _kept[:subset] for subset, kept in enumerate(_kept)]

# JOINED[d, o]: the set of three dice after outcome o completes dice set d.
JOINED = np.zeros((FIRST_ROLL, NUM_ROLLS[NUM_DICE]), np.uint8)
for _number, _dice in enumerate(DICE_SETS[:FIRST_ROLL]):
    for _outcome, _thrown in enumerate(ROLLS[NUM_DICE - len(_dice)]):
        JOINED[_number, _outcome] = DICE_SET_NUMBER[tuple(sorted(_dice + _thrown))]

# OUTCOME_PROBABILITIES[k, o]: the probability of outcome o of k dice.
# THROWS[k, t]: the outcome of the t-th of 6**k equally likely throws.
OUTCOME_PROBABILITIES = np.zeros((NUM_DICE + 1, NUM_ROLLS[NUM_DICE]), np.float64)
THROWS = np.zeros((NUM_DICE + 1, 6**NUM_DICE), np.uint8)
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
MOVES_TO_BITS = _packed(MOVES_TO)
REROLL_COUNT = REROLLS.sum(axis=1).astype(np.uint8)
REROLL_LIST = np.argsort(1 - REROLLS, axis=1, kind="stable").astype(np.uint8)
