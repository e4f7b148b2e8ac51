"""Batched AEC environment: all seats of many games, stepped in compiled loops."""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from edge_envs.core.game import Game
from edge_envs.core.kernels.rng import chance_words
from edge_envs.core.opponent import action_numbers, refuse_illegal
from edge_envs.core.spec import Array, Records
from edge_envs.core.state import State
from edge_envs.envs.frames import NOTEBOOK_LANES, pictures_in_notebook
from edge_envs.envs.lane_games import LaneGames, ParamsPerEnv
from edge_envs.envs.lifecycle import Lifecycle
from edge_envs.envs.observations import check_observation_dtype
from edge_envs.envs.options import (
    check_count,
    check_flag,
    check_lane,
    check_lanes,
    check_words,
    lane_seeds,
)

MAX_THREADS = 256
MOST_STEPS = 2**31 - 1


@dataclass(frozen=True)
class Batch:
    """Hold one step of N games with P seats and A actions, from the view of the seat to act in each lane.

    | field | shape, dtype | content |
    |---|---|---|
    | `current_player` | (N,) int64 | seat to act, always 0 or more |
    | `observation` | (N, *observation_shape) | observation of that seat |
    | `action_mask` | (N, A) int8 | action mask of that seat |
    | `rewards` | (N, P) float32 | rewards of all seats in this step |
    | `terminated` | (N,) bool | whether the lane's game ended in this step |
    | `final_observation` | (N, P, *observation_shape) or None | last observation of each seat where `terminated` |

    Where `terminated` is True, `rewards` and `final_observation` belong to the finished game and all other fields to
    the new one.
    """

    current_player: Array
    observation: Array
    action_mask: Array
    rewards: Array
    terminated: Array
    final_observation: Array | None


class GameVectorEnv:
    """Step all seats of N games in compiled loops. A finished game is replaced by a new one in the same step.

    `reset` and `step` overwrite and return the same `Batch` each time. Copy whatever must outlast the next step, and do
    not write to its arrays.

    Args:
        game: The game, from `load_game`.
        num_envs: Number of games, N. Each occupies one lane.
        num_threads: Number of threads among which the lanes are split, at most 256. Results do not depend on it.
        final_observation: Whether batches hold the last observations of finished games.
        observation_dtype: "float32" to convert observations, which copies them in each step; None keeps the dtype of
            the game.
        params_per_env: Parameters of each game, see `edge_envs.vector_env`.

    Raises:
        ParameterError: if `num_envs`, `num_threads`, `final_observation`, `observation_dtype` or `params_per_env` is
            invalid.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        num_threads: int = 1,
        final_observation: bool = False,
        observation_dtype: str | None = None,
        params_per_env: ParamsPerEnv | None = None,
    ) -> None:
        self.game = game
        self.num_envs = num_envs = check_count("num_envs", num_envs)
        check_flag("final_observation", final_observation)
        self._games = LaneGames(game, self.num_envs, params_per_env)
        self.num_threads = min(check_count("num_threads", num_threads, MAX_THREADS), self.num_envs)
        shape, dtype = game.observation_shape, check_observation_dtype(game, observation_dtype)
        # The compiled loops write these two; the batch has the same arrays, or converted copies.
        self._observation = np.zeros((num_envs, *shape), game.observation_dtype)
        self._final = np.zeros((num_envs, game.num_players if final_observation else 0, *shape), game.observation_dtype)
        self._batch = Batch(
            current_player=np.zeros(num_envs, np.int64),
            observation=self._observation.astype(dtype, copy=False),
            action_mask=np.zeros((num_envs, game.num_distinct_actions), np.int8),
            rewards=np.zeros((num_envs, game.num_players), np.float32),
            terminated=np.zeros(num_envs, np.bool_),
            final_observation=self._final.astype(dtype, copy=False) if final_observation else None,
        )
        self._states: Records = None  # until the first reset
        self._lifecycle = Lifecycle()
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0  # id of the process that owns the pool's threads
        cuts = [num_envs * k // self.num_threads for k in range(self.num_threads + 1)]
        self._chunks = [slice(a, b) for a, b in itertools.pairwise(cuts)]

    def reset(self, seed: int | Sequence[int] | Array | None = None, options: Mapping[str, Any] | None = None) -> Batch:
        """Start a new game in every lane.

        Args:
            seed: An integer s seeds lane i with s + i; a sequence or array gives one seed per lane. None continues the
                random streams of the last games, or draws a fresh seed at the first reset.
            options: `{"position": d}` starts every lane from the position `d`, a dictionary as returned by
                `State.to_dict`, for its next game only. `over_the_edge` on a set of maps knows `{"map": seed}`. Other
                keys are ignored.

        Raises:
            ValueError: if `seed` is invalid.
            ParameterError: if `options` is not a dictionary or None.
            InvalidPositionError: if the position is invalid or terminal.
            RuntimeError: if the environment is closed.
        """
        self._lifecycle.check_reset()
        seeds = lane_seeds(seed, self.num_envs) if seed is not None or self._states is None else None
        states = self._games.start(options, seeds)
        if seeds is not None:
            chance_words(np.array(seeds, np.uint64), states["rng"])
        else:
            states["rng"] = self._states["rng"]
        batch = self._batch
        with self._lifecycle:
            self._states = states
            batch.rewards[:] = 0.0
            batch.terminated[:] = False
            arrays = (states, batch.current_player, self._observation, batch.action_mask)
            self._parallel(self.game.compiled.loops.start, arrays)
            self._convert()
        return batch

    def step(self, actions: Array | Sequence[int]) -> Batch:
        """Play one decision in every lane.

        Args:
            actions: Legal actions of the seats to act, integers (N,).

        Raises:
            IllegalActionError: if an action is not legal. The message names the lane; no lane is changed.
            RuntimeError: if the environment needs a reset or is closed.
        """
        self._lifecycle.check()
        numbers = action_numbers(actions, self.num_envs)
        refuse_illegal(self._batch.action_mask, numbers)
        self._run(self.game.compiled.loops.step, 1, numbers)
        return self._batch

    def random_steps(self, words: Array, steps: int) -> None:
        """Play uniformly random legal actions in every lane.

        Args:
            words: Words of random generators, uint64 (N,), one per lane; advanced in place.
            steps: Number of steps, 0 or more.

        Raises:
            TypeError: if `words` is not an array of uint64. Nothing is changed.
            ValueError: if `words` has another shape or is not writable, or if `steps` is invalid. Nothing is changed.
            RuntimeError: if the environment needs a reset or is closed.
        """
        self._lifecycle.check()
        check_words(words, self.num_envs)
        self._run(self.game.compiled.loops.random_steps, check_count("steps", steps, MOST_STEPS, low=0), words)

    def heuristic_actions(self) -> Array:
        """Return the action of the game's heuristic in each lane, int64 (N,), without changing the games."""
        self._lifecycle.check()
        actions = np.empty(self.num_envs, np.int64)
        self._parallel(self.game.compiled.loops.heuristic_actions, (self._states.copy(), actions))
        return actions

    def shown_states(self, lanes: Array | Sequence[int], words: Array) -> Records:
        """Return copies of the states of some lanes, for the seats to act.

        Each copy has a fresh random word and hidden parts resampled from what the seat may know.

        Args:
            lanes: Indices (k,) of lanes.
            words: Words of random generators, uint64 (N,), one per lane; advanced in place.

        Returns:
            State records (k,).

        Raises:
            IndexError: if a lane is out of range.
            ValueError: if `words` has another shape or is not writable.
            RuntimeError: if the environment needs a reset or is closed.
        """
        self._lifecycle.check()
        check_words(words, self.num_envs)
        lanes = check_lanes(lanes, self.num_envs)
        game, count = self.game, len(lanes)
        players, observations = (
            np.empty(count, np.int64),
            np.empty((count, *game.observation_shape), game.observation_dtype),
        )
        masks, states = np.empty((count, game.num_distinct_actions), np.int8), game.new_records(count)
        ask = game.compiled.seat_loops(heuristic=False).ask
        ask(self._states, words, lanes, players, observations, masks, states)
        return states.view(np.recarray)

    def _run(self, loop: Any, steps: int, given: Array) -> None:
        batch = self._batch
        with self._lifecycle:
            self._parallel(
                functools.partial(loop, steps),
                (
                    self._states, given, batch.current_player, self._observation, batch.action_mask, batch.rewards,
                    batch.terminated, self._final,
                ),
            )  # fmt: skip
            self._convert()

    def _convert(self) -> None:
        """Copy the observations into the arrays of the batch, if it has another dtype."""
        batch = self._batch
        if batch.observation is not self._observation:
            batch.observation[:] = self._observation
            if batch.final_observation is not None and batch.terminated.any():
                batch.final_observation[batch.terminated] = self._final[batch.terminated]

    def _parallel(self, loop: Any, arrays: tuple[Any, ...]) -> None:
        """Run a loop over all lanes. The pool's threads and this one each process their own slice."""
        if self.num_threads == 1:
            loop(*arrays)
            return
        pool = self._threads()
        parts = [tuple(array[chunk] for array in arrays) for chunk in self._chunks]
        running = [pool.submit(loop, *part) for part in parts[1:]]
        try:
            loop(*parts[0])
            for future in running:
                future.result()
        except BaseException:
            wait(running)  # no thread may write to the arrays after the error is raised
            raise

    def _threads(self) -> ThreadPoolExecutor:
        """Return the pool for all threads except the caller's. A forked process creates its own."""
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(self.num_threads - 1), os.getpid()
        return self._pool

    def state(self, lane: int) -> State:
        """Return the current position of a lane as an independent `State`. Its history starts at this position.

        Raises:
            IndexError: if `lane` is out of range.
        """
        self._lifecycle.check()
        lane = check_lane(lane, self.num_envs)
        return State.of_records(self._games.of(lane), self._states[lane : lane + 1])

    def _repr_html_(self) -> str | None:
        """Draw the public positions of the first lanes for a notebook; return None if no games are running."""
        with contextlib.suppress(RuntimeError):
            self._lifecycle.check()
            pictures = [self.game.svg(record, None) for record in self._states[:NOTEBOOK_LANES]]
            return pictures_in_notebook(pictures, self.num_envs)
        return None

    def close(self) -> None:
        """Stop the threads and close the environment. Later calls raise RuntimeError."""
        self._lifecycle.close()
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown()
        self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pool": None}
