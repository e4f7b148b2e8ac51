"""The player `turn`: all that the rest of the own turn can bring, and a fitted value behind it."""

from __future__ import annotations

import functools
import threading
from typing import Any

import numpy as np

from edge_envs.core.game import Array, Game, GameType, Records
from edge_envs.search.arena import new_arena
from edge_envs.search.fitted import read_fit
from edge_envs.search.lookahead import lookahead_loop, new_levels

MOST_WAYS = 5000
"""Ways through a turn that are followed to their ends for one decision."""


class TurnAgent:
    """Takes the action that promises most by the end of the turn; see `edge_envs.search.lookahead`.

    The same record leads to the same action. ValueError for a game without fitted values of positions.
    """

    name = "turn"
    needs_states = True

    def __init__(self, game: Game) -> None:
        if read_fit(game) is None:
            raise ValueError(
                f"turn compares values of positions and {game.name} has none; python -m agents.fit fits them"
            )
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
        return self._look(states)[0]

    def action_values(self, states: Records) -> Array:
        """What the players to act expect after each action, (k, num_distinct_actions), NaN where it is not legal."""
        return self._look(states)[1]

    def _look(self, states: Records) -> tuple[Array, Array]:
        actions, values = np.empty(len(states), np.int64), np.empty((len(states), self.game.num_distinct_actions))
        with self._lock:
            self._loop(states, MOST_WAYS, self._levels, self._arena, actions, values)
        return actions, values

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game,)


@functools.cache
def _loop(game_type: GameType) -> Any:
    return lookahead_loop(game_type.ruleset, game_type.folder)
