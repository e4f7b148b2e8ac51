"""n-tuple networks: a value is a sum of table entries, one for each tuple of cells (Lucas 2008).

A *tuple* is a list of cells. Their values, read as the digits of a number, are the index of its entry in a table of
weights. Tuples may share a table: all 3x3 windows of a board, wherever they are. A tuple may also be *around* a place:
its cells are then the squares near a ship, say, wherever the ship is. If a table would be too large, the index is
hashed.

Weights are passed separately from the network, so that several sets of weights can be used with one network.

`evaluate_tree` evaluates all continuations of a turn. In a network of many tuples, only those with a changed cell are
looked up again. In a network of few tuples it is faster to look up all of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.cells import CellField, CellLayout
from edge_envs.core.compiler.jit import lean_inlined_kernel, lean_kernel
from edge_envs.core.game import Game
from edge_envs.core.kernels.rng import GAMMA
from edge_envs.core.spec import Array
from edge_envs.core.turn_tree import NODES

MAX_ENTRIES = 1 << 22
"""The largest table whose entries are addressed directly; larger ones are hashed to `HASHED_BITS` bits."""
HASHED_BITS = 20
MAX_WEIGHTS = 1 << 25
MAX_AROUND = 255
"""The largest number of cells of a tuple around a place."""
FEW_TUPLES = 32
"""A network of at most this many tuples, none around a place, looks up all of them for every position."""

FIXED = -1
"""In place of a number of weights: the table of a tuple does not change."""

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
    | `movable` | (M,) tuples around a place |
    | `near` | uint8 (M, V, C) for each place, 1 + the position of a cell among the members, or 0 |
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


class Levels(NamedTuple):
    """Memory for evaluating the nodes of a turn tree, for L levels, V views and D = V * (C + 1) cells.

    Level 0 is the root of the tree, and level d the last inner node at depth d.

    | array | content |
    |---|---|
    | `cells` | int16 (L * D,) |
    | `indices` | int64 (L, V * T), before hashing |
    | `entries` | float32 (L, V * T) their weights |
    | `sums` | (L, V) sums of weights |
    | `keys` | uint64 (L,) hashes of the cells |
    | `stamps` | (V * T,) the number of the node that last changed a tuple |
    | `touched`, `now` | (V * T,) the tuples that a node changes, and their new indices |
    | `undo` | int16 (E,) earlier values of the cells that a node changes |
    | `number` | (1,) the number of the last node |
    """

    cells: Any
    indices: Any
    entries: Any
    sums: Any
    keys: Any
    stamps: Any
    touched: Any
    now: Any
    undo: Any
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


def new_levels(network: Network, views: int, levels: int) -> Levels:
    """Allocate the memory for evaluating the nodes of a turn tree."""
    cells, tuples = views * (network.is_place.shape[0] + 1), views * network.tuples.shape[0]
    return Levels(
        cells=np.zeros(levels * cells, np.int16),
        indices=np.zeros((levels, tuples), np.int64),
        entries=np.zeros((levels, tuples), np.float32),
        sums=np.zeros((levels, views)),
        keys=np.zeros(levels, np.uint64),
        stamps=np.zeros(tuples, np.int64),
        touched=np.zeros(tuples, np.int64),
        now=np.zeros(tuples, np.int64),
        undo=np.zeros(2 * cells, np.int16),
        number=np.zeros(1, np.int64),
    )


def ways_to_learn(layout: CellLayout, network: Network, linear: Sequence[str], fixed: Sequence[str] = ()) -> Array:
    """Return how the tables of tuples change, int64 (T,): the number of weights of linear ones, `FIXED`, or 0.

    Args:
        layout: The cells.
        network: The network.
        linear: Names of cells. The table of a tuple of such a cell alone is linear.
        fixed: Names of cells. The table of a tuple of such a cell alone does not change.

    Raises:
        ValueError: if no tuple consists of one of these cells alone, or the values of a linear one are names.
    """
    ways = np.zeros(network.tuples.shape[0], np.int64)
    for name in (*linear, *fixed):
        cell, field = layout.start(name), layout.field(name)
        alone = (network.tuples[:, COUNT] == 1) & (network.tuples[:, AROUND] < 0)
        alone &= network.members[network.tuples[:, FIRST]] == cell
        if not alone.any():
            raise ValueError(f"expected a tuple of the cell {name!r} alone, whose table is to be linear or fixed")
        if not field.ordered:
            raise ValueError(f"{name} cannot have a linear table: its values are not numbers")
        ways[alone] = FIXED if name in fixed else field.values
    return ways


def transferable(old: Game, new: Game, specs: Sequence[TupleSpec]) -> list[TupleSpec]:
    """Return the tuples whose cells mean the same on two boards."""
    one, other = layout_of(old), layout_of(new)
    return [spec for spec in specs if (meaning := _meaning(one, spec)) is not None and meaning == _meaning(other, spec)]


def carried_over(
    weights: Array, old: Game, new: Game, specs: Sequence[TupleSpec], new_specs: Sequence[TupleSpec] | None = None
) -> Array:
    """Return weights for another board.

    Args:
        weights: float32 (W,), those of the network for `old`.
        old: The board for which the weights were learned.
        new: The other board.
        specs: The tuples of the network for `old`.
        new_specs: The tuples of the network for `new`; None for the same.

    Returns:
        float32, those of the network for `new`: copies of the tables of tuples that both networks have and whose cells
        mean the same on both boards; the other tables are 0.
    """
    source, target = _Builder(layout_of(old)), _Builder(layout_of(new))
    for spec in specs:
        source.add(spec)
    for spec in specs if new_specs is None else new_specs:
        target.add(spec)
    carried, kept = np.zeros(target.weights, np.float32), transferable(old, new, specs)
    for spec, table in zip(specs if new_specs is None else new_specs, target.tables, strict=True):
        if spec in kept:
            carried[table] = weights[source.tables[specs.index(spec)]]
    return carried


def _meaning(layout: CellLayout, spec: TupleSpec) -> tuple[Any, ...] | None:
    """Return what the digits of the indices of tuples mean; None if they name places of one board."""
    named = [layout.field(name) for name in spec.cells]
    if any(field.place or field.of_board for field in named):
        return None
    grid = layout.grid.values if layout.grid and (spec.window or spec.around) else 0
    return grid, *((field.name, field.values, field.count) for field in named)


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
        self.tables: list[slice] = []
        self.outside = layout.grid.values if layout.grid else 0

    def add(self, spec: TupleSpec) -> None:
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


@lean_inlined_kernel
def address(tuples, t, index):
    """Return the number of a weight of tuple `t`."""
    if tuples[t, SHIFT] > 0:
        mixed = np.uint64(index)
        index = np.int64(((mixed ^ (mixed >> np.uint64(29))) * GAMMA) >> np.uint64(tuples[t, SHIFT]))
    return tuples[t, BASE] + index


@lean_inlined_kernel
def index_of(tuples, members, factors, cells, start, t):
    """Return the index of tuple `t` before hashing, for the cells from `start` on."""
    first, size = tuples[t, FIRST], tuples[t, COUNT]
    if tuples[t, AROUND] >= 0:
        first += np.int64(cells[start + tuples[t, AROUND]]) * size
    index = np.int64(0)
    for m in range(first, first + size):
        index += factors[m] * cells[start + members[m]]
    return index


@lean_kernel
def set_root(network, weights, levels, base):
    """Make a position the root of the levels.

    Args:
        network: The network.
        weights: float32 (W,).
        levels: The memory.
        base: int16 (V, C + 1), the cells of the position.
    """
    tuples, members, factors = network.tuples, network.members, network.factors
    cells, indices, entries = levels.cells, levels.indices, levels.entries
    views, width = base.shape
    count, key = tuples.shape[0], np.uint64(0)
    for view in range(views):
        for cell in range(width):
            cells[view * width + cell] = base[view, cell]
            key ^= hashed(view * width + cell, base[view, cell])
        total = 0.0
        for t in range(count):
            index = index_of(tuples, members, factors, cells, view * width, t)
            weight = weights[address(tuples, t, index)]
            indices[0, view * count + t], entries[0, view * count + t] = index, weight
            total += weight
        levels.sums[0, view] = total
    levels.keys[0] = key


@lean_inlined_kernel
def hashed(cell, value):
    """Return the hash of a cell with its value (Zobrist 1970); the hash of a position is the exclusive or of all."""
    z = np.uint64(cell << 16 | np.int64(value)) * GAMMA
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return z ^ (z >> np.uint64(27))


@lean_inlined_kernel
def _copy_level(cells, indices, entries, sums, to, level, size):
    """Copy a level, except its key, to level `to`."""
    for k in range(size):
        cells[to * size + k] = cells[level * size + k]
    for k in range(indices.shape[1]):
        indices[to, k] = indices[level, k]
        entries[to, k] = entries[level, k]
    for view in range(sums.shape[1]):
        sums[to, view] = sums[level, view]


@lean_inlined_kernel
def _touch(t, level, number, indices, stamps, now, touched, count):
    """Start to change the index of a tuple at node `number`; return the new number of changed tuples."""
    if stamps[t] != number:
        stamps[t] = number
        now[t] = indices[level, t]
        touched[count] = t
        count += 1
    return count


@lean_kernel
def evaluate_tree(tree, network, weights, levels, scores, keys):
    """Evaluate all nodes of a turn tree, with one lookup of each tuple or only of those with changed cells.

    Args:
        tree: The turn tree.
        network: The network.
        weights: float32 (W,).
        levels: The memory; `set_root` has set the root.
        scores: (N, V), filled with the sums of weights of each view.
        keys: uint64 (N,), filled with the hashes of the cells.
    """
    if network.dense.shape[0] > 0:
        _look_up_all(tree, network, weights, levels, scores, keys)
    else:
        _look_up_changed(tree, network, weights, levels, scores, keys)


@lean_kernel
def _look_up_all(tree, network, weights, levels, scores, keys):
    """Evaluate all nodes of a turn tree, looking up all tuples."""
    depths, first, changed, news = tree.depths, tree.first, tree.cells, tree.values
    tuples, dense, level_cells, level_indices = network.tuples, network.dense, levels.cells, levels.indices
    level_keys, now, undo = levels.keys, levels.now, levels.undo
    views, count, nodes = levels.sums.shape[1], tuples.shape[0], tree.counts[NODES]
    size = level_cells.shape[0] // levels.sums.shape[0]
    width = size // views
    for n in range(nodes):
        depth = np.int64(depths[n])
        level = depth - 1
        is_inner = n + 1 < nodes and depths[n + 1] > depth
        if is_inner:
            for k in range(size):
                level_cells[depth * size + k] = level_cells[level * size + k]
            for t in range(now.shape[0]):
                level_indices[depth, t] = level_indices[level, t]
            level_keys[depth] = level_keys[level]
            level = depth
        key, start = level_keys[level], level * size
        for t in range(now.shape[0]):
            now[t] = level_indices[level, t]
        for e in range(first[n], first[n + 1]):
            flat, new = np.int64(changed[e]), np.int64(news[e])
            old = np.int64(level_cells[start + flat])
            undo[e - first[n]] = old
            if new == old:
                continue
            key ^= hashed(flat, old) ^ hashed(flat, new)
            level_cells[start + flat] = new
            view = flat // width if views > 1 else 0
            indices, factors, step = now[view * count : view * count + count], dense[flat - view * width], new - old
            for t in range(count):
                indices[t] += factors[t] * step
        for view in range(views):
            total = 0.0
            for t in range(count):
                total += weights[address(tuples, t, now[view * count + t])]
            scores[n, view] = total
        keys[n] = key
        if is_inner:
            level_keys[level] = key
            for t in range(now.shape[0]):
                level_indices[level, t] = now[t]
        else:
            for e in range(first[n + 1] - 1, first[n] - 1, -1):
                level_cells[start + changed[e]] = undo[e - first[n]]


@lean_kernel
def _look_up_changed(tree, network, weights, levels, scores, keys):
    """Evaluate all nodes of a turn tree, looking up only the tuples with changed cells."""
    depths, first, changed, news = tree.depths, tree.first, tree.cells, tree.values
    tuples, members, factors = network.tuples, network.members, network.factors
    movable, near, is_place = network.movable, network.near, network.is_place
    users_first, users, user_factors = network.users_first, network.users, network.user_factors
    level_cells, level_indices, level_entries = levels.cells, levels.indices, levels.entries
    sums, level_keys = levels.sums, levels.keys
    stamps, touched, now, undo = levels.stamps, levels.touched, levels.now, levels.undo
    views, count, nodes = sums.shape[1], tuples.shape[0], tree.counts[NODES]
    size, number = level_cells.shape[0] // sums.shape[0], levels.number[0]
    width = size // views
    for n in range(nodes):
        depth = np.int64(depths[n])
        level = depth - 1
        is_inner = n + 1 < nodes and depths[n + 1] > depth
        if is_inner:
            _copy_level(level_cells, level_indices, level_entries, sums, depth, level, size)
            level_keys[depth] = level_keys[level]
            level = depth
        key = level_keys[level]
        number += 1
        count_touched, moves, start = 0, False, level * size
        for e in range(first[n], first[n + 1]):
            flat, new = np.int64(changed[e]), np.int64(news[e])
            old = np.int64(level_cells[start + flat])
            undo[e - first[n]] = old
            if new == old:
                continue
            key ^= hashed(flat, old) ^ hashed(flat, new)
            level_cells[start + flat] = new
            view = flat // width if views > 1 else 0
            cell, step = flat - view * width, new - old
            moves = moves or is_place[cell]
            for u in range(users_first[cell], users_first[cell + 1]):
                t = view * count + users[u]
                count_touched = _touch(t, level, number, level_indices, stamps, now, touched, count_touched)
                now[t] += user_factors[u] * step
            for m in range(movable.shape[0]):
                own = movable[m]
                place = np.int64(level_cells[start + view * width + tuples[own, AROUND]])
                member = np.int64(near[m, place, cell])
                if member > 0:
                    t = view * count + own
                    count_touched = _touch(t, level, number, level_indices, stamps, now, touched, count_touched)
                    now[t] += factors[tuples[own, FIRST] + place * tuples[own, COUNT] + member - 1] * step
        if moves:
            for view in range(views):
                for m in range(movable.shape[0]):
                    t = view * count + movable[m]
                    count_touched = _touch(t, level, number, level_indices, stamps, now, touched, count_touched)
                    now[t] = index_of(tuples, members, factors, level_cells, start + view * width, movable[m])
        for view in range(views):
            scores[n, view] = sums[level, view]
        for k in range(count_touched):
            t = touched[k]
            view = t // count if views > 1 else 0
            now_weight = weights[address(tuples, t - view * count, now[t])]
            scores[n, view] += now_weight - level_entries[level, t]
            if is_inner:
                level_indices[level, t], level_entries[level, t] = now[t], now_weight
        keys[n] = key
        if is_inner:
            level_keys[level] = key
            for view in range(views):
                sums[level, view] = scores[n, view]
        else:
            for e in range(first[n + 1] - 1, first[n] - 1, -1):
                level_cells[start + changed[e]] = undo[e - first[n]]
    levels.number[0] = number


@lean_kernel
def score_of(network, weights, cells):
    """Return the score of a position, the sum of its weights, from its cells int16 (C + 1,)."""
    tuples, members, factors = network.tuples, network.members, network.factors
    score = 0.0
    for t in range(tuples.shape[0]):
        score += weights[address(tuples, t, index_of(tuples, members, factors, cells, 0, t))]
    return score


@lean_kernel
def change_slope(weights, base, count, index, amount):
    """Change the slope of a linear table, whose middle entry stays the same, in proportion to that of an entry.

    The `count` weights of the table begin at `base`; the entry at either end changes by `amount`.
    """
    middle = np.float32(max(count // 2, 1))
    slope = amount * (np.float32(index - base) / middle - np.float32(1.0)) / middle
    for k in range(count):
        weights[base + k] += slope * (np.float32(k) - middle)


@lean_kernel
def change_score(network, weights, cells, scratch, last, number, change, ways):
    """Change the score of a position, and of everything symmetric to it, by changing all weights that it has.

    All weights change by the same amount, also those that several tuples have.

    Args:
        network: The network.
        weights: float32 (W,).
        cells: int16 (C + 1,).
        scratch: int16 (C + 1,); the last entry is the value outside.
        last: int64 (W,), the number of the last change of each weight.
        number: The number of this change, larger than those before.
        change: The change of the score.
        ways: int64 (T,), see `ways_to_learn`.
    """
    tuples, members, factors = network.tuples, network.members, network.factors
    symmetries, places, is_place = network.symmetries, network.places, network.is_place
    amount = np.float32(change / tuples.shape[0])
    for s in range(symmetries.shape[0]):
        for cell in range(is_place.shape[0]):
            value = cells[symmetries[s, cell]]
            scratch[cell] = places[s, value] if is_place[cell] else value
        for t in range(tuples.shape[0]):
            index = address(tuples, t, index_of(tuples, members, factors, scratch, 0, t))
            if ways[t] > 0:
                if s == 0:  # a line is the same for all symmetric positions
                    change_slope(weights, tuples[t, BASE], ways[t], index, amount)
            elif ways[t] != FIXED and last[index] != number:
                last[index] = number
                weights[index] += amount


@lean_kernel
def share_of(score):
    """Return the logistic function of a score: a player's share of the win."""
    return 1.0 / (1.0 + np.exp(-score))
