"""The kernels of a walk through a tree, from the root to a leaf, made for the rules of a game."""

from __future__ import annotations

from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import Decorator
from edge_envs.core.kernels.rng import GAMMA, mix
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.search.arena import AT_LEAF, NOBODYS
from edge_envs.search.tree import add_edges, add_node, clear, doubt, edge_of_outcome, new_node, node_below, select


def root(rules: CompleteKernels, compiled: Decorator) -> Any:
    """A kernel for a tree that is its root alone, without edges; the walk is there, in a copy of the state."""
    current_player = rules.current_player

    @compiled
    def new_root(state, arena):
        clear(arena)
        tree = arena.tree[0]
        tree.player = current_player(state)
        tree.word = mix(state.rng)
        arena.copies[0] = state
        arena.walk[0].depth = 0
        arena.walk[0].node = new_node(arena, tree.player)

    return new_root


def set_out(rules: CompleteKernels, compiled: Decorator) -> Any:
    """A kernel that walks from the root by way of one of its edges, in a copy with hidden parts and word drawn anew.

    It stops at a leaf or, before that, at a node whose edges are still to be made; `walk.node` tells which.
    """
    determinize, current_player = rules.determinize, rules.current_player
    descend = _descend(rules, compiled)

    @compiled
    def start_walk(state, edge, arena):
        tree = arena.tree[0]
        arena.copies[0] = state
        word = tree.word + np.uint64(arena.edges[edge].visits) * GAMMA
        determinize(arena.copies[0], tree.player, mix(word))
        arena.walk[0].depth = 0
        descend(edge, current_player(arena.copies[0]), arena)

    return start_walk


def go_on(rules: CompleteKernels, compiled: Decorator) -> Any:
    """A kernel that goes on from the node whose edges were just made, to a leaf."""
    current_player, hidden = rules.current_player, rules.resample is not None
    descend = _descend(rules, compiled)

    @compiled
    def continue_walk(arena):
        node = arena.walk[0].node
        arena.walk[0].node = AT_LEAF
        if arena.nodes[node].first >= 0:
            player = current_player(arena.copies[0])
            descend(select(arena, node, player, hidden), player, arena)

    return continue_walk


def _descend(rules: CompleteKernels, compiled: Decorator) -> Any:
    apply, rewards_of, current_player = rules.apply, rules.rewards, rules.current_player
    legal_action_mask, sample_chance = rules.legal_action_mask, rules.sample_chance
    hidden = rules.resample is not None

    @compiled
    def descend(edge, player, arena):
        """Take an edge, which a player chose, and all that follow."""
        walk, state = arena.walk[0], arena.copies[0]
        deepest = arena.path.shape[0] - 1
        walk.node = AT_LEAF
        while edge >= 0:
            depth = walk.depth
            arena.path[depth], arena.movers[depth] = edge, player
            apply(state, arena.edges[edge].action)
            rewards_of(state, arena.gains[depth])
            walk.depth = depth + 1
            player = current_player(state)
            node = node_below(arena, edge, player)
            is_new = node < 0
            if is_new:
                node = add_node(arena, edge, player)
            if player == TERMINAL or node < 0 or depth + 1 == deepest:
                return
            if is_new and player != CHANCE:
                if arena.tree[0].told != NOBODYS:
                    walk.node = node
                return
            if player == CHANCE:
                edge = edge_of_outcome(arena, node, sample_chance(state))
            elif arena.nodes[node].first < 0:
                walk.node = node
                return
            else:
                if hidden:
                    legal_action_mask(state, arena.mask)
                edge = select(arena, node, player, hidden)

    return descend


def expand(rules: CompleteKernels, compiled: Decorator) -> Any:
    """A kernel that gives the node of a walk the edges of all legal actions.

    How likely they are follows from what the built-in player thinks of them; without that it is the same for all.
    """
    action_values, legal_action_mask = rules.action_values, rules.legal_action_mask
    if action_values is None:

        @compiled
        def expand_evenly(arena):
            legal_action_mask(arena.copies[0], arena.mask)
            legal = 0
            for action in range(arena.mask.shape[0]):
                legal += arena.mask[action] != 0
            arena.values[:] = 1.0 / legal
            add_edges(arena)

        return expand_evenly

    @compiled
    def expand_by_values(arena):
        legal_action_mask(arena.copies[0], arena.mask)
        values, temperature = arena.values, arena.tree[0].temperature
        action_values(arena.copies[0], arena.weights[0], values)
        most = -np.inf
        for action in range(values.shape[0]):
            most = max(most, values[action])
        for action in range(values.shape[0]):
            values[action] = np.exp((values[action] - most) / temperature) if values[action] > -np.inf else -1.0
        doubt(arena)
        add_edges(arena)

    return expand_by_values
