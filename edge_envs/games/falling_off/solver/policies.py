"""The exact result of two policies against each other in two-player `falling_off`.

A policy that looks at its own pawns and dice only is a table: a probability for each action with each pawn set and
roll. For the dynamic programme that boils down to its shares: with which probability a turn ends in each of the moves,
and in a storm. Two more policies need no table: the perfect player, and the best response to the opponent at hand.
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
"""A deterministic policy: own pawns as in JSON, the three sorted dice, `REROLL` or `MOVE` -> action id."""


class TablePolicy(NamedTuple):
    """The probabilities of actions by number of the pawn set and by roll (outcome of three dice).

    Nobody looks at the rows of the last pawn set, which has all pawns off, or at moves of a roll that allows none.
    """

    reroll: Floats  # (1365, 56, 8) of the reroll subsets
    move: Floats  # (1365, 56, 66) of the moves, that is of the action ids from 8 on


Policy = TablePolicy | Literal["perfect", "best_response"]


def uniform_tables(pawns: int = NUM_PAWNS) -> TablePolicy:
    """The random policy: every legal action is equally likely."""
    reroll, move = _legal(pawns)
    count = np.maximum(move.sum(axis=2, keepdims=True), 1)
    return TablePolicy(reroll / reroll.sum(axis=2, keepdims=True), move / count)


def tables_of(act: Act, pawns: int = NUM_PAWNS) -> TablePolicy:
    """The tables of a deterministic policy, which is asked once for each pawn set, roll and phase."""
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
    """The probabilities that `first` wins against `second`: when it moves first, and when it moves second.

    They are exact up to rounding, below 1e-11. "perfect" takes the action of the highest `decision_values`, the lowest
    id among equals, whoever the opponent is (by `solution`, or else by that of `load_solution`); "best_response" plays
    best against the very opponent it meets. Takes some seconds, with "perfect" about a quarter of a minute.
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
    """What GUIDED sides follow: the values of a solution, or else of that of `load_solution`; None without such."""
    if all(side.mode != GUIDED for side in sides):
        return None
    if solution is None:
        solution = load_solution() if pawns == NUM_PAWNS else solve(pawns=pawns)
    return _pack(solution, sets)


def shares(policy: TablePolicy, pawns: int = NUM_PAWNS) -> Floats:
    """Return (n, k + 1) by rank: the probability that a turn ends in each of the pawn set's moves, and last in a storm.

    ValueError if the policy's tables have a wrong shape, an illegal action or probabilities that do not sum to 1.
    """
    _check(policy, pawns)
    sets = pawn_sets(pawns)
    out = np.zeros((sets.after.shape[0], sets.after.shape[1] + 1))
    _shares(policy.reroll, policy.move, sets, out)
    return out


def _legal(pawns: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which actions are legal, shaped as the tables of a policy."""
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
            raise ValueError(f"{name} has the shape {table.shape}; it must be {legal.shape}")
        probabilities, possible = table[:-1], legal[:-1]
        if not np.all(np.where(possible, probabilities >= 0.0, probabilities == 0.0)):
            raise ValueError(f"{name} gives an illegal action a probability, or an action a negative one")
        if not np.all(np.abs(probabilities.sum(axis=2) - 1.0)[possible.sum(axis=2) > 0] < 1e-9):
            raise ValueError(f"{name} has probabilities that do not sum to 1")


@kernel
def _shares(reroll: Floats, move: Floats, sets: PawnSets, out: Floats) -> None:
    reached = np.empty(NUM_DICE_SETS)  # with which probability these dice are kept or, three of them, final
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
    """How a policy plays, for the dynamic programme."""
    if isinstance(policy, TablePolicy):
        return Side(MIXED, shares(policy, pawns))
    modes = {"perfect": GUIDED, "best_response": BEST}
    if policy not in modes:
        raise ValueError(f"there is no policy {policy!r}; possible are {', '.join(map(repr, modes))} and tables")
    return Side(modes[policy])


def start_value(table: Table, sets: PawnSets) -> float:
    """The value of the start to the side of a table, which is to roll."""
    last = sets.remaining.size - 1
    return float(block(table, sets, sets.remaining[-1])[table.first[1] + last, 0])


def _pack(solution: Solution, sets: PawnSets) -> Table:
    """The values of a solution as a table, for a side to follow."""
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
