"""Kernels of a walk from the root of a tree to a leaf, specialized to the rules of a game."""

from __future__ import annotations

from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import Decorator
from edge_envs.core.kernels.rng import GAMMA, mix
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.search.tree import add_edges, add_node, clear, edge_of_outcome, mix_priors, new_node, node_below, select
from edge_envs.search.tree_memory import AT_LEAF, NO_LEAVES


def init_root(kernels: CompleteKernels, compiled: Decorator) -> Any:
    """Build the kernel `init_root(state, memory)`, which resets the tree to a root without edges.

    The walk stands at the root, on a copy of the state.
    """
    current_player = kernels.current_player

    @compiled
    def reset_tree(state, memory):
        clear(memory)
        tree = memory.tree[0]
        tree.player = current_player(state)
        tree.word = mix(state.rng)
        memory.copies[0] = state
        memory.walk[0].depth = 0
        memory.walk[0].node = new_node(memory, tree.player)

    return reset_tree


def start(kernels: CompleteKernels, compiled: Decorator) -> Any:
    """Build the kernel `start(state, edge, memory)`, which walks from the root through one of its edges.

    It plays on a determinization of the state: a copy with resampled hidden parts and a fresh random word. It stops at
    a leaf, or earlier at a node without edges; `walk.node` says which.
    """
    determinize, current_player = kernels.determinize, kernels.current_player
    descend = _descend(kernels, compiled)

    @compiled
    def start_walk(state, edge, memory):
        tree = memory.tree[0]
        memory.copies[0] = state
        word = tree.word + np.uint64(memory.edges[edge].visits) * GAMMA
        determinize(memory.copies[0], tree.player, mix(word))
        memory.walk[0].depth = 0
        descend(edge, current_player(memory.copies[0]), memory)

    return start_walk


def resume(kernels: CompleteKernels, compiled: Decorator) -> Any:
    """Build the kernel `resume(memory)`, which continues a walk from a node that just got its edges to a leaf."""
    current_player, hidden = kernels.current_player, kernels.resample is not None
    descend = _descend(kernels, compiled)

    @compiled
    def continue_walk(memory):
        node = memory.walk[0].node
        memory.walk[0].node = AT_LEAF
        if memory.nodes[node].first >= 0:
            player = current_player(memory.copies[0])
            descend(select(memory, node, player, hidden), player, memory)

    return continue_walk


def _descend(kernels: CompleteKernels, compiled: Decorator) -> Any:
    apply, rewards_of, current_player = kernels.apply, kernels.rewards, kernels.current_player
    legal_action_mask, sample_chance = kernels.legal_action_mask, kernels.sample_chance
    hidden = kernels.resample is not None

    @compiled
    def descend(edge, player, memory):
        """Take an edge chosen by a player, then all following edges down to a leaf or a node without edges."""
        walk, state = memory.walk[0], memory.copies[0]
        deepest = memory.path.shape[0] - 1
        walk.node = AT_LEAF
        while edge >= 0:
            depth = walk.depth
            memory.path[depth], memory.movers[depth] = edge, player
            apply(state, memory.edges[edge].action)
            rewards_of(state, memory.gains[depth])
            walk.depth = depth + 1
            player = current_player(state)
            node = node_below(memory, edge, player)
            is_new = node < 0
            if is_new:
                node = add_node(memory, edge, player)
            if player == TERMINAL or node < 0 or depth + 1 == deepest:
                return
            if is_new and player != CHANCE:
                if memory.tree[0].guide_leaves != NO_LEAVES:
                    walk.node = node
                return
            if player == CHANCE:
                edge = edge_of_outcome(memory, node, sample_chance(state))
            elif memory.nodes[node].first < 0:
                walk.node = node
                return
            else:
                if hidden:
                    legal_action_mask(state, memory.mask)
                edge = select(memory, node, player, hidden)

    return descend


def expand(kernels: CompleteKernels, compiled: Decorator) -> Any:
    """Build the kernel `expand(memory)`, which gives the node of a walk the edges of all legal actions.

    Priors are the softmax of the heuristic's action values, or uniform if the game has none.
    """
    action_values, legal_action_mask = kernels.action_values, kernels.legal_action_mask
    if action_values is None:

        @compiled
        def expand_evenly(memory):
            legal_action_mask(memory.copies[0], memory.mask)
            legal = 0
            for action in range(memory.mask.shape[0]):
                legal += memory.mask[action] != 0
            memory.values[:] = 1.0 / legal
            add_edges(memory)

        return expand_evenly

    @compiled
    def expand_by_values(memory):
        legal_action_mask(memory.copies[0], memory.mask)
        values, temperature = memory.values, memory.tree[0].temperature
        action_values(memory.copies[0], memory.weights[0], values)
        most = -np.inf
        for action in range(values.shape[0]):
            most = max(most, values[action])
        for action in range(values.shape[0]):
            values[action] = np.exp((values[action] - most) / temperature) if values[action] > -np.inf else -1.0
        mix_priors(memory)
        add_edges(memory)

    return expand_by_values
