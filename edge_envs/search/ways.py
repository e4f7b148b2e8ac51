"""All ways through the rest of a turn, one after another: memory for as many positions as a way is long.

It looks one decision or outcome deeper each time, until nothing of the turn is left out or it has come to the end of so
many ways; then what the last complete look found counts. The built-in player decides for others who have a word in the
turn. A graph of positions, `edge_envs.search.graph`, is faster where many ways lead to one position, but has to keep
all of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import Decorator
from edge_envs.core.game import Game
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL

MOST_LEVELS = 32

LEVEL = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("chance", np.bool_),  # nature moves here, else the player
                ("following", np.int64),  # the id that is tried next
                ("tried", np.int64),  # the id that is looked into
                ("total", np.float64),  # the best so far, or of outcomes the sum by their probabilities
                ("gain", np.float64),  # rewards on the way from the level above
            ],
            align=True,
        ),
    )
)


class Levels(NamedTuple):
    """What is kept of each of L levels; A actions, C outcomes."""

    levels: Any  # (L,) of `LEVEL`
    states: Any  # (L + 1,) records
    masks: Any  # (L, A)
    probabilities: Any  # (L, C)
    found: Any  # (A,) values of the root's actions in the present look


def new_levels(game: Game) -> Levels:
    """Room for turns of a game; of longer ones the rest is played on."""
    actions, outcomes = game.num_distinct_actions, max(game.max_chance_outcomes, 1)
    return Levels(
        levels=np.zeros(MOST_LEVELS, LEVEL),
        states=game.new_records(MOST_LEVELS + 1),
        masks=np.zeros((MOST_LEVELS, actions), np.int8),
        probabilities=np.zeros((MOST_LEVELS, outcomes)),
        found=np.zeros(actions),
    )


def lookahead_with(rules: CompleteKernels, finish: Any, compiled: Decorator) -> Any:
    """The loop `lookahead(states, most, levels, arena, actions, values)` over positions (N,) at decisions.

    It fills `values` (N, A) with what the player to act expects after each action, NaN where it is not legal, and
    `actions` (N,) with the best; of several with the lowest id. `most` ways are followed to their ends in a decision.
    `finish(state, turn, arena)` tells what the player gets from where a look ends; it may play on.
    """
    current_player, turn_of = rules.current_player, rules.turn_of
    look = _look(rules, finish, compiled)

    @compiled
    def lookahead(states, most, levels, arena, actions, values):
        for i in range(states.shape[0]):
            arena.tree[0].player = current_player(states[i])
            left, depth = most, 1
            while depth <= levels.levels.shape[0]:
                left, is_whole = look(states[i], turn_of(states[i]), depth, left, levels, arena)
                if left < 0 and depth > 1:
                    break
                values[i, :] = levels.found
                if is_whole:
                    break
                depth += 1
            actions[i] = 0
            for action in range(values.shape[1]):
                if values[i, action] > values[i, actions[i]] or np.isnan(values[i, actions[i]]):
                    actions[i] = action

    return lookahead


def _look(rules: CompleteKernels, finish: Any, compiled: Decorator) -> Any:
    """A kernel that looks some levels deep into a turn and fills `levels.found`.

    Returns how many ways are left, below 0 if it was broken off, and whether it came to the end of the turn everywhere.
    """
    open_level, following = _open_level(rules, compiled), _following(compiled)
    current_player, turn_of, step = rules.current_player, rules.turn_of, _step(rules, compiled)

    @compiled
    def look(state, turn, depth, left, levels, arena):
        levels.found[:] = np.nan
        levels.states[0] = state
        open_level(levels, 0)
        at, is_whole = 0, True
        while at >= 0:
            if following(levels, at):
                ahead = levels.states[at + 1]
                levels.states[at + 1] = levels.states[at]
                gain = step(ahead, levels.levels[at].tried, turn, arena)
                player = current_player(ahead)
                in_turn = player != TERMINAL and turn_of(ahead) == turn
                if in_turn and at + 1 < depth:
                    at += 1
                    open_level(levels, at)
                    levels.levels[at].gain = gain
                    continue
                is_whole = is_whole and not in_turn
                left -= 1
                if left < 0 and depth > 1:
                    return left, False
                value = gain + finish(ahead, turn, arena)
            else:
                value = levels.levels[at].total + levels.levels[at].gain
                at -= 1
            if at < 0:
                break
            level = levels.levels[at]
            if at == 0:
                levels.found[level.tried] = value
            if level.chance:
                level.total += levels.probabilities[at, level.tried] * value
            else:
                level.total = max(level.total, value)
        return left, is_whole

    return look


def _open_level(rules: CompleteKernels, compiled: Decorator) -> Any:
    current_player, legal_action_mask = rules.current_player, rules.legal_action_mask
    chance_probabilities = rules.chance_probabilities

    @compiled
    def open_level(levels, at):
        """Begin with all that is possible in a level's position."""
        state, level = levels.states[at], levels.levels[at]
        level.chance = current_player(state) == CHANCE
        level.following = 0
        level.gain = 0.0
        level.total = 0.0 if level.chance else -np.inf
        if level.chance:
            chance_probabilities(state, levels.probabilities[at])
        else:
            legal_action_mask(state, levels.masks[at])

    return open_level


def _following(compiled: Decorator) -> Any:
    @compiled
    def following(levels, at):
        """Go on to the next action or outcome of a level; whether there is one."""
        level = levels.levels[at]
        count = levels.probabilities.shape[1] if level.chance else levels.masks.shape[1]
        for number in range(level.following, count):
            if (level.chance and levels.probabilities[at, number] > 0.0) or (
                not level.chance and levels.masks[at, number] != 0
            ):
                level.tried = number
                level.following = number + 1
                return True
        return False

    return following


def _step(rules: CompleteKernels, compiled: Decorator) -> Any:
    current_player, apply, rewards_of = rules.current_player, rules.apply, rules.rewards
    heuristic, turn_of = rules.heuristic, rules.turn_of

    @compiled
    def step(state, action, turn, arena):
        """An action or outcome, and what others decide after it in the same turn; what the player gets."""
        searching, rewards = arena.tree[0].player, arena.gains[0]
        apply(state, action)
        rewards_of(state, rewards)
        gain = rewards[searching]
        player = current_player(state)
        while player >= 0 and player != searching and turn_of(state) == turn:
            apply(state, heuristic(state))
            rewards_of(state, rewards)
            gain += rewards[searching]
            player = current_player(state)
        return gain

    return step
