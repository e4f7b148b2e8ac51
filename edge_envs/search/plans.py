"""Whole turns: the ends that the own decisions of a turn can come to, those first that the built-in player likes best.

A plan is a way to such an end: to where the turn is over, nature moves or somebody else decides. What it loses is the
sum over its steps of what each is worth less than the best one there, so the built-in player's own turn loses nothing.
Ends are found in the order of their losses, as a shortest way is found: of all ways that have begun, that which has
lost least goes on. Each position stands once, however many ways lead there. What is known of a node:

    loss    of the way so far
    parent  the node before, or -1
    action  the step that leads here
    record  the number of its record, or -1 while nobody has been here
    steps   how many lead here
    waits   whether it may still be gone on from
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import kernel, kernel_of
from edge_envs.core.game import Game
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.search.graph import place_of, records_of

MOST_PLANS = 8
MOST_POSITIONS = 128  # of a turn that are looked at

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
                ("waits", np.bool_),
            ],
            align=True,
        ),
    )
)
COUNTS = np.dtype((np.record, np.dtype([("nodes", np.int64), ("records", np.int64), ("ends", np.int64)])))


class Plans(NamedTuple):
    """The memory of a search for plans: N nodes, R records of W words; A actions."""

    counts: Any  # (1,) of `COUNTS`
    nodes: Any  # (N,) of `NODE`
    states: Any  # (R + 1,) records, all with the same random word
    words: Any  # (R + 1, W) the same memory as words of 64 bits
    places: Any  # (2**k,) numbers of records, by a hash of them; -1 where there is none
    taken: Any  # (R,) where in `places` each number stands
    ends: Any  # (MOST_PLANS,) nodes
    values: Any  # (A,)


def new_plans(game: Game) -> Plans:
    """The memory for one turn at a time."""
    words, states = records_of(game, MOST_POSITIONS + 1)
    return Plans(
        counts=np.zeros(1, COUNTS),
        nodes=np.zeros(1 + MOST_POSITIONS * MOST_PLANS, NODE),
        states=states,
        words=words,
        places=np.full(4 * MOST_POSITIONS, -1, np.int32),
        taken=np.zeros(MOST_POSITIONS, np.int64),
        ends=np.zeros(MOST_PLANS, np.int64),
        values=np.empty(game.num_distinct_actions),
    )


def find_plans(rules: CompleteKernels, folder: Path) -> Any:
    """A kernel `find(state, weights, most, plans)` that finds at most so many ends of a turn from a decision in it.

    If the memory is full before there is any, the position that was looked at last counts as one.
    """
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parent)
    current_player, turn_of = rules.current_player, rules.turn_of
    apply, action_values = rules.apply, rules.action_values

    @compiled
    def find(state, weights, most, plans):
        counts, nodes, states = plans.counts[0], plans.nodes, plans.states
        clear_plans(plans)
        add_node(plans, -1, -1, 0.0, 0)
        mover, turn, last, node = current_player(state), turn_of(state), np.int64(0), np.int64(0)
        while node >= 0 and counts.ends < most and counts.records < plans.taken.shape[0]:
            nodes[node].waits = False
            record = counts.records
            states[record] = state
            if node > 0:
                states[record] = states[nodes[nodes[node].parent].record]
                apply(states[record], nodes[node].action)
                states[record].rng = state.rng
            if is_new(plans):
                nodes[node].record, last = record, node
                if current_player(states[record]) != mover or turn_of(states[record]) != turn:
                    add_end(plans, node)
                else:
                    action_values(states[record], weights, plans.values)
                    add_steps(plans, node, most)
            node = least_loss(nodes, counts.nodes)
        if counts.ends == 0:
            add_end(plans, last)

    return find


@kernel
def clear_plans(plans):
    """Forget the nodes, the records and the ends."""
    counts = plans.counts[0]
    for record in range(counts.records):
        plans.places[plans.taken[record]] = -1
    counts.nodes, counts.records, counts.ends = 0, 0, 0


@kernel
def is_new(plans):
    """Keep the record behind those that are kept, unless one of these is the same; whether it is kept."""
    counts = plans.counts[0]
    place = place_of(plans.words, plans.places, counts.records)
    if plans.places[place] >= 0:
        return False
    plans.places[place], plans.taken[counts.records] = counts.records, place
    counts.records += 1
    return True


@kernel
def add_end(plans, node):
    """An end of the turn."""
    plans.ends[plans.counts[0].ends] = node
    plans.counts[0].ends += 1


@kernel
def add_node(plans, parent, action, loss, steps):
    """A node that waits, unless there is no room."""
    counts = plans.counts[0]
    if counts.nodes < plans.nodes.shape[0]:
        node = plans.nodes[counts.nodes]
        node.loss, node.parent, node.action, node.record, node.steps = loss, parent, action, -1, steps
        node.waits = True
        counts.nodes += 1


@kernel
def add_steps(plans, parent, most):
    """Nodes for the `most` best actions by `plans.values` (A,); of equal ones the lowest ids."""
    values, best = plans.values, plans.values.max()
    for _ in range(most):
        action = np.argmax(values)
        if values[action] == -np.inf:
            return
        loss = plans.nodes[parent].loss + (best - values[action])
        add_node(plans, parent, action, loss, plans.nodes[parent].steps + 1)
        values[action] = -np.inf


@kernel
def least_loss(nodes, count):
    """The node that waits and has lost least, of several that of the most steps, of these the first; -1: none waits."""
    least = np.int64(-1)
    for node in range(count):
        if nodes[node].waits and (least < 0 or goes_before(nodes[node], nodes[least])):
            least = np.int64(node)
    return least


@kernel
def goes_before(node, other):
    """Whether a node has lost less than another, or as much in more steps."""
    return node.loss < other.loss or (node.loss == other.loss and node.steps > other.steps)


@kernel
def read_steps(plans, end, steps):
    """Fill `steps` with the actions that lead to an end; how many there are."""
    nodes, node = plans.nodes, np.int64(plans.ends[end])
    count = np.int64(nodes[node].steps)
    for at in range(count - 1, -1, -1):
        steps[at] = nodes[node].action
        node = np.int64(nodes[node].parent)
    return count
