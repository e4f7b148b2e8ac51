"""Tables of dice sets and of one player's pawn sets, in the order in which the solver of `falling_off` visits them.

Dice sets have the numbers of `pieces/sets.py`. Pawn sets are also numbered by rank: they are sorted by remaining moves,
so that pawn sets with equally many remaining moves are contiguous. Rank 0 has all pawns off; the last rank has all
pawns on start. All tables exist for 1..4 pawns and 1..10 spaces. With fewer pawns or spaces, the number of a pawn set
is again its index in the lexicographic order of sorted place indices.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from edge_envs.games.falling_off.pieces.sets import (
    DICE_SET_NUMBER,
    DICE_SETS,
    FIRST_OF,
    FIRST_ROLL,
    KEPT,
    MOST_SPACES,
    MOVES,
    NUM_DICE,
    NUM_PAWNS,
    NUM_PLACES,
    NUM_ROLLS,
    OFF,
    OUTCOME_PROBABILITIES,
    PAWN_SET_NUMBER,
    PAWN_SETS,
    PLACES,
    REROLLS,
    ROLLS,
    place_named,
    places_named,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NUM_DICE_SETS: Final = len(DICE_SETS)
NUM_FULL: Final = NUM_DICE_SETS - FIRST_ROLL  # sets of three dice


def _less(dice: tuple[int, ...]) -> list[int]:
    """Return the sets without die 0, 1 and 2; smaller sets repeat their last die, and the empty set stays empty."""
    which = [min(i, len(dice) - 1) for i in range(NUM_DICE)]
    return [DICE_SET_NUMBER[dice[:i] + dice[i + 1 :]] if dice else 0 for i in which]


def _more(dice: tuple[int, ...]) -> list[int]:
    return [DICE_SET_NUMBER[tuple(sorted((*dice, die)))] for die in range(1, 7)]


# By dice set: the place that its sum names, 0 if it names none; the sets with one die less and with one die more; the
# places that sums of some of its dice name, as bits. By roll: its probability; the set that each reroll subset keeps,
# where illegal subsets repeat `keep`.
DICE_TARGET: Final = np.array([place_named(sum(dice)) for dice in DICE_SETS], np.int64)
DICE_LESS: Final = np.array([_less(dice) for dice in DICE_SETS], np.int64)
DICE_MORE: Final = np.array([_more(dice) for dice in DICE_SETS[:FIRST_ROLL]], np.int64)
DICE_TARGETS: Final = np.array([sum(1 << place for place in places_named(dice)) for dice in DICE_SETS], np.int64)
ROLL_PROBABILITY: Final = OUTCOME_PROBABILITIES[NUM_DICE]
ROLL_KEPT: Final = np.where(REROLLS == 1, KEPT, KEPT[:, :1])[FIRST_ROLL:].astype(np.int64)


class Rules(NamedTuple):
    """The parameters of a game that its two-player solution depends on."""

    pawns: int = NUM_PAWNS
    dice: int = NUM_DICE
    spaces: int = MOST_SPACES
    rerolls: int = 1

    @classmethod
    def of(cls, params: Mapping[str, Any] | None) -> Rules:
        """Return the rules of some parameters; missing ones have their defaults."""
        return cls(**{name: params[name] for name in cls._fields if name in params}) if params else cls()


USUAL: Final = Rules()


class Throws(NamedTuple):
    """The tables of the dice of a side. A roll is number - `first` of a set of all dice."""

    first: int  # the first set of all dice
    rerolls: int
    probability: Floats  # (rolls,)
    named: Ints  # (rolls,) the places that sums of some dice name, as bits
    kept: Ints  # (rolls, 8) the set that each reroll subset keeps; the roll itself for an illegal subset


@functools.cache
def throws_of(dice: int = NUM_DICE, spaces: int = MOST_SPACES, rerolls: int = 1) -> Throws:
    """Return the tables of a number of dice, spaces and rerolls."""
    first, count = int(FIRST_OF[dice]), NUM_ROLLS[dice]
    rolls = np.arange(first, first + count)
    named = np.array([sum(1 << place for place in places_named(values, spaces)) for values in ROLLS[dice]], np.int64)
    kept = np.where(REROLLS[rolls] == 1, KEPT[rolls], rolls[:, None]).astype(np.int64)
    return Throws(first, rerolls, OUTCOME_PROBABILITIES[dice, :count].copy(), named, kept)


class PawnSets(NamedTuple):
    """The n pawn sets of a number of pawns and spaces by rank, and their moves, at most k from each.

    The moves of a pawn set are in the order of their action ids.
    """

    number: Ints  # (n,) number of the pawn set
    remaining: Ints  # (n,) the largest number of moves left, the last of which loses; non-decreasing
    group: Ints  # (max(remaining) + 2,) the first rank with that many remaining moves; the last entry is n
    num_moves: Ints  # (n,)
    after: Ints  # (n, k) rank of the pawn set after the move
    target: Ints  # (n, k) index of the place that the pawn goes to
    move: Ints  # (n, k) the move's number in `MOVES`


@functools.cache
def pawn_sets(pawns: int = NUM_PAWNS, spaces: int = MOST_SPACES) -> PawnSets:
    """Return the pawn sets of 1..4 pawns on 1..10 spaces."""
    used = (*range(spaces + 1), NUM_PLACES - 1)
    left = {place: len(used) - 1 - i for i, place in enumerate(used)}  # the moves that a pawn has left
    sets = list(combinations_with_replacement(used, pawns))
    ranked = sorted(range(len(sets)), key=lambda number: sum(left[place] for place in sets[number]))
    rank = {sets[number]: r for r, number in enumerate(ranked)}
    remaining = np.array([sum(left[place] for place in sets[number]) for number in ranked], np.int64)
    num_moves = np.zeros(len(sets), np.int64)
    after, target, move = (np.zeros((len(sets), pawns * (NUM_PLACES - 1)), np.int64) for _ in range(3))
    for places, r in rank.items():
        moves = [(i, source, to) for i, (source, to) in enumerate(MOVES) if source in places and to in used]
        num_moves[r] = len(moves)
        move[r, : len(moves)] = [i for i, _, _ in moves]
        target[r, : len(moves)] = [to for _, _, to in moves]
        after[r, : len(moves)] = [rank[_moved(places, source, to)] for _, source, to in moves]
    group = np.searchsorted(remaining, np.arange(remaining[-1] + 2)).astype(np.int64)
    return PawnSets(np.array(ranked, np.int64), remaining, group, num_moves, after, target, move)


@functools.cache
def pawn_set_numbers(pawns: int = NUM_PAWNS, spaces: int = MOST_SPACES) -> dict[tuple[int, ...], int]:
    """Return the number of each pawn set by its places as in JSON: sorted, each 0, 4..13 or 14."""
    places = (*PLACES[: spaces + 1], OFF)
    return {some: number for number, some in enumerate(combinations_with_replacement(places, pawns))}


@functools.cache
def numbers_in_records(pawns: int = NUM_PAWNS, spaces: int = MOST_SPACES) -> Ints:
    """Return the number (1365,) of each pawn set of a record among those of a number of pawns and spaces."""
    numbers, missing = pawn_set_numbers(pawns, spaces), (OFF,) * (NUM_PAWNS - pawns)
    found = np.zeros(len(PAWN_SETS), np.int64)
    for places, number in numbers.items():
        found[PAWN_SET_NUMBER[tuple(PLACES.index(place) for place in (*places, *missing))]] = number
    return found


def _moved(places: tuple[int, ...], source: int, to: int) -> tuple[int, ...]:
    i = places.index(source)
    return tuple(sorted((*places[:i], *places[i + 1 :], to)))
