"""n-tuple networks: a value is a sum of table entries, one for each tuple of cells (Bledsoe and Browning 1959; Lucas 2008).

A *tuple* is a list of cells. Their values, read as the digits of a number, are the index of its entry in a table of
weights. Tuples may share a table: all 3x3 windows of a board, wherever they are. A tuple may also be *around* a place:
its cells are then the squares near a ship, say, wherever the ship is. If a table would be too large, the index is
hashed.

Weights are passed separately from the network, so that several sets of weights can be used with one network.

An `Evaluation` evaluates many positions near a common one: only tuples with a changed cell are looked up again.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.cells import CellField, CellLayout
from edge_envs.core.compiler.jit import kernel
from edge_envs.core.game import Game
from edge_envs.core.kernels.rng import GAMMA

MAX_ENTRIES = 1 << 22
"""The largest table whose entries are addressed directly; larger ones are hashed to `HASHED_BITS` bits."""
HASHED_BITS = 20

FIRST, COUNT, AROUND, BASE, SHIFT = range(5)
"""Columns of `Network.tuples`: the number of the first member; the number of members; the cell with the place that they
are around, or -1; the number of the table's first weight; 64 minus the bits of a hashed index, or 0."""


@dataclass(frozen=True)
class TupleSpec:
    """A group of tuples that share a table.

    Args:
        window: Rows and columns: one tuple for each window of this shape in the grid.
        around: The name of a place, and a radius: the squares of the grid within so many steps of it.
        cells: Names of fields that are not grids; every tuple of the group also has all of their cells.
    """

    window: tuple[int, int] | None = None
    around: tuple[str, int] | None = None
    cells: tuple[str, ...] = ()


class Network(NamedTuple):
    """The tuples of a network, for T tuples, M members and C cells.

    The cell C is a square outside the grid, with a value of its own.

    | array | content |
    |---|---|
    | `tuples` | (T, 5), see `FIRST` to `SHIFT` |
    | `members` | (M,) cells; of a tuple around a place, as many for each value of the place |
    | `factors` | (M,) what the values of the members are multiplied by in the index |
    | `all` | (T,) the numbers of all tuples |
    | `users_first` | (C + 1,) where the tuples with a cell begin in `users` |
    | `users` | tuples with a cell |
    | `movable` | tuples around a place |
    | `symmetries` | (S, C) see `CellLayout.symmetries` |
    | `places` | (S, V) the same |
    | `is_place` | (C,) whether a cell is a place |
    | `outside` | (1,) the value of the cell C |
    | `size` | (1,) the number of weights |
    """

    tuples: Any
    members: Any
    factors: Any
    all: Any
    users_first: Any
    users: Any
    movable: Any
    symmetries: Any
    places: Any
    is_place: Any
    outside: Any
    size: Any


class Evaluation(NamedTuple):
    """Memory for evaluating positions near a base position, for V views.

    | array | content |
    |---|---|
    | `cells` | int16 (V, C + 1) of the position to evaluate |
    | `base` | int16 (V, C + 1) of the base position |
    | `indices` | (V, T) indices of weights at the base position |
    | `seen` | (T,) the number of the evaluation that last looked up a tuple |
    | `changed`, `now` | (T,) the tuples that it looked up, and the indices of their weights |
    | `sums` | (V,) the sums of weights at the base position |
    | `number` | (1,) the number of the last evaluation |
    """

    cells: Any
    base: Any
    indices: Any
    seen: Any
    changed: Any
    now: Any
    sums: Any
    number: Any


def new_network(layout: CellLayout, specs: Sequence[TupleSpec]) -> Network:
    """Create the network for a layout of cells.

    Raises:
        ValueError: if a specification does not fit the layout.
    """
    if not specs:
        raise ValueError("expected at least one tuple")
    made = _Builder(layout)
    for spec in specs:
        made.add(spec)
    return made.network()


def new_evaluation(network: Network, views: int = 1) -> Evaluation:
    """Allocate the memory for evaluating positions, each as several players see it."""
    cells, tuples = network.is_place.shape[0] + 1, network.tuples.shape[0]
    return Evaluation(
        cells=np.full((views, cells), network.outside[0], np.int16),
        base=np.full((views, cells), network.outside[0], np.int16),
        indices=np.zeros((views, tuples), np.int64),
        seen=np.zeros(tuples, np.int64),
        changed=np.zeros(tuples, np.int64),
        now=np.zeros(tuples, np.int64),
        sums=np.zeros(views),
        number=np.zeros(1, np.int64),
    )


def network_of(game: Game, specs: Sequence[TupleSpec]) -> Network:
    """Create the network of a game.

    Raises:
        ValueError: if the game declares no cells, or a specification does not fit them.
    """
    layout = game.type.cell_layout(game.params)
    if layout is None:
        raise ValueError(f"{game.name} declares no cells, from which n-tuple networks learn")
    return new_network(layout, specs)


class _Builder:
    """Collects the tuples of a network."""

    def __init__(self, layout: CellLayout) -> None:
        self.layout, self.weights = layout, 0
        self.first: list[int] = []
        self.counts: list[int] = []
        self.around: list[int] = []
        self.bases: list[int] = []
        self.shifts: list[int] = []
        self.members: list[int] = []
        self.factors: list[int] = []
        self.outside = layout.grid.values if layout.grid else 0

    def add(self, spec: TupleSpec) -> None:
        """Add the tuples of a group."""
        if (spec.window is not None) + (spec.around is not None) > 1:
            raise ValueError("a tuple has a window or is around a place, not both")
        if spec.window is None and spec.around is None and not spec.cells:
            raise ValueError("a tuple needs a window, a place to be around, or cells")
        named = [self.layout.field(name) for name in spec.cells]
        for field in named:
            if field.grid:
                raise ValueError(f"{field.name} is a grid; use a window")
        rest = [self.layout.start(field.name) + k for field in named for k in range(field.count)]
        radices = [field.values for field in named for _ in range(field.count)]
        if spec.window is not None:
            grid, squares = self._squares()
            windows = list(_windows(squares, *spec.window))
            if not windows:
                raise ValueError(f"no window of {spec.window[0]}x{spec.window[1]} fits {grid.grid}")
            radices = [grid.values] * len(windows[0]) + radices
            self._share([[*window, *rest] for window in windows], radices)
        elif spec.around is not None:
            place, grid = self.layout.field(spec.around[0]), self._squares()[0]
            if not place.place:
                raise ValueError(f"{place.name} is not a place")
            near = self._near(spec.around[1])
            radices = [grid.values + 1] * len(near[0]) + radices
            self._place([[*cells, *rest] for cells in near], radices, self.layout.start(place.name))
        else:
            self._share([rest], radices)

    def _squares(self) -> tuple[CellField, Any]:
        grid = self.layout.grid
        if grid is None or grid.grid is None:
            raise ValueError("the cells have no grid")
        first = self.layout.start(grid.name)
        return grid, np.arange(first, first + grid.count).reshape(grid.grid)

    def _near(self, radius: int) -> list[list[int]]:
        """Return, for each value of a place, the cells within `radius` steps of it but not itself."""
        _, squares = self._squares()
        rows, columns = squares.shape
        steps = [
            (r, c) for r, c in itertools.product(range(-radius, radius + 1), repeat=2) if 0 < abs(r) + abs(c) <= radius
        ]
        outside, near = self.layout.size, []
        for row, column in itertools.product(range(rows), range(columns)):
            at = [(row + r, column + c) for r, c in steps]
            near.append([squares[r, c] if 0 <= r < rows and 0 <= c < columns else outside for r, c in at])
        return [*near, [outside] * len(steps)]

    def _share(self, tuples: list[list[int]], radices: list[int]) -> None:
        base, shift = self._table(radices)
        for members in tuples:
            self._tuple(len(members), -1, base, shift)
            self.members += members
            self.factors += _factors(radices)

    def _place(self, near: list[list[int]], radices: list[int], cell: int) -> None:
        base, shift = self._table(radices)
        self._tuple(len(near[0]), cell, base, shift)
        for members in near:
            self.members += members
            self.factors += _factors(radices)

    def _tuple(self, count: int, around: int, base: int, shift: int) -> None:
        self.first.append(len(self.members))
        self.counts.append(count)
        self.around.append(around)
        self.bases.append(base)
        self.shifts.append(shift)

    def _table(self, radices: list[int]) -> tuple[int, int]:
        """Reserve a table and return its first weight, and the shift of its hash."""
        base, entries, shift = self.weights, int(np.prod(np.array(radices, object))), 0
        if entries > MAX_ENTRIES:
            entries, shift = 1 << HASHED_BITS, 64 - HASHED_BITS
        self.weights += entries
        return base, shift

    def network(self) -> Network:
        """Return the network."""
        size = self.layout.size
        users: list[list[int]] = [[] for _ in range(size)]
        for t, (first, count, around) in enumerate(zip(self.first, self.counts, self.around, strict=True)):
            if around < 0:
                for cell in sorted(set(self.members[first : first + count])):
                    users[cell].append(t)
        is_place = np.concatenate([np.full(field.count, field.place) for field in self.layout.fields])
        symmetries, places = self.layout.symmetries()
        return Network(
            tuples=np.array([self.first, self.counts, self.around, self.bases, self.shifts], np.int64).T.copy(),
            members=np.array(self.members, np.int64),
            factors=np.array(self.factors, np.uint64).view(np.int64),
            all=np.arange(len(self.first)),
            users_first=np.cumsum([0, *map(len, users)]),
            users=np.array([t for some in users for t in some], np.int64),
            movable=np.flatnonzero(np.array(self.around) >= 0),
            symmetries=symmetries,
            places=places,
            is_place=is_place,
            outside=np.array([self.outside], np.int16),
            size=np.array([self.weights], np.int64),
        )


def _factors(radices: Sequence[int]) -> list[int]:
    """Return the place values of the digits of a number with these radices, modulo 2**64."""
    return [int(np.prod(np.array(radices[k + 1 :], object))) % 2**64 for k in range(len(radices))]


def _windows(squares: Any, rows: int, columns: int) -> Any:
    height, width = squares.shape
    for row, column in itertools.product(range(height - rows + 1), range(width - columns + 1)):
        yield squares[row : row + rows, column : column + columns].reshape(-1).tolist()


@kernel
def fill_indices(tuples, members, factors, cells, some, count, out):
    """Fill `out` with the indices of weights of the first `count` tuples of `some`.

    Args:
        tuples: See `Network`.
        members: See `Network`.
        factors: See `Network`.
        cells: int16 (C + 1,).
        some: Numbers of tuples.
        count: How many of them.
        out: int64 (count,) or longer.
    """
    for k in range(count):
        t = some[k]
        first, size = tuples[t, FIRST], tuples[t, COUNT]
        if tuples[t, AROUND] >= 0:
            first += np.int64(cells[tuples[t, AROUND]]) * size
        index = np.int64(0)
        for m in range(first, first + size):
            index += factors[m] * cells[members[m]]
        if tuples[t, SHIFT] > 0:
            mixed = np.uint64(index)
            index = np.int64(((mixed ^ (mixed >> np.uint64(29))) * GAMMA) >> np.uint64(tuples[t, SHIFT]))
        out[k] = tuples[t, BASE] + index


@kernel
def set_base(network, weights, evaluation, view):
    """Make the position in `evaluation.cells[view]` the base position of a view."""
    base, indices = evaluation.base[view], evaluation.indices[view]
    for cell in range(base.shape[0]):
        base[cell] = evaluation.cells[view, cell]
    fill_indices(network.tuples, network.members, network.factors, base, network.all, network.all.shape[0], indices)
    total = 0.0
    for t in range(indices.shape[0]):
        total += weights[indices[t]]
    evaluation.sums[view] = total


@kernel
def score_near(network, weights, evaluation, view):
    """Return the sum of weights of the position in `evaluation.cells[view]`."""
    cells, base, indices = evaluation.cells[view], evaluation.base[view], evaluation.indices[view]
    seen, changed, now = evaluation.seen, evaluation.changed, evaluation.now
    users_first, users, movable = network.users_first, network.users, network.movable
    evaluation.number[0] += 1
    number, count = evaluation.number[0], 0
    for cell in range(base.shape[0] - 1):
        if cells[cell] != base[cell]:
            for u in range(users_first[cell], users_first[cell + 1]):
                t = users[u]
                if seen[t] != number:
                    seen[t] = number
                    changed[count] = t
                    count += 1
    for m in range(movable.shape[0]):
        changed[count] = movable[m]
        count += 1
    fill_indices(network.tuples, network.members, network.factors, cells, changed, count, now)
    total = evaluation.sums[view]
    for k in range(count):
        total += weights[now[k]] - weights[indices[changed[k]]]
    return total


@kernel
def change_score(network, weights, cells, scratch, indices, last, number, change):
    """Change the score of a position, and of everything symmetric to it, by changing all weights that it has.

    All weights change by the same amount, also those that several tuples have.

    Args:
        network: The network.
        weights: float32 (W,).
        cells: int16 (C + 1,).
        scratch: int16 (C + 1,); the last entry is the value outside.
        indices: int64 (T,), scratch.
        last: int64 (W,), the number of the last change of each weight.
        number: The number of this change, larger than those before.
        change: The change of the score.
    """
    symmetries, places, is_place = network.symmetries, network.places, network.is_place
    amount = np.float32(change / indices.shape[0])
    for s in range(symmetries.shape[0]):
        for cell in range(is_place.shape[0]):
            value = cells[symmetries[s, cell]]
            scratch[cell] = places[s, value] if is_place[cell] else value
        fill_indices(
            network.tuples, network.members, network.factors, scratch, network.all, network.all.shape[0], indices
        )
        for t in range(indices.shape[0]):
            index = indices[t]
            if last[index] != number:
                last[index] = number
                weights[index] += amount


@kernel
def share_of(score):
    """Return the logistic function of a score: a player's share of the win."""
    return 1.0 / (1.0 + np.exp(-score))
