"""Scores of positions: sums of the weights of an n-tuple network.

`evaluate_tree` evaluates all continuations of a turn. In a network of many tuples, only those with a changed cell are
looked up again. In a network of few tuples it is faster to look up all of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import lean_inlined_kernel, lean_kernel
from edge_envs.core.kernels.rng import GAMMA
from edge_envs.core.turn_tree import NODES
from edge_envs.ntuple.network import AROUND, BASE, COUNT, FIRST, SHIFT, Network


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
def score_of(network, weights, cells):
    """Return the score of a position, the sum of its weights, from its cells int16 (C + 1,)."""
    tuples, members, factors = network.tuples, network.members, network.factors
    score = 0.0
    for t in range(tuples.shape[0]):
        score += weights[address(tuples, t, index_of(tuples, members, factors, cells, 0, t))]
    return score


@lean_kernel
def share_of(score):
    """Return the logistic function of a score: a player's share of the win."""
    return 1.0 / (1.0 + np.exp(-score))


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
            old = _set_cell(level_cells, start + flat, new, undo, e - first[n])
            if new == old:
                continue
            key ^= hashed(flat, old) ^ hashed(flat, new)
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
            _restore_cells(level_cells, start, changed, first[n], first[n + 1], undo)


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
            old = _set_cell(level_cells, start + flat, new, undo, e - first[n])
            if new == old:
                continue
            key ^= hashed(flat, old) ^ hashed(flat, new)
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
            _restore_cells(level_cells, start, changed, first[n], first[n + 1], undo)
    levels.number[0] = number


@lean_inlined_kernel
def _set_cell(cells, at, new, undo, entry):
    """Set a cell, keep its earlier value in `undo`, and return it."""
    old = np.int64(cells[at])
    undo[entry] = old
    cells[at] = new
    return old


@lean_inlined_kernel
def _restore_cells(cells, start, changed, begin, end, undo):
    """Give the cells that changes `begin` to `end` have set their earlier values, the last change first."""
    for e in range(end - 1, begin - 1, -1):
        cells[start + changed[e]] = undo[e - begin]


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
