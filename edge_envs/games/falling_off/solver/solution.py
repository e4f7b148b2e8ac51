"""The exact solution of two-player `falling_off`, and what is read from it.

`load_solution` gives the probability that the player to move wins with best play on both sides, for every position
with up to eight turns owed: from the user's cache, or solved within seconds (`sweep.py` says how) and kept there.
`decision_values` turns it into the value of each legal action, for the perfect player and for regrets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.solving.tables import load_or_build
from edge_envs.core.spec import Records
from edge_envs.games.falling_off.actions import FIRST_MOVE
from edge_envs.games.falling_off.pieces.sets import (
    FIRST_ROLL,
    KEPT,
    MOVED,
    MOVES,
    MOVES_FROM,
    MOVES_TO,
    NUM_MOVES,
    NUM_PAWNS,
    NUM_PLACES,
    NUM_SUBSETS,
    PAWN_SETS,
    REROLLS,
)
from edge_envs.games.falling_off.solver.sweep import (
    BEST,
    SIXTH,
    Side,
    Table,
    blank,
    block,
    sweep,
    sweep_block,
)
from edge_envs.games.falling_off.solver.tables import (
    DICE_LESS,
    DICE_MORE,
    DICE_TARGET,
    NUM_DICE_SETS,
    Floats,
    PawnSets,
    pawn_set_numbers,
    pawn_sets,
)
from edge_envs.games.falling_off.state import REROLL

KEPT_TURNS: Final = 8

Progress = Callable[[float], None]

_ROUNDINGS: Final = 80

NOBODY_ASKED: Final = np.zeros((0, 1), np.int32)


SOLVED: Final = "two players"


def solves(params: Mapping[str, Any]) -> bool:
    """Whether there is an exact solution of the game with these parameters."""
    return bool(params["num_players"] == 2)


def instant(params: Mapping[str, Any]) -> bool:
    """Whether decisions are valued at once: the whole solution is a table."""
    return solves(params)


@dataclass(frozen=True, eq=False)
class Solution:
    """Winning probabilities of the player to move, about to roll, with best play on both sides.

    `values[mine, t - 1, theirs]` is that of the pawn sets with the numbers `mine` and `theirs` (as in a state's record)
    and t turns owed, float64 of shape (1365, 8, 1365). Compiled code takes it as it is; it is read-only.
    """

    values: Floats
    pawns: int
    cut: int
    """The most turns owed that the solution looked at; more than that counts as lost."""

    @property
    def first_player_win_probability(self) -> float:
        """The value of the start position to the player who moves first."""
        return float(self.values[0, 0, 0])

    @property
    def positions(self) -> int:
        """How many positions were valued: pawns of both, and so many turns owed that they can be survived."""
        remaining = pawn_sets(self.pawns).remaining
        return int(np.minimum(remaining - 1, self.cut)[1:].sum()) * (remaining.size - 1)

    @property
    def error_bound(self) -> float:
        """No value is off by more than this; 1 if the solution was cut.

        Without a cut nothing but rounding is left. Let u = 2**-53. A turn adds to the errors of the values it leads to:
        7 u for each mean of six (five sums, the rounded 1/6, its product), of which at most three are nested; 57 u for
        the mean over the rolls (55 sums, a rounded probability, its product); u where the turn passes; the greatest of
        several is exact. That is less than 80 u. Neither means nor maxima enlarge errors, so they add up along the
        longest line of turns. It has at most 2 r moves, r being the most remaining moves of a player. A storm adds a
        turn owed and a move takes one, and with r turns owed the value is exactly 0; so a player meets at most r storms
        more than it makes moves, and the line has at most 6 r turns.
        """
        most = int(pawn_sets(self.pawns).remaining[-1])
        return 6 * most * _ROUNDINGS * 2.0**-53 if self.cut >= most - 1 else 1.0

    def value(self, mine: Sequence[int], theirs: Sequence[int], turns_owed: int = 1) -> float:
        """The winning probability of a player to roll with pawns `mine`, as in JSON, against `theirs`.

        Up to eight turns owed it is looked up; beyond, it is worked out within some hundredths of a second.
        """
        own, other = self._number(mine), self._number(theirs)
        if turns_owed < 1:
            raise ValueError(f"turns_owed={turns_owed} is not possible; it must be at least 1")
        off = len(self.values) - 1
        if turns_owed <= self.values.shape[1] or off in (own, other):
            return float(self.values[own, min(turns_owed, self.values.shape[1]) - 1, other])
        return self._deep_value(own, other, turns_owed)

    def decision_values(self, states: Records, out: Floats) -> None:
        """Fill `out` (k, 74) as the kernel `decision_values` does, for an array of k states at decisions."""
        decision_values_of(self.values, self.values, states, out)

    def _number(self, pawns: Sequence[int]) -> int:
        number = pawn_set_numbers(self.pawns).get(tuple(sorted(int(place) for place in pawns)))
        if number is None:
            raise ValueError(f"{list(pawns)} are not {self.pawns} pawns on the places 0, 4..13 and 14")
        return number

    def _deep_value(self, mine: int, theirs: int, turns_owed: int) -> float:
        """The sweep over own pawns and turns owed, against one pawn set of the other."""
        sets = pawn_sets(self.pawns)
        rank = int(np.flatnonzero(sets.number == mine)[0])
        if turns_owed > self.cut or turns_owed >= sets.remaining[rank]:
            return 0.0
        table = blank(sets, self.cut, columns=1)
        column = table.values.reshape(-1, 1)
        column[1 : len(self.values), 0] = 1.0 - self.values[theirs, 0, sets.number[1:]]
        for moves in range(2, int(sets.remaining[rank]) + 1):
            sweep_block(moves, sets, table, column, Side(BEST), table, column, NOBODY_ASKED)
        return float(column[table.first[turns_owed] + rank, 0])


def solve(
    cut: int | None = None,
    progress: Progress | None = None,
    pawns: int = NUM_PAWNS,
    params: Mapping[str, Any] | None = None,
) -> Solution:
    """Solve the game of `pawns` pawns each, 1..4.

    `cut` takes positions with more turns owed than that for lost, which is faster and errs; None is exact.
    `progress` is told the fraction that is done. All parameters that are solved have one solution.
    """
    sets = pawn_sets(pawns)
    (table,) = sweep(sets, [Side(BEST)], cut=cut, progress=progress)
    return Solution(unpack(table, sets), pawns, table.cut)


def warm_up() -> None:
    """Compile the solver."""
    solve(pawns=1)


_loaded: list[Solution] = []


def load_solution(progress: Progress | None = None, params: Mapping[str, Any] | None = None) -> Solution:
    """The exact solution of the game: this process's, or from the user's cache, or solved now and kept there.

    All parameters that are solved have one solution.
    """
    if not _loaded:
        n = len(PAWN_SETS)
        arrays = load_or_build(
            name="falling_off",
            folder=Path(__file__).resolve().parents[1],
            shapes={"values": (n, KEPT_TURNS, n)},
            build=lambda: {"values": solve(progress=progress).values},
        )
        arrays["values"].flags.writeable = False
        _loaded.append(Solution(arrays["values"], NUM_PAWNS, int(pawn_sets().remaining[-1]) - 1))
    return _loaded[0]


def unpack(table: Table, sets: PawnSets) -> Floats:
    """The values of up to eight turns owed as one array by numbers of pawn sets, (n, 8, n)."""
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


# The values of single decisions

_TARGET: Final = np.array([target for _, target in MOVES], np.int64)


@kernel
def decision_values(
    values: Floats, mine: int, theirs: int, turns_owed: int, phase: int, dice: int, out: Floats
) -> None:
    """Fill `out` (74,) with the probability that the mover wins after each action, NaN where it is not legal.

    `values` are those of a solution with four pawns. The numbers of the mover's and of the other's pawn set, the turns
    that the mover owes, this one included, the phase, `REROLL` or `MOVE`, and the number of the dice set are those of a
    state's record. With up to seven turns owed the result is exact; what leads to more turns owed than `values` knows,
    eight, counts as lost.
    """
    _decision_values(values, values, mine, theirs, turns_owed, phase, dice, out)


@kernel
def decision_values_of(values: Floats, others: Floats, states: Records, out: Floats) -> None:
    """Fill `out` (k, 74) in the same way for k states; `others` are the values of the other side when it is to roll."""
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
    """What a move is worth that leaves the mover with the pawn set `after`."""
    if turns_owed == 1:
        return 1.0 - others[theirs, 0, after]
    return values[after, turns_owed - 2, theirs] if turns_owed - 2 < values.shape[1] else 0.0


@kernel
def _reroll_values(
    values: Floats, others: Floats, mine: int, theirs: int, turns_owed: int, dice: int, out: Floats
) -> None:
    """The walk over the dice sets of `sweep.py`, for one position."""
    worth, gains = np.empty(NUM_DICE_SETS), np.full(NUM_PLACES, -1.0)
    for move in range(NUM_MOVES):
        if MOVES_FROM[mine, move]:
            gain = _gain(values, others, MOVED[mine, move], theirs, turns_owed)
            gains[_TARGET[move]] = max(gains[_TARGET[move]], gain)
    worth[0] = -1.0
    for some in range(1, NUM_DICE_SETS):
        a, b, c = DICE_LESS[some, 0], DICE_LESS[some, 1], DICE_LESS[some, 2]
        worth[some] = max(gains[DICE_TARGET[some]], worth[a], worth[b], worth[c])
    storm = values[mine, turns_owed, theirs] if turns_owed < values.shape[1] else 0.0
    for roll in range(FIRST_ROLL, NUM_DICE_SETS):
        if worth[roll] < 0.0:
            worth[roll] = storm
    for some in range(FIRST_ROLL - 1, -1, -1):
        total = 0.0
        for die in range(6):
            total += worth[DICE_MORE[some, die]]
        worth[some] = total * SIXTH
    for subset in range(NUM_SUBSETS):
        if REROLLS[dice, subset]:
            out[subset] = worth[KEPT[dice, subset]]
