"""The exact solution of two-player `falling_off`, and what is read from it.

`load_solution` gives the probability that the player to move wins with best play on both sides, for every position
with up to eight turns owed: from the user's cache, or solved within seconds (`sweep.py` says how) and kept there.
`decision_values` turns it into the value of each legal action, for the perfect player and for regrets, and
`policy_value` gives the exact result of two policies against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from edge_envs.core.jit import kernel
from edge_envs.core.solve import load_or_build
from edge_envs.games.falling_off.actions import NUM_PLACES, NUM_REROLLS
from edge_envs.games.falling_off.policies import Act, TablePolicy, shares, tables_of, uniform_tables
from edge_envs.games.falling_off.rules import PLACE_INDEX
from edge_envs.games.falling_off.state import NUM_PAWNS, REROLL
from edge_envs.games.falling_off.sweep import (
    BEST,
    GUIDED,
    MIXED,
    SIXTH,
    Side,
    Table,
    blank,
    block,
    sweep,
    sweep_block,
)
from edge_envs.games.falling_off.tables import (
    FIRST_ROLL,
    HAND_LESS,
    HAND_MORE,
    HAND_TARGET,
    KEPT_HAND,
    NUM_HANDS,
    ROLL_TARGETS,
    Floats,
    Positions,
    places,
    position_numbers,
    positions,
)

__all__ = [
    "KEPT_TURNS", "Act", "Policy", "Solution", "TablePolicy", "decision_values", "load_solution", "policy_value",
    "solve", "tables_of", "uniform_tables",
]  # fmt: skip

KEPT_TURNS: Final = 8
Policy = TablePolicy | Literal["perfect", "best_response"]
Progress = Callable[[float], None]
Pawns = NDArray[np.uint8]

_ROUNDINGS: Final = 80
_NO_SHARES: Final = np.zeros((1, 1))


@dataclass(frozen=True, eq=False)
class Solution:
    """Winning probabilities of the player to move, about to roll, with best play on both sides.

    `values[mine, t - 1, theirs]` is that of the position numbers `mine` and `theirs` (see `tables.py`) with t turns
    owed, float64 of shape (1365, 8, 1365). Compiled code takes it as it is; it is read-only.
    """

    values: Floats
    pawns: int
    cut: int
    """The most turns owed that the solution looked at; more than that counts as lost."""

    @property
    def first_player_win_probability(self) -> float:
        """The value of the start position to the player who moves first."""
        return float(self.values[-1, 0, -1])

    @property
    def positions(self) -> int:
        """How many positions were valued: own pawns, the other's pawns and turns owed that leave a chance to win."""
        every = positions(self.pawns)
        return int(np.minimum(every.remaining - 1, self.cut)[1:].sum()) * (every.remaining.size - 1)

    @property
    def error_bound(self) -> float:
        """No value is off by more than this; 1 if the solution was cut.

        Nothing but rounding is left without a cut. Let u = 2**-53. A turn adds to the errors of the values it leads
        to: 7 u for each mean of six (five sums, the rounded 1/6, its product), of which at most three are nested;
        57 u for the mean over the rolls (55 sums, a rounded probability, its product); u where the turn passes; most
        is exact. That is less than 80 u. Means and maxima do not enlarge errors, so they add up along the longest
        line of turns. With r remaining moves for each player it has 2 r moves. A storm adds a turn owed and a move
        takes one, and no more than r turns are ever owed with a value but 0, so that a player meets at most as many
        storms as it makes moves, and r more: 6 r turns in all.
        """
        most = int(positions(self.pawns).remaining[-1])
        return 6 * most * _ROUNDINGS * 2.0**-53 if self.cut >= most - 1 else 1.0

    def value(self, mine: Sequence[int], theirs: Sequence[int], turns_owed: int = 1) -> float:
        """The winning probability of a player to roll with pawns `mine`, as in a state, against `theirs`.

        Up to eight turns owed it is looked up; beyond it is worked out from the table, within some hundredths of a
        second.
        """
        own, other = self._number(mine), self._number(theirs)
        if turns_owed < 1:
            raise ValueError(f"turns_owed={turns_owed} is not possible; it must be at least 1")
        if turns_owed <= self.values.shape[1]:
            return float(self.values[own, turns_owed - 1, other])
        every = positions(self.pawns)
        if own == 0 or other == 0 or turns_owed >= every.remaining[own] or turns_owed > self.cut:
            return float(other == 0)
        table, column = _column(self, other)
        return float(column[table.first[turns_owed] + own, 0])

    def _number(self, pawns: Sequence[int]) -> int:
        number = position_numbers(self.pawns).get(tuple(sorted(int(place) for place in pawns)))
        if number is None:
            raise ValueError(f"{list(pawns)} are not {self.pawns} pawns on the places 0, 4..13 and 14")
        return number


def solve(cut: int | None = None, progress: Progress | None = None, pawns: int = NUM_PAWNS) -> Solution:
    """Solve the game of `pawns` pawns each, 1..4.

    `cut` takes positions with more turns owed than that for lost, which is faster and errs; None is exact.
    `progress` is told the fraction that is done.
    """
    every = positions(pawns)
    (table,) = sweep(every, [Side(BEST, _NO_SHARES)], cut=cut, progress=progress)
    return Solution(_kept(table, every), pawns, table.cut)


_loaded: list[Solution] = []


def load_solution(progress: Progress | None = None) -> Solution:
    """The exact solution of the game, from the cache of this process or of the user; else it is solved and kept."""
    if not _loaded:
        n = len(places())
        shapes = {"values": (n, KEPT_TURNS, n)}
        arrays = load_or_build(
            "falling_off", Path(__file__).resolve().parent, shapes, lambda: {"values": solve(progress=progress).values}
        )
        arrays["values"].flags.writeable = False
        _loaded.append(Solution(arrays["values"], NUM_PAWNS, int(positions().remaining[-1]) - 1))
    return _loaded[0]


def _kept(table: Table, every: Positions) -> Floats:
    """The values of up to eight turns owed as one array, (n, 8, n)."""
    n = every.remaining.size
    values = np.zeros((n, min(KEPT_TURNS, table.cut), n))
    for theirs in range(1, every.group.size - 1):
        columns, rows = slice(*every.group[theirs : theirs + 2]), block(table, every, theirs)
        for t in range(1, values.shape[1] + 1):
            start = every.group[t + 1]
            values[start:, t - 1, columns] = rows[table.first[t] + start : table.first[t] + n]
    values[1:, :, 0] = 1.0  # the other has fallen
    values.flags.writeable = False
    return values


def _guide(solution: Solution, every: Positions) -> Table:
    """What was kept, laid out as a table, for a side to follow."""
    n = every.remaining.size
    table = blank(every, solution.values.shape[1])
    for theirs in range(1, every.group.size - 1):
        columns, rows = slice(*every.group[theirs : theirs + 2]), block(table, every, theirs)
        rows[1:n] = 1.0 - solution.values[columns, 0, 1:].T
        for t in range(1, table.cut + 1):
            start = every.group[t + 1]
            rows[table.first[t] + start : table.first[t] + n] = solution.values[start:, t - 1, columns]
    return table


def _column(solution: Solution, theirs: int) -> tuple[Table, Floats]:
    """The values of all positions and turns owed against one position of the other: a table and its (rows, 1)."""
    every = positions(solution.pawns)
    table = blank(every, solution.cut, columns=1)
    column = table.values.reshape(-1, 1)
    column[1 : every.remaining.size, 0] = 1.0 - solution.values[theirs, 0, 1:]
    for moves in range(2, every.group.size - 1):
        sweep_block(moves, every, table, column, Side(BEST, _NO_SHARES), table, column)
    return table, column


# The values of single decisions

_FOUR: Final = positions(NUM_PAWNS)
_NUM_MOVES: Final = _FOUR.num_moves.astype(np.int16)
_AFTER: Final = _FOUR.after.astype(np.int16)
_TARGET: Final = _FOUR.target.astype(np.int8)
_ACTION: Final = _FOUR.action.astype(np.int8)
_POSITION: Final = np.zeros((NUM_PLACES,) * NUM_PAWNS, np.int16)  # the number of a position, by its place indices
for _m, _position in enumerate(places()):
    _POSITION[_position] = _m


@kernel
def decision_values(
    values: Floats, pawns_mine: Pawns, pawns_theirs: Pawns, turns_owed: int, phase: int, dice: Pawns, out: Floats
) -> None:
    """Fill `out` (74,) with the probability that the mover wins after each action, NaN where it is not legal.

    `values` are those of a solution; pawns, dice and phase (`REROLL` or `MOVE`) are those of a state. The mover owes
    `turns_owed` turns, this one included. What leads to more turns owed than `values` knows, eight, counts as lost;
    up to seven it is exact.
    """
    out[:] = np.nan
    mine, theirs = _position_number(pawns_mine), _position_number(pawns_theirs)
    hand = HAND_MORE[HAND_MORE[HAND_MORE[0, dice[0] - 1], dice[1] - 1], dice[2] - 1]
    if phase == REROLL:
        _reroll_values(values, mine, theirs, turns_owed, hand - FIRST_ROLL, out)
        return
    for k in range(_NUM_MOVES[mine]):
        if ROLL_TARGETS[hand - FIRST_ROLL] >> _TARGET[mine, k] & 1:
            out[_ACTION[mine, k]] = _gain(values, _AFTER[mine, k], theirs, turns_owed)


@kernel
def _position_number(pawns: Pawns) -> int:
    return _POSITION[PLACE_INDEX[pawns[0]], PLACE_INDEX[pawns[1]], PLACE_INDEX[pawns[2]], PLACE_INDEX[pawns[3]]]


@kernel
def _gain(values: Floats, after: int, theirs: int, turns_owed: int) -> float:
    """What a move is worth that leads to the position `after`."""
    if turns_owed == 1:
        return 1.0 - values[theirs, 0, after]
    return values[after, turns_owed - 2, theirs] if turns_owed - 2 < values.shape[1] else 0.0


@kernel
def _reroll_values(values: Floats, mine: int, theirs: int, turns_owed: int, roll: int, out: Floats) -> None:
    """The walk over the hands of `sweep.py`, for one position."""
    worth, gains = np.empty(NUM_HANDS), np.full(NUM_PLACES, -1.0)
    for k in range(_NUM_MOVES[mine]):
        target = _TARGET[mine, k]
        gains[target] = max(gains[target], _gain(values, _AFTER[mine, k], theirs, turns_owed))
    worth[0] = -1.0
    for hand in range(1, NUM_HANDS):
        a, b, c = HAND_LESS[hand, 0], HAND_LESS[hand, 1], HAND_LESS[hand, 2]
        worth[hand] = max(gains[HAND_TARGET[hand]], worth[a], worth[b], worth[c])
    storm = values[mine, turns_owed, theirs] if turns_owed < values.shape[1] else 0.0
    for hand in range(FIRST_ROLL, NUM_HANDS):
        if worth[hand] < 0.0:
            worth[hand] = storm
    for hand in range(FIRST_ROLL - 1, -1, -1):
        total = 0.0
        for die in range(6):
            total += worth[HAND_MORE[hand, die]]
        worth[hand] = total * SIXTH
    for subset in range(NUM_REROLLS):
        if KEPT_HAND[roll, subset] >= 0:
            out[subset] = worth[KEPT_HAND[roll, subset]]


# Policies against each other


def policy_value(
    first: Policy, second: Policy, solution: Solution | None = None, pawns: int = NUM_PAWNS
) -> tuple[float, float]:
    """The exact probabilities that `first` wins against `second`: when it moves first, and when it moves second.

    "perfect" takes the action of the highest `decision_values`, the lowest id among equals, whoever the opponent is
    (`solution` is what it looks at, by default that of `load_solution`); "best_response" plays best against the very
    opponent it meets. Takes some seconds, and about half a minute with "perfect".
    """
    every = positions(pawns)
    alike = first is second or (isinstance(first, str) and first == second)
    sides = [_side(policy, pawns) for policy in ((first,) if alike else (first, second))]
    guide = None
    if any(side.mode == GUIDED for side in sides):
        if solution is None:
            solution = load_solution() if pawns == NUM_PAWNS else solve(pawns=pawns)
        guide = _guide(solution, every)
    tables = sweep(every, sides, guide)
    moving_first, moved_against = _start_value(tables[0], every), _start_value(tables[-1], every)
    return moving_first, 1.0 - moved_against


def _start_value(table: Table, every: Positions) -> float:
    last = every.remaining.size - 1
    return float(block(table, every, every.group.size - 2)[table.first[1] + last, 0])


def _side(policy: Policy, pawns: int) -> Side:
    if isinstance(policy, TablePolicy):
        return Side(MIXED, shares(policy, pawns))
    modes = {"perfect": GUIDED, "best_response": BEST}
    if policy not in modes:
        raise ValueError(f"there is no policy {policy!r}; possible are {', '.join(map(repr, modes))} and tables")
    return Side(modes[policy], _NO_SHARES)
