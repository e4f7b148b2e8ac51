"""`ValueLoops`: compiled loops over the value kernels of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL


@dataclass(frozen=True)
class ValueLoops:
    """The value loops of one game, compiled on first use; `Any` stands for numba dispatchers.

    N is the number of lanes, A of actions, P of players, F of features. `weights` is an array of records of weights,
    one for all lanes or one for each.

    `action_values(states, weights, values)`
                                        fill values (N, A) with the value of each action for the player to act; -inf if
                                        it is illegal or not considered, or no player acts
    `features(states, viewers, weights, features)`
                                        fill features (N, P, F) with the features of each player's position, the
                                        viewer's first, then in turn order
    `seen(observations, states, weights, values, features)`
                                        fill both from observations alone; values are -inf if the viewer is not to act;
                                        `states` is scratch, an array of one record with parameters set
    `duels(states, seats, weights, returns, values, rewards)`
                                        play games to the end from fresh records: seat seats[i] uses weights[i], the
                                        others the defaults; fill returns (N,) with that seat's returns; `values` (A,)
                                        and `rewards` (P,) are scratch
    """

    action_values: Callable[..., Any]
    features: Callable[..., Any]
    seen: Callable[..., Any]
    duels: Callable[..., Any]

    @classmethod
    def build(cls, kernels: CompleteKernels) -> ValueLoops:
        """Specialise every loop to the kernels of a game; a loop is compiled when it is called first."""
        compiled, current_player = kernels.compiled, kernels.current_player
        action_values, read_observation = kernels.action_values, kernels.read_observation
        fill_features = _features_of_all(kernels)

        @compiled
        def action_values_of(states, weights, values):
            for i in range(states.shape[0]):
                if current_player(states[i]) >= 0:
                    action_values(states[i], weights[i % weights.shape[0]], values[i])
                else:
                    values[i] = -np.inf

        @compiled
        def features_of(states, viewers, weights, features):
            for i in range(states.shape[0]):
                fill_features(states[i], viewers[i], weights[i % weights.shape[0]], features[i])

        @compiled
        def seen(observations, states, weights, values, features):
            state = states[0]
            for i in range(observations.shape[0]):
                viewer = read_observation(observations[i], state)
                if viewer < 0:  # no position agrees with the observation
                    values[i], features[i] = -np.inf, 0.0
                    continue
                if current_player(state) == viewer:
                    action_values(state, weights[i % weights.shape[0]], values[i])
                else:
                    values[i] = -np.inf
                fill_features(state, viewer, weights[i % weights.shape[0]], features[i])

        return cls(action_values=action_values_of, features=features_of, seen=seen, duels=_duels(kernels))


def _features_of_all(kernels: CompleteKernels) -> Callable[..., Any]:
    """Build the kernel for the features (P, F) of all players, the viewer first."""
    position_features = kernels.position_features

    @kernels.compiled
    def features_of_all(state, viewer, weights, features):
        players = features.shape[0]
        for k in range(players):
            position_features(state, (viewer + k) % players, viewer, weights, features[k])

    return features_of_all


def _duels(kernels: CompleteKernels) -> Callable[..., Any]:
    """Build the loop over games between the heuristic and the heuristic with other weights."""
    current_player, apply, rewards_of = kernels.current_player, kernels.apply, kernels.rewards
    heuristic, action_values, sample_chance = kernels.heuristic, kernels.action_values, kernels.sample_chance

    @kernels.compiled
    def duels(states, seats, weights, returns, values, rewards):
        for i in range(states.shape[0]):
            state = states[i]
            returns[i] = 0.0
            player = current_player(state)
            while player != TERMINAL:
                if player == CHANCE:
                    action = sample_chance(state)
                elif player == seats[i]:
                    action_values(state, weights[i % weights.shape[0]], values)
                    action = np.argmax(values)
                else:
                    action = heuristic(state)
                apply(state, action)
                rewards_of(state, rewards)
                returns[i] += rewards[seats[i]]
                player = current_player(state)

    return duels
