"""Evaluate leaves by playouts to the end of the game, or to a position that has a value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import kernel, kernel_of
from edge_envs.core.kernels.rng import draw
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.search.perceptron import fill_inputs, read_position, run_layers


def leaves(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the kernel `play_out(state, memory)`, which plays from a position on and adds to `memory.returns`.

    If the game declares `VALUES`, the heuristic plays until the turn has changed `tree.cut` times, and then the
    position value counts. Otherwise uniformly random play continues to the end of the game.
    """
    return _random_playout(kernels, folder) if kernels.position_features is None else _guided_playout(kernels, folder)


def _random_playout(kernels: CompleteKernels, folder: Path) -> Any:
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    current_player, apply, rewards_of = kernels.current_player, kernels.apply, kernels.rewards
    sample_chance, random_action = kernels.sample_chance, kernels.random_action

    @compiled
    def random_playout(state, memory):
        gains = memory.gains[memory.gains.shape[0] - 1]
        player = current_player(state)
        while player != TERMINAL:
            if player == CHANCE:
                apply(state, sample_chance(state))
            else:
                apply(state, random_action(state, draw(state), memory.mask))
            rewards_of(state, gains)
            for p in range(gains.shape[0]):
                memory.returns[p] += gains[p]
            player = current_player(state)

    return random_playout


def _guided_playout(kernels: CompleteKernels, folder: Path) -> Any:
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    current_player, apply, rewards_of = kernels.current_player, kernels.apply, kernels.rewards
    sample_chance, heuristic, turn_of = kernels.sample_chance, kernels.heuristic, kernels.turn_of
    add_value = position_value(kernels, folder)

    @compiled
    def guided_playout(state, memory):
        gains = memory.gains[memory.gains.shape[0] - 1]
        turn, left = turn_of(state), memory.tree[0].cut
        player = current_player(state)
        while player != TERMINAL:
            if has_value(player, memory) and turn_of(state) != turn:
                turn = turn_of(state)
                left -= 1
                if left <= 0:
                    add_value(state, player, memory)
                    return
            if player == CHANCE:
                apply(state, sample_chance(state))
            else:
                apply(state, heuristic(state))
            rewards_of(state, gains)
            for p in range(gains.shape[0]):
                memory.returns[p] += gains[p]
            player = current_player(state)

    return guided_playout


@kernel
def has_value(player, memory):
    """Return whether a position at the start of a turn has a value: at decisions, and with a perceptron at chance."""
    return player >= 0 or (player == CHANCE and memory.net.widths.shape[0] > 0)


def position_value(kernels: CompleteKernels, folder: Path) -> Any:
    """Build the kernel `add_value(state, player, memory)`, which adds a position's value to the returns of all players.

    The position must be at the start of a turn. A score per player comes from the perceptron, if the memory has one, or
    else from the fit. The softmax of the scores divides the utility (see `fitted.pool`) among the players.
    """
    compiled = kernel_of(folder, also=Path(__file__).resolve().parent)
    position_features, read = kernels.position_features, read_position(kernels, folder)

    @compiled
    def add_value(state, player, memory):
        tree, features, values = memory.tree[0], memory.features, memory.values
        players, first = memory.returns.shape[0], 0
        if memory.net.widths.shape[0] > 0:
            first = read(state, players, memory.net, memory.weights[0])
            fill_inputs(memory.net)
            run_layers(memory.net, values[:players])
        else:
            for p in range(players):
                position_features(state, p, tree.player, memory.weights[0], features)
                order = min((p - player + players) % players, memory.fit.shape[0] - 1)
                values[p] = score_of(features, memory.fit[order])
        to_shares(values, players)
        for k in range(players):
            memory.returns[(first + k) % players] += tree.unshared + tree.shared * values[k]

    return add_value


@kernel
def score_of(features, weights):
    """Return the dot product of features (F,) and weights (F + 1,); the last weight is a constant."""
    count = features.shape[0]
    score = weights[count]
    for k in range(count):
        score += weights[k] * features[k]
    return score


@kernel
def to_shares(scores, players):
    """Replace the first `players` scores by their softmax."""
    most, total = -np.inf, 0.0
    for p in range(players):
        most = max(most, scores[p])
    for p in range(players):
        scores[p] = np.exp(scores[p] - most)
        total += scores[p]
    for p in range(players):
        scores[p] /= total
