"""n-tuple networks: a value is a sum of table entries, one for each tuple of cells (Lucas 2008).

A *tuple* is a list of cells. Their values, read as the digits of a number, are the index of its entry in a table of
weights. Tuples may share a table: all 3x3 windows of a board, wherever they are. A tuple may also be *around* a place:
its cells are then the squares near a ship, say, wherever the ship is. If a table would be too large, the index is
hashed.

Weights are passed separately from the network, so that several sets of weights can be used with one network.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.cells import CellField, CellLayout
from edge_envs.core.game import Game
from edge_envs.core.spec import Array

MAX_ENTRIES = 1 << 22
"""The largest table whose entries are addressed directly; larger ones are hashed to `HASHED_BITS` bits."""
HASHED_BITS = 20
MAX_WEIGHTS = 1 << 25
MAX_AROUND = 255
"""The largest number of cells of a tuple around a place."""
FEW_TUPLES = 32
"""A network of at most this many tuples, none around a place, looks up all of them for every position."""

FIRST, COUNT, AROUND, BASE, SHIFT = range(5)
"""Columns of `Network.tuples`: the number of the first member; the number of members; the cell with the place that they
are around, or -1; the number of the table's first weight; 64 minus the bits of a hashed index, or 0."""


@dataclass(frozen=True)
class TupleSpec:
    """A group of tuples that share a table.

    Args:
        window: Rows and columns: one tuple for each window of this shape in the grid.
        around: The name of a place, and a radius: the squares of the grid at most that many steps away.
        cells: Names of fields that are not grids; every tuple of the group also has all of their cells.
    """

    window: tuple[int, int] | None = None
    around: tuple[str, int] | None = None
    cells: tuple[str, ...] = ()


class Network(NamedTuple):
    """The tuples of a network, for T tuples, M members and C cells.

    R of the tuples are around a place with V values. The board has S symmetries.

    The cell C is a square outside the grid, with a separate value.

    | array | content |
    |---|---|
    | `tuples` | (T, 5), see `FIRST` to `SHIFT` |
    | `members` | (M,) cells; of a tuple around a place, as many for each value of the place |
    | `factors` | (M,) what the values of the members are multiplied by in the index |
    | `all` | (T,) the numbers of all tuples |
    | `users_first` | (C + 1,) where the tuples with a cell begin in `users` |
    | `users` | tuples with a cell |
    | `user_factors` | what a change of the cell is multiplied by in the index of that tuple |
    | `dense` | (C, T) the same for all tuples, or (0, T) unless the network has few tuples, see `FEW_TUPLES` |
    | `movable` | (R,) tuples around a place |
    | `near` | uint8 (R, V, C + 1) for each place, 1 + the position of a cell among the members, or 0 |
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
    user_factors: Any
    dense: Any
    movable: Any
    near: Any
    symmetries: Any
    places: Any
    is_place: Any
    outside: Any
    size: Any


def network_of(game: Game, specs: Sequence[TupleSpec]) -> Network:
    """Create the network of a game.

    Raises:
        ValueError: if the game declares no cells, or a specification does not fit them.
    """
    return new_network(layout_of(game), specs)


def layout_of(game: Game) -> CellLayout:
    """Return the layout of the cells of a game.

    Raises:
        ValueError: if the game declares no cells.
    """
    layout = game.type.cell_layout(game.params)
    if layout is None:
        raise ValueError(f"{game.name} declares no cells, from which n-tuple networks learn")
    return layout


def new_network(layout: CellLayout, specs: Sequence[TupleSpec]) -> Network:
    """Create the network for a layout of cells.

    Raises:
        ValueError: if a specification does not fit the layout.
    """
    if not specs:
        raise ValueError("expected at least one tuple")
    return _Builder(layout, specs).network()


def tables_of(layout: CellLayout, specs: Sequence[TupleSpec]) -> tuple[list[slice], int]:
    """Return where the table of each group of tuples lies in the weights, and the number of weights."""
    made = _Builder(layout, specs)
    return made.tables, made.weights


class _Builder:
    """Collects the tuples of a network."""

    def __init__(self, layout: CellLayout, specs: Sequence[TupleSpec]) -> None:
        self.layout, self.weights = layout, 0
        self.first: list[int] = []
        self.counts: list[int] = []
        self.around: list[int] = []
        self.bases: list[int] = []
        self.shifts: list[int] = []
        self.members: list[int] = []
        self.factors: list[int] = []
        self.tables: list[slice] = []
        self.outside = layout.grid.values if layout.grid else 0
        for spec in specs:
            self._add(spec)

    def _add(self, spec: TupleSpec) -> None:
        """Add the tuples of a group."""
        if (spec.window is not None) + (spec.around is not None) > 1:
            raise ValueError("a tuple has a window or is around a place, not both")
        if spec.window is None and spec.around is None and not spec.cells:
            raise ValueError("a tuple needs a window, a place to be around, or cells")
        if len(set(spec.cells)) < len(spec.cells):
            raise ValueError(f"a tuple names the same cell twice: {', '.join(spec.cells)}")
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
            if len(near[0]) + len(rest) > MAX_AROUND:
                raise ValueError(
                    f"a tuple around a place has at most {MAX_AROUND} cells, not {len(near[0]) + len(rest)}"
                )
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
        if self.weights > MAX_WEIGHTS:
            raise ValueError(f"the tuples have more than {MAX_WEIGHTS:,} weights")
        self.tables.append(slice(base, self.weights))
        return base, shift

    def _near_table(self) -> Array:
        """Return `Network.near`."""
        movable, grid = np.flatnonzero(np.array(self.around) >= 0), self.layout.grid
        places = grid.count + 1 if grid else 0
        table = np.zeros((len(movable), places, self.layout.size + 1), np.uint8)
        for row, t in zip(table, movable, strict=True):
            count = self.counts[t]
            for place in range(places):
                first = self.first[t] + place * count
                row[place, self.members[first : first + count]] = np.arange(1, count + 1)
        return table

    def network(self) -> Network:
        """Return the network."""
        size = self.layout.size
        users: list[dict[int, int]] = [{} for _ in range(size)]
        for t, (first, count, around) in enumerate(zip(self.first, self.counts, self.around, strict=True)):
            if around < 0:
                for m in range(first, first + count):
                    users[self.members[m]][t] = self.factors[m]
        dense = np.zeros((size, len(self.first)), np.uint64)
        for cell, some in enumerate(users):
            dense[cell, list(some)] = np.array(list(some.values()), np.uint64)
        is_small = len(self.first) <= FEW_TUPLES and max(self.around) < 0
        is_place = np.concatenate([np.full(field.count, field.place) for field in self.layout.fields])
        symmetries, places = self.layout.symmetries()
        return Network(
            tuples=np.array([self.first, self.counts, self.around, self.bases, self.shifts], np.int64).T.copy(),
            members=np.array(self.members, np.int64),
            factors=np.array(self.factors, np.uint64).view(np.int64),
            all=np.arange(len(self.first)),
            users_first=np.cumsum([0, *map(len, users)]),
            users=np.array([t for some in users for t in some], np.int64),
            user_factors=np.array([f for some in users for f in some.values()], np.uint64).view(np.int64),
            dense=dense.view(np.int64) if is_small else np.zeros((0, len(self.first)), np.int64),
            movable=np.flatnonzero(np.array(self.around) >= 0),
            near=self._near_table(),
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
