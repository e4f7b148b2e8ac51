"""The loop that looks at every whole turn of the player to act."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edge_envs.core.nodes import TERMINAL
from edge_envs.core.rng import below, draw_at
from edge_envs.core.ruleset import Ruleset

_DECIDED = 1e6  # more than any lead


def turns(rules: Ruleset) -> dict[str, Callable[..., Any]]:
    """The loop over whole turns, by the name that `Loops` has for it."""
    current_player, legal_action_mask, apply = rules.current_player, rules.legal_action_mask, rules.apply
    turn_of, lead = rules.turn_of, _lead(rules)

    @rules.compiled
    def one_turn(states, generators, most, actions, stack, masks, rewards):
        following = np.empty(stack.shape[0], np.int64)
        for i in range(states.shape[0]):
            player, turn = current_player(states[i]), turn_of(states[i])
            stack[0] = states[i]
            legal_action_mask(stack[0], masks[0])
            following[0] = 0
            best, ties, first, looked, level = -np.inf, 0, 0, 0, 0
            while level >= 0 and looked < most:
                action = following[level]
                while action < masks.shape[1] and masks[level, action] == 0:
                    action += 1
                if action == masks.shape[1]:
                    level -= 1
                    continue
                following[level] = action + 1
                if level == 0:
                    first = action
                stack[level + 1] = stack[level]
                apply(stack[level + 1], action)
                goes_on = current_player(stack[level + 1]) == player and turn_of(stack[level + 1]) == turn
                if goes_on and level + 2 < stack.shape[0]:
                    level += 1
                    legal_action_mask(stack[level], masks[level])
                    following[level] = 0
                    continue
                looked += 1
                value = lead(stack[level + 1], player, rewards)
                if value > best:
                    best, ties = value, 0
                if value == best:
                    ties += 1
                    if below(draw_at(generators, i), ties) == 0:
                        actions[i] = first

    return {"one_turn": one_turn}


def _lead(rules: Ruleset) -> Any:
    """A kernel for what a player's score is ahead of the best other; what is won or lost counts more."""
    current_player, rewards_of, score = rules.current_player, rules.rewards, rules.score

    @rules.compiled
    def lead(state, player, rewards):
        others = -np.inf
        for other in range(rewards.shape[0]):
            if other != player:
                others = max(others, np.float64(score(state, other)))
        ahead = score(state, player) - others
        if current_player(state) == TERMINAL:
            rewards_of(state, rewards)
            ahead += _DECIDED * np.sign(rewards[player])
        return ahead

    return lead
