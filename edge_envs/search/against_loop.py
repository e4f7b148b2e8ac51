"""The compiled loops of a tree search that knows what the others do, many trees side by side.

Others are asked what they do wherever a walk comes to a decision of theirs, in the tree and behind it; to the tree
their decisions are like outcomes of chance. So a walk is cut in many parts: it goes on to the next such decision, waits
for the answer, and goes on again. Behind the tree the built-in player decides for the one who searches. Walks of one
tree begin with different edges of the root, so none meets what another has left undone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import Decorator, kernel_of
from edge_envs.core.kernels.rng import GAMMA, mix
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.search import descent
from edge_envs.search.arena import AT_LEAF, MOST_CANDIDATES, part_of
from edge_envs.search.leaves import is_asked, position_value
from edge_envs.search.tree import (
    add_node,
    back_up,
    candidates_for,
    edge_of_outcome,
    name_candidates,
    node_below,
    plan_rounds,
    select,
)

OVER, BEGINS, WAITS = range(3)
"""What a walk does: it is at its end, is about to leave the root, or waits for an answer."""


@dataclass(frozen=True)
class AgainstLoops:
    """The loops of one game, compiled on first use, for the first N of the trees in `arenas`, with W walks each.

    `plant(states, arenas, count)`      new trees for positions (N,), with rounds for `count` iterations, if that is not
                                        0: then there are as many candidates as possible
    `go_on(states, arenas, doing, answers)`     all walks up to the next decision of somebody else or to their ends;
                                                `doing` (N, W) says what each does; `answers` (N, W) are actions for
                                                those that wait. How many wait now.
    """

    plant: Callable[..., Any]
    go_on: Callable[..., Any]

    @classmethod
    def build(cls, rules: CompleteKernels, folder: Path) -> AgainstLoops:
        """Specialise the loops to the rules of a game."""
        name = rules.earlier + ("" if rules.action_values else "without_values")
        compiled = kernel_of(folder, name, also=Path(__file__).resolve().parent)
        new_root, expand = descent.root(rules, compiled), descent.expand(rules, compiled)
        set_out, answer, walk = _set_out(rules, compiled), _answer(rules, compiled), _walk(rules, folder, compiled)

        @compiled
        def plant(states, arenas, count):
            for t in range(states.shape[0]):
                arena = part_of(arenas, t, 0)
                new_root(states[t], arena)
                expand(arena)
                name_candidates(arena, candidates_for(count) if count > 0 else MOST_CANDIDATES)
                plan_rounds(arena, count)

        @compiled
        def go_on(states, arenas, doing, answers):
            waiting = 0
            for t in range(states.shape[0]):
                for k in range(doing.shape[1]):
                    if doing[t, k] == OVER:
                        continue
                    arena = part_of(arenas, t, k)
                    if doing[t, k] == BEGINS:
                        set_out(states[t], arena.candidates[k], arena)
                    else:
                        answer(arena, answers[t, k])
                    if walk(arena):
                        doing[t, k] = WAITS
                        waiting += 1
                    else:
                        doing[t, k] = OVER
                        arena.returns[:] = arena.gains[arena.walk[0].depth]
                        back_up(arena)
            return waiting

        return cls(plant, go_on)


def _set_out(rules: CompleteKernels, compiled: Decorator) -> Any:
    determinize, take = rules.determinize, _take(rules, compiled)

    @compiled
    def set_out(state, edge, arena):
        """Leave the root by one of its edges, in a copy with hidden parts and word drawn anew."""
        tree = arena.tree[0]
        arena.copies[0] = state
        word = tree.word + np.uint64(arena.edges[edge].visits) * GAMMA
        determinize(arena.copies[0], tree.player, mix(word))
        arena.walk[0].depth = 0
        take(edge, tree.player, arena)

    return set_out


def _take(rules: CompleteKernels, compiled: Decorator) -> Any:
    apply, rewards_of, current_player = rules.apply, rules.rewards, rules.current_player
    leave = _leave(rules, compiled)

    @compiled
    def take(edge, player, arena):
        """Take an edge, which a player chose; behind the last there is as yet nothing to get."""
        walk, state = arena.walk[0], arena.copies[0]
        depth = walk.depth
        arena.path[depth], arena.movers[depth] = edge, player
        apply(state, arena.edges[edge].action)
        rewards_of(state, arena.gains[depth])
        arena.gains[depth + 1, :] = 0.0
        walk.depth = depth + 1
        player = current_player(state)
        walk.node = node_below(arena, edge, player)
        if walk.node < 0:
            add_node(arena, edge, player)
        if walk.node < 0 or depth + 2 == arena.path.shape[0]:
            leave(arena)

    return take


def _leave(rules: CompleteKernels, compiled: Decorator) -> Any:
    turn_of = rules.turn_of

    @compiled
    def leave(arena):
        """Leave the tree: from here the game is played on."""
        walk = arena.walk[0]
        walk.node, walk.left = AT_LEAF, arena.tree[0].cut
        if turn_of is not None:
            walk.turn = turn_of(arena.copies[0])

    return leave


def _play(rules: CompleteKernels, compiled: Decorator) -> Any:
    apply, rewards_of = rules.apply, rules.rewards

    @compiled
    def play(arena, action):
        """Play an action or outcome behind the tree, and add what follows to what there is to get there."""
        apply(arena.copies[0], action)
        rewards_of(arena.copies[0], arena.returns)
        for p in range(arena.returns.shape[0]):
            arena.gains[arena.walk[0].depth, p] += arena.returns[p]

    return play


def _answer(rules: CompleteKernels, compiled: Decorator) -> Any:
    take, leave, play = _take(rules, compiled), _leave(rules, compiled), _play(rules, compiled)

    @compiled
    def answer(arena, action):
        """Play what somebody else has decided."""
        walk = arena.walk[0]
        edge = edge_of_outcome(arena, walk.node, action) if walk.node >= 0 else np.int64(-1)
        if edge >= 0:
            take(edge, CHANCE, arena)
        else:
            if walk.node >= 0:
                leave(arena)
            play(arena, action)

    return answer


def _walk(rules: CompleteKernels, folder: Path, compiled: Decorator) -> Any:
    current_player, sample_chance, heuristic = rules.current_player, rules.sample_chance, rules.heuristic
    legal_action_mask, hidden = rules.legal_action_mask, rules.resample is not None
    expand, take, leave = descent.expand(rules, compiled), _take(rules, compiled), _leave(rules, compiled)
    play, ends = _play(rules, compiled), _ends(rules, folder, compiled)

    @compiled
    def walk_on(arena):
        """Go on to a decision of somebody else, or to the end of the walk; whether it is the former."""
        walk, state, searching = arena.walk[0], arena.copies[0], arena.tree[0].player
        while True:
            player = current_player(state)
            if player == TERMINAL or (walk.node < 0 and ends(arena, player)):
                return False
            if player != CHANCE and player != searching:
                return True
            if walk.node < 0:
                play(arena, sample_chance(state) if player == CHANCE else heuristic(state))
                continue
            if player == CHANCE:
                edge = edge_of_outcome(arena, walk.node, sample_chance(state))
            else:
                if arena.nodes[walk.node].first < 0:
                    expand(arena)
                if hidden:
                    legal_action_mask(state, arena.mask)
                edge = np.int64(-1)
                if arena.nodes[walk.node].first >= 0:
                    edge = select(arena, walk.node, player, hidden)
            if edge >= 0:
                take(edge, player, arena)
            else:
                leave(arena)

    return walk_on


def _ends(rules: CompleteKernels, folder: Path, compiled: Decorator) -> Any:
    turn_of = rules.turn_of
    if rules.position_features is None:

        @compiled
        def never(arena, player):
            """Without values games are played to their ends."""
            return False

        return never

    add_value = position_value(rules, folder)

    @compiled
    def ends(arena, player):
        """Whether so many turns have been played that a value counts; it is added to what there is to get."""
        walk, state, returns = arena.walk[0], arena.copies[0], arena.returns
        if not is_asked(player, arena) or turn_of(state) == walk.turn:
            return False
        walk.turn = turn_of(state)
        walk.left -= 1
        if walk.left > 0:
            return False
        returns[:] = 0.0
        add_value(state, player, arena)
        for p in range(returns.shape[0]):
            arena.gains[walk.depth, p] += returns[p]
        return True

    return ends
