"""`CompleteKernels`: the kernels that a game declares, with generic ones in place of those it omits.

Loops are closures over these kernels. Their decorator is `CompleteKernels.compiled`, which caches them with the game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import Decorator, kernel_of
from edge_envs.core.kernels.masks import random_choice
from edge_envs.core.kernels.rng import draw, mix, unit
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.spec import Kernels


@dataclass(frozen=True)
class CompleteKernels(Kernels):
    """The kernels of one game as loops use them: `Kernels`, `sample_chance` and `random_action` always included, and more.

    | field | promise |
    |---|---|
    | `random_action(state, bits, mask)` | returns a uniformly random legal action from 64 random bits; `mask` (A,) is scratch |
    | `determinize(state, player, bits)` | redraws the generator and what `player` cannot know |
    | `settle(state, rewards, scratch)` | resolves chance; returns the player to act or TERMINAL; adds the rewards to `rewards` (P,), using `scratch` (P,), unless they are None |
    | `begin(state)` | resolves chance in a new game, and starts another one if chance ends it before any decision; returns the player to act |
    | `compiled` | the `kernel` decorator for loops over these kernels |
    """  # noqa: E501  a table row is one line

    sample_chance: Callable[..., Any]
    random_action: Callable[..., Any]
    compiled: Decorator
    determinize: Callable[..., Any]
    settle: Callable[..., Any]
    begin: Callable[..., Any]

    @classmethod
    def of(cls, kernels: Kernels, folder: Path, most_outcomes: int) -> CompleteKernels:
        """Complete the kernels of a game.

        Args:
            kernels: Those that the game declares.
            folder: The folder of its sources.
            most_outcomes: The largest number of chance outcomes over all parameters.
        """
        compiled = kernel_of(folder)
        sample_chance = kernels.sample_chance or _sample_chance(kernels, most_outcomes, compiled)
        settle = _settle(kernels, sample_chance, compiled)
        filled = {"sample_chance": sample_chance, "random_action": _random_action(kernels, compiled)}
        return cls(
            **{**vars(kernels), **filled},
            compiled=compiled,
            determinize=_determinize(kernels, compiled),
            settle=settle,
            begin=_begin(kernels, settle, compiled),
        )


def _sample_chance(kernels: Kernels, most_outcomes: int, compiled: Decorator) -> Any:
    """Sample an outcome from the cumulative probabilities."""
    chance_probabilities = kernels.chance_probabilities

    @compiled
    def sample_by_probabilities(state):
        probabilities = np.empty(most_outcomes, np.float64)
        chance_probabilities(state, probabilities)
        rest = unit(draw(state))
        last = 0
        for outcome in range(most_outcomes):
            if probabilities[outcome] > 0.0:
                last = outcome
                rest -= probabilities[outcome]
                if rest < 0.0:
                    break
        return last

    return sample_by_probabilities


def _settle(kernels: Kernels, sample_chance: Any, compiled: Decorator) -> Any:
    current_player, apply, rewards_of = kernels.current_player, kernels.apply, kernels.rewards

    @compiled
    def settle(state, rewards, scratch):
        player = current_player(state)
        while player == CHANCE:
            apply(state, sample_chance(state))
            if rewards is not None:
                rewards_of(state, scratch)
                for p in range(scratch.shape[0]):
                    rewards[p] += scratch[p]
            player = current_player(state)
        return player

    return settle


def _begin(kernels: Kernels, settle: Any, compiled: Decorator) -> Any:
    new_game = kernels.new_game

    @compiled
    def begin(state):
        player = settle(state, None, None)
        while player == TERMINAL:
            new_game(state)
            player = settle(state, None, None)
        return player

    return begin


def _random_action(kernels: Kernels, compiled: Decorator) -> Any:
    """Draw an action with the game's own kernel, or from the mask."""
    own, legal_action_mask = kernels.random_action, kernels.legal_action_mask
    if own is None:

        @compiled
        def random_by_mask(state, bits, mask):
            legal_action_mask(state, mask)
            return random_choice(mask, bits)

        return random_by_mask

    @compiled
    def random_by_kernel(state, bits, mask):
        return own(state, bits)

    return random_by_kernel


def _determinize(kernels: Kernels, compiled: Decorator) -> Any:
    resample = kernels.resample
    if resample is None:

        @compiled
        def fresh_generator(state, player, bits):
            state.rng = mix(bits)

        return fresh_generator

    @compiled
    def fresh_generator_and_hidden_parts(state, player, bits):
        state.rng = mix(bits)
        resample(state, player)

    return fresh_generator_and_hidden_parts
