"""The compiled loop of the tree search, generic over games: `search_loop(game_type)` specialises it to one.

Between the actions of the root goes *sequential halving*: all candidates get as many iterations, then the better half
of them, and so on. Each iteration begins with hidden parts and a random word drawn anew; iteration k of every candidate
begins with the same. Below, an iteration takes the edges that promise most (*PUCT*), nature's as they are drawn, until
it comes to a new node. From there the game is played on, see `leaves`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from edge_envs.core.compiler.jit import kernel_of
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.search import descent
from edge_envs.search.arena import MOST_CANDIDATES
from edge_envs.search.leaves import leaves
from edge_envs.search.tree import back_up, candidates_for, halve, name_candidates, plan_rounds, read_root

WHOLE, PLANT, GROW, HALVE = range(4)


def search_loop(rules: CompleteKernels, folder: Path) -> Any:
    """The loop `search(states, step, count, arena, actions, visits, means, policy)` over positions (N,) at decisions.

    | step | |
    |---|---|
    | `WHOLE` | all of a search of `count` iterations |
    | `PLANT` | a new tree, of which there is the root alone |
    | `GROW` | `count` iterations for each candidate |
    | `HALVE` | half of the candidates are out of question |

    After each it fills `actions` (N,) with the candidate that is best so far, `visits` (N, A) with the iterations that
    began with each action, `means` (N, A) with what the player to act got in them on average, NaN where there are none,
    and `policy` (N, A) with how likely actions are now. But for `WHOLE` there is one position, always the same.
    """
    name = rules.earlier + ("" if rules.action_values else "without_values")  # a game may be searched in both ways
    compiled = kernel_of(folder, name, also=Path(__file__).resolve().parent)
    new_root, set_out, go_on = (make(rules, compiled) for make in (descent.root, descent.set_out, descent.go_on))
    expand, play_out = descent.expand(rules, compiled), leaves(rules, folder)

    @compiled
    def plant(state, candidates, arena):
        """A new tree with the root's edges."""
        new_root(state, arena)
        expand(arena)
        name_candidates(arena, candidates)

    @compiled
    def grow(state, each, arena):
        """So many iterations for each candidate."""
        for _ in range(each):
            for k in range(arena.tree[0].candidates):
                set_out(state, arena.candidates[k], arena)
                if arena.walk[0].node >= 0:
                    expand(arena)
                    go_on(arena)
                arena.returns[:] = 0.0
                play_out(arena.copies[0], arena)
                back_up(arena)

    @compiled
    def search(states, step, count, arena, actions, visits, means, policy):
        for i in range(states.shape[0]):
            if step == WHOLE:
                plant(states[i], candidates_for(count), arena)
                for k in range(plan_rounds(arena, count)):
                    grow(states[i], arena.rounds[k], arena)
                    halve(arena)
            elif step == PLANT:
                plant(states[i], MOST_CANDIDATES, arena)
            elif step == GROW:
                grow(states[i], count, arena)
            else:
                halve(arena)
            read_root(arena, actions[i : i + 1], visits[i], means[i], policy[i])

    return search
