"""Macro-actions: a player's decisions up to the end of the turn, ranked by the heuristic's action values.

A macro-action ends where the turn is over, a chance event happens or another player decides. The loss of a step is the
best action value in its position minus the value of the action taken; the loss of a macro-action is the sum over its
steps. The heuristic's own turn therefore has loss 0. Uniform-cost search (Dijkstra 1959) finds macro-actions in
the order of their losses. Each position is expanded once, whatever path leads to it. Fields of a node:

    loss    loss of the path so far
    parent  previous node, or -1
    action  step that leads to this node
    record  number of its state record, or -1 if it has not been visited
    steps   length of the path
    open    whether it may still be expanded
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import kernel, kernel_of
from edge_envs.core.game import Game
from edge_envs.core.kernels.record_words import records_of
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.search.graph import place_of

MAX_MACRO_ACTIONS = 8
MAX_POSITIONS = 128  # positions visited per turn

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("loss", np.float64),
                ("parent", np.int32),
                ("action", np.int32),
                ("record", np.int32),
                ("steps", np.int32),
                ("open", np.bool_),
            ],
            align=True,
        ),
    )
)
COUNTS = np.dtype((np.record, np.dtype([("nodes", np.int64), ("records", np.int64), ("ends", np.int64)])))


class MacroActions(NamedTuple):
    """Memory of a search for macro-actions, for N nodes, R records of W words and A actions."""

    counts: Any  # (1,) of `COUNTS`
    nodes: Any  # (N,) of `NODE`
    states: Any  # (R + 1,) records, all with the same random word
    words: Any  # (R + 1, W) the same memory as 64-bit words
    places: Any  # (2**k,) hash table from records to their numbers; -1: empty
    taken: Any  # (R,) index in `places` of each record
    ends: Any  # (MAX_MACRO_ACTIONS,) nodes in which macro-actions end
    values: Any  # (A,)


def new_macro_actions(game: Game) -> MacroActions:
    """Allocate the memory for one turn at a time."""
    words, states = records_of(game.type, MAX_POSITIONS + 1)
    return MacroActions(
        counts=np.zeros(1, COUNTS),
        nodes=np.zeros(1 + MAX_POSITIONS * MAX_MACRO_ACTIONS, NODE),
        states=states,
        words=words,
        places=np.full(4 * MAX_POSITIONS, -1, np.int32),
        taken=np.zeros(MAX_POSITIONS, np.int64),
        ends=np.zeros(MAX_MACRO_ACTIONS, np.int64),
        values=np.empty(game.num_distinct_actions),
    )


def find_macro_actions(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the kernel `find(state, weights, most, macros)`, which finds up to `most` macro-actions from a decision.

    If the memory fills up before any turn ends, the last position visited counts as an end.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    current_player, turn_of = kernels.current_player, kernels.turn_of
    apply, action_values = kernels.apply, kernels.action_values

    @compiled
    def find(state, weights, most, macros):
        counts, nodes, states = macros.counts[0], macros.nodes, macros.states
        clear(macros)
        add_node(macros, -1, -1, 0.0, 0)
        mover, turn, last, node = current_player(state), turn_of(state), np.int64(0), np.int64(0)
        while node >= 0 and counts.ends < most and counts.records < macros.taken.shape[0]:
            nodes[node].open = False
            record = counts.records
            states[record] = state
            if node > 0:
                states[record] = states[nodes[nodes[node].parent].record]
                apply(states[record], nodes[node].action)
                states[record].rng = state.rng
            if is_new(macros):
                nodes[node].record, last = record, node
                if current_player(states[record]) != mover or turn_of(states[record]) != turn:
                    add_end(macros, node)
                else:
                    action_values(states[record], weights, macros.values)
                    expand(macros, node, most)
            node = cheapest_node(nodes, counts.nodes)
        if counts.ends == 0:
            add_end(macros, last)

    return find


@kernel
def clear(macros):
    """Remove all nodes, records and ends."""
    counts = macros.counts[0]
    for record in range(counts.records):
        macros.places[macros.taken[record]] = -1
    counts.nodes, counts.records, counts.ends = 0, 0, 0


@kernel
def is_new(macros):
    """Store the record behind the stored ones unless it equals one of them, and return whether it is new."""
    counts = macros.counts[0]
    place = place_of(macros.words, macros.places, counts.records)
    if macros.places[place] >= 0:
        return False
    macros.places[place], macros.taken[counts.records] = counts.records, place
    counts.records += 1
    return True


@kernel
def add_end(macros, node):
    """Add a node in which a macro-action ends."""
    macros.ends[macros.counts[0].ends] = node
    macros.counts[0].ends += 1


@kernel
def add_node(macros, parent, action, loss, steps):
    """Add an open node, unless the memory is full."""
    counts = macros.counts[0]
    if counts.nodes < macros.nodes.shape[0]:
        node = macros.nodes[counts.nodes]
        node.loss, node.parent, node.action, node.record, node.steps = loss, parent, action, -1, steps
        node.open = True
        counts.nodes += 1


@kernel
def expand(macros, parent, most):
    """Add nodes for the `most` best actions by `macros.values` (A,). Ties go to the lowest id."""
    values, best = macros.values, macros.values.max()
    for _ in range(most):
        action = np.argmax(values)
        if values[action] == -np.inf:
            return
        loss = macros.nodes[parent].loss + (best - values[action])
        add_node(macros, parent, action, loss, macros.nodes[parent].steps + 1)
        values[action] = -np.inf


@kernel
def cheapest_node(nodes, count):
    """Return the open node with the lowest loss, or -1. Ties go to the longest path, then to the first node."""
    cheapest = np.int64(-1)
    for node in range(count):
        if nodes[node].open and (cheapest < 0 or is_before(nodes[node], nodes[cheapest])):
            cheapest = np.int64(node)
    return cheapest


@kernel
def is_before(node, other):
    """Return whether a node has a lower loss than another, or the same loss and a longer path."""
    return node.loss < other.loss or (node.loss == other.loss and node.steps > other.steps)


@kernel
def read_steps(macros, end, steps):
    """Fill `steps` with the actions of a macro-action and return their number."""
    nodes, node = macros.nodes, np.int64(macros.ends[end])
    count = np.int64(nodes[node].steps)
    for at in range(count - 1, -1, -1):
        steps[at] = nodes[node].action
        node = np.int64(nodes[node].parent)
    return count
