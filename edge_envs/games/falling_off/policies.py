"""Policies of `falling_off` as tables: those that look at their own pawns and dice only.

Such a policy is a probability for each action of each position and roll. For the dynamic programme that boils down to
its shares: with which probability a turn from a position ends in each of its moves, and in a storm.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from edge_envs.core.jit import kernel
from edge_envs.games.falling_off.actions import FIRST_MOVE, MOVES, NUM_REROLLS, ROLLS
from edge_envs.games.falling_off.state import MOVE, NUM_DICE, NUM_PAWNS, REROLL
from edge_envs.games.falling_off.tables import (
    FIRST_ROLL,
    HAND_MORE,
    KEPT_HAND,
    NUM_HANDS,
    NUM_ROLLS,
    ROLL_PROBABILITY,
    ROLL_TARGETS,
    Floats,
    Positions,
    position_numbers,
    positions,
)

Act = Callable[[tuple[int, ...], tuple[int, ...], int], int]
"""A deterministic policy: (own pawns as in a state, the three sorted dice, `REROLL` or `MOVE`) -> action id."""


class TablePolicy(NamedTuple):
    """The probabilities of actions, by position (numbered as in `tables.py`) and roll (outcome of three dice).

    Rows of position 0, which has no pawn left, are not looked at, nor move rows of rolls that allow no move.
    """

    reroll: Floats  # (1365, 56, 8) of the reroll subsets
    move: Floats  # (1365, 56, 66) of the moves, that is of the action ids from 8 on


def uniform_tables(pawns: int = NUM_PAWNS) -> TablePolicy:
    """The random policy: every legal action is equally likely."""
    reroll, move = _legal(pawns)
    count = np.maximum(move.sum(axis=2, keepdims=True), 1)
    return TablePolicy(reroll / reroll.sum(axis=2, keepdims=True), move / count)


def tables_of(act: Act, pawns: int = NUM_PAWNS) -> TablePolicy:
    """The tables of a deterministic policy, which is asked once for each position, roll and phase."""
    _, legal = _legal(pawns)
    can_move = legal.any(axis=2)
    reroll, move = np.zeros((len(legal), NUM_ROLLS, NUM_REROLLS)), np.zeros(legal.shape)
    for own, m in position_numbers(pawns).items():
        for r, dice in enumerate(ROLLS[NUM_DICE] if m else ()):
            reroll[m, r, act(own, dice, REROLL)] = 1.0
            if can_move[m, r]:
                move[m, r, act(own, dice, MOVE) - FIRST_MOVE] = 1.0
    return TablePolicy(reroll, move)


def shares(policy: TablePolicy, pawns: int = NUM_PAWNS) -> Floats:
    """(n, k + 1): the probability that a turn from a position ends in each of its moves, and last in a storm.

    ValueError if the policy's tables have a wrong shape, an illegal action or probabilities that do not sum to 1.
    """
    _check(policy, pawns)
    every = positions(pawns)
    out = np.zeros((every.after.shape[0], every.after.shape[1] + 1))
    _shares(policy.reroll, policy.move, every, out)
    return out


def _legal(pawns: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which actions are legal, shaped as the tables of a policy."""
    every = positions(pawns)
    n, width = every.after.shape
    move = np.zeros((n, NUM_ROLLS, len(MOVES)), np.bool_)
    for k in range(width):
        allowed = (ROLL_TARGETS >> every.target[:, k, None] & 1 == 1) & (every.num_moves[:, None] > k)  # (n, 56)
        m, r = np.nonzero(allowed)
        move[m, r, every.action[m, k] - FIRST_MOVE] = True
    return np.broadcast_to(KEPT_HAND >= 0, (n, NUM_ROLLS, NUM_REROLLS)), move


def _check(policy: TablePolicy, pawns: int) -> None:
    for name, table, legal in zip(policy._fields, policy, _legal(pawns), strict=True):
        if table.shape != legal.shape:
            raise ValueError(f"{name} has the shape {table.shape}; it must be {legal.shape}")
        if not np.all(np.where(legal, table >= 0.0, table == 0.0)[1:]):
            raise ValueError(f"{name} gives an illegal action a probability, or an action a negative one")
        if not np.all(np.abs(table.sum(axis=2) - 1.0)[1:][legal.any(axis=2)[1:]] < 1e-9):
            raise ValueError(f"{name} has probabilities that do not sum to 1")


@kernel
def _shares(reroll: Floats, move: Floats, positions: Positions, out: Floats) -> None:
    reached = np.empty(NUM_HANDS)  # with which probability a hand is kept, or a roll faced when it comes to moving
    for m in range(1, out.shape[0]):
        reached[:] = 0.0
        for r in range(NUM_ROLLS):
            for subset in range(NUM_REROLLS):
                if KEPT_HAND[r, subset] >= 0:
                    reached[KEPT_HAND[r, subset]] += ROLL_PROBABILITY[r] * reroll[m, r, subset]
        for hand in range(FIRST_ROLL):
            for die in range(6):
                reached[HAND_MORE[hand, die]] += reached[hand] / 6.0
        for r in range(NUM_ROLLS):
            storm = True
            for k in range(positions.num_moves[m]):
                if ROLL_TARGETS[r] >> positions.target[m, k] & 1:
                    storm = False
                    out[m, k] += reached[FIRST_ROLL + r] * move[m, r, positions.action[m, k] - FIRST_MOVE]
            if storm:
                out[m, out.shape[1] - 1] += reached[FIRST_ROLL + r]
