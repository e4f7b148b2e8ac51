"""Compiled loops of a tree search with priors, and optionally values, from a guide; many trees side by side.

A node gets its edges only after the guide has returned its priors. An iteration therefore consists of three parts:
`start` walks down each tree once per candidate; `gather` collects the queries; `scatter` takes the results, continues
the walks to the next query or to a leaf, and backs up. The walks of one tree start with different edges of the root, so
they never meet at an unfinished node. The number of trees does not affect the result of any.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edge_envs.core.compiler.jit import Decorator, kernel_of
from edge_envs.core.kernels.rows import row
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.search import descent
from edge_envs.search.leaves import leaves
from edge_envs.search.tree import (
    add_edges,
    back_up,
    candidates_for,
    choose_candidates,
    halve,
    mix_priors,
    read_root,
    schedule_rounds,
)
from edge_envs.search.tree_memory import ALL_LEAVES, AT_LEAF, BACKED_UP, MAX_CANDIDATES, OWN_LEAVES, part_of


@dataclass(frozen=True)
class GuidedLoops:
    """Loops of one game over the first N trees in `memories`, compiled on first use.

    Queries are rows of observations and masks. Results are rows of `probabilities` in the same order, and rows of
    `values`: the future returns of all players, in turn order from the player to act. Values count at the nodes that
    `guide_leaves` of the tree selects.

    `init_roots(states, memories, observations, masks)`
                                                      Start new trees for positions (N,) and write a query for each.
    `expand_roots(memories, probabilities, count)`    Expand the roots and choose candidates: for `count` iterations,
                                                      with a schedule of rounds, or for 0 as many as possible.
    `start(states, which, memories)`                  Start a walk for each candidate of the trees in `which`, bool
                                                      (N,), down to a leaf or a query.
    `gather(which, memories, observations, masks)`    Write the queries of all waiting walks and return their number.
    `scatter(which, memories, probabilities, values)` Continue the walks to their ends or to another query; return
                                                      whether any walk waits.
    `halve(which, memories)`                          Keep the better half of the candidates.
    `read(memories, actions, visits, means, policy)`  Fill in the results so far, see `Roots`.
    """

    init_roots: Callable[..., Any]
    expand_roots: Callable[..., Any]
    start: Callable[..., Any]
    gather: Callable[..., Any]
    scatter: Callable[..., Any]
    halve: Callable[..., Any]
    read: Callable[..., Any]

    @classmethod
    def build(cls, kernels: CompleteKernels, folder: Path) -> GuidedLoops:
        """Specialize the loops to the rules of a game."""
        compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
        return cls(**_roots(kernels, compiled), **_walks(kernels, leaves(kernels, folder), compiled))


def _roots(kernels: CompleteKernels, compiled: Decorator) -> dict[str, Any]:
    """Build the loops over roots, as fields of `GuidedLoops`."""
    init_root, expand = descent.init_root(kernels, compiled), _expand(kernels, compiled)
    write_query = _write_query(kernels, compiled)

    @compiled
    def init_roots(states, memories, observations, masks):
        for t in range(states.shape[0]):
            init_root(states[t], part_of(memories, t, 0))
            write_query(part_of(memories, t, 0), row(observations, t), row(masks, t))

    @compiled
    def expand_roots(memories, probabilities, count):
        for t in range(probabilities.shape[0]):
            memory = part_of(memories, t, 0)
            expand(memory, probabilities[t])
            choose_candidates(memory, candidates_for(count) if count > 0 else MAX_CANDIDATES)
            schedule_rounds(memory, count)

    @compiled
    def halve_some(which, memories):
        for t in range(which.shape[0]):
            if which[t]:
                halve(part_of(memories, t, 0))

    @compiled
    def read(memories, actions, visits, means, policy):
        for t in range(actions.shape[0]):
            read_root(part_of(memories, t, 0), actions[t : t + 1], visits[t], means[t], policy[t])

    return {"init_roots": init_roots, "expand_roots": expand_roots, "halve": halve_some, "read": read}


def _walks(kernels: CompleteKernels, play_out: Any, compiled: Decorator) -> dict[str, Any]:
    """Build the parts of an iteration, as fields of `GuidedLoops`."""
    start_walk, resume = descent.start(kernels, compiled), descent.resume(kernels, compiled)
    write_query, expand = _write_query(kernels, compiled), _expand(kernels, compiled)
    add_values, current_player = _add_values(kernels, compiled), kernels.current_player

    @compiled
    def start(states, which, memories):
        for t in range(which.shape[0]):
            if which[t]:
                for k in range(memories.tree[t].candidates):
                    memory = part_of(memories, t, k)
                    start_walk(states[t], memory.candidates[k], memory)

    @compiled
    def gather(which, memories, observations, masks):
        queries = 0
        for t in range(which.shape[0]):
            if which[t]:
                for k in range(memories.tree[t].candidates):
                    memory = part_of(memories, t, k)
                    if memory.walk[0].node >= 0:
                        write_query(memory, row(observations, queries), row(masks, queries))
                        queries += 1
        return queries

    @compiled
    def resume_walk(memory, priors, values):
        """Expand the node that a walk waits for and continue the walk; at a leaf, fill in the returns."""
        guide_leaves = memory.tree[0].guide_leaves
        expand(memory, priors)
        memory.returns[:] = 0.0
        if guide_leaves == ALL_LEAVES or (
            guide_leaves == OWN_LEAVES and current_player(memory.copies[0]) == memory.tree[0].player
        ):
            add_values(memory, values)
            memory.walk[0].node = AT_LEAF
        else:
            resume(memory)
            if memory.walk[0].node == AT_LEAF:
                play_out(memory.copies[0], memory)

    @compiled
    def scatter(which, memories, probabilities, values):
        queries, waits = 0, False
        for t in range(which.shape[0]):
            if which[t]:
                for k in range(memories.tree[t].candidates):
                    memory = part_of(memories, t, k)
                    if memory.walk[0].node >= 0:
                        resume_walk(memory, probabilities[queries], values[queries])
                        queries += 1
                    elif memory.walk[0].node == AT_LEAF:
                        memory.returns[:] = 0.0
                        play_out(memory.copies[0], memory)
                    if memory.walk[0].node == AT_LEAF:
                        back_up(memory)
                        memory.walk[0].node = BACKED_UP
                    waits |= memory.walk[0].node >= 0
        return waits

    return {"start": start, "gather": gather, "scatter": scatter}


def _write_query(kernels: CompleteKernels, compiled: Decorator) -> Any:
    current_player, observe, legal_action_mask = kernels.current_player, kernels.observe, kernels.legal_action_mask

    @compiled
    def write_query(memory, observation, mask):
        """Write the observation and the action mask of the player to act at the end of a walk."""
        observe(memory.copies[0], current_player(memory.copies[0]), observation)
        legal_action_mask(memory.copies[0], mask)

    return write_query


def _expand(kernels: CompleteKernels, compiled: Decorator) -> Any:
    legal_action_mask = kernels.legal_action_mask

    @compiled
    def expand(memory, priors):
        """Expand the node that a walk waits for, with the guide's priors (A,)."""
        legal_action_mask(memory.copies[0], memory.mask)
        for action in range(priors.shape[0]):
            memory.values[action] = priors[action] if memory.mask[action] != 0 else -1.0
        mix_priors(memory)
        add_edges(memory)

    return expand


def _add_values(kernels: CompleteKernels, compiled: Decorator) -> Any:
    current_player = kernels.current_player

    @compiled
    def add_values(memory, values):
        """Add future returns (P,), in turn order from the player to act at the end of a walk."""
        player, players = current_player(memory.copies[0]), values.shape[0]
        for k in range(players):
            memory.returns[(player + k) % players] += values[k]

    return add_values
