"""Loops over one position: views, legal actions, and checked transitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL

ILLEGAL = -9
"""Returned instead of a player if the action is illegal."""


def views(kernels: CompleteKernels) -> dict[str, Callable[..., Any]]:
    """Build the loops that read a position, by their names in `GameLoops`."""
    compiled, current_player, rewards_of = kernels.compiled, kernels.current_player, kernels.rewards
    observe, legal_action_mask = kernels.observe, kernels.legal_action_mask
    chance_probabilities, sample_chance = kernels.chance_probabilities, kernels.sample_chance

    @compiled
    def current_player_and_rewards(states, rewards):
        rewards_of(states[0], rewards)
        return current_player(states[0])

    @compiled
    def fill_mask(states, mask):
        legal_action_mask(states[0], mask)

    @compiled
    def fill_probabilities(states, out):
        chance_probabilities(states[0], out)

    @compiled
    def sample_outcome(states):
        return sample_chance(states[0])

    @compiled
    def first_without_decision(states):
        for i in range(states.shape[0]):
            if current_player(states[i]) < 0:
                return i
        return -1

    @compiled
    def observe_first(states, player, observation):
        observe(states[0], player, observation)

    @compiled
    def observe_with_mask(states, player, observation, mask):
        state = states[0]
        observe(state, player, observation)
        if current_player(state) == player:
            legal_action_mask(state, mask)
        else:
            mask[:] = 0

    return {
        "to_act": current_player_and_rewards,
        "legal_action_mask": fill_mask,
        "chance_probabilities": fill_probabilities,
        "sample_chance": sample_outcome,
        "first_without_decision": first_without_decision,
        "observe": observe_first,
        "observe_with_mask": observe_with_mask,
    }


def transitions(kernels: CompleteKernels) -> dict[str, Callable[..., Any]]:
    """Build the loops that change a position, by their names in `GameLoops`."""
    compiled, current_player, apply, rewards_of = (
        kernels.compiled,
        kernels.current_player,
        kernels.apply,
        kernels.rewards,
    )
    begin_state, settle = kernels.begin, kernels.settle
    legal_action_mask, chance_probabilities = kernels.legal_action_mask, kernels.chance_probabilities

    @compiled
    def is_legal(state, player, action, mask, probabilities):
        if player == TERMINAL or action < 0:
            return False
        if player == CHANCE:
            if action >= probabilities.shape[0]:
                return False
            chance_probabilities(state, probabilities)
            return probabilities[action] > 0.0
        if action >= mask.shape[0]:
            return False
        legal_action_mask(state, mask)
        return mask[action] != 0

    @compiled
    def transition(states, action, mask, probabilities, rewards):
        state = states[0]
        if not is_legal(state, current_player(state), action, mask, probabilities):
            return ILLEGAL
        apply(state, action)
        rewards_of(state, rewards)
        return current_player(state)

    @compiled
    def begin(states):
        return begin_state(states[0])

    @compiled
    def decide(states, action, mask, rewards, scratch):
        state = states[0]
        player = current_player(state)
        if player == CHANCE or not is_legal(state, player, action, mask, scratch):
            return ILLEGAL
        apply(state, action)
        rewards_of(state, rewards)
        return settle(state, rewards, scratch)

    return {"transition": transition, "begin": begin, "decide": decide}
