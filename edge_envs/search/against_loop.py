"""Compiled loops of a tree search against a known agent, many trees side by side.

The agent is queried at every decision of another seat, in the tree and in playouts; the tree treats these decisions as
chance outcomes. A walk therefore runs in parts: it advances to the next such decision, waits for the agent's action,
and advances again. In playouts the heuristic decides for the searching player. The walks of one tree start with
different edges of the root, so they never meet at an unfinished node.
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
from edge_envs.search.leaves import has_value, position_value
from edge_envs.search.tree import (
    add_node,
    back_up,
    candidates_for,
    choose_candidates,
    edge_of_outcome,
    node_below,
    schedule_rounds,
    select,
)
from edge_envs.search.tree_memory import AT_LEAF, MAX_CANDIDATES, part_of

DONE, STARTS, WAITS = range(3)
"""Status of a walk: it has ended, is about to leave the root, or waits for an action."""


@dataclass(frozen=True)
class AgainstLoops:
    """Loops of one game over the first N trees in `memories`, with W walks each, compiled on first use.

    `init_roots(states, memories, count)`           Start new trees for positions (N,) and choose candidates: for
                                                    `count` iterations, with a schedule of rounds, or for 0 as many as
                                                    possible.
    `advance(states, memories, status, actions)`    Continue all walks to the next decision of another seat or to their
                                                    ends. `status` (N, W) is updated; `actions` (N, W) are for the walks
                                                    that wait. Return the number of walks that wait afterwards.
    """

    init_roots: Callable[..., Any]
    advance: Callable[..., Any]

    @classmethod
    def build(cls, kernels: CompleteKernels, folder: Path) -> AgainstLoops:
        """Specialize the loops to the rules of a game."""
        compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
        init_root, expand = descent.init_root(kernels, compiled), descent.expand(kernels, compiled)
        start, play_other = _start(kernels, compiled), _play_other(kernels, compiled)
        advance_walk = _walk(kernels, folder, compiled)

        @compiled
        def init_roots(states, memories, count):
            for t in range(states.shape[0]):
                memory = part_of(memories, t, 0)
                init_root(states[t], memory)
                expand(memory)
                choose_candidates(memory, candidates_for(count) if count > 0 else MAX_CANDIDATES)
                schedule_rounds(memory, count)

        @compiled
        def advance(states, memories, status, actions):
            waiting = 0
            for t in range(states.shape[0]):
                for k in range(status.shape[1]):
                    if status[t, k] == DONE:
                        continue
                    memory = part_of(memories, t, k)
                    if status[t, k] == STARTS:
                        start(states[t], memory.candidates[k], memory)
                    else:
                        play_other(memory, actions[t, k])
                    if advance_walk(memory):
                        status[t, k] = WAITS
                        waiting += 1
                    else:
                        status[t, k] = DONE
                        memory.returns[:] = memory.gains[memory.walk[0].depth]
                        back_up(memory)
            return waiting

        return cls(init_roots, advance)


def _start(kernels: CompleteKernels, compiled: Decorator) -> Any:
    determinize, take = kernels.determinize, _take(kernels, compiled)

    @compiled
    def start(state, edge, memory):
        """Leave the root through one of its edges, on a determinization of the state."""
        tree = memory.tree[0]
        memory.copies[0] = state
        word = tree.word + np.uint64(memory.edges[edge].visits) * GAMMA
        determinize(memory.copies[0], tree.player, mix(word))
        memory.walk[0].depth = 0
        take(edge, tree.player, memory)

    return start


def _take(kernels: CompleteKernels, compiled: Decorator) -> Any:
    apply, rewards_of, current_player = kernels.apply, kernels.rewards, kernels.current_player
    leave = _leave(kernels, compiled)

    @compiled
    def take(edge, player, memory):
        """Take an edge chosen by a player; the rewards behind it start at 0."""
        walk, state = memory.walk[0], memory.copies[0]
        depth = walk.depth
        memory.path[depth], memory.movers[depth] = edge, player
        apply(state, memory.edges[edge].action)
        rewards_of(state, memory.gains[depth])
        memory.gains[depth + 1, :] = 0.0
        walk.depth = depth + 1
        player = current_player(state)
        walk.node = node_below(memory, edge, player)
        if walk.node < 0:
            add_node(memory, edge, player)
        if walk.node < 0 or depth + 2 == memory.path.shape[0]:
            leave(memory)

    return take


def _leave(kernels: CompleteKernels, compiled: Decorator) -> Any:
    turn_of = kernels.turn_of

    @compiled
    def leave(memory):
        """Leave the tree; a playout continues from here."""
        walk = memory.walk[0]
        walk.node, walk.left = AT_LEAF, memory.tree[0].cut
        if turn_of is not None:
            walk.turn = turn_of(memory.copies[0])

    return leave


def _play(kernels: CompleteKernels, compiled: Decorator) -> Any:
    apply, rewards_of = kernels.apply, kernels.rewards

    @compiled
    def play(memory, action):
        """Play an action or outcome in the playout and add its rewards to those behind the last edge."""
        apply(memory.copies[0], action)
        rewards_of(memory.copies[0], memory.returns)
        for p in range(memory.returns.shape[0]):
            memory.gains[memory.walk[0].depth, p] += memory.returns[p]

    return play


def _play_other(kernels: CompleteKernels, compiled: Decorator) -> Any:
    take, leave, play = _take(kernels, compiled), _leave(kernels, compiled), _play(kernels, compiled)

    @compiled
    def play_other(memory, action):
        """Play an action of another seat."""
        walk = memory.walk[0]
        edge = edge_of_outcome(memory, walk.node, action) if walk.node >= 0 else np.int64(-1)
        if edge >= 0:
            take(edge, CHANCE, memory)
        else:
            if walk.node >= 0:
                leave(memory)
            play(memory, action)

    return play_other


def _walk(kernels: CompleteKernels, folder: Path, compiled: Decorator) -> Any:
    current_player, sample_chance, heuristic = kernels.current_player, kernels.sample_chance, kernels.heuristic
    legal_action_mask, hidden = kernels.legal_action_mask, kernels.resample is not None
    expand, take, leave = descent.expand(kernels, compiled), _take(kernels, compiled), _leave(kernels, compiled)
    play, ends = _play(kernels, compiled), _ends(kernels, folder, compiled)

    @compiled
    def advance_walk(memory):
        """Advance to a decision of another seat or to the end of the walk; return whether it is a decision."""
        walk, state, searching = memory.walk[0], memory.copies[0], memory.tree[0].player
        while True:
            player = current_player(state)
            if player == TERMINAL or (walk.node < 0 and ends(memory, player)):
                return False
            if player != CHANCE and player != searching:
                return True
            if walk.node < 0:
                play(memory, sample_chance(state) if player == CHANCE else heuristic(state))
                continue
            if player == CHANCE:
                edge = edge_of_outcome(memory, walk.node, sample_chance(state))
            else:
                if memory.nodes[walk.node].first < 0:
                    expand(memory)
                if hidden:
                    legal_action_mask(state, memory.mask)
                edge = np.int64(-1)
                if memory.nodes[walk.node].first >= 0:
                    edge = select(memory, walk.node, player, hidden)
            if edge >= 0:
                take(edge, player, memory)
            else:
                leave(memory)

    return advance_walk


def _ends(kernels: CompleteKernels, folder: Path, compiled: Decorator) -> Any:
    turn_of = kernels.turn_of
    if kernels.position_features is None:

        @compiled
        def never(memory, player):
            """Return False: without values, playouts run to the end of the game."""
            return False

        return never

    add_value = position_value(kernels, folder)

    @compiled
    def ends(memory, player):
        """Return whether the playout has reached its length in turns; if so, add the position value."""
        walk, state, returns = memory.walk[0], memory.copies[0], memory.returns
        if not has_value(player, memory) or turn_of(state) == walk.turn:
            return False
        walk.turn = turn_of(state)
        walk.left -= 1
        if walk.left > 0:
            return False
        returns[:] = 0.0
        add_value(state, player, memory)
        for p in range(returns.shape[0]):
            memory.gains[walk.depth, p] += returns[p]
        return True

    return ends
