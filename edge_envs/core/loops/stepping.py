"""Loops over many games at once: start them, and apply one decision in each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edge_envs.core.kernels.masks import random_choice
from edge_envs.core.kernels.rng import draw_at
from edge_envs.core.kernels.rows import fetch, row
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import TERMINAL

_AHEAD = 8  # lanes: how far ahead the loops prefetch
_FEW = 2048  # lanes: up to this number, the rows stay in the cache without prefetching


def stepping(kernels: CompleteKernels) -> dict[str, Callable[..., Any]]:
    """Build the loops over lanes, by their names in `GameLoops`."""
    compiled, new_game, begin, heuristic = kernels.compiled, kernels.new_game, kernels.begin, kernels.heuristic
    legal_action_mask, observe = kernels.legal_action_mask, kernels.observe

    @compiled
    def new_games(states):
        for i in range(states.shape[0]):
            new_game(states[i])

    @compiled
    def start(states, player, observation, mask):
        for i in range(states.shape[0]):
            state = states[i]
            player[i] = begin(state)
            legal_action_mask(state, row(mask, i))
            observe(state, player[i], row(observation, i))

    @compiled
    def heuristic_actions(states, actions):
        for i in range(states.shape[0]):
            actions[i] = heuristic(states[i])

    return {"new_games": new_games, "start": start, "heuristic_actions": heuristic_actions,
            "step": _steps(kernels, uniform=False), "random_steps": _steps(kernels, uniform=True)}  # fmt: skip


def _steps(kernels: CompleteKernels, uniform: bool) -> Any:
    """Build the loop of decisions.

    Args:
        kernels: The game's kernels.
        uniform: Whether the loop draws actions uniformly from the masks. Its argument `given` (N,) then holds the
            states of the generators, otherwise the actions.
    """
    new_game, apply, rewards_of, observe = kernels.new_game, kernels.apply, kernels.rewards, kernels.observe
    legal_action_mask, begin, settle = kernels.legal_action_mask, kernels.begin, kernels.settle

    @kernels.compiled
    def steps_loop(steps, states, given, player, observation, mask, rewards, terminated, final):
        scratch = np.empty(rewards.shape[1], rewards.dtype)
        lanes = states.shape[0]
        ahead = _AHEAD if lanes > _FEW else lanes  # without prefetching: such a row does not exist
        for _ in range(steps):
            for i in range(lanes):
                state = states[i]
                fetch(states, i + ahead)
                fetch(mask, i + ahead)
                fetch(observation, i + ahead)
                if uniform:
                    apply(state, random_choice(row(mask, i), draw_at(given, i)))
                else:
                    apply(state, given[i])
                rewards_of(state, row(rewards, i))
                to_act = settle(state, row(rewards, i), scratch)
                terminated[i] = to_act == TERMINAL
                if terminated[i]:
                    for p in range(final.shape[1]):
                        observe(state, p, row(row(final, i), p))
                    new_game(state)
                    to_act = begin(state)
                player[i] = to_act
                legal_action_mask(state, row(mask, i))
                observe(state, to_act, row(observation, i))

    return steps_loop
