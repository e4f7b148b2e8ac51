"""Search over whole turns (macro-actions), for games whose turns have many small steps.

A tree over single steps branches too widely: the value of a step is that of the turn it starts, and among many steps
selected by noisy estimates some are bad. The candidates are therefore macro-actions, the heuristic's own turn
first; see `edge_envs.search.macro_actions`. Each iteration plays one of them and then a playout, as at the leaves of
a tree. Iteration k of every candidate uses the same determinization and random word (common random numbers).
Sequential halving (Karnin, Koren & Somekh 2013) keeps the better half, and always the heuristic's own turn.
Another candidate replaces it only if their paired difference is significant: its mean is more than
`MIN_T_STATISTIC` standard errors above 0 (a paired t-test).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import kernel, kernel_of
from edge_envs.core.game import Game
from edge_envs.core.kernels.rng import GAMMA, mix
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.search.leaves import leaves
from edge_envs.search.loop import FULL, INIT_ROOT, ITERATE
from edge_envs.search.macro_actions import (
    MAX_MACRO_ACTIONS,
    MAX_POSITIONS,
    MacroActions,
    find_macro_actions,
    new_macro_actions,
    read_steps,
)
from edge_envs.search.perceptron import Perceptron
from edge_envs.search.tree import candidates_for, schedule_rounds
from edge_envs.search.tree_memory import TreeMemory, new_memory

MIN_T_STATISTIC = 2.0

TRIED = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("iterations", np.int64),
                ("total", np.float64),  # sum of the returns of the searching player
                ("gain", np.float64),  # sum of the differences to the heuristic's own turn, by iteration
                ("squares", np.float64),  # sum of the squares of these differences
            ]
        ),
    )
)


class TurnMemory(NamedTuple):
    """Memory of a search over whole turns.

    It uses the parts of the tree memory for walks and leaves. The first `tree.candidates` entries of `candidates` are
    the remaining macro-actions, the heuristic's own first.
    """

    tree_memory: TreeMemory
    macros: MacroActions
    tried: Any  # (MAX_MACRO_ACTIONS,) of `TRIED`
    steps: Any  # (MAX_POSITIONS,) actions of one macro-action


def new_turn_memory(game: Game, net: Perceptron | None = None) -> TurnMemory:
    """Allocate the memory for one position at a time."""
    tried, steps = np.zeros(MAX_MACRO_ACTIONS, TRIED), np.zeros(MAX_POSITIONS, np.int64)
    return TurnMemory(new_memory(game, MAX_MACRO_ACTIONS, net), new_macro_actions(game), tried, steps)


def turn_search_loop(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the loop `search(states, step, count, memory, actions, ...)`, with the steps of `edge_envs.search.loop`."""
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    current_player, determinize, find = kernels.current_player, kernels.determinize, find_macro_actions(kernels, folder)
    execute, play_out = _execute(kernels, folder), leaves(kernels, folder)

    @compiled
    def init_root(state, most, turn_memory):
        """Find the macro-actions of a position and clear their statistics."""
        memory, tree = turn_memory.tree_memory, turn_memory.tree_memory.tree[0]
        tree.player, tree.word = current_player(state), mix(state.rng)
        memory.copies[0] = state
        determinize(memory.copies[0], tree.player, tree.word)
        find(memory.copies[0], memory.weights[0], most, turn_memory.macros)
        tree.candidates = turn_memory.macros.counts[0].ends
        for macro in range(tree.candidates):
            tried = turn_memory.tried[macro]
            tried.iterations, tried.total, tried.gain, tried.squares = 0, 0.0, 0.0, 0.0
            memory.candidates[macro] = macro

    @compiled
    def iterate(state, each, turn_memory):
        """Run `each` iterations for each candidate."""
        memory, tree = turn_memory.tree_memory, turn_memory.tree_memory.tree[0]
        for _ in range(each):
            word = mix(tree.word + np.uint64(turn_memory.tried[0].iterations + 1) * GAMMA)
            own = 0.0
            for k in range(tree.candidates):
                macro = memory.candidates[k]
                memory.copies[0] = state
                determinize(memory.copies[0], tree.player, word)
                memory.returns[:] = 0.0
                execute(memory.copies[0], read_steps(turn_memory.macros, macro, turn_memory.steps), turn_memory)
                play_out(memory.copies[0], memory)
                result = memory.returns[tree.player]
                own = result if k == 0 else own
                add_iteration(turn_memory.tried[macro], result, result - own)

    @compiled
    def search(states, step, count, turn_memory, actions, visits, means, policy):
        for i in range(states.shape[0]):
            if step == FULL:
                init_root(states[i], min(candidates_for(count), MAX_MACRO_ACTIONS), turn_memory)
                for k in range(schedule_rounds(turn_memory.tree_memory, count)):
                    iterate(states[i], turn_memory.tree_memory.rounds[k], turn_memory)
                    halve_candidates(turn_memory)
            elif step == INIT_ROOT:
                init_root(states[i], MAX_MACRO_ACTIONS, turn_memory)
            elif step == ITERATE:
                iterate(states[i], count, turn_memory)
            else:
                halve_candidates(turn_memory)
            read_results(turn_memory, actions[i : i + 1], visits[i], means[i], policy[i])

    return search


def _execute(kernels: CompleteKernels, folder: Path) -> Any:
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    current_player, legal_action_mask, apply = kernels.current_player, kernels.legal_action_mask, kernels.apply
    rewards_of, hidden = kernels.rewards, kernels.resample is not None

    @compiled
    def execute(state, count, turn_memory):
        """Play the first `count` actions of `steps` while they are legal; hidden parts may rule out the rest."""
        memory = turn_memory.tree_memory
        player, rewards = memory.tree[0].player, memory.gains[0]
        for k in range(count):
            if hidden:
                if current_player(state) != player:
                    return
                legal_action_mask(state, memory.mask)
                if memory.mask[turn_memory.steps[k]] == 0:
                    return
            apply(state, turn_memory.steps[k])
            rewards_of(state, rewards)
            for p in range(rewards.shape[0]):
                memory.returns[p] += rewards[p]

    return execute


@kernel
def add_iteration(tried, result, gain):
    """Add an iteration of a macro-action: its return, and the difference to the heuristic's own turn."""
    tried.iterations += 1
    tried.total += result
    tried.gain += gain
    tried.squares += gain * gain


@kernel
def halve_candidates(turn_memory):
    """Keep half of the candidates: the heuristic's own turn and the best others.

    If only two are left, keep the heuristic's own turn unless the gain of the other is significant.
    """
    tree, candidates, tried = turn_memory.tree_memory.tree[0], turn_memory.tree_memory.candidates, turn_memory.tried
    if tree.candidates == 2:
        if is_significant(tried[candidates[1]]):
            candidates[0] = candidates[1]
        tree.candidates = 1
        return
    for k in range(2, tree.candidates):
        macro, at = candidates[k], k
        while at > 1 and tried[candidates[at - 1]].total < tried[macro].total:
            candidates[at] = candidates[at - 1]
            at -= 1
        candidates[at] = macro
    tree.candidates = (tree.candidates + 1) // 2


@kernel
def is_significant(tried):
    """Return whether the gain over the heuristic's own turn is significant, by the paired t statistic."""
    count, gain = tried.iterations, tried.gain
    if count < 2 or gain <= 0.0:
        return False
    spread = max(tried.squares - gain * gain / count, 0.0) * count / (count - 1)
    return gain * gain > MIN_T_STATISTIC * MIN_T_STATISTIC * spread


@kernel
def read_results(turn_memory, action, visits, means, policy):
    """Fill in the first step of the best candidate so far (1,), and visits (A,) and means (A,) by first step.

    `policy` (A,) puts all probability on that first step.
    """
    candidates, tried, steps = turn_memory.tree_memory.candidates, turn_memory.tried, turn_memory.steps
    visits[:] = 0
    means[:] = 0.0
    for macro in range(turn_memory.macros.counts[0].ends):
        read_steps(turn_memory.macros, macro, steps)
        visits[steps[0]] += tried[macro].iterations
        means[steps[0]] += tried[macro].total
    for k in range(means.shape[0]):
        means[k] = means[k] / visits[k] if visits[k] > 0 else np.nan
    read_steps(turn_memory.macros, candidates[0], steps)
    action[0] = steps[0]
    policy[:] = 0.0
    policy[steps[0]] = 1.0
