"""Dynamic programming for two-player `falling_off`: one sweep over all pairs of pawn sets, for the side to move.

For each side let V(m, o, t) be its probability of winning when it is about to roll and owes t turns; m is its own pawn
set and o the other side's. V(m, o, 0) is its probability of winning when the other side is about to roll and owes one
turn. A move leads to V(m', o, t - 1), a storm to V(m, o, t + 1), and V(all off, o, 0) = 0.

* Pawns only move forward, so a move lowers remaining(m). One pass over the pairs, ordered by remaining(m) +
  remaining(o), settles everything if each pair is processed from many turns owed to few.
* V(m, o, t) = 0 for t >= remaining(m): every owed turn but the storms moves a pawn, and the last remaining move loses.
  So the number of turns owed is bounded and nothing has to be cut off.
* The moves, and the dice that allow them, do not depend on o. All o with equally many remaining moves are processed at
  once, in loops over contiguous arrays, which the compiler vectorizes.
* A turn takes three passes over the 84 dice sets. Upwards from the empty set: the value of a set is that of the move
  that its sum names, or of the best set with one die less. Downwards from three dice: the value of keeping a set is the
  mean of the six sets with one die more. Upwards again: the value of a roll is the maximum over all sets within it.

A side plays in one of five modes. BEST maximizes the values that are being computed. OTHER does the same with any
number of dice, spaces and rerolls; its passes over the dice sets are more general, and slower. GUIDED maximizes the
values of another table and chooses the lowest action id among equals. MIXED moves with fixed probabilities that do not
depend on the other side's pawns. QUERIED does so with different probabilities in each position, and plays as BEST in
positions without probabilities.
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
    USUAL,
    Floats,
    Ints,
    PawnSets,
    Rules,
    Throws,
    throws_of,
)

BEST, GUIDED, MIXED, QUERIED, OTHER = range(5)
SIXTH: Final = 1.0 / 6.0

# Scratch arrays have one line per dice set, then one line per place with the value of the best move to that place.
# GAIN_LINE[d]: the line of the place that the sum of dice set d names.
NUM_LINES: Final = NUM_DICE_SETS + NUM_PLACES
GAIN_LINE: Final = NUM_DICE_SETS + DICE_TARGET

# Orders of lines. The loops iterate over these arrays instead of ranges. With a range LLVM would test whether the lines
# of the whole range overlap, instead of two lines, find that they do, and not vectorize.
EMPTY_LINES: Final = np.array([0, *range(NUM_DICE_SETS, NUM_LINES)])
UPWARDS: Final = np.arange(1, NUM_DICE_SETS)
DOWNWARDS: Final = np.arange(FIRST_ROLL)[::-1].copy()
THREE_DICE: Final = np.arange(FIRST_ROLL, NUM_DICE_SETS)


class Table(NamedTuple):
    """Values of one side, for all pawn sets of both sides and for 0..cut turns owed.

    For each number of remaining moves of the other side there is a block of `rows` rows, with one column for each of
    its pawn sets. Row 0 is zero: the value of more turns than the side can survive. Row `first[t] + m` is for own pawns
    of rank m and t turns owed, 0 <= t < remaining(m) and t <= cut.
    """

    rows: int
    cut: int
    first: Ints  # (cut + 1,)
    values: Floats  # (rows * n,) the concatenated blocks


NO_SHARES: Final = np.zeros((1, 1))  # for a side that is neither MIXED nor QUERIED
NO_PLACES: Final = np.zeros(1, np.int32)  # for a side that is not QUERIED


class Side(NamedTuple):
    """The mode of play of a side, and its data."""

    mode: int
    shares: Floats = NO_SHARES  # (n, k + 1) probability of each move and of a storm; for MIXED by own pawns
    places: NDArray[np.int32] = NO_PLACES  # for QUERIED: the row of `shares` for each entry of a table's values, or -1
    throws: Throws = throws_of()  # for OTHER


def best_side(rules: Rules) -> Side:
    """Return the side that plays best under some rules."""
    throws = throws_of(rules.dice, rules.spaces, rules.rerolls)
    return Side(BEST if rules[1:] == USUAL[1:] else OTHER, throws=throws)


def blank(sets: PawnSets, cut: int, columns: int | None = None) -> Table:
    """Return a table of zeros, for all pawn sets of the other side or for `columns` of them."""
    n = sets.remaining.size
    ends = 1 + np.cumsum(n - sets.group[1 : cut + 2])  # the end of the rows, by turns owed
    rows = int(ends[-1])
    return Table(rows, cut, ends - n, np.zeros(rows * (n if columns is None else columns)))


def sweep(
    sets: PawnSets,
    sides: Sequence[Side],
    guide: Table | None = None,
    cut: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> list[Table]:
    """Compute the values of each side against the other, or of a single side against itself.

    Args:
        sets: the pawn sets.
        sides: one side or two.
        guide: the values that a GUIDED side follows.
        cut: the values of more turns owed than this count as zero; None cuts nothing off.
        progress: called with the fraction done.

    Returns:
        One table per side.
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
    """Settle all pairs with `level` remaining moves in total, and write their complements to the other side's table."""
    group = sets.group
    most = group.size - 2
    for moves in range(max(1, level - most), min(most, level - 1) + 1):
        theirs = level - moves
        values = block(own, sets, theirs)
        places = places_block(side, own, sets, theirs)
        sweep_block(moves, sets, own, values, side, guide, block(guide, sets, theirs), places)
        complement = block(other, sets, moves)
        settled = rows(own, sets, 1)
        for m in range(group[moves], group[moves + 1]):
            source = row(settled, m)
            for j in range(values.shape[1]):
                complement[group[theirs] + j, m - group[moves]] = 1.0 - values[source, j]  # rows for t = 0 begin at 0


@kernel
def block(table: Table, sets: PawnSets, theirs: int) -> Floats:
    """Return the block (rows, pawn sets) for an other side with `theirs` remaining moves."""
    start, stop = sets.group[theirs], sets.group[theirs + 1]
    return table.values[table.rows * start : table.rows * stop].reshape((table.rows, stop - start))


@kernel
def places_block(side: Side, table: Table, sets: PawnSets, theirs: int) -> NDArray[np.int32]:
    """Return the same block of `side.places`; empty for a side that is not QUERIED."""
    if side.mode != QUERIED:
        return side.places[:0].reshape((0, 1))
    start, stop = sets.group[theirs], sets.group[theirs + 1]
    return side.places[table.rows * start : table.rows * stop].reshape((table.rows, stop - start))


@kernel
def rows(table: Table, sets: PawnSets, t: int) -> tuple[int, int]:
    """Locate the rows of t turns owed: return their base and the first rank that has a row, for `row`."""
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
    """Fill the block `values` for all own pawn sets with `moves` remaining moves.

    `guiding` is the guide's block, `places` the block of a QUERIED side. `own` and `guide` locate the rows of blocks.
    """
    num_moves, after, target = sets.num_moves, sets.after, sets.target
    mode, shares, first = side.mode, side.shares, own.first
    sources, guides = np.zeros(after.shape[1] + 1, np.int64), np.zeros(after.shape[1] + 1, np.int64)
    width = (values.shape[1] + 7) // 8 * 8  # aligns every line with the vectors
    actual, estimate, order = np.empty((NUM_LINES, width)), np.empty((NUM_LINES, width)), np.empty((NUM_LINES, width))
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
                _guided(target[m], count, values, sources, guiding, guides, actual, estimate, order, out)
            elif mode == MIXED:
                _mixed(shares[m], count, values, sources, out)
            elif mode == OTHER:
                _best_throws(side.throws, target[m], count, values, sources, actual, estimate, out)
            else:
                _best(target[m], count, values, sources, actual, out)
            if mode == QUERIED:
                _queried(places[first[t] + m], shares, count, values, sources, out)


# Kernels for one turn. `sources[k]` is the row of `values` that move k leads to, `sources[count]` the row of a storm;
# `target[k]` is the place that move k goes to. Results for all pawn sets of the other side in the block go to `out`.


@kernel
def _best(target: Ints, count: int, values: Floats, sources: Ints, actual: Floats, out: Floats) -> None:
    """Compute the value of a turn for a side that maximizes it; `actual` is scratch."""
    n = out.size
    for line in EMPTY_LINES:
        for j in range(n):
            actual[line, j] = -1.0
    for k in range(count):
        line, source = NUM_DICE_SETS + target[k], sources[k]
        for j in range(n):
            new, old = values[source, j], actual[line, j]
            actual[line, j] = new if new > old else old
    for dice in UPWARDS:
        to, a, b, c = GAIN_LINE[dice], DICE_LESS[dice, 0], DICE_LESS[dice, 1], DICE_LESS[dice, 2]
        for j in range(n):
            actual[dice, j] = _max_of_four(actual[to, j], actual[a, j], actual[b, j], actual[c, j])
    _storms(values, sources[count], actual, n)
    _average(actual, n)
    for j in range(n):
        out[j] = 0.0
    for dice in UPWARDS:
        a, b, c = DICE_LESS[dice, 0], DICE_LESS[dice, 1], DICE_LESS[dice, 2]
        for j in range(n):
            actual[dice, j] = _max_of_four(actual[dice, j], actual[a, j], actual[b, j], actual[c, j])
    for dice in THREE_DICE:
        probability = ROLL_PROBABILITY[dice - FIRST_ROLL]
        for j in range(n):
            out[j] += probability * actual[dice, j]


@kernel
def _best_throws(
    throws: Throws, target: Ints, count: int, values: Floats, sources: Ints, actual: Floats, final: Floats, out: Floats
) -> None:
    """Compute the value of a turn with any dice for a side that maximizes it; `actual` and `final` are scratch.

    `final` has the value of each roll without a reroll. With each reroll `actual` is updated: for smaller sets, the
    mean over the dice thrown again; for a roll, the maximum over what is kept.
    """
    n, first, stop = out.size, throws.first, throws.first + throws.named.size
    for line in EMPTY_LINES:
        for j in range(n):
            actual[line, j] = -1.0
    for k in range(count):
        line, source = NUM_DICE_SETS + target[k], sources[k]
        for j in range(n):
            new, old = values[source, j], actual[line, j]
            actual[line, j] = new if new > old else old
    for roll in range(first, stop):
        for j in range(n):
            final[roll, j] = -1.0
        for place in range(1, NUM_PLACES):
            if throws.named[roll - first] >> place & 1:
                for j in range(n):
                    final[roll, j] = max(final[roll, j], actual[NUM_DICE_SETS + place, j])
        if final[roll, 0] < 0.0:
            for j in range(n):
                final[roll, j] = values[sources[count], j]
        for j in range(n):
            actual[roll, j] = final[roll, j]
    for _ in range(throws.rerolls):
        for some in range(first - 1, -1, -1):
            for j in range(n):
                total = 0.0
                for die in range(6):
                    total += actual[DICE_MORE[some, die], j]
                actual[some, j] = total * SIXTH
        for roll in range(first, stop):
            for j in range(n):
                actual[roll, j] = final[roll, j]
            for kept in throws.kept[roll - first]:
                if kept < first:
                    for j in range(n):
                        actual[roll, j] = max(actual[roll, j], actual[kept, j])
    for j in range(n):
        out[j] = 0.0
    for roll in range(first, stop):
        for j in range(n):
            out[j] += throws.probability[roll - first] * actual[roll, j]


@kernel
def _max_of_four(a: float, b: float, c: float, d: float) -> float:
    a = b if b > a else a
    a = c if c > a else a
    return d if d > a else a


@kernel
def _storms(values: Floats, storm: int, actual: Floats, n: int) -> None:
    """Give rolls that allow no move, marked by -1, the value of the storm."""
    for dice in THREE_DICE:
        if actual[dice, 0] < 0.0:
            for j in range(n):
                actual[dice, j] = values[storm, j]


@kernel
def _average(actual: Floats, n: int) -> None:
    """Compute, from the values of the rolls, the mean value of keeping each smaller set and rerolling the rest."""
    for dice in DOWNWARDS:
        a, b, c = DICE_MORE[dice, 0], DICE_MORE[dice, 1], DICE_MORE[dice, 2]
        d, e, f = DICE_MORE[dice, 3], DICE_MORE[dice, 4], DICE_MORE[dice, 5]
        for j in range(n):
            total = actual[a, j] + actual[b, j] + actual[c, j] + actual[d, j] + actual[e, j] + actual[f, j]
            actual[dice, j] = total * SIXTH


@kernel
def _guided(
    target: Ints, count: int, values: Floats, sources: Ints, guiding: Floats, guides: Ints,
    actual: Floats, estimate: Floats, order: Floats, out: Floats,
) -> None:  # fmt: skip
    """Compute the value of a turn for a side that follows a guide, whose rows are `guides` of `guiding`.

    The scratch arrays hold the actual value of an option, the guide's estimate of it, and the number of the move.
    """
    n = out.size
    for line in EMPTY_LINES:
        for j in range(n):
            estimate[line, j] = -1.0
            actual[line, j] = -1.0
            order[line, j] = 0.0
    for k in range(count):
        line, source, option = NUM_DICE_SETS + target[k], sources[k], guides[k]
        for j in range(n):
            best = estimate[line, j], order[line, j], actual[line, j]
            best = _prefer(best, guiding[option, j], float(k), values[source, j])
            estimate[line, j], order[line, j], actual[line, j] = best
    for dice in UPWARDS:
        to, a, b, c = GAIN_LINE[dice], DICE_LESS[dice, 0], DICE_LESS[dice, 1], DICE_LESS[dice, 2]
        for j in range(n):
            best = estimate[to, j], order[to, j], actual[to, j]
            best = _prefer(best, estimate[a, j], order[a, j], actual[a, j])
            best = _prefer(best, estimate[b, j], order[b, j], actual[b, j])
            best = _prefer(best, estimate[c, j], order[c, j], actual[c, j])
            estimate[dice, j], order[dice, j], actual[dice, j] = best
    _storms(values, sources[count], actual, n)
    _storms(guiding, guides[count], estimate, n)
    _average(actual, n)
    _average(estimate, n)
    _guided_rerolls(actual, estimate, out)


@kernel
def _prefer(best: tuple[float, ...], estimate: float, order: float, actual: float) -> tuple[float, ...]:
    """Return the option (estimate, order, actual) with the higher estimate; among equals, the lower order."""
    best_estimate, best_order, best_actual = best
    better = (estimate > best_estimate) | ((estimate == best_estimate) & (order < best_order))
    return estimate if better else best_estimate, order if better else best_order, actual if better else best_actual


@kernel
def _guided_rerolls(actual: Floats, estimate: Floats, out: Floats) -> None:
    """Compute the mean over all rolls if the side keeps the dice with the highest estimate."""
    for j in range(out.size):
        out[j] = 0.0
    for r in range(ROLL_PROBABILITY.size):
        probability = ROLL_PROBABILITY[r]
        a, b, c, d = ROLL_KEPT[r, 0], ROLL_KEPT[r, 1], ROLL_KEPT[r, 2], ROLL_KEPT[r, 3]
        e, f, g, h = ROLL_KEPT[r, 4], ROLL_KEPT[r, 5], ROLL_KEPT[r, 6], ROLL_KEPT[r, 7]
        for j in range(out.size):
            best = estimate[a, j], 0.0, actual[a, j]
            best = _prefer(best, estimate[b, j], 1.0, actual[b, j])
            best = _prefer(best, estimate[c, j], 2.0, actual[c, j])
            best = _prefer(best, estimate[d, j], 3.0, actual[d, j])
            best = _prefer(best, estimate[e, j], 4.0, actual[e, j])
            best = _prefer(best, estimate[f, j], 5.0, actual[f, j])
            best = _prefer(best, estimate[g, j], 6.0, actual[g, j])
            best = _prefer(best, estimate[h, j], 7.0, actual[h, j])
            out[j] += probability * best[2]


@kernel
def _mixed(shares: Floats, count: int, values: Floats, sources: Ints, out: Floats) -> None:
    """Compute the value of a turn for a side with a fixed probability of each move and of a storm."""
    for j in range(out.size):
        out[j] = 0.0
    for k in range(count + 1):
        share, source = shares[k if k < count else shares.size - 1], sources[k]
        for j in range(out.size):
            out[j] += share * values[source, j]


@kernel
def _queried(places: NDArray[np.int32], shares: Floats, count: int, values: Floats, sources: Ints, out: Floats) -> None:
    """Do the same as `_mixed`, with separate probabilities for each pawn set of the other side that has a place."""
    for j in range(out.size):
        if places[j] >= 0:
            share = shares[places[j]]
            total = share[share.size - 1] * values[sources[count], j]
            for k in range(count):
                total += share[k] * values[sources[k], j]
            out[j] = total
