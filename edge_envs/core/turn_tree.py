"""Turn trees: the ways in which a player can continue a turn, as changes of cells, from which they are evaluated.

A game whose turns have many small decisions can declare the kernel `turns(state, viewer, tree)`, which lists the
continuations of a turn of `viewer`, who is to act, much faster than by applying each decision to a copy of the state.
The search of `edge_envs.ntuple` evaluates all of them, plays the decisions of the best ones that do not end the turn,
and calls the kernel again. Without the kernel, it lists one decision at a time with `apply`.

The kernel first empties the tree (`tree.counts[:] = 0`) and fills `tree.base` (V, C) with the cells of the state: those
that `viewer` sees if there are two players, otherwise one row for each player. It then adds nodes in preorder, children
after their parents, with `add_node`, and changes of cells with `add_change`, relative to the parent of the node:

| kind | meaning |
|---|---|
| `INNER` | its children follow; it is not evaluated itself |
| `OPEN` | the turn continues; among the nodes of equal `group`, only the best is searched further |
| `END` | the turn is over, or the next node is not a decision of the player |
| `OVER` | the game is over, with the rewards in `tree.rewards` |

A kernel may leave out continuations. If it lists more than the tree can hold, the rest is left out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.cells import NO_MEMORY
from edge_envs.core.compiler.jit import lean_inlined_kernel
from edge_envs.core.spec import Array, Records

INNER, OPEN, END, OVER = range(4)
"""The kinds of nodes."""

NODES, CHANGES = range(2)
"""Entries of `TurnTree.counts`."""


class TurnTree(NamedTuple):
    """Memory of a tree, for N nodes, E changes of cells, V views, C cells and P players.

    | array | content |
    |---|---|
    | `counts` | (2,) the numbers of nodes and of changes |
    | `depths` | int32 (N,) the number of decisions from the root, at least 1 |
    | `actions` | int32 (N,) the decision that leads from the parent to the node |
    | `kinds` | int32 (N,) |
    | `groups` | uint64 (N,) of open nodes |
    | `first` | int32 (N + 1,) the first change of each node |
    | `cells` | int32 (E,) the changed cells: view * C + cell |
    | `values` | int16 (E,) their new values |
    | `rewards` | (N, P) of nodes where the game is over |
    | `base` | int16 (V, C) cells of the root |
    | `scratch_cells` | int16 (V, C) |
    | `scratch_states`, `scratch_words` | records; the same memory as 64-bit words |
    | `scratch` | int64 (S, 8) |
    | `mask` | int8 (A,) |
    | `cell_memory` | (1,) record of the kernel `cells_with`, see `edge_envs.core.cells` |
    """

    counts: Any
    depths: Any
    actions: Any
    kinds: Any
    groups: Any
    first: Any
    cells: Any
    values: Any
    rewards: Any
    base: Any
    scratch_cells: Any
    scratch_states: Any
    scratch_words: Any
    scratch: Any
    mask: Any
    cell_memory: Any


def new_turn_tree(
    states: Records,
    words: Array,
    base: Array,
    *,
    nodes: int,
    changes: int,
    players: int,
    actions: int,
    cell_memory: Records | None = None,
) -> TurnTree:
    """Allocate the memory of a tree.

    Args:
        states: Scratch records.
        words: The same memory as 64-bit words.
        base: int16 (V, C), the cells of the root.
        nodes: The largest number of nodes.
        changes: The largest number of changes.
        players: The number of players.
        actions: The number of distinct actions.
        cell_memory: The memory of the kernel `cells_with`, if the game declares it.
    """
    return TurnTree(
        counts=np.zeros(2, np.int64),
        depths=np.zeros(nodes, np.int32),
        actions=np.zeros(nodes, np.int32),
        kinds=np.zeros(nodes, np.int32),
        groups=np.zeros(nodes, np.uint64),
        first=np.zeros(nodes + 1, np.int32),
        cells=np.zeros(changes, np.int32),
        values=np.zeros(changes, np.int16),
        rewards=np.zeros((nodes, players)),
        base=base,
        scratch_cells=base.copy(),
        scratch_states=states,
        scratch_words=words,
        scratch=np.zeros((len(states), 8), np.int64),
        mask=np.zeros(actions, np.int8),
        cell_memory=np.zeros(1, NO_MEMORY) if cell_memory is None else cell_memory,
    )


@lean_inlined_kernel
def add_node(tree, depth, action, kind, group):
    """Add a node without changes; return whether there was room for it."""
    n = tree.counts[NODES]
    if n == tree.depths.shape[0] or tree.counts[CHANGES] + tree.base.size > tree.cells.shape[0]:
        return False
    tree.depths[n] = depth
    tree.actions[n] = action
    tree.kinds[n] = kind
    tree.groups[n] = group
    tree.first[n + 1] = tree.counts[CHANGES]
    tree.counts[NODES] = n + 1
    return True


@lean_inlined_kernel
def add_change(tree, cell, value):
    """Change a cell of the last node."""
    e = tree.counts[CHANGES]
    tree.cells[e] = cell
    tree.values[e] = value
    tree.counts[CHANGES] = e + 1
    tree.first[tree.counts[NODES]] = e + 1
