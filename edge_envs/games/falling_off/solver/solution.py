"""Exact solution of two-player `falling_off`, and the decision values derived from it.

`load_solution` returns the probability that the player to move wins with best play on both sides, for every position
with up to eight turns owed. It reads the solution from the user's cache, or solves the game within seconds (see
`sweep.py`) and caches the result. `decision_values` turns it into the value of each legal action, for the perfect
player and for regrets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.solver import check_output
from edge_envs.core.solving.tables import load_or_build
from edge_envs.core.spec import Records
from edge_envs.games.falling_off.actions import FIRST_MOVE, NUM_ACTIONS
from edge_envs.games.falling_off.pieces.sets import (
    FIRST_ROLL,
    KEPT,
    MOVED,
    MOVES,
    MOVES_FROM,
    MOVES_TO,
    MOVES_TO_OF,
    NUM_MOVES,
    NUM_PAWNS,
    NUM_PLACES,
    NUM_SUBSETS,
    REROLLS,
)
from edge_envs.games.falling_off.solver.sweep import SIXTH, Table, best_side, blank, block, sweep, sweep_block
from edge_envs.games.falling_off.solver.tables import (
    DICE_LESS,
    DICE_MORE,
    DICE_TARGET,
    NUM_DICE_SETS,
    USUAL,
    Floats,
    Ints,
    PawnSets,
    Rules,
    Throws,
    numbers_in_records,
    pawn_set_numbers,
    pawn_sets,
    throws_of,
)
from edge_envs.games.falling_off.state import LANDINGS, MOVE, REROLL

KEPT_TURNS: Final = 8

Progress = Callable[[float], None]

NO_PLACES_BLOCK: Final = np.zeros((0, 1), np.int32)

SOLVED: Final = "two players without a landing rule"


def solves(params: Mapping[str, Any]) -> bool:
    """Return whether the game with these parameters has an exact solution."""
    return bool(params["num_players"] == 2 and params["landing"] == LANDINGS[0])


def responds(params: Mapping[str, Any]) -> bool:
    """Return whether best responses can be computed: only with the usual pawns, dice, spaces and rerolls."""
    return solves(params) and Rules.of(params) == USUAL


def instant(params: Mapping[str, Any]) -> bool:
    """Return whether decisions are evaluated at once; true for all solved games, since the solution is a table."""
    return solves(params)


@dataclass(frozen=True, eq=False)
class Solution:
    """Winning probabilities of the player to move, who is about to roll, with best play on both sides.

    `values[mine, t - 1, theirs]` is the probability for the pawn set numbers `mine` and `theirs` (as in a state's
    record) and t turns owed: float64 of shape (1365, 8, 1365), read-only. Kernels accept the array directly. With fewer
    pawns or spaces there are fewer pawn sets, numbered as in `pawn_set_numbers`.
    """

    values: Floats
    pawns: int
    cut: int
    """The largest number of turns owed that the solver considered; more turns count as lost."""
    rules: Rules = USUAL
    """The rules; its `pawns` are those above."""

    @property
    def first_player_win_probability(self) -> float:
        """The value of the start position for the player who moves first."""
        return float(self.values[0, 0, 0])

    @property
    def _sets(self) -> PawnSets:
        return pawn_sets(self.pawns, self.rules.spaces)

    @property
    def positions(self) -> int:
        """The number of positions evaluated: pawns of both sides, and turns owed that can be survived."""
        remaining = self._sets.remaining
        return int(np.minimum(remaining - 1, self.cut)[1:].sum()) * (remaining.size - 1)

    @property
    def error_bound(self) -> float:
        """An upper bound on the absolute error of every value; 1 if the solution was cut.

        Without a cut, only rounding errors remain. Let u = 2**-53. A turn adds the following to the errors of the
        values it leads to: 7 u for each mean of six (five sums, the rounded 1/6, its product), of which at most three
        are nested for each reroll; 57 u for the mean over the rolls (55 sums, a rounded probability, its product); u if
        the turn passes. Maxima are exact. With one reroll the total is less than 80 u. Neither means nor maxima amplify
        errors, so errors add up along the longest line of turns. It has at most 2 r moves, where r is the largest
        number of remaining moves of a player. A storm adds a turn owed, a move takes one, and with r turns owed the
        value is exactly 0. So a player meets at most r more storms than it makes moves, and the line has at most 6 r
        turns.
        """
        most, roundings = int(self._sets.remaining[-1]), 59 + 21 * self.rules.rerolls
        return 6 * most * roundings * 2.0**-53 if self.cut >= most - 1 else 1.0

    def value(self, mine: Sequence[int], theirs: Sequence[int], turns_owed: int = 1) -> float:
        """Return the winning probability of the player to roll.

        Up to eight turns owed the value is looked up; beyond that it is computed within some hundredths of a second.

        Args:
            mine: the player's pawns as in JSON.
            theirs: the other player's pawns.
            turns_owed: turns that the player owes, including this one.

        Raises:
            ValueError: if the pawns or the turns owed are not possible.
        """
        own, other = self._number(mine), self._number(theirs)
        if turns_owed < 1:
            raise ValueError(f"invalid turns_owed={turns_owed}: expected at least 1")
        off = len(self.values) - 1
        if turns_owed <= self.values.shape[1] or off in (own, other):
            return float(self.values[own, min(turns_owed, self.values.shape[1]) - 1, other])
        return self._deep_value(own, other, turns_owed)

    def decision_values(self, states: Records, out: Floats) -> None:
        """Fill `out` (k, 74) like the kernel `decision_values`, for an array of k states at decisions.

        Raises:
            ValueError: if `out` has another shape or dtype, or if the states have another number of players.
        """
        check_output(states, out, NUM_ACTIONS)
        if (states["num_players"] != 2).any():
            raise ValueError("invalid state records: only games of two players are solved")
        if self.rules == USUAL and self.pawns == NUM_PAWNS:
            decision_values_of(self.values, self.values, states, out)
            return
        throws = throws_of(*self.rules[1:])
        decision_values_with(throws, self.values, numbers_in_records(self.pawns, self.rules.spaces), states, out)

    def _number(self, pawns: Sequence[int]) -> int:
        spaces = self.rules.spaces
        number = pawn_set_numbers(self.pawns, spaces).get(tuple(sorted(int(place) for place in pawns)))
        if number is None:
            places = f"0, 4..{3 + spaces} and 14"
            raise ValueError(f"invalid pawns {list(pawns)}: expected {self.pawns} places among {places}")
        return number

    def _deep_value(self, mine: int, theirs: int, turns_owed: int) -> float:
        """Run the sweep over own pawns and turns owed, against a single pawn set of the other player."""
        sets = self._sets
        rank = int(np.flatnonzero(sets.number == mine)[0])
        if turns_owed > self.cut or turns_owed >= sets.remaining[rank]:
            return 0.0
        table = blank(sets, self.cut, columns=1)
        column = table.values.reshape(-1, 1)
        column[1 : len(self.values), 0] = 1.0 - self.values[theirs, 0, sets.number[1:]]
        for moves in range(2, int(sets.remaining[rank]) + 1):
            sweep_block(moves, sets, table, column, best_side(self.rules), table, column, NO_PLACES_BLOCK)
        return float(column[table.first[turns_owed] + rank, 0])


def solve(
    cut: int | None = None,
    progress: Progress | None = None,
    pawns: int | None = None,
    params: Mapping[str, Any] | None = None,
) -> Solution:
    """Solve the two-player game.

    Args:
        cut: count positions with more turns owed than this as lost, which is faster but inexact; None is exact.
        progress: called with the fraction done.
        pawns: pawns per player, 1..4; None takes them from `params`.
        params: the parameters of the game; None are the defaults.
    """
    rules = Rules.of(params)
    rules = rules if pawns is None else rules._replace(pawns=pawns)
    sets = pawn_sets(rules.pawns, rules.spaces)
    (table,) = sweep(sets, [best_side(rules)], cut=cut, progress=progress)
    return Solution(unpack(table, sets), rules.pawns, table.cut, rules)


def warm_up() -> None:
    """Compile the solver."""
    solve(pawns=1)


_loaded: dict[Rules, Solution] = {}


def load_solution(progress: Progress | None = None, params: Mapping[str, Any] | None = None) -> Solution:
    """Return the exact solution: the one of this process, from the user's cache, or solved now and cached.

    Games that differ only in `play_on` share one solution. None as `params` are the defaults.
    """
    rules = Rules.of(params)
    if rules not in _loaded:
        remaining = pawn_sets(rules.pawns, rules.spaces).remaining
        n, cut = remaining.size, int(remaining[-1]) - 1
        arrays = load_or_build(
            name="_".join(["falling_off", *(map(str, rules) if rules != USUAL else ())]),
            folder=Path(__file__).resolve().parents[1],
            shapes={"values": (n, min(KEPT_TURNS, cut), n)},
            build=lambda: {"values": solve(progress=progress, params=params).values},
        )
        arrays["values"].flags.writeable = False
        _loaded[rules] = Solution(arrays["values"], rules.pawns, cut, rules)
    return _loaded[rules]


def unpack(table: Table, sets: PawnSets) -> Floats:
    """Return the values of up to eight turns owed as an array (n, 8, n) indexed by pawn set numbers."""
    n = sets.remaining.size
    by_rank = np.zeros((min(KEPT_TURNS, table.cut), n, n))
    for theirs in range(1, sets.group.size - 1):
        columns, rows = slice(*sets.group[theirs : theirs + 2]), block(table, sets, theirs)
        for t in range(1, len(by_rank) + 1):
            start = sets.group[t + 1]
            by_rank[t - 1, start:, columns] = rows[table.first[t] + start : table.first[t] + n]
    by_rank[:, 1:, 0] = 1.0  # the other has fallen
    rank = np.argsort(sets.number)
    values = np.empty((n, len(by_rank), n))
    for t, plane in enumerate(by_rank):
        values[:, t] = plane[rank][:, rank]
    values.flags.writeable = False
    return values


# Values of single decisions

_TARGET: Final = np.array([target for _, target in MOVES], np.int64)
MOVES_TO_ANY: Final = MOVES_TO_OF.max(axis=1)
"""`MOVES_TO_ANY[spaces, m]`: whether a world of that many spaces has the target of move m."""


@kernel
def decision_values(
    values: Floats, mine: int, theirs: int, turns_owed: int, phase: int, dice: int, out: Floats
) -> None:
    """Fill `out` (74,) with the probability that the mover wins after each action; NaN if the action is not legal.

    With up to seven turns owed the result is exact. An action that leads to more than eight turns owed, the limit of
    `values`, counts as lost.

    Args:
        values: the values of a solution with four pawns.
        mine: the number of the mover's pawn set, as in a state's record.
        theirs: the number of the other player's pawn set.
        turns_owed: turns that the mover owes, including this one.
        phase: `REROLL` or `MOVE`.
        dice: the number of the dice set, as in a state's record.
        out: the array to fill.
    """
    _decision_values(values, values, mine, theirs, turns_owed, phase, dice, out)


@kernel
def decision_values_of(values: Floats, others: Floats, states: Records, out: Floats) -> None:
    """Do the same for k states and `out` (k, 74); `others` are the other side's values when it is about to roll."""
    for i in range(states.size):
        state = states[i]
        mine, theirs = state.pawns[state.turn_player], state.pawns[1 - state.turn_player]
        _decision_values(values, others, mine, theirs, state.turns_owed, state.phase, state.dice, out[i])


@kernel
def _decision_values(
    values: Floats, others: Floats, mine: int, theirs: int, turns_owed: int, phase: int, dice: int, out: Floats
) -> None:
    out[:] = np.nan
    if phase == REROLL:
        _reroll_values(values, others, mine, theirs, turns_owed, dice, out)
        return
    for move in range(NUM_MOVES):
        if MOVES_FROM[mine, move] & MOVES_TO[dice, move]:
            out[FIRST_MOVE + move] = _gain(values, others, MOVED[mine, move], theirs, turns_owed)


@kernel
def _gain(values: Floats, others: Floats, after: int, theirs: int, turns_owed: int) -> float:
    """Return the value of a move that leaves the mover with the pawn set `after`."""
    if turns_owed == 1:
        return 1.0 - others[theirs, 0, after]
    return values[after, turns_owed - 2, theirs] if turns_owed - 2 < values.shape[1] else 0.0


@kernel
def _reroll_values(
    values: Floats, others: Floats, mine: int, theirs: int, turns_owed: int, dice: int, out: Floats
) -> None:
    """Run the passes over the dice sets described in `sweep.py` for one position."""
    best, gains = np.empty(NUM_DICE_SETS), np.full(NUM_PLACES, -1.0)
    for move in range(NUM_MOVES):
        if MOVES_FROM[mine, move]:
            gain = _gain(values, others, MOVED[mine, move], theirs, turns_owed)
            gains[_TARGET[move]] = max(gains[_TARGET[move]], gain)
    best[0] = -1.0
    for some in range(1, NUM_DICE_SETS):
        a, b, c = DICE_LESS[some, 0], DICE_LESS[some, 1], DICE_LESS[some, 2]
        best[some] = max(gains[DICE_TARGET[some]], best[a], best[b], best[c])
    storm = values[mine, turns_owed, theirs] if turns_owed < values.shape[1] else 0.0
    for roll in range(FIRST_ROLL, NUM_DICE_SETS):
        if best[roll] < 0.0:
            best[roll] = storm
    for some in range(FIRST_ROLL - 1, -1, -1):
        total = 0.0
        for die in range(6):
            total += best[DICE_MORE[some, die]]
        best[some] = total * SIXTH
    for subset in range(NUM_SUBSETS):
        if REROLLS[dice, subset]:
            out[subset] = best[KEPT[dice, subset]]


@kernel
def decision_values_with(throws: Throws, values: Floats, numbers: Ints, states: Records, out: Floats) -> None:
    """Do the same with any dice; `numbers` are those of the pawn sets of records in `values`."""
    actual, final = np.empty(NUM_DICE_SETS), np.empty(NUM_DICE_SETS)
    for i in range(states.size):
        state, line = states[i], out[i]
        pawns, owed, dice = state.pawns[state.turn_player], np.int64(state.turns_owed), state.dice
        mine, theirs = numbers[pawns], numbers[state.pawns[1 - state.turn_player]]
        line[:] = np.nan
        if state.phase == MOVE:
            for move in range(NUM_MOVES):
                if MOVES_FROM[pawns, move] & MOVES_TO_OF[state.spaces, dice, move]:
                    line[FIRST_MOVE + move] = _gain(values, values, numbers[MOVED[pawns, move]], theirs, owed)
            continue
        storm = values[mine, owed, theirs] if owed < values.shape[1] else 0.0
        gains = np.full(NUM_PLACES, -1.0)
        for move in range(NUM_MOVES):
            if MOVES_FROM[pawns, move] and MOVES_TO_ANY[state.spaces, move]:
                gain = _gain(values, values, numbers[MOVED[pawns, move]], theirs, owed)
                gains[_TARGET[move]] = max(gains[_TARGET[move]], gain)
        _final_values(throws, gains, storm, final)
        _reroll_means(throws, final, np.int64(state.rerolls_left) - 1, actual)
        for subset in range(NUM_SUBSETS):
            if REROLLS[dice, subset]:
                line[subset] = actual[KEPT[dice, subset]] if subset else final[dice]


@kernel
def _final_values(throws: Throws, gains: Floats, storm: float, final: Floats) -> None:
    """Fill `final` at each roll with its value without a reroll; `gains` has the best move to each place, or -1."""
    for r in range(throws.named.size):
        best = -1.0
        for place in range(1, NUM_PLACES):
            if throws.named[r] >> place & 1:
                best = max(best, gains[place])
        final[throws.first + r] = storm if best < 0.0 else best


@kernel
def _reroll_means(throws: Throws, final: Floats, rerolls: int, actual: Floats) -> None:
    """Fill `actual` at each smaller set with the mean value of keeping it, with this many rerolls after that."""
    first, stop = throws.first, throws.first + throws.named.size
    for roll in range(first, stop):
        actual[roll] = final[roll]
    for left in range(rerolls, -1, -1):
        for some in range(first - 1, -1, -1):
            total = 0.0
            for die in range(6):
                total += actual[DICE_MORE[some, die]]
            actual[some] = total * SIXTH
        if left:
            for roll in range(first, stop):
                actual[roll] = final[roll]
                for kept in throws.kept[roll - first]:
                    if kept < first:
                        actual[roll] = max(actual[roll], actual[kept])
