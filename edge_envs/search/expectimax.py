"""Expectimax over the rest of a turn by iterative deepening (Korf 1985): depth first, with memory for one path.

Each pass searches one decision or outcome deeper, until it covers the whole turn or a limit on the number of leaves is
reached; then the result of the last complete pass counts. The heuristic decides for other players who act within
the turn. The graph in `edge_envs.search.graph` is faster if many paths lead to one position, but must store them all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edge_envs.core.compiler.jit import Decorator
from edge_envs.core.game import Game
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.nodes import CHANCE, TERMINAL

MAX_LEVELS = 32

LEVEL = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("chance", np.bool_),  # whether this is a chance node
                ("following", np.int64),  # next id to try
                ("tried", np.int64),  # id being searched
                ("total", np.float64),  # best value so far, or at a chance node the weighted sum
                ("gain", np.float64),  # rewards on the step from the level above
            ],
            align=True,
        ),
    )
)


class Levels(NamedTuple):
    """Memory of a path of L levels, for A actions and C outcomes."""

    levels: Any  # (L,) of `LEVEL`
    states: Any  # (L + 1,) records
    masks: Any  # (L, A)
    probabilities: Any  # (L, C)
    found: Any  # (A,) values of the root's actions in the current pass


def new_levels(game: Game) -> Levels:
    """Allocate the memory. Turns longer than `MAX_LEVELS` are searched to that depth."""
    actions, outcomes = game.num_distinct_actions, max(game.max_chance_outcomes, 1)
    return Levels(
        levels=np.zeros(MAX_LEVELS, LEVEL),
        states=game.new_records(MAX_LEVELS + 1),
        masks=np.zeros((MAX_LEVELS, actions), np.int8),
        probabilities=np.zeros((MAX_LEVELS, outcomes)),
        found=np.zeros(actions),
    )


def expectimax_loop(kernels: CompleteKernels, finish: Any, compiled: Decorator) -> Any:
    """Build the loop `lookahead(states, most, levels, memory, actions, values)` over state records (N,) at decisions.

    It fills `values` (N, A) with the expected value of each action for the player to act, NaN for illegal actions, and
    `actions` (N,) with the best action; ties go to the lowest id. `most` limits the leaves per decision. The kernel
    `finish(state, turn, memory)` returns the value of a leaf and may change its state.
    """
    current_player, turn_of = kernels.current_player, kernels.turn_of
    search_depth = _search_depth(kernels, finish, compiled)

    @compiled
    def lookahead(states, most, levels, memory, actions, values):
        for i in range(states.shape[0]):
            memory.tree[0].player = current_player(states[i])
            left, depth = most, 1
            while depth <= levels.levels.shape[0]:
                left, is_whole = search_depth(states[i], turn_of(states[i]), depth, left, levels, memory)
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


def _search_depth(kernels: CompleteKernels, finish: Any, compiled: Decorator) -> Any:
    """Build the kernel of one pass, which searches to a given depth and fills `levels.found`.

    The kernel returns the number of leaves left, negative if the pass was aborted, and whether it covered the turn.
    """
    open_level, following = _open_level(kernels, compiled), _following(compiled)
    current_player, turn_of, step = kernels.current_player, kernels.turn_of, _step(kernels, compiled)

    @compiled
    def search_depth(state, turn, depth, left, levels, memory):
        levels.found[:] = np.nan
        levels.states[0] = state
        open_level(levels, 0)
        at, is_whole = 0, True
        while at >= 0:
            if following(levels, at):
                ahead = levels.states[at + 1]
                levels.states[at + 1] = levels.states[at]
                gain = step(ahead, levels.levels[at].tried, turn, memory)
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
                value = gain + finish(ahead, turn, memory)
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

    return search_depth


def _open_level(kernels: CompleteKernels, compiled: Decorator) -> Any:
    current_player, legal_action_mask = kernels.current_player, kernels.legal_action_mask
    chance_probabilities = kernels.chance_probabilities

    @compiled
    def open_level(levels, at):
        """Initialize a level from its position."""
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
        """Advance to the next action or outcome of a level; return whether there is one."""
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


def _step(kernels: CompleteKernels, compiled: Decorator) -> Any:
    current_player, apply, rewards_of = kernels.current_player, kernels.apply, kernels.rewards
    heuristic, turn_of = kernels.heuristic, kernels.turn_of

    @compiled
    def step(state, action, turn, memory):
        """Play an action or outcome and the decisions of others in the same turn; return the player's rewards."""
        searching, rewards = memory.tree[0].player, memory.gains[0]
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
