"""The compiled loop of the tree search, generic over games: `search_loop(game_type)` specialises it to one.

Between the actions of the root goes *sequential halving*: all candidates get as many iterations, then the better half
of them, and so on. Each iteration begins with hidden parts and a random word drawn anew; iteration k of every candidate
begins with the same. Below, an iteration takes the edges that promise most (*PUCT*), nature's as they are drawn, until
it comes to a new node. From there the game is played on, see `leaves`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.jit import kernel_of
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.rng import GAMMA, mix
from edge_envs.core.ruleset import Ruleset
from edge_envs.search.arena import MOST_CANDIDATES
from edge_envs.search.leaves import leaves
from edge_envs.search.tree import (
    add_node,
    back_up,
    clear,
    edge_of_outcome,
    halve,
    name_candidates,
    new_edge,
    new_node,
    node_below,
    select,
)

Decorator = Callable[[Callable[..., Any]], Any]

WHOLE, PLANT, GROW, HALVE = range(4)

DOUBT = 0.1
"""The part of all priors that is shared evenly, however sure the built-in player is."""


def search_loop(rules: Ruleset, folder: Path) -> Any:
    """The loop `search(states, step, count, arena, actions, visits, means)` over positions (N,) at decisions.

    | step | |
    |---|---|
    | `WHOLE` | all of a search of `count` iterations |
    | `PLANT` | a new tree, of which there is the root alone |
    | `GROW` | `count` iterations for each candidate |
    | `HALVE` | half of the candidates are out of question |

    After each it fills `actions` (N,) with the candidate that is best so far, `visits` (N, A) with the iterations that
    began with each action, and `means` (N, A) with what the player to act got in them on average, NaN where there are
    none. But for `WHOLE` there is one position, always the same.
    """
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parent)
    expand = _expand(rules, compiled)
    plant = _plant(rules, expand, compiled)
    grow = _grow(rules, _iterate(rules, expand, leaves(rules, folder), compiled), compiled)

    @compiled
    def halve_and_grow(state, count, arena):
        """Spend `count` iterations on ever fewer candidates."""
        tree = arena.tree[0]
        left, rounds, candidates = count, 0, tree.candidates
        while candidates > 1:
            candidates = (candidates + 1) // 2
            rounds += 1
        for done in range(rounds):
            each = max(left // ((rounds - done) * tree.candidates), 1)
            left -= each * tree.candidates
            grow(state, each, arena)
            halve(arena)
        if rounds == 0:
            grow(state, count, arena)

    @compiled
    def search(states, step, count, arena, actions, visits, means):
        for i in range(states.shape[0]):
            if step == WHOLE:
                plant(states[i], _candidates_for(count), arena)
                halve_and_grow(states[i], count, arena)
            elif step == PLANT:
                plant(states[i], MOST_CANDIDATES, arena)
            elif step == GROW:
                grow(states[i], count, arena)
            else:
                halve(arena)
            actions[i] = arena.edges[arena.candidates[0]].action
            visits[i, :] = 0
            means[i, :] = np.nan
            edge = np.int64(arena.nodes[0].first)
            while edge >= 0:
                action, times = arena.edges[edge].action, arena.edges[edge].visits
                visits[i, action] = times
                if times > 0:
                    means[i, action] = arena.sums[edge, arena.tree[0].player] / times
                edge = np.int64(arena.edges[edge].following)

    @compiled
    def _candidates_for(count):
        """How many candidates so few iterations can tell apart: each gets one in every round."""
        candidates, rounds = 1, 0
        while 2 * candidates * (rounds + 1) <= count and candidates < MOST_CANDIDATES:
            candidates *= 2
            rounds += 1
        return candidates

    return search


def _plant(rules: Ruleset, expand: Any, compiled: Decorator) -> Any:
    current_player = rules.current_player

    @compiled
    def plant(state, candidates, arena):
        """A new tree with the root's edges."""
        clear(arena)
        tree = arena.tree[0]
        tree.player = current_player(state)
        tree.word = mix(state.rng)
        arena.copies[0] = state
        expand(arena.copies[0], new_node(arena, tree.player), arena)
        name_candidates(arena, candidates)

    return plant


def _expand(rules: Ruleset, compiled: Decorator) -> Any:
    """A kernel that gives a node the edges of all legal actions."""
    legal_action_mask, set_priors = rules.legal_action_mask, _priors(rules, compiled)

    @compiled
    def expand(state, node, arena):
        legal_action_mask(state, arena.mask)
        set_priors(state, arena)
        last = np.int64(-1)
        for action in range(arena.mask.shape[0]):
            if arena.mask[action] != 0:
                edge = new_edge(arena, action, arena.values[action])
                if edge < 0:
                    return
                if last < 0:
                    arena.nodes[node].first = edge
                else:
                    arena.edges[last].following = edge
                last = edge

    return expand


def _priors(rules: Ruleset, compiled: Decorator) -> Any:
    """A kernel that fills `arena.values` for the legal actions with how likely they are before any visit.

    That is the softmax of what the built-in player thinks of them, with some doubt, or else the same for all.
    """
    action_values = rules.action_values
    if action_values is None:

        @compiled
        def even_priors(state, arena):
            legal = 0
            for action in range(arena.mask.shape[0]):
                legal += arena.mask[action] != 0
            arena.values[:] = 1.0 / legal

        return even_priors

    @compiled
    def priors_by_values(state, arena):
        values, temperature = arena.values, arena.tree[0].temperature
        action_values(state, arena.weights[0], values)
        most, total, considered = -np.inf, 0.0, 0
        for action in range(values.shape[0]):
            most = max(most, values[action])
            considered += values[action] > -np.inf
        for action in range(values.shape[0]):
            values[action] = np.exp((values[action] - most) / temperature) if values[action] > -np.inf else -1.0
            total += max(values[action], 0.0)
        for action in range(values.shape[0]):
            if values[action] < 0.0:
                values[action] = 0.0
            else:
                values[action] = (1.0 - DOUBT) * values[action] / total + DOUBT / considered

    return priors_by_values


def _grow(rules: Ruleset, iterate: Any, compiled: Decorator) -> Any:
    determinize = rules.determinize

    @compiled
    def grow(state, each, arena):
        """So many iterations for each candidate."""
        tree = arena.tree[0]
        for _ in range(each):
            for k in range(tree.candidates):
                edge = arena.candidates[k]
                arena.copies[0] = state
                word = tree.word + np.uint64(arena.edges[edge].visits) * GAMMA
                determinize(arena.copies[0], tree.player, mix(word))
                iterate(arena.copies[0], edge, arena)

    return grow


def _iterate(rules: Ruleset, expand: Any, play_out: Any, compiled: Decorator) -> Any:
    descend = _descend(rules, expand, compiled)

    @compiled
    def iterate(state, edge, arena):
        """One iteration that begins with an edge of the root."""
        descend(state, edge, arena)
        arena.returns[:] = 0.0
        play_out(state, arena)
        back_up(arena)

    return iterate


def _descend(rules: Ruleset, expand: Any, compiled: Decorator) -> Any:
    """A kernel that plays down the tree from the root to a leaf, by way of an edge of the root."""
    current_player, apply, rewards_of = rules.current_player, rules.apply, rules.rewards
    legal_action_mask, sample_chance = rules.legal_action_mask, rules.sample_chance
    hidden = rules.resample is not None

    @compiled
    def descend(state, edge, arena):
        tree, player, depth = arena.tree[0], current_player(state), 0
        deepest = arena.path.shape[0] - 1
        while edge >= 0:
            arena.path[depth], arena.movers[depth] = edge, player
            apply(state, arena.edges[edge].action)
            rewards_of(state, arena.gains[depth])
            depth += 1
            player = current_player(state)
            node = node_below(arena, edge, player)
            is_new = node < 0
            if is_new:
                node = add_node(arena, edge, player)
            if player == TERMINAL or node < 0 or depth == deepest or (is_new and player != CHANCE):
                break
            if player == CHANCE:
                edge = edge_of_outcome(arena, node, sample_chance(state))
            else:
                edge = np.int64(-1)
                if arena.nodes[node].first < 0:
                    expand(state, node, arena)
                elif hidden:
                    legal_action_mask(state, arena.mask)
                if arena.nodes[node].first >= 0:
                    edge = select(arena, node, player, hidden)
        tree.depth = depth

    return descend
