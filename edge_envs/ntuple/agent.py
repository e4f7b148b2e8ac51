"""Agent `turns`: search of whole turns with the values of an n-tuple network at their ends."""

from __future__ import annotations

import functools
import threading
from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.compiled import compiled_game
from edge_envs.core.compiler.jit import kernel_of
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.loops.complete_kernels import CompleteKernels
from edge_envs.core.spec import Array, Records
from edge_envs.ntuple.network import Network
from edge_envs.ntuple.turn_search import OWNER, new_settings, new_turn_search, search_turns


class TurnsAgent:
    """Choose the first action of the turn with the greatest value at its end; see `edge_envs.ntuple.turn_search`.

    The same state record always gives the same action. Threads may share an agent; a lock serializes their calls.

    Args:
        game: The game to play.
        network: The tuples.
        weights: float32 (W,).
        beam: The number of positions of a layer that are searched further.
        depth: The number of own decisions that are searched ahead.
        replies: The number of turns that are evaluated against all replies; 0 for none.
        name: The name of the agent.
    """

    needs_states = True

    def __init__(
        self, game: Game, network: Network, weights: Array, *, beam: int, depth: int, replies: int = 0, name: str = "turns"
    ) -> None:
        self.game, self.network, self.weights, self.name = game, network, weights, name
        self.beam, self.depth, self.replies = beam, depth, replies
        self._settings = new_settings(game, beam, depth, replies)
        self._memory, self._replies = new_turn_search(game, network, max(replies, 1)), new_turn_search(game, network)
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
        """Choose legal actions (k,) for the seats to act in the state records `states` (k,)."""
        return self._search(states)[0]

    def action_values(self, states: Records) -> Array:
        """Return the expected return after each action for the seats to act.

        Args:
            states: State records (k,) at decisions.

        Returns:
            float64 (k, num_distinct_actions), NaN for illegal actions and those that were not searched to the end.
        """
        return self._search(states)[1]

    def _search(self, states: Records) -> tuple[Array, Array]:
        actions, values = np.empty(len(states), np.int64), np.empty((len(states), self.game.num_distinct_actions))
        with self._lock:
            self._loop(
                states, self._settings[0], self._memory, self._replies, self.network, self.weights, actions, values
            )
        return actions, values

    def __reduce__(self) -> tuple[Any, ...]:
        options = {"beam": self.beam, "depth": self.depth, "replies": self.replies, "name": self.name}
        return functools.partial(type(self), **options), (self.game, self.network, self.weights)


@functools.cache
def _loop(game_type: GameType) -> Any:
    return turns_loop(compiled_game(game_type).kernels, game_type.folder)


def turns_loop(rules: CompleteKernels, folder: Path) -> Any:
    """Build the loop `choose(states, settings, memory, replies, network, weights, actions, values)` over records (N,).

    It fills `actions` (N,) with the best actions and `values` (N, A) with the expected returns of the players to act.
    """
    compiled = kernel_of(folder, name=rules.earlier, also=Path(__file__).resolve().parent)
    search = search_turns(rules, folder)

    @compiled
    def choose(states, settings, memory, replies, network, weights, actions, values):
        for i in range(states.shape[0]):
            search(states[i], settings, memory, replies, network, weights)
            actions[i] = memory.leaf_paths[0, 0]
            for action in range(values.shape[1]):
                values[i, action] = settings.lowest + settings.shared * memory.first_values[action]

    return choose
