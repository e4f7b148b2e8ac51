"""Hints from the values of an n-tuple network, which were learned from the rules alone, instead of the heuristic."""

from __future__ import annotations

import functools
import threading
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edge_envs import Game
from edge_envs.core.checks.files import MOST_HEADER_BYTES, read_bytes
from edge_envs.core.compiled import compiled_game
from edge_envs.core.compiler.jit import kernel_of
from edge_envs.core.features import Array, Estimates, ObservedValues, hints_of
from edge_envs.core.game_type import GameType
from edge_envs.ntuple import reply_search, turn_search
from edge_envs.ntuple.policy import read_tuples

SPAN = 0.25
"""The loss, as a share of the range of returns, that gives the hint -1."""


class _Memory(NamedTuple):
    """Memory of the search of one thread."""

    states: Array
    turn: Any
    replies: Any


FILES = ("policy.json", "policy.safetensors")
MOST_BYTES = 2**28 + MOST_HEADER_BYTES


class LearnedHints(ObservedValues):
    """Compute the loss of return of each action from observations, by a search of the own turn with learned values.

    Threads may share an object: each of them has its own memory. `files` holds the contents of the folder, so that a
    policy with these hints can be saved without it.

    Args:
        game: The game.
        folder: The policy folder of an n-tuple network.

    Raises:
        ValueError: if the folder is invalid, or does not fit the game, or positions of the game cannot be read from
            observations.
    """

    def __init__(self, game: Game, folder: str | Path) -> None:
        policy = read_tuples(folder, game)
        self.files = {name: read_bytes(Path(folder) / name, MOST_BYTES) for name in FILES}
        if compiled_game(game.type).kernels.read_observation is None:
            raise ValueError(f"{game.name} declares no `read_observation`, which learned hints need")
        self._game, self._network, self._weights = game, policy.network, policy.weights
        self._settings = turn_search.new_settings(game, policy.beam, policy.depth, 0)
        self._span = SPAN * (game.max_utility - game.min_utility)
        self._loop = _loop(game.type)
        self._threads = threading.local()

    def __call__(self, observations: Array) -> Estimates:
        """Return the hints for the players to act who see these observations (B, *observation_shape).

        The estimates have no features.

        Raises:
            ValueError: if the observations have another shape.
        """
        self._game.check_observations(observations)
        game, count = self._game, len(observations)
        observations = np.ascontiguousarray(observations, game.observation_dtype)
        values = np.empty((count, game.num_distinct_actions))
        memory = self._memory()
        self._loop(observations, memory, self._settings[0], self._network, self._weights, values)
        hints, best = hints_of(np.nan_to_num(values.astype(np.float32), nan=-np.inf, neginf=-np.inf), self._span)
        return Estimates(hints, best, np.empty((count, game.num_players, 0), np.float32))

    def __deepcopy__(self, memo: dict[int, Any]) -> LearnedHints:
        """Return the object itself, since it does not change: copies of a network share its hints."""
        return self

    def _memory(self) -> _Memory:
        """Return the memory of this thread."""
        memory: _Memory | None = getattr(self._threads, "memory", None)
        if memory is None:
            memory = _Memory(
                self._game.new_records(1),
                turn_search.new_turn_search(self._game, self._network),
                turn_search.new_turn_search(self._game, self._network),
            )
            self._threads.memory = memory
        return memory


@functools.cache
def _loop(game_type: GameType) -> Any:
    """Build the loop over observations that fills values (B, A); NaN if the viewer is not to act."""
    kernels = compiled_game(game_type).kernels
    compiled = kernel_of(game_type.folder, also=Path(reply_search.__file__).resolve().parent, lean=True)
    read_observation: Any = kernels.read_observation
    current_player: Any = kernels.current_player
    search = reply_search.search_turns(kernels, game_type.folder)

    @compiled
    def seen(observations: Any, memory: Any, settings: Any, network: Any, weights: Any, values: Any) -> None:
        state = memory.states[0]
        for i in range(observations.shape[0]):
            viewer = read_observation(observations[i], state)
            values[i] = np.nan
            if viewer >= 0 and current_player(state) == viewer:
                search(state, settings, memory.turn, memory.replies, network, weights)
                for action in range(values.shape[1]):
                    values[i, action] = settings.lowest + settings.shared * memory.turn.first_values[action]

    return seen
