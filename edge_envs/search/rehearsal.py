"""The search among whole turns, for games whose turns have many small steps: `rehearsal_loop(game_type)`.

Step by step such a search drowns: what a step is worth is the turn that it begins, and of many steps chosen by noise
some are bad. So candidates are plans, see `edge_envs.search.plans`, the built-in player's own first. Each iteration
plays one of them and then on, as at the leaves of a tree. Iteration k of every plan begins with the same hidden parts
and random word. Halving leaves the better half, and always the built-in player's own: another is taken if the mean of
the differences, iteration by iteration, is `SURE` times as great as its standard error.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import kernel, kernel_of
from edge_envs.core.game import Game
from edge_envs.core.kernels.rng import GAMMA, mix
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.search.arena import Arena, new_arena
from edge_envs.search.leaves import leaves
from edge_envs.search.loop import GROW, PLANT, WHOLE
from edge_envs.search.perceptron import Perceptron
from edge_envs.search.plans import MOST_PLANS, MOST_POSITIONS, Plans, find_plans, new_plans, read_steps
from edge_envs.search.tree import candidates_for, plan_rounds

SURE = 2.0

TRIED = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("iterations", np.int64),
                ("total", np.float64),  # what the player got in them
                ("ahead", np.float64),  # of what the built-in player's own turn got in the same iterations
                ("squares", np.float64),  # of these differences
            ]
        ),
    )
)


class Stage(NamedTuple):
    """The memory of a search among plans.

    Of the arena it takes what it has for walks and leaves; `tree.candidates` of `candidates`, which are plans, are in
    question, the built-in player's own first.
    """

    arena: Arena
    plans: Plans
    tried: Any  # (MOST_PLANS,) of `TRIED`
    steps: Any  # (MOST_POSITIONS,) of a plan


def new_stage(game: Game, net: Perceptron | None = None) -> Stage:
    """The memory for one position at a time."""
    tried, steps = np.zeros(MOST_PLANS, TRIED), np.zeros(MOST_POSITIONS, np.int64)
    return Stage(new_arena(game, MOST_PLANS, net), new_plans(game), tried, steps)


def rehearsal_loop(rules: CompleteKernels, folder: Path) -> Any:
    """The loop `search(states, step, count, stage, actions, visits, means, policy)`, as in `edge_envs.search.loop`."""
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parent)
    current_player, determinize, find = rules.current_player, rules.determinize, find_plans(rules, folder)
    perform, play_out = _perform(rules, folder), leaves(rules, folder)

    @compiled
    def plant(state, most, stage):
        """The plans of a position, and nothing known of them."""
        arena, tree = stage.arena, stage.arena.tree[0]
        tree.player, tree.word = current_player(state), mix(state.rng)
        arena.copies[0] = state
        determinize(arena.copies[0], tree.player, tree.word)
        find(arena.copies[0], arena.weights[0], most, stage.plans)
        tree.candidates = stage.plans.counts[0].ends
        for plan in range(tree.candidates):
            tried = stage.tried[plan]
            tried.iterations, tried.total, tried.ahead, tried.squares = 0, 0.0, 0.0, 0.0
            arena.candidates[plan] = plan

    @compiled
    def grow(state, each, stage):
        """So many iterations for each candidate."""
        arena, tree = stage.arena, stage.arena.tree[0]
        for _ in range(each):
            word = mix(tree.word + np.uint64(stage.tried[0].iterations + 1) * GAMMA)
            own = 0.0
            for k in range(tree.candidates):
                plan = arena.candidates[k]
                arena.copies[0] = state
                determinize(arena.copies[0], tree.player, word)
                arena.returns[:] = 0.0
                perform(arena.copies[0], read_steps(stage.plans, plan, stage.steps), stage)
                play_out(arena.copies[0], arena)
                got = arena.returns[tree.player]
                own = got if k == 0 else own
                add_iteration(stage.tried[plan], got, got - own)

    @compiled
    def search(states, step, count, stage, actions, visits, means, policy):
        for i in range(states.shape[0]):
            if step == WHOLE:
                plant(states[i], min(candidates_for(count), MOST_PLANS), stage)
                for k in range(plan_rounds(stage.arena, count)):
                    grow(states[i], stage.arena.rounds[k], stage)
                    halve_plans(stage)
            elif step == PLANT:
                plant(states[i], MOST_PLANS, stage)
            elif step == GROW:
                grow(states[i], count, stage)
            else:
                halve_plans(stage)
            read_stage(stage, actions[i : i + 1], visits[i], means[i], policy[i])

    return search


def _perform(rules: CompleteKernels, folder: Path) -> Any:
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parent)
    current_player, legal_action_mask, apply = rules.current_player, rules.legal_action_mask, rules.apply
    rewards_of, hidden = rules.rewards, rules.resample is not None

    @compiled
    def perform(state, count, stage):
        """Take the first steps of `stage.steps`, as far as they are possible; hidden parts may prevent the rest."""
        arena = stage.arena
        player, rewards = arena.tree[0].player, arena.gains[0]
        for k in range(count):
            if hidden:
                if current_player(state) != player:
                    return
                legal_action_mask(state, arena.mask)
                if arena.mask[stage.steps[k]] == 0:
                    return
            apply(state, stage.steps[k])
            rewards_of(state, rewards)
            for p in range(rewards.shape[0]):
                arena.returns[p] += rewards[p]

    return perform


@kernel
def add_iteration(tried, got, ahead):
    """One more iteration of a plan: what the player got, and how much more than by the built-in player's own."""
    tried.iterations += 1
    tried.total += got
    tried.ahead += ahead
    tried.squares += ahead * ahead


@kernel
def halve_plans(stage):
    """Leave half of the plans: the built-in player's own and the best others; of two the own, but for a sure gain."""
    tree, candidates, tried = stage.arena.tree[0], stage.arena.candidates, stage.tried
    if tree.candidates == 2:
        if is_sure(tried[candidates[1]]):
            candidates[0] = candidates[1]
        tree.candidates = 1
        return
    for k in range(2, tree.candidates):
        plan, at = candidates[k], k
        while at > 1 and tried[candidates[at - 1]].total < tried[plan].total:
            candidates[at] = candidates[at - 1]
            at -= 1
        candidates[at] = plan
    tree.candidates = (tree.candidates + 1) // 2


@kernel
def is_sure(tried):
    """Whether a plan is better than the built-in player's own beyond what chance explains."""
    count, ahead = tried.iterations, tried.ahead
    if count < 2 or ahead <= 0.0:
        return False
    spread = max(tried.squares - ahead * ahead / count, 0.0) * count / (count - 1)
    return ahead * ahead > SURE * SURE * spread


@kernel
def read_stage(stage, action, visits, means, policy):
    """Fill in the first step of the best plan so far (1,), and for each action (A,) the iterations and their mean.

    `policy` (A,) has that first step alone.
    """
    candidates, tried, steps = stage.arena.candidates, stage.tried, stage.steps
    visits[:] = 0
    means[:] = 0.0
    for plan in range(stage.plans.counts[0].ends):
        read_steps(stage.plans, plan, steps)
        visits[steps[0]] += tried[plan].iterations
        means[steps[0]] += tried[plan].total
    for k in range(means.shape[0]):
        means[k] = means[k] / visits[k] if visits[k] > 0 else np.nan
    read_steps(stage.plans, candidates[0], steps)
    action[0] = steps[0]
    policy[:] = 0.0
    policy[steps[0]] = 1.0
