"""Compiled loop of the tree search, generic over games; `search_loop` specializes it to one.

- Root: sequential halving (Karnin, Koren & Somekh 2013), as in Gumbel AlphaZero (Danihelka et al. 2022), but between
  the actions with the highest priors instead of Gumbel samples. Candidates compare by normalized mean plus log prior,
  whose weight falls with the square root of the number of iterations.
- Hidden information and chance: each iteration plays on a determinization, with resampled hidden parts and a fresh
  random word, in one tree of information sets (ISMCTS, Cowling, Powley & Whitehouse 2012). Iteration k of every
  candidate uses the same word (common random numbers). Chance nodes draw their outcomes.
- Below the root: PUCT (Rosin 2011; Silver et al. 2017), where each player maximizes its own mean (max^n, Luckhardt &
  Irani 1986). Means are normalized by the smallest and largest mean in the tree, as in MuZero (Schrittwieser et al.
  2020).
- Leaf: a new node ends the walk; `leaves` estimates its value.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from edge_envs.core.compiler.jit import kernel_of
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.search import descent
from edge_envs.search.leaves import leaves
from edge_envs.search.tree import back_up, candidates_for, choose_candidates, halve, read_root, schedule_rounds
from edge_envs.search.tree_memory import MAX_CANDIDATES

FULL, INIT_ROOT, ITERATE, HALVE = range(4)


def search_loop(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the loop `search(states, step, count, memory, actions, visits, means, policy)`.

    It searches state records (N,) at decisions. Every step fills in the results of `searcher.Roots`: `actions` (N,),
    `visits` (N, A), `means` (N, A) and `policy` (N, A). All steps except `FULL` require N = 1 and the same position.

    | step | effect |
    |---|---|
    | `FULL` | run a full search of `count` iterations |
    | `INIT_ROOT` | start a new tree: the root and its candidates |
    | `ITERATE` | run `count` iterations for each candidate |
    | `HALVE` | keep the better half of the candidates |
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    init_root, start, resume = (make(kernels, compiled) for make in (descent.init_root, descent.start, descent.resume))
    expand, play_out = descent.expand(kernels, compiled), leaves(kernels, folder)

    @compiled
    def init_candidates(state, candidates, memory):
        """Start a new tree and choose the root's candidates."""
        init_root(state, memory)
        expand(memory)
        choose_candidates(memory, candidates)

    @compiled
    def iterate(state, each, memory):
        """Run `each` iterations for each candidate."""
        for _ in range(each):
            for k in range(memory.tree[0].candidates):
                start(state, memory.candidates[k], memory)
                if memory.walk[0].node >= 0:
                    expand(memory)
                    resume(memory)
                memory.returns[:] = 0.0
                play_out(memory.copies[0], memory)
                back_up(memory)

    @compiled
    def search(states, step, count, memory, actions, visits, means, policy):
        for i in range(states.shape[0]):
            if step == FULL:
                init_candidates(states[i], candidates_for(count), memory)
                for k in range(schedule_rounds(memory, count)):
                    iterate(states[i], memory.rounds[k], memory)
                    halve(memory)
            elif step == INIT_ROOT:
                init_candidates(states[i], MAX_CANDIDATES, memory)
            elif step == ITERATE:
                iterate(states[i], count, memory)
            else:
                halve(memory)
            read_root(memory, actions[i : i + 1], visits[i], means[i], policy[i])

    return search
