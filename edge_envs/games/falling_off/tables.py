"""What the exact solution of `falling_off` counts: the dice, one player's positions and the moves between them.

    place index   0 = start, 1..10 = spaces 4..13, 11 = off, as in the legend of `state.py`
    position      a sorted tuple of place indices, one per pawn: 1,365 of them for four pawns. They are numbered by
                  their remaining moves (the sum of 11 - index), so that positions with equally many lie together;
                  number 0 has all pawns off, the last has all on start
    hand          a sorted tuple of 0..3 dice: 84 of them, shorter ones first, each length in lexicographic order.
                  Hand 28 + r is roll r, the outcome r of three dice
"""

from __future__ import annotations

import functools
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from edge_envs.games.falling_off.actions import MOVE_BASE, NUM_PLACES, NUM_REROLLS, PLACES, ROLLS, outcome_counts
from edge_envs.games.falling_off.rules import PLACE_INDEX
from edge_envs.games.falling_off.state import FIRST_SPACE, NUM_DICE, NUM_PAWNS, OFF

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Place = tuple[int, ...]

LAST_PLACE: Final = NUM_PLACES - 1

HANDS: Final = tuple(hand for rolls in ROLLS for hand in rolls)
NUM_HANDS: Final = len(HANDS)
NUM_ROLLS: Final = len(ROLLS[NUM_DICE])
FIRST_ROLL: Final = NUM_HANDS - NUM_ROLLS
_NUMBER: Final = {hand: h for h, hand in enumerate(HANDS)}


def _less(hand: tuple[int, ...]) -> list[int]:
    """The hand without its die 0, 1, 2; a shorter hand repeats its last, the empty hand stays."""
    dice = [min(i, len(hand) - 1) for i in range(NUM_DICE)]
    return [_NUMBER[hand[:i] + hand[i + 1 :]] if hand else 0 for i in dice]


def _more(hand: tuple[int, ...]) -> list[int]:
    return [_NUMBER[tuple(sorted((*hand, die)))] for die in range(1, 7)]


def _kept(roll: tuple[int, ...]) -> list[int]:
    """For each reroll subset the hand that is kept, or -1 if a lower subset keeps the same."""
    hands = [_NUMBER[tuple(die for i, die in enumerate(roll) if not s >> i & 1)] for s in range(NUM_REROLLS)]
    return [hand if hands.index(hand) == s else -1 for s, hand in enumerate(hands)]


def _target(hand: tuple[int, ...]) -> int:
    return int(PLACE_INDEX[min(sum(hand), OFF)]) if sum(hand) >= FIRST_SPACE else 0


def _roll_targets() -> list[int]:
    bits = [0] * NUM_HANDS
    for h in range(1, NUM_HANDS):
        bits[h] = 1 << int(HAND_TARGET[h])
        for less in HAND_LESS[h]:
            bits[h] |= bits[less]
    return [some & ~1 for some in bits[FIRST_ROLL:]]


# HAND_TARGET[h] = index of the place that the sum of the hand names, 0 if it names none.
# HAND_LESS[h, i] = the hand without its die i. HAND_MORE[h, d - 1] = the hand with a die d more, for h < FIRST_ROLL.
# KEPT_HAND[r, s] = the hand that reroll subset s keeps of roll r, -1 if the subset is not legal.
# ROLL_TARGETS[r] = the places that sums of the roll name, as bits by place index.
HAND_TARGET: Final = np.array([_target(hand) for hand in HANDS], np.int64)
HAND_LESS: Final = np.array([_less(hand) for hand in HANDS], np.int64)
HAND_MORE: Final = np.array([_more(hand) for hand in HANDS[:FIRST_ROLL]], np.int64)
KEPT_HAND: Final = np.array([_kept(roll) for roll in ROLLS[NUM_DICE]], np.int64)
ROLL_TARGETS: Final = np.array(_roll_targets(), np.int64)
ROLL_PROBABILITY: Final = np.array(outcome_counts(NUM_DICE), np.float64) / 6**NUM_DICE


class Positions(NamedTuple):
    """The positions of one player's pawns and the moves between them: n positions, at most k moves from each.

    A move of a position is a (from, to) that some dice allow; a position's moves are in the order of their action ids.
    """

    remaining: Ints  # (n,) the most moves that are left, the last of which loses; rising
    group: Ints  # (most of all + 2,) the first position with that many remaining moves; the last entry is n
    num_moves: Ints  # (n,)
    after: Ints  # (n, k) the position after the move
    target: Ints  # (n, k) index of the place that the pawn goes to
    action: Ints  # (n, k) action id


@functools.cache
def places(pawns: int = NUM_PAWNS) -> tuple[Place, ...]:
    """All positions of a number of pawns (sorted place indices), in the order of their numbers."""
    every = combinations_with_replacement(range(NUM_PLACES), pawns)
    return tuple(sorted(every, key=lambda position: (_remaining(position), position)))


@functools.cache
def position_numbers(pawns: int = NUM_PAWNS) -> dict[Place, int]:
    """The numbers of all positions, by their pawns as a state shows them: sorted, 0, 4..13 or 14."""
    return {tuple(PLACES[place] for place in position): m for m, position in enumerate(places(pawns))}


@functools.cache
def positions(pawns: int = NUM_PAWNS) -> Positions:
    """The positions of 1..4 pawns."""
    every = places(pawns)
    number = {position: m for m, position in enumerate(every)}
    remaining = np.array([_remaining(position) for position in every], np.int64)
    moves = [_moves(position) for position in every]
    after, target, action = (np.zeros((len(every), pawns * LAST_PLACE), np.int64) for _ in range(3))
    for m, position in enumerate(every):
        for k, (source, to) in enumerate(moves[m]):
            after[m, k] = number[_moved(position, source, to)]
            target[m, k] = to
            action[m, k] = MOVE_BASE[source] + to
    group = np.searchsorted(remaining, np.arange(remaining[-1] + 2)).astype(np.int64)
    return Positions(remaining, group, np.array([len(some) for some in moves], np.int64), after, target, action)


def _remaining(position: Place) -> int:
    return sum(LAST_PLACE - place for place in position)


def _moves(position: Place) -> list[tuple[int, int]]:
    return [(source, to) for source in sorted(set(position)) for to in range(source + 1, NUM_PLACES)]


def _moved(position: Place, source: int, to: int) -> Place:
    pawns = list(position)
    pawns[pawns.index(source)] = to
    return tuple(sorted(pawns))
