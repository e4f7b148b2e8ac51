"""Loops that play whole games uniformly at random: playouts and flat Monte Carlo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edge_envs.core.kernels.rng import below, draw_at
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import TERMINAL


def playouts(kernels: CompleteKernels) -> dict[str, Callable[..., Any]]:
    """Build the loops of random play, by their names in `GameLoops`."""
    new_game, apply, settle, random_action = kernels.new_game, kernels.apply, kernels.settle, kernels.random_action

    @kernels.compiled
    def random_playouts(states, generators, games, mask):
        decisions = 0
        for i in range(states.shape[0]):
            state = states[i]
            for _ in range(games):
                new_game(state)
                while settle(state, None, None) != TERMINAL:
                    apply(state, random_action(state, draw_at(generators, i), mask))
                    decisions += 1
        return decisions

    return {"random_playouts": random_playouts, **_flat_monte_carlo(kernels)}


def _flat_monte_carlo(kernels: CompleteKernels) -> dict[str, Callable[..., Any]]:
    current_player, legal_action_mask, rewards_of = kernels.current_player, kernels.legal_action_mask, kernels.rewards
    apply, settle, random_action, determinize = (
        kernels.apply,
        kernels.settle,
        kernels.random_action,
        kernels.determinize,
    )

    @kernels.compiled
    def random_return(state, player, generators, i, rewards, mask):
        """Return what a player gets from a random playout, the last transition included."""
        rewards_of(state, rewards[0])
        while settle(state, rewards[0], rewards[1]) != TERMINAL:
            apply(state, random_action(state, draw_at(generators, i), mask))
            rewards_of(state, rewards[1])
            rewards[0, player] += rewards[1, player]
        return rewards[0, player]

    @kernels.compiled
    def play_out(states, i, generators, first, playouts, legal, returns, games, copies, mask, rewards):
        """Play games spread evenly over the legal actions, starting at `first`; add up returns and games of each."""
        player = current_player(states[i])
        for playout in range(playouts):
            k = (first + playout) % legal.shape[0]
            copies[0] = states[i]
            determinize(copies[0], player, draw_at(generators, i))
            apply(copies[0], legal[k])
            returns[k] += random_return(copies[0], player, generators, i, rewards, mask)
            games[k] += 1

    @kernels.compiled
    def flat_monte_carlo(states, generators, playouts, actions, copies, mask, rewards):
        for i in range(states.shape[0]):
            legal_action_mask(states[i], mask)
            legal = np.flatnonzero(mask)
            returns, games = np.zeros(legal.shape[0]), np.zeros(legal.shape[0])
            first = below(draw_at(generators, i), legal.shape[0])
            play_out(states, i, generators, first, playouts, legal, returns, games, copies, mask, rewards)
            best = first
            for k in range(legal.shape[0]):
                if games[k] > 0 and returns[k] / games[k] > returns[best] / games[best]:
                    best = k
            actions[i] = legal[best]

    @kernels.compiled
    def mean_returns(states, generators, playouts, values, copies, mask, rewards):
        for i in range(states.shape[0]):
            legal_action_mask(states[i], mask)
            legal = np.flatnonzero(mask)
            returns, games = np.zeros(legal.shape[0]), np.zeros(legal.shape[0])
            play_out(states, i, generators, 0, playouts, legal, returns, games, copies, mask, rewards)
            values[i, :] = np.nan
            for k in range(legal.shape[0]):
                if games[k] > 0:
                    values[i, legal[k]] = returns[k] / games[k]

    return {"flat_monte_carlo": flat_monte_carlo, "mean_returns": mean_returns}
