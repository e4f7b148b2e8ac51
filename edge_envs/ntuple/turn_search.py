"""Search of whole turns, with the values of an n-tuple network at their ends.

A *leaf* is a position after which the player has no further decision for now: the turn is over, a chance event follows,
another player decides, or the game is over. Its value is a share of the win for every player. Leaves of equal value
come in a random order, which depends on the random word of the state, so that play without any weights is random.

The search lists the continuations of a turn (see `edge_envs.core.turn_tree`), evaluates them, plays those that do not
end the turn, and lists again, layer by layer. Of open positions with the same group, only the best is searched further,
and of these only the best `beam` (a beam search). `reply_search` looks further, at the turns after these.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import kernel_of, lean_inlined_kernel, lean_kernel
from edge_envs.core.game import Game, shared_utility
from edge_envs.core.kernels.record_words import hash_of, records_of
from edge_envs.core.kernels.rng import GAMMA, mix
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import TERMINAL
from edge_envs.core.turn_tree import (
    END,
    INNER,
    NODES,
    OPEN,
    OVER,
    TurnTree,
    add_change,
    add_node,
    new_turn_tree,
)
from edge_envs.ntuple.network import Network
from edge_envs.ntuple.scores import Levels, evaluate_tree, new_levels, set_root, share_of

MAX_NODES = 1 << 12
MAX_OPEN = 1 << 11
MAX_LEAVES = 64
MAX_PATH = 64
"""The largest number of decisions to a leaf."""
MAX_LEVELS = 8

SETTINGS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("beam", np.int64),  # open positions of a layer that are searched further
                ("depth", np.int64),  # layers
                ("replies", np.int64),  # leaves that are evaluated by a search of the replies; 0: none
                ("exact", np.int64),  # whether also leaves that a reply refutes are evaluated to the end
                ("lowest", np.float64),  # the minimum utility
                ("shared", np.float64),  # the utility to share, above the minimum of every player
            ],
            align=True,
        ),
    )
)


class TurnSearch(NamedTuple):
    """Memory of a search, for B open positions, K leaves, L decisions, A actions and P players.

    | array | content |
    |---|---|
    | `tree`, `levels` | the continuations of one position, and the memory for their evaluation |
    | `scores`, `keys` | see `evaluate_tree` |
    | `stack` | (L,) the actions that lead to the present node of the tree |
    | `states` | (2,) records: the position to continue, and the one after the path of a leaf |
    | `paths`, `lengths` | int32 (B, L), (B,) decisions to the positions of this layer |
    | `next_paths`, `next_lengths` | the same of the next layer |
    | `next_values`, `next_groups` | (B,) their values for the owner of the turn, and groups |
    | `slots` | (2 * B,) hash table from groups to positions of the next layer; -1: empty |
    | `order` | (B,) scratch |
    | `leaf_paths`, `leaf_lengths`, `leaf_keys`, `leaf_over` | (K, L), (K,) of the best leaves, best first |
    | `leaf_values` | (K, P) their values: shares of the win |
    | `leaf_ties` | uint64 (K,) random numbers that order leaves of equal value |
    | `leaf_firsts` | uint8 (K, A) whether a turn that starts with the action ends in the leaf; (K, 0) if not needed |
    | `counts` | (4,) numbers of leaves, of positions of the next layer, of nodes evaluated, and the owner |
    | `salt` | uint64 (1,) the random word of the state |
    | `first_values` | (A,) the owner's value of the best leaf after each first decision, or NaN |
    | `values`, `rewards`, `probabilities` | scratch |
    """

    tree: TurnTree
    levels: Levels
    scores: Any
    keys: Any
    stack: Any
    states: Any
    paths: Any
    lengths: Any
    next_paths: Any
    next_lengths: Any
    next_values: Any
    next_groups: Any
    slots: Any
    order: Any
    leaf_paths: Any
    leaf_lengths: Any
    leaf_keys: Any
    leaf_over: Any
    leaf_values: Any
    leaf_ties: Any
    leaf_firsts: Any
    counts: Any
    salt: Any
    first_values: Any
    values: Any
    rewards: Any
    probabilities: Any


FOUND, NEXT, EVALUATED, OWNER = range(4)
"""Entries of `TurnSearch.counts`."""


def new_turn_search(game: Game, network: Network, leaves: int = 1) -> TurnSearch:
    """Allocate the memory of a search that keeps the best `leaves` leaves."""
    players, actions = game.num_players, game.num_distinct_actions
    views = views_of(players)
    base = np.full((views, network.is_place.shape[0] + 1), network.outside[0], np.int16)
    nodes = MAX_NODES + actions
    words, states = records_of(game.type, MAX_LEVELS)
    states[:] = game.new_records(MAX_LEVELS)
    tree = new_turn_tree(
        states,
        words,
        base,
        nodes=nodes,
        changes=nodes * 12 + 32 * base.size,
        players=players,
        actions=actions,
        cell_memory=game.type.new_cell_memory(),
    )
    return TurnSearch(
        tree=tree,
        levels=new_levels(network, views, MAX_LEVELS),
        scores=np.zeros((nodes, views)),
        keys=np.zeros(nodes, np.uint64),
        stack=np.zeros(MAX_PATH + MAX_LEVELS, np.int32),
        states=game.new_records(2),
        paths=np.zeros((MAX_OPEN, MAX_PATH), np.int32),
        lengths=np.zeros(MAX_OPEN, np.int64),
        next_paths=np.zeros((MAX_OPEN, MAX_PATH), np.int32),
        next_lengths=np.zeros(MAX_OPEN, np.int64),
        next_values=np.zeros(MAX_OPEN),
        next_groups=np.zeros(MAX_OPEN, np.uint64),
        slots=np.full(2 * MAX_OPEN, -1, np.int32),
        order=np.zeros(MAX_OPEN, np.int64),
        leaf_paths=np.zeros((leaves, MAX_PATH), np.int32),
        leaf_lengths=np.zeros(leaves, np.int64),
        leaf_keys=np.zeros(leaves, np.uint64),
        leaf_over=np.zeros(leaves, np.bool_),
        leaf_values=np.zeros((leaves, players)),
        leaf_ties=np.zeros(leaves, np.uint64),
        leaf_firsts=np.zeros((leaves, 0), np.uint8),
        salt=np.zeros(1, np.uint64),
        counts=np.zeros(4, np.int64),
        first_values=np.zeros(actions),
        values=np.zeros(players),
        rewards=np.zeros(players),
        probabilities=np.zeros(max(game.max_chance_outcomes, 1)),
    )


def new_settings(game: Game, beam: int, depth: int, replies: int, exact: bool = False) -> Any:
    """Return settings (1,) of a search; see `SETTINGS`.

    Raises:
        ValueError: if the game has no fixed sum of returns.
    """
    settings = np.zeros(1, SETTINGS)
    settings[0] = beam, depth, replies, exact, game.min_utility, shared_utility(game)
    return settings


def views_of(players: int) -> int:
    """Return from how many players' views a position is evaluated: one player's if there are two."""
    return 1 if players == 2 else players


@lean_kernel
def same_turn(state):
    """Return 0: without numbers of turns, a turn lasts as long as one player decides."""
    return np.int64(0)


def turn_kernel(kernels: CompleteKernels) -> Any:
    """Return the kernel `turn_of` of a game, or `same_turn` if it declares none."""
    return kernels.turn_of or same_turn


def cells_kernel(kernels: CompleteKernels, folder: Path) -> Any:
    """Return the kernel `cells_with` of a game, or one that calls `cells` and ignores the memory."""
    if kernels.cells_with is not None:
        return kernels.cells_with
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent, lean=True)
    cells = kernels.cells

    @compiled
    def cells_without_memory(state, viewer, memory, out):
        cells(state, viewer, out)

    return cells_without_memory


def list_decisions(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the kernel `turns(state, viewer, tree)` of a game that does not declare it: one decision at a time."""
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent, lean=True)
    current_player, turn_of, apply = kernels.current_player, turn_kernel(kernels), kernels.apply
    legal_action_mask, rewards_of, cells = kernels.legal_action_mask, kernels.rewards, cells_kernel(kernels, folder)

    @compiled
    def list_decisions_of(state, viewer, tree):
        tree.counts[:] = 0
        views, width = tree.base.shape
        for view in range(views):
            cells(state, viewer if views == 1 else view, tree.cell_memory[0], tree.base[view])
        legal_action_mask(state, tree.mask)
        turn, ahead = turn_of(state), tree.scratch_states[0]
        for action in range(tree.mask.shape[0]):
            if tree.mask[action] == 0:
                continue
            tree.scratch_states[0] = state
            apply(ahead, action)
            player = current_player(ahead)
            kind = END
            if player == TERMINAL:
                kind = OVER
            elif player == viewer and turn_of(ahead) == turn:
                kind = OPEN
            ahead.rng = state.rng
            if not add_node(tree, 1, action, kind, hash_of(tree.scratch_words, 0)):
                return
            if kind == OVER:
                rewards_of(ahead, tree.rewards[tree.counts[NODES] - 1])
            for view in range(views):
                cells(ahead, viewer if views == 1 else view, tree.cell_memory[0], tree.scratch_cells[view])
                for cell in range(width - 1):
                    if tree.scratch_cells[view, cell] != tree.base[view, cell]:
                        add_change(tree, view * width + cell, tree.scratch_cells[view, cell])

    return list_decisions_of


def search_turn(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the kernel `search(state, settings, memory, network, weights, beta)` for the turn of the player to act.

    It fills the leaves, at least one, and `first_values` of the memory. It stops early when a leaf has at least the
    value `beta` for the player.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent, lean=True)
    current_player, apply, rewards_of = kernels.current_player, kernels.apply, kernels.rewards
    cells, turn_of = cells_kernel(kernels, folder), turn_kernel(kernels)
    list_turns, legal_action_mask = kernels.turns or list_decisions(kernels, folder), kernels.legal_action_mask
    groups_are_positions = kernels.turns is None

    @compiled
    def follow(state, memory, path, length, turn):
        """Play a path from `state`, as far as the turn goes; return the record's player."""
        memory.states[0] = state
        ahead, owner = memory.states[0], memory.counts[OWNER]
        for k in range(length):
            if current_player(ahead) != owner or turn_of(ahead) != turn:
                break
            apply(ahead, path[k])
        ahead.rng = state.rng
        return current_player(ahead)

    @compiled
    def add_reached(k, player, settings, memory, network, weights):
        """Add the position in `states[0]` as a leaf: the turn ended by itself."""
        tree, owner = memory.tree, memory.counts[OWNER]
        views, length = tree.base.shape[0], memory.lengths[k]
        for view in range(views):
            cells(memory.states[0], owner if views == 1 else view, tree.cell_memory[0], tree.base[view])
        set_root(network, weights, memory.levels, tree.base)
        if player == TERMINAL:
            rewards_of(memory.states[0], memory.rewards)
            shares_of_rewards(memory.rewards, settings, memory.values)
        else:
            shares_of_scores(memory.levels.sums[0], owner, memory.values)
        for step in range(length):
            memory.stack[step] = memory.paths[k, step]
        add_leaf(memory, length, memory.levels.keys[0], player == TERMINAL)

    @compiled
    def search(state, settings, memory, network, weights, beta):
        tree, counts = memory.tree, memory.counts
        counts[FOUND], counts[OWNER] = 0, current_player(state)
        owner, turn, layer = counts[OWNER], turn_of(state), 1
        memory.salt[0] = mix(state.rng)
        memory.first_values[:] = np.nan
        memory.lengths[0] = 0
        for depth in range(settings.depth):
            counts[NEXT] = 0
            for k in range(layer):
                player = follow(state, memory, memory.paths[k], memory.lengths[k], turn)
                if player != owner or turn_of(memory.states[0]) != turn:
                    add_reached(k, player, settings, memory, network, weights)
                    continue
                list_turns(memory.states[0], owner, tree)
                set_root(network, weights, memory.levels, tree.base)
                evaluate_tree(tree, network, weights, memory.levels, memory.scores, memory.keys)
                counts[EVALUATED] += tree.counts[NODES]
                collect(k, depth + 1 == settings.depth, groups_are_positions, settings, memory)
                if counts[FOUND] > 0 and memory.leaf_values[0, owner] >= beta:
                    memory.slots[:] = -1
                    return
            layer = keep_best(memory, settings.beam)
            if layer == 0:
                break
        if counts[FOUND] == 0:  # every path is longer than the memory allows
            list_turns(state, owner, tree)
            set_root(network, weights, memory.levels, tree.base)
            shares_of_scores(memory.levels.sums[0], owner, memory.values)
            legal_action_mask(state, tree.mask)
            memory.stack[0] = np.argmax(tree.mask)
            add_leaf(memory, 1, memory.levels.keys[0], False)

    return search


@lean_kernel
def collect(k, is_last, groups_are_positions, settings, memory):
    """Add the nodes of the tree, of position `k` of the layer, to the leaves and to the next layer.

    Groups are those of this position alone, unless they are hashes of positions.
    """
    tree, owner, start = memory.tree, memory.counts[OWNER], memory.lengths[k]
    depths, kinds, actions, stack = tree.depths, tree.kinds, tree.actions, memory.stack
    for step in range(start):
        stack[step] = memory.paths[k, step]
    for n in range(tree.counts[NODES]):
        length = start + depths[n]
        stack[length - 1] = actions[n]
        kind = kinds[n]
        if kind == INNER or length >= memory.paths.shape[1]:
            continue
        if kind == OVER:
            shares_of_rewards(tree.rewards[n], settings, memory.values)
        else:
            shares_of_scores(memory.scores[n], owner, memory.values)
        if kind == OPEN and not is_last:
            key = tree.groups[n] if groups_are_positions else (tree.groups[n] + (np.uint64(k) << np.uint64(40))) * GAMMA
            add_next(memory, length, key, memory.values[owner])
        else:
            add_leaf(memory, length, memory.keys[n], kind == OVER)


@lean_kernel
def shares_of_scores(scores, owner, values):
    """Fill `values` (P,) with the shares of the win: a logistic function, or the softmax over all views."""
    if scores.shape[0] == 1:
        share = share_of(scores[0])
        values[owner], values[1 - owner] = share, 1.0 - share
        return
    most, total = -np.inf, 0.0
    for p in range(values.shape[0]):
        most = max(most, scores[p])
    for p in range(values.shape[0]):
        values[p] = np.exp(scores[p] - most)
        total += values[p]
    for p in range(values.shape[0]):
        values[p] /= total


@lean_kernel
def shares_of_rewards(rewards, settings, values):
    """Fill `values` (P,) with the shares of the win after the game."""
    for p in range(values.shape[0]):
        values[p] = (rewards[p] - settings.lowest) / settings.shared


@lean_inlined_kernel
def _is_better(memory, k, value, tie):
    """Return whether a leaf with this value comes before leaf `k`; random numbers order leaves of equal value."""
    other = memory.leaf_values[k, memory.counts[OWNER]]
    return value > other or (value == other and tie > memory.leaf_ties[k])


@lean_kernel
def add_leaf(memory, length, key, is_over):
    """Insert the position after the decisions in `stack`, with the values in `values`, into the sorted leaves."""
    owner, found, most = memory.counts[OWNER], memory.counts[FOUND], memory.leaf_values.shape[0]
    value, action, tie = memory.values[owner], memory.stack[0], (key ^ memory.salt[0]) * GAMMA
    if not memory.first_values[action] >= value:
        memory.first_values[action] = value
    firsts = memory.leaf_firsts
    if found == most and not _is_better(memory, found - 1, value, tie):
        if firsts.shape[1] > 0 and memory.leaf_keys[found - 1] == key and memory.leaf_over[found - 1] == is_over:
            firsts[found - 1, action] = 1
        return
    for k in range(found):
        if memory.leaf_keys[k] == key and memory.leaf_over[k] == is_over:
            if firsts.shape[1] > 0:
                firsts[k, action] = 1
            return
    at = found if found < most else found - 1
    memory.counts[FOUND] = at + 1
    while at > 0 and _is_better(memory, at - 1, value, tie):
        memory.leaf_keys[at], memory.leaf_ties[at] = memory.leaf_keys[at - 1], memory.leaf_ties[at - 1]
        memory.leaf_over[at] = memory.leaf_over[at - 1]
        memory.leaf_lengths[at] = memory.leaf_lengths[at - 1]
        for step in range(memory.leaf_lengths[at]):
            memory.leaf_paths[at, step] = memory.leaf_paths[at - 1, step]
        for p in range(memory.values.shape[0]):
            memory.leaf_values[at, p] = memory.leaf_values[at - 1, p]
        for other in range(firsts.shape[1]):
            firsts[at, other] = firsts[at - 1, other]
        at -= 1
    memory.leaf_ties[at] = tie
    if firsts.shape[1] > 0:
        firsts[at, :] = 0
        firsts[at, action] = 1
    memory.leaf_keys[at], memory.leaf_over[at], memory.leaf_lengths[at] = key, is_over, length
    for step in range(length):
        memory.leaf_paths[at, step] = memory.stack[step]
    for p in range(memory.values.shape[0]):
        memory.leaf_values[at, p] = memory.values[p]


@lean_kernel
def add_next(memory, length, key, value):
    """Add the position after the decisions in `stack` to the next layer, unless its group has a better one."""
    slots, groups, values = memory.slots, memory.next_groups, memory.next_values
    mask = slots.shape[0] - 1
    slot = np.int64(key >> np.uint64(33)) & mask
    while slots[slot] >= 0 and groups[slots[slot]] != key:
        slot = (slot + 1) & mask
    at = np.int64(slots[slot])
    if at < 0:
        at = memory.counts[NEXT]
        if at == groups.shape[0]:
            return
        memory.counts[NEXT] = at + 1
        slots[slot] = at
        groups[at] = key
    elif values[at] >= value:
        return
    values[at] = value
    memory.next_lengths[at] = length
    for step in range(length):
        memory.next_paths[at, step] = memory.stack[step]


@lean_kernel
def keep_best(memory, beam):
    """Make the best `beam` positions of the next layer the present layer; return how many there are."""
    count, values, order = memory.counts[NEXT], memory.next_values, memory.order
    memory.slots[:] = -1
    kept = min(count, beam)
    for k in range(count):
        order[k] = k
    for at in range(kept if kept < count else 0):
        best = at
        for k in range(at + 1, count):
            if values[order[k]] > values[order[best]]:
                best = k
        order[at], order[best] = order[best], order[at]
    for at in range(kept):
        memory.lengths[at] = memory.next_lengths[order[at]]
        for step in range(memory.lengths[at]):
            memory.paths[at, step] = memory.next_paths[order[at], step]
    return kept
