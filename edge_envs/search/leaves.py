"""What a position at a leaf is worth: games are played on from it, to their ends or until a value is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import kernel, kernel_of
from edge_envs.core.kernels.rng import draw
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.search.perceptron import fill_inputs, read_position, run_layers


def leaves(rules: CompleteKernels, folder: Path) -> Any:
    """A kernel that plays a position on and adds what each player gets to `arena.returns`.

    With the value contract the built-in player plays on, until the turn has changed `tree.cut` times. Else the game is
    played uniformly to its end.
    """
    return _random_playout(rules, folder) if rules.position_features is None else _guided_playout(rules, folder)


def _random_playout(rules: CompleteKernels, folder: Path) -> Any:
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parent)
    current_player, apply, rewards_of = rules.current_player, rules.apply, rules.rewards
    sample_chance, random_action = rules.sample_chance, rules.random_action

    @compiled
    def random_playout(state, arena):
        gains = arena.gains[arena.gains.shape[0] - 1]
        player = current_player(state)
        while player != TERMINAL:
            if player == CHANCE:
                apply(state, sample_chance(state))
            else:
                apply(state, random_action(state, draw(state), arena.mask))
            rewards_of(state, gains)
            for p in range(gains.shape[0]):
                arena.returns[p] += gains[p]
            player = current_player(state)

    return random_playout


def _guided_playout(rules: CompleteKernels, folder: Path) -> Any:
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parent)
    current_player, apply, rewards_of = rules.current_player, rules.apply, rules.rewards
    sample_chance, heuristic, turn_of = rules.sample_chance, rules.heuristic, rules.turn_of
    add_value = position_value(rules, folder)

    @compiled
    def guided_playout(state, arena):
        gains = arena.gains[arena.gains.shape[0] - 1]
        turn, left = turn_of(state), arena.tree[0].cut
        player = current_player(state)
        while player != TERMINAL:
            if is_asked(player, arena) and turn_of(state) != turn:
                turn = turn_of(state)
                left -= 1
                if left <= 0:
                    add_value(state, player, arena)
                    return
            if player == CHANCE:
                apply(state, sample_chance(state))
            else:
                apply(state, heuristic(state))
            rewards_of(state, gains)
            for p in range(gains.shape[0]):
                arena.returns[p] += gains[p]
            player = current_player(state)

    return guided_playout


@kernel
def is_asked(player, arena):
    """Whether a value is asked for where `player` is to act and a turn begins: by a perceptron before nature moves."""
    return player >= 0 or (player == CHANCE and arena.net.widths.shape[0] > 0)


def position_value(rules: CompleteKernels, folder: Path) -> Any:
    """A kernel that adds the value of a position, where a turn begins, to what each player gets.

    It is the perceptron's, if the arena has one, else that which was fitted. The softmax of a score for each player
    says how they share what there is.
    """
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parent)
    position_features, read = rules.position_features, read_position(rules, folder)

    @compiled
    def add_value(state, player, arena):
        tree, features, values = arena.tree[0], arena.features, arena.values
        players, first = arena.returns.shape[0], 0
        if arena.net.widths.shape[0] > 0:
            first = read(state, players, arena.net, arena.weights[0])
            fill_inputs(arena.net)
            run_layers(arena.net, values[:players])
        else:
            for p in range(players):
                position_features(state, p, tree.player, arena.weights[0], features)
                order = min((p - player + players) % players, arena.fit.shape[0] - 1)
                values[p] = score_of(features, arena.fit[order])
        to_shares(values, players)
        for k in range(players):
            arena.returns[(first + k) % players] += tree.alone + tree.shared * values[k]

    return add_value


@kernel
def score_of(features, weights):
    """The sum of features (F,) by weights (F + 1,), the last of which is a constant."""
    count = features.shape[0]
    score = weights[count]
    for k in range(count):
        score += weights[k] * features[k]
    return score


@kernel
def to_shares(scores, players):
    """Turn the first scores, one for each player, into shares that add up to 1, larger ones for greater scores."""
    most, total = -np.inf, 0.0
    for p in range(players):
        most = max(most, scores[p])
    for p in range(players):
        scores[p] = np.exp(scores[p] - most)
        total += scores[p]
    for p in range(players):
        scores[p] /= total
