"""The player `turn`: all that the rest of the own turn can bring, and a value behind it, fitted or learned."""

from __future__ import annotations

import functools
import threading
from typing import Any

import numpy as np

from edge_envs.core.compiled import compiled_game
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Array, Records
from edge_envs.search.arena import new_arena
from edge_envs.search.fitted import read_fit
from edge_envs.search.graph import new_graph
from edge_envs.search.lookahead import lookahead_loop
from edge_envs.search.perceptron import Perceptron

MOST_WAYS = 5000
"""Decisions and outcomes that are followed for one decision, each from one position."""


class TurnAgent:
    """Takes the action that promises most by the end of the turn; see `edge_envs.search.graph`.

    Values are a perceptron's, or else those that were fitted to games. The same record leads to the same action.
    ValueError for a game without values of positions.
    """

    needs_states = True

    def __init__(self, game: Game, net: Perceptron | None = None, name: str = "turn") -> None:
        if net is None and read_fit(game) is None:
            raise ValueError(
                f"turn compares values of positions and {game.name} has none; python -m agents.fit fits them"
            )
        self.game, self.name, self.net = game, name, net
        self._arena, self._graph = new_arena(game, 1, net), new_graph(game, MOST_WAYS)
        self._loop = _loop(game.type)
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
            self._loop(states, self._graph, self._arena, actions, values)
        return actions, values

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.net, self.name)


@functools.cache
def _loop(game_type: GameType) -> Any:
    return lookahead_loop(compiled_game(game_type).kernels, game_type.folder)
