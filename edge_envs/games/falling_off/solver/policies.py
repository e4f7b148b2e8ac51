"""Exact evaluation of two policies against each other in two-player `falling_off`.

A policy that depends only on its own pawns and dice is a table: the probability of each action for each pawn set and
roll. The dynamic program only needs its shares: the probabilities that a turn ends in each of the moves or in a storm.
Two more policies need no table: the perfect player, and the best response to the given opponent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.falling_off.actions import FIRST_MOVE
from edge_envs.games.falling_off.pieces.sets import (
    FIRST_ROLL,
    NUM_DICE,
    NUM_MOVES,
    NUM_PAWNS,
    NUM_SUBSETS,
    REROLLS,
    ROLLS,
)
from edge_envs.games.falling_off.solver.solution import Solution, load_solution, solve
from edge_envs.games.falling_off.solver.sweep import BEST, GUIDED, MIXED, Side, Table, blank, block, sweep
from edge_envs.games.falling_off.solver.tables import (
    DICE_MORE,
    DICE_TARGETS,
    NUM_DICE_SETS,
    NUM_FULL,
    ROLL_KEPT,
    ROLL_PROBABILITY,
    Floats,
    PawnSets,
    pawn_set_numbers,
    pawn_sets,
)
from edge_envs.games.falling_off.state import MOVE, REROLL

Act = Callable[[tuple[int, ...], tuple[int, ...], int], int]
"""A deterministic policy: (own pawns as in JSON, the three sorted dice, `REROLL` or `MOVE`) -> action id."""


class TablePolicy(NamedTuple):
    """Action probabilities by pawn set number and roll (outcome of three dice).

    The rows of the last pawn set, which has all pawns off, and the moves of a roll that allows none are ignored.
    """

    reroll: Floats  # (1365, 56, 8) of the reroll subsets
    move: Floats  # (1365, 56, 66) of the moves, which are the action ids from 8 on


Policy = TablePolicy | Literal["perfect", "best_response"]


def uniform_tables(pawns: int = NUM_PAWNS) -> TablePolicy:
    """Return the random policy: every legal action is equally likely."""
    reroll, move = _legal(pawns)
    count = np.maximum(move.sum(axis=2, keepdims=True), 1)
    return TablePolicy(reroll / reroll.sum(axis=2, keepdims=True), move / count)


def tables_of(act: Act, pawns: int = NUM_PAWNS) -> TablePolicy:
    """Return the tables of a deterministic policy; `act` is called once for each pawn set, roll and phase."""
    _, legal = _legal(pawns)
    can_move = legal.sum(axis=2) > 0
    reroll, move = np.zeros((len(legal), NUM_FULL, NUM_SUBSETS)), np.zeros(legal.shape)
    for places, number in list(pawn_set_numbers(pawns).items())[:-1]:
        for roll, dice in enumerate(ROLLS[NUM_DICE]):
            reroll[number, roll, act(places, dice, REROLL)] = 1.0
            if can_move[number, roll]:
                move[number, roll, act(places, dice, MOVE) - FIRST_MOVE] = 1.0
    return TablePolicy(reroll, move)


def policy_value(
    first: Policy, second: Policy, solution: Solution | None = None, pawns: int = NUM_PAWNS
) -> tuple[float, float]:
    """Compute the probabilities that `first` wins against `second`: moving first, and moving second.

    The results are exact up to a rounding error below 1e-11. "perfect" chooses the action with the highest
    `decision_values`, the lowest id among equals, against any opponent. "best_response" plays the best response to its
    actual opponent. The computation takes some seconds, or about 15 seconds with "perfect".

    Args:
        first: the policy whose winning probabilities are returned.
        second: its opponent.
        solution: the solution that "perfect" follows; None loads or computes it.
        pawns: pawns per player, 1..4.
    """
    sets = pawn_sets(pawns)
    alike = first is second or (isinstance(first, str) and first == second)
    sides = [side_of(policy, pawns) for policy in ((first,) if alike else (first, second))]
    guide = guide_of(sides, sets, pawns, solution)
    tables = sweep(sets, sides, guide)
    return start_value(tables[0], sets), 1.0 - start_value(tables[-1], sets)


def guide_of(
    sides: Sequence[Side], sets: PawnSets, pawns: int = NUM_PAWNS, solution: Solution | None = None
) -> Table | None:
    """Return the values that GUIDED sides follow, from `solution` or `load_solution`; None if no side is GUIDED."""
    if all(side.mode != GUIDED for side in sides):
        return None
    if solution is None:
        solution = load_solution() if pawns == NUM_PAWNS else solve(pawns=pawns)
    return _pack(solution, sets)


def shares(policy: TablePolicy, pawns: int = NUM_PAWNS) -> Floats:
    """Return (n, k + 1) by rank: the probability that a turn ends in each move of the pawn set and, last, in a storm.

    Raises:
        ValueError: if a table has a wrong shape, an illegal action or probabilities that do not sum to 1.
    """
    _check(policy, pawns)
    sets = pawn_sets(pawns)
    out = np.zeros((sets.after.shape[0], sets.after.shape[1] + 1))
    _shares(policy.reroll, policy.move, sets, out)
    return out


def _legal(pawns: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the legal actions in the shape of a policy's tables."""
    sets = pawn_sets(pawns)
    n, most_moves = sets.after.shape
    move = np.zeros((n, NUM_FULL, NUM_MOVES), np.bool_)
    for k in range(most_moves):
        named = DICE_TARGETS[FIRST_ROLL:] >> sets.target[:, k, None] & 1 == 1
        rank, roll = np.nonzero(named & (sets.num_moves[:, None] > k))
        move[sets.number[rank], roll, sets.move[rank, k]] = True
    return np.broadcast_to(REROLLS[FIRST_ROLL:] == 1, (n, NUM_FULL, NUM_SUBSETS)), move


def _check(policy: TablePolicy, pawns: int) -> None:
    for name, table, legal in zip(policy._fields, policy, _legal(pawns), strict=True):
        if table.shape != legal.shape:
            raise ValueError(f"{name} has shape {table.shape}: expected {legal.shape}")
        probabilities, allowed = table[:-1], legal[:-1]
        if not np.all(np.where(allowed, probabilities >= 0.0, probabilities == 0.0)):
            raise ValueError(f"{name} has a positive probability of an illegal action, or a negative probability")
        if not np.all(np.abs(probabilities.sum(axis=2) - 1.0)[allowed.sum(axis=2) > 0] < 1e-9):
            raise ValueError(f"{name} has probabilities that do not sum to 1")


@kernel
def _shares(reroll: Floats, move: Floats, sets: PawnSets, out: Floats) -> None:
    reached = np.empty(NUM_DICE_SETS)  # probability that these dice are kept or, if there are three, final
    for rank in range(1, out.shape[0]):
        number = sets.number[rank]
        reached[:] = 0.0
        for roll in range(NUM_FULL):
            for subset in range(NUM_SUBSETS):
                reached[ROLL_KEPT[roll, subset]] += ROLL_PROBABILITY[roll] * reroll[number, roll, subset]
        for dice in range(FIRST_ROLL):
            for die in range(6):
                reached[DICE_MORE[dice, die]] += reached[dice] / 6.0
        for roll in range(NUM_FULL):
            storm = True
            for k in range(sets.num_moves[rank]):
                if DICE_TARGETS[FIRST_ROLL + roll] >> sets.target[rank, k] & 1:
                    storm = False
                    out[rank, k] += reached[FIRST_ROLL + roll] * move[number, roll, sets.move[rank, k]]
            if storm:
                out[rank, out.shape[1] - 1] += reached[FIRST_ROLL + roll]


def side_of(policy: Policy, pawns: int = NUM_PAWNS) -> Side:
    """Return a policy as a side of the dynamic program."""
    if isinstance(policy, TablePolicy):
        return Side(MIXED, shares(policy, pawns))
    modes = {"perfect": GUIDED, "best_response": BEST}
    if policy not in modes:
        raise ValueError(f"unknown policy {policy!r}: expected a TablePolicy, {' or '.join(map(repr, modes))}")
    return Side(modes[policy])


def start_value(table: Table, sets: PawnSets) -> float:
    """Return the value of the start position for the side of `table`, which is about to roll."""
    last = sets.remaining.size - 1
    return float(block(table, sets, sets.remaining[-1])[table.first[1] + last, 0])


def _pack(solution: Solution, sets: PawnSets) -> Table:
    """Return the values of a solution as a table that a GUIDED side can follow."""
    n = sets.remaining.size
    table = blank(sets, solution.values.shape[1])
    for theirs in range(1, sets.group.size - 1):
        numbers, rows = sets.number[slice(*sets.group[theirs : theirs + 2])], block(table, sets, theirs)
        rows[1:n] = 1.0 - solution.values[numbers, 0][:, sets.number[1:]].T
        for t in range(1, table.cut + 1):
            start = sets.group[t + 1]
            kept = solution.values[sets.number[start:], t - 1]
            rows[table.first[t] + start : table.first[t] + n] = kept[:, numbers]
    return table
