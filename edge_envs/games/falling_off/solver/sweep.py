"""The dynamic programme of two-player `falling_off`: one sweep over all pairs of pawn sets, for the side to move.

For a side let V(m, o, t) be its probability of winning when it is about to roll and owes t turns, m are its pawns and o
the other's; V(m, o, 0) is its probability of winning when the other side is about to roll for one turn. A move leads to
V(m', o, t - 1), a storm to V(m, o, t + 1), and V(all off, o, 0) = 0.

* Pawns only go forward, so a move lowers remaining(m), and everything is settled in one pass over the pairs, ordered by
  remaining(m) + remaining(o), if each pair is done from many turns owed to few.
* V(m, o, t) = 0 for t >= remaining(m): of t owed turns all but the storms move a pawn, and the last of the remaining
  moves loses. So the turns owed are bounded, and nothing has to be cut off.
* The moves, and the dice that allow them, do not depend on o. Everything is done for all o of equal remaining moves at
  once, in loops over contiguous numbers, which the compiler turns into vector instructions.
* A turn is a walk over the 84 dice sets. Upwards from no die: the best move of a set is the move that its sum names, or
  the best of the sets with a die less. Downwards from three dice: a set that is kept is worth the mean of the six sets
  with a die more. Upwards again: a roll is worth the most of all sets within it.

A side plays in one of four ways: BEST takes what is best for itself by the very values that are being computed;
GUIDED takes what another table of values calls best, the lowest action id among equals; MIXED moves with fixed
probabilities, whatever the other side does; ASKED does so, too, but with others in each position, and plays as BEST in
positions for which there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.falling_off.pieces.sets import FIRST_ROLL, NUM_PLACES
from edge_envs.games.falling_off.solver.tables import (
    DICE_LESS,
    DICE_MORE,
    DICE_TARGET,
    NUM_DICE_SETS,
    ROLL_KEPT,
    ROLL_PROBABILITY,
    Floats,
    Ints,
    PawnSets,
)

BEST, GUIDED, MIXED, ASKED = range(4)
SIXTH: Final = 1.0 / 6.0

# Scratch arrays have a line per dice set and, behind, a line per place: what the best move to that place is worth.
# GAIN_LINE[d] = the line of the place that the sum of dice set d names.
NUM_LINES: Final = NUM_DICE_SETS + NUM_PLACES
GAIN_LINE: Final = NUM_DICE_SETS + DICE_TARGET

# Orders of lines. The loops walk over these and not over ranges because LLVM would widen its test whether two lines
# overlap from two lines to the lines of the whole range, find that they do and give up vector instructions.
EMPTY_LINES: Final = np.array([0, *range(NUM_DICE_SETS, NUM_LINES)])
UPWARDS: Final = np.arange(1, NUM_DICE_SETS)
DOWNWARDS: Final = np.arange(FIRST_ROLL)[::-1].copy()
THREE_DICE: Final = np.arange(FIRST_ROLL, NUM_DICE_SETS)


class Table(NamedTuple):
    """Values of one side, for all pawn sets of both and for 0..cut turns owed.

    For each number of remaining moves of the other side there is a block of `rows` rows, with a column for each of its
    pawn sets. Row 0 is zero, the value of more turns than can be survived; row `first[t] + m` is for own pawns of rank
    m and t turns owed, 0 <= t < remaining(m) and t <= cut.
    """

    rows: int
    cut: int
    first: Ints  # (cut + 1,)
    values: Floats  # (rows * n,) the blocks one after the other


NO_SHARES: Final = np.zeros((1, 1))  # of a side that is neither MIXED nor ASKED
NO_PLACES: Final = np.zeros(1, np.int32)  # of a side that is not ASKED


class Side(NamedTuple):
    """How a side plays."""

    mode: int
    shares: Floats = NO_SHARES  # (n, k + 1) the probability of each move and of a storm; for MIXED by own pawns
    places: NDArray[np.int32] = NO_PLACES  # for ASKED: as a table's values, the row of `shares`, or -1


def blank(sets: PawnSets, cut: int, columns: int | None = None) -> Table:
    """A table of zeros, for all pawn sets of the other side or for some, `columns`."""
    n = sets.remaining.size
    ends = 1 + np.cumsum(n - sets.group[1 : cut + 2])  # by turns owed, where the rows end
    rows = int(ends[-1])
    return Table(rows, cut, ends - n, np.zeros(rows * (n if columns is None else columns)))


def sweep(
    sets: PawnSets,
    sides: Sequence[Side],
    guide: Table | None = None,
    cut: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> list[Table]:
    """The values of each side against the other; of one side alone: against itself.

    `cut` takes the values of more turns owed than that for zero; None cuts nothing off. `guide` is what a GUIDED side
    follows. `progress` is told the fraction that is done.
    """
    most = int(sets.remaining[-1])
    cut = most - 1 if cut is None else min(cut, most - 1)
    tables = [blank(sets, cut) for _ in sides]
    size = np.diff(sets.group)
    work = np.cumsum(np.convolve(size * np.minimum(np.arange(most + 1), cut), size))
    for level in range(2, 2 * most + 1):
        for own, other, side in zip(tables, reversed(tables), sides, strict=True):
            sweep_level(level, sets, own, other, side, guide or tables[0])
        if progress is not None:
            progress(float(work[level] / work[-1]))
    return tables


@kernel
def sweep_level(level: int, sets: PawnSets, own: Table, other: Table, side: Side, guide: Table) -> None:
    """Settle all pairs with `level` remaining moves in all, and tell the other side what they are worth to it."""
    group = sets.group
    most = group.size - 2
    for moves in range(max(1, level - most), min(most, level - 1) + 1):
        theirs = level - moves
        values = block(own, sets, theirs)
        places = asked_block(side, own, sets, theirs)
        sweep_block(moves, sets, own, values, side, guide, block(guide, sets, theirs), places)
        told = block(other, sets, moves)
        settled = rows(own, sets, 1)
        for m in range(group[moves], group[moves + 1]):
            source = row(settled, m)
            for j in range(values.shape[1]):
                told[group[theirs] + j, m - group[moves]] = 1.0 - values[source, j]  # rows of no turn owed: base 0


@kernel
def block(table: Table, sets: PawnSets, theirs: int) -> Floats:
    """The block for an other side with `theirs` remaining moves, (rows, pawn sets)."""
    start, stop = sets.group[theirs], sets.group[theirs + 1]
    return table.values[table.rows * start : table.rows * stop].reshape((table.rows, stop - start))


@kernel
def asked_block(side: Side, table: Table, sets: PawnSets, theirs: int) -> NDArray[np.int32]:
    """The same block of `side.places`; nothing for a side that is not ASKED."""
    if side.mode != ASKED:
        return side.places[:0].reshape((0, 1))
    start, stop = sets.group[theirs], sets.group[theirs + 1]
    return side.places[table.rows * start : table.rows * stop].reshape((table.rows, stop - start))


@kernel
def rows(table: Table, sets: PawnSets, t: int) -> tuple[int, int]:
    """Return where the rows of t turns owed lie, for `row`: their base and the first rank that has one."""
    return (table.first[t], sets.group[t + 1]) if t <= table.cut else (0, sets.remaining.size)


@kernel
def row(where: tuple[int, int], m: int) -> int:
    """Return the row of own pawns of rank m."""
    base, start = where
    return base + m if m >= start else 0


@kernel
def sweep_block(
    moves: int, sets: PawnSets, own: Table, values: Floats, side: Side, guide: Table, guiding: Floats,
    places: NDArray[np.int32],
) -> None:  # fmt: skip
    """Fill a block, `values`, for all own pawn sets with `moves` remaining moves.

    `guiding` is the guide's block, `places` that of an ASKED side; `own` and `guide` say where the rows of blocks lie.
    """
    num_moves, after, target = sets.num_moves, sets.after, sets.target
    mode, shares, first = side.mode, side.shares, own.first
    sources, guides = np.zeros(after.shape[1] + 1, np.int64), np.zeros(after.shape[1] + 1, np.int64)
    width = (values.shape[1] + 7) // 8 * 8  # lines that begin where a vector does
    worth, hope, order = np.empty((NUM_LINES, width)), np.empty((NUM_LINES, width)), np.empty((NUM_LINES, width))
    for t in range(min(own.cut, moves - 1), 0, -1):
        own_move, own_storm = rows(own, sets, t - 1), rows(own, sets, t + 1)
        guide_move, guide_storm = rows(guide, sets, t - 1), rows(guide, sets, t + 1)
        for m in range(sets.group[moves], sets.group[moves + 1]):
            count = num_moves[m]
            for k in range(count):
                sources[k] = row(own_move, after[m, k])
                guides[k] = row(guide_move, after[m, k])
            sources[count] = row(own_storm, m)
            guides[count] = row(guide_storm, m)
            out = values[first[t] + m]
            if mode == GUIDED:
                _guided(target[m], count, values, sources, guiding, guides, worth, hope, order, out)
            elif mode == MIXED:
                _mixed(shares[m], count, values, sources, out)
            else:
                _best(target[m], count, values, sources, worth, out)
            if mode == ASKED:
                _asked(places[first[t] + m], shares, count, values, sources, out)


# A turn. `sources[k]` is the row of `values` that move k leads to, `sources[count]` the row of a storm; `target[k]` is
# the place that move k goes to. The result, for all pawn sets of the other side in the block, goes to `out`.


@kernel
def _best(target: Ints, count: int, values: Floats, sources: Ints, worth: Floats, out: Floats) -> None:
    """The value of a turn to a side that plays it best; `worth` is scratch."""
    n = out.size
    for line in EMPTY_LINES:
        for j in range(n):
            worth[line, j] = -1.0
    for k in range(count):
        line, source = NUM_DICE_SETS + target[k], sources[k]
        for j in range(n):
            new, old = values[source, j], worth[line, j]
            worth[line, j] = new if new > old else old
    for dice in UPWARDS:
        to, a, b, c = GAIN_LINE[dice], DICE_LESS[dice, 0], DICE_LESS[dice, 1], DICE_LESS[dice, 2]
        for j in range(n):
            worth[dice, j] = _most(worth[to, j], worth[a, j], worth[b, j], worth[c, j])
    _storms(values, sources[count], worth, n)
    _average(worth, n)
    for j in range(n):
        out[j] = 0.0
    for dice in UPWARDS:
        a, b, c = DICE_LESS[dice, 0], DICE_LESS[dice, 1], DICE_LESS[dice, 2]
        for j in range(n):
            worth[dice, j] = _most(worth[dice, j], worth[a, j], worth[b, j], worth[c, j])
    for dice in THREE_DICE:
        probability = ROLL_PROBABILITY[dice - FIRST_ROLL]
        for j in range(n):
            out[j] += probability * worth[dice, j]


@kernel
def _most(a: float, b: float, c: float, d: float) -> float:
    a = b if b > a else a
    a = c if c > a else a
    return d if d > a else a


@kernel
def _storms(values: Floats, storm: int, worth: Floats, n: int) -> None:
    """Give rolls that allow no move, marked by -1, the value of the storm."""
    for dice in THREE_DICE:
        if worth[dice, 0] < 0.0:
            for j in range(n):
                worth[dice, j] = values[storm, j]


@kernel
def _average(worth: Floats, n: int) -> None:
    """Fill in, from the values of the rolls, those of every set that is kept while the other dice are thrown again."""
    for dice in DOWNWARDS:
        a, b, c = DICE_MORE[dice, 0], DICE_MORE[dice, 1], DICE_MORE[dice, 2]
        d, e, f = DICE_MORE[dice, 3], DICE_MORE[dice, 4], DICE_MORE[dice, 5]
        for j in range(n):
            total = worth[a, j] + worth[b, j] + worth[c, j] + worth[d, j] + worth[e, j] + worth[f, j]
            worth[dice, j] = total * SIXTH


@kernel
def _guided(
    target: Ints, count: int, values: Floats, sources: Ints, guiding: Floats, guides: Ints,
    worth: Floats, hope: Floats, order: Floats, out: Floats,
) -> None:  # fmt: skip
    """The value of a turn to a side that follows a guide, whose rows are `guides` of `guiding`.

    The scratch arrays hold what an option is worth, what the guide says that it is, and the number of the move.
    """
    n = out.size
    for line in EMPTY_LINES:
        for j in range(n):
            hope[line, j] = -1.0
            worth[line, j] = -1.0
            order[line, j] = 0.0
    for k in range(count):
        line, source, option = NUM_DICE_SETS + target[k], sources[k], guides[k]
        for j in range(n):
            best = hope[line, j], order[line, j], worth[line, j]
            best = _prefer(best, guiding[option, j], float(k), values[source, j])
            hope[line, j], order[line, j], worth[line, j] = best
    for dice in UPWARDS:
        to, a, b, c = GAIN_LINE[dice], DICE_LESS[dice, 0], DICE_LESS[dice, 1], DICE_LESS[dice, 2]
        for j in range(n):
            best = hope[to, j], order[to, j], worth[to, j]
            best = _prefer(best, hope[a, j], order[a, j], worth[a, j])
            best = _prefer(best, hope[b, j], order[b, j], worth[b, j])
            best = _prefer(best, hope[c, j], order[c, j], worth[c, j])
            hope[dice, j], order[dice, j], worth[dice, j] = best
    _storms(values, sources[count], worth, n)
    _storms(guiding, guides[count], hope, n)
    _average(worth, n)
    _average(hope, n)
    _guided_rerolls(worth, hope, out)


@kernel
def _prefer(best: tuple[float, ...], hope: float, order: float, worth: float) -> tuple[float, ...]:
    """The better of two options (hope, order, worth): the one hoped to be worth more, the lower of equals."""
    best_hope, best_order, best_worth = best
    better = (hope > best_hope) | ((hope == best_hope) & (order < best_order))
    return hope if better else best_hope, order if better else best_order, worth if better else best_worth


@kernel
def _guided_rerolls(worth: Floats, hope: Floats, out: Floats) -> None:
    """The mean over all rolls, of each of which those dice are kept that are hoped to be worth most."""
    for j in range(out.size):
        out[j] = 0.0
    for r in range(ROLL_PROBABILITY.size):
        probability = ROLL_PROBABILITY[r]
        a, b, c, d = ROLL_KEPT[r, 0], ROLL_KEPT[r, 1], ROLL_KEPT[r, 2], ROLL_KEPT[r, 3]
        e, f, g, h = ROLL_KEPT[r, 4], ROLL_KEPT[r, 5], ROLL_KEPT[r, 6], ROLL_KEPT[r, 7]
        for j in range(out.size):
            best = hope[a, j], 0.0, worth[a, j]
            best = _prefer(best, hope[b, j], 1.0, worth[b, j])
            best = _prefer(best, hope[c, j], 2.0, worth[c, j])
            best = _prefer(best, hope[d, j], 3.0, worth[d, j])
            best = _prefer(best, hope[e, j], 4.0, worth[e, j])
            best = _prefer(best, hope[f, j], 5.0, worth[f, j])
            best = _prefer(best, hope[g, j], 6.0, worth[g, j])
            best = _prefer(best, hope[h, j], 7.0, worth[h, j])
            out[j] += probability * best[2]


@kernel
def _mixed(shares: Floats, count: int, values: Floats, sources: Ints, out: Floats) -> None:
    """The value of a turn to a side that plays each move, and meets a storm, with a fixed probability."""
    for j in range(out.size):
        out[j] = 0.0
    for k in range(count + 1):
        share, source = shares[k if k < count else shares.size - 1], sources[k]
        for j in range(out.size):
            out[j] += share * values[source, j]


@kernel
def _asked(places: NDArray[np.int32], shares: Floats, count: int, values: Floats, sources: Ints, out: Floats) -> None:
    """The same with probabilities of its own for each pawn set of the other side that has a place."""
    for j in range(out.size):
        if places[j] >= 0:
            share = shares[places[j]]
            total = share[share.size - 1] * values[sources[count], j]
            for k in range(count):
                total += share[k] * values[sources[k], j]
            out[j] = total
