"""Cells: a position as small integers, from which n-tuple networks learn values; see `edge_envs.ntuple`.

A game that can be learned this way has a module `cells` with `cell_layout(params)`, which returns a `CellLayout`, and
the kernel `cells(state, viewer, out)`, which fills `out` int16 (size,) with what `viewer` may know of a position at any
node. Cells state facts of the rules: what lies where, whose turn it is, counts, scores. They contain no estimates and
no advice, so that what is learned from them is learned from the rules alone. Values are learned as shares of the
rewards at the end; rewards before the end of a game are not supported.

If cells are slow to compute but change little from one position to the next, the module may also have the kernel
`cells_with(state, viewer, memory, out)` and the dtype `MEMORY` of the record `memory`. The kernel fills `out` exactly
as `cells` does, whatever positions of games with the same parameters it was called for before with the same memory,
which at first holds zeros.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from edge_envs.core.spec import Array

NO_MEMORY = np.dtype((np.record, [("unused", np.int8)]))
"""The memory of games without the kernel `cells_with`."""


@dataclass(frozen=True)
class CellField:
    """Cells with the same meaning.

    Args:
        name: The name, by which configurations refer to the field.
        values: The number of values of a cell; the values are 0 to `values` - 1.
        description: What the values mean.
        grid: Rows and columns, if the cells form a grid; the cells are in reading order.
        place: Whether the value is a square of the grid of the layout, or, as the largest value, none of them.
        cells: The number of cells, if they do not form a grid.
        ordered: Whether the values are numbers in a meaningful order, rather than names.
        of_board: Whether the values are names that mean something else on another board, such as spaces of a map.
    """

    name: str
    values: int
    description: str
    grid: tuple[int, int] | None = None
    place: bool = False
    cells: int = 1
    ordered: bool = True
    of_board: bool = False

    @property
    def count(self) -> int:
        """The number of cells."""
        return self.grid[0] * self.grid[1] if self.grid else self.cells


@dataclass(frozen=True)
class CellLayout:
    """The fields of a game's cells, in order; at most one of them is a grid.

    Args:
        fields: The fields.
        square: Whether the rules are the same after a rotation or reflection of the grid.
    """

    fields: tuple[CellField, ...]
    square: bool = False

    @property
    def size(self) -> int:
        """The number of cells."""
        return sum(field.count for field in self.fields)

    @property
    def grid(self) -> CellField | None:
        """The field that is a grid, or None."""
        return next((field for field in self.fields if field.grid), None)

    @property
    def values(self) -> Array:
        """The number of values of each cell, int64 (size,)."""
        return np.repeat([field.values for field in self.fields], [field.count for field in self.fields])

    @property
    def ordered(self) -> Array:
        """Whether the values of each cell are numbers in a meaningful order, bool (size,)."""
        return np.repeat([field.ordered for field in self.fields], [field.count for field in self.fields])

    def start(self, name: str) -> int:
        """Return the number of the first cell of a field.

        Raises:
            ValueError: if there is no such field.
        """
        at = 0
        for field in self.fields:
            if field.name == name:
                return at
            at += field.count
        raise ValueError(f"unknown cell {name!r} (choose from {', '.join(field.name for field in self.fields)})")

    def field(self, name: str) -> CellField:
        """Return a field by its name.

        Raises:
            ValueError: if there is no such field.
        """
        self.start(name)
        return next(field for field in self.fields if field.name == name)

    def symmetries(self) -> tuple[Array, Array]:
        """Return the symmetries as permutations, the identity first.

        Returns:
            `cells` int64 (S, size): symmetry s puts the value of cell `cells[s, c]` into cell c;
            `places` int64 (S, squares + 1): the new value of each value of a place.
        """
        grid, own = self.grid, np.arange(self.size)
        if grid is None or grid.grid is None:
            return own[None], np.zeros((1, 1), np.int64)
        first, squares = self.start(grid.name), np.arange(grid.count).reshape(grid.grid)
        boards = [squares]
        if self.square:
            turned = [np.rot90(squares, k) for k in range(4 if grid.grid[0] == grid.grid[1] else 0)]
            turned = turned or [squares, squares[::-1, ::-1]]
            boards = [board for one in turned for board in (one, one[:, ::-1])]
        cells, places = [], []
        for board in boards:
            moved = own.copy()
            moved[first : first + grid.count] = first + board.reshape(-1)
            cells.append(moved)
            places.append(np.append(np.argsort(board.reshape(-1)), grid.count))
        return np.array(cells), np.array(places)
