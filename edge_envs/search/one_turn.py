"""Agent `one_turn`, a baseline: expectimax over the rest of the turn, with the lead in score as its value."""

from __future__ import annotations

import functools
import threading
from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.compiled import compiled_game
from edge_envs.core.compiler.jit import Decorator, kernel_of
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.opponent import check_shown
from edge_envs.core.spec import Array, Records
from edge_envs.search.expectimax import expectimax_loop, new_levels
from edge_envs.search.tree_memory import new_memory

MAX_LEAVES = 1_000_000
"""Leaves evaluated for one decision, over all depths of the iterative deepening."""


class OneTurnAgent:
    """Choose the action that starts a winning turn or else the turn with the greatest expected lead in score.

    Ties are broken at random. Threads may share an agent; a lock serializes their calls.

    Args:
        game: A game with a score.

    Raises:
        ValueError: if the game has no score.
    """

    name = "one_turn"
    needs_states = True

    def __init__(self, game: Game) -> None:
        if not game.type.has_score:
            raise ValueError(f"one_turn compares scores, but {game.name} has no kernel `score`")
        self.game = game
        self._tree_memory, self._levels, self._loop = new_memory(game, 1), new_levels(game), _loop(game.type)
        self._lock = threading.Lock()

    def act(
        self,
        observations: Array,
        action_masks: Array,
        states: Records | None,
        players: Array,
        rng: np.random.Generator,
    ) -> Array:
        """Choose legal actions (k,) for the seats to act in the state records `states` (k,)."""
        states = check_shown(self.game, action_masks, states)
        best = np.empty(len(states), np.int64)
        values = np.empty((len(states), self.game.num_distinct_actions))
        with self._lock:
            self._loop(states, MAX_LEAVES, self._levels, self._tree_memory, best, values)
        equal = values == values[np.arange(len(best)), best][:, None]
        return np.where(equal, rng.random(values.shape), -1.0).argmax(axis=1)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game,)


@functools.cache
def _loop(game_type: GameType) -> Any:
    kernels = compiled_game(game_type).kernels
    compiled = kernel_of(game_type.folder, also=Path(__file__).resolve().parent)
    return expectimax_loop(kernels, _lead(kernels, compiled), compiled)


def _lead(kernels: CompleteKernels, compiled: Decorator) -> Any:
    score = kernels.score

    @compiled
    def lead(state, turn, memory):
        """Return the lead in score over the best other player, scaled to the range -0.5 to 0.5: less than a win."""
        player, others = memory.tree[0].player, -np.inf
        for other in range(memory.returns.shape[0]):
            if other != player:
                others = max(others, np.float64(score(state, other)))
        ahead = score(state, player) - others
        return 0.5 * ahead / (1.0 + abs(ahead))

    return lead
