"""The player `one_turn`, a yardstick: every way through the own turn, and nothing behind it but the score."""

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
from edge_envs.core.spec import Array, Records
from edge_envs.search.arena import new_arena
from edge_envs.search.ways import lookahead_with, new_levels

MOST_WAYS = 1_000_000
"""Ways through a turn that are followed to their ends for one decision."""


class OneTurnAgent:
    """Begins a turn that wins, else one with the greatest lead in score; actions that are equal so are drawn from.

    It may be used by several threads; they wait for each other. ValueError for a game without a score.
    """

    name = "one_turn"
    needs_states = True

    def __init__(self, game: Game) -> None:
        if not game.type.has_score:
            raise ValueError(f"one_turn compares scores and {game.name} has none")
        self.game = game
        self._arena, self._levels, self._loop = new_arena(game, 1), new_levels(game), _loop(game.type)
        self._lock = threading.Lock()

    def act(
        self,
        observations: Array,
        action_masks: Array,
        states: Records | None,
        players: Array,
        rng: np.random.Generator,
    ) -> Array:
        """Legal actions (k,) of the players to act."""
        best = np.empty(len(players), np.int64)
        values = np.empty((len(players), self.game.num_distinct_actions))
        with self._lock:
            self._loop(states, MOST_WAYS, self._levels, self._arena, best, values)
        equal = values == values[np.arange(len(best)), best][:, None]
        return np.where(equal, rng.random(values.shape), -1.0).argmax(axis=1)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game,)


@functools.cache
def _loop(game_type: GameType) -> Any:
    rules = compiled_game(game_type).kernels
    also = Path(__file__).resolve().parent
    compiled = kernel_of(game_type.folder, name=f"one_turn{rules.earlier}", also=also)
    return lookahead_with(rules, _lead(rules, compiled), compiled)


def _lead(rules: CompleteKernels, compiled: Decorator) -> Any:
    score = rules.score

    @compiled
    def lead(state, turn, arena):
        """What the player's score is ahead of the best other, put between -.5 and .5: less than a win."""
        player, others = arena.tree[0].player, -np.inf
        for other in range(arena.returns.shape[0]):
            if other != player:
                others = max(others, np.float64(score(state, other)))
        ahead = score(state, player) - others
        return 0.5 * ahead / (1.0 + abs(ahead))

    return lead
