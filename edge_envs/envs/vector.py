"""All seats of many games at once: the batched AEC environment."""

from __future__ import annotations

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
from edge_envs.envs.lifecycle import Lifecycle
from edge_envs.envs.options import (
    check_count,
    check_lane,
    check_words,
    lane_seeds,
    start_records,
)

MAX_THREADS = 256
MOST_STEPS = 2**31 - 1


@dataclass(frozen=True)
class Batch:
    """One step of N games with P players and A actions, seen by the player to act in each lane.

    | field | shape, dtype | |
    |---|---|---|
    | `current_player` | (N,) int64 | the player to act, always 0 or more |
    | `observation` | (N, *observation_shape) | what that player sees |
    | `action_mask` | (N, A) int8 | what that player may do |
    | `rewards` | (N, P) float32 | of this step |
    | `terminated` | (N,) bool | the lane's game ended in this step |
    | `final_observation` | (N, P, *observation_shape) or None | every seat's last view where `terminated` |

    Where `terminated`, `rewards` and `final_observation` are the old game's and the rest the new one's.
    """

    current_player: Array
    observation: Array
    action_mask: Array
    rewards: Array
    terminated: Array
    final_observation: Array | None


class GameVectorEnv:
    """N games of all seats, stepped in compiled loops; a finished game is a new game in the same step.

    `reset` and `step` return the same `Batch` of the same arrays each time and write them anew: keep copies of what
    must outlast the next step, and do not write into them. `num_threads` splits the lanes; results do not depend on it.
    """

    def __init__(self, game: Game, num_envs: int, num_threads: int = 1, final_observation: bool = False) -> None:
        self.game = game
        self.num_envs = check_count("num_envs", num_envs)
        self.num_threads = min(check_count("num_threads", num_threads, MAX_THREADS), self.num_envs)
        shape, dtype = game.observation_shape, game.observation_dtype
        self._final = np.zeros((num_envs, game.num_players if final_observation else 0, *shape), dtype)
        self._batch = Batch(
            current_player=np.zeros(num_envs, np.int64),
            observation=np.zeros((num_envs, *shape), dtype),
            action_mask=np.zeros((num_envs, game.num_distinct_actions), np.int8),
            rewards=np.zeros((num_envs, game.num_players), np.float32),
            terminated=np.zeros(num_envs, np.bool_),
            final_observation=self._final if final_observation else None,
        )
        self._states: Records = None  # until the first reset
        self._lifecycle = Lifecycle()
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0  # whose threads those of the pool are
        cuts = [num_envs * k // self.num_threads for k in range(self.num_threads + 1)]
        self._chunks = [slice(a, b) for a, b in itertools.pairwise(cuts)]

    def reset(self, seed: int | Sequence[int] | Array | None = None, options: Mapping[str, Any] | None = None) -> Batch:
        """Start a game in every lane; lane i is seeded with seed + i, without a seed its generator goes on.

        `options={"position": d}` starts every lane from a position, for this game only.
        """
        self._lifecycle.check_open()
        states = start_records(self.game, options, self.num_envs)
        if seed is not None or self._states is None:
            chance_words(np.array(lane_seeds(seed, self.num_envs), np.uint64), states["rng"])
        else:
            states["rng"] = self._states["rng"]
        batch = self._batch
        with self._lifecycle:
            self._states = states
            batch.rewards[:] = 0.0
            batch.terminated[:] = False
            arrays = (states, batch.current_player, batch.observation, batch.action_mask)
            self._parallel(self.game.compiled.loops.start, arrays)
        return batch

    def step(self, actions: Array | Sequence[int]) -> Batch:
        """One decision in every lane, `actions` (N,) of integers; IllegalActionError names a lane and changes none."""
        self._lifecycle.check()
        numbers = action_numbers(actions, self.num_envs)
        refuse_illegal(self._batch.action_mask, numbers)
        self._run(self.game.compiled.loops.step, 1, numbers)
        return self._batch

    def random_steps(self, words: Array, steps: int) -> None:
        """`steps` times in every lane: a uniform legal action drawn from `words` (N,) uint64, then a step.

        `words` are the words of generators, one per lane, and move on. Raises TypeError or ValueError, and changes
        nothing, if they are no such array or if `steps` is no integer of 0 or more.
        """
        self._lifecycle.check()
        check_words(words, self.num_envs)
        self._run(self.game.compiled.loops.random_steps, check_count("steps", steps, MOST_STEPS, low=0), words)

    def heuristic_actions(self) -> Array:
        """What the game's heuristic would do in each lane, (N,) int64; changes nothing."""
        self._lifecycle.check()
        actions = np.empty(self.num_envs, np.int64)
        self._parallel(self.game.compiled.loops.heuristic_actions, (self._states.copy(), actions))
        return actions

    def shown_states(self, lanes: Array, words: Array) -> Records:
        """Copies of the states of some lanes, as those who are to act may see them: with fresh random words and fresh
        hidden parts, drawn from `words` (N,) uint64, which move on.
        """
        self._lifecycle.check()
        check_words(words, self.num_envs)
        game, count = self.game, len(lanes)
        players, observations = np.empty(count, np.int64), self._batch.observation[:count].copy()
        masks, states = self._batch.action_mask[:count].copy(), game.new_records(count)
        ask = game.compiled.seat_loops(heuristic=False).ask
        ask(self._states, words, lanes, players, observations, masks, states)
        return states.view(np.recarray)

    def _run(self, loop: Any, steps: int, given: Array) -> None:
        batch = self._batch
        with self._lifecycle:
            self._parallel(
                functools.partial(loop, steps),
                (
                    self._states, given, batch.current_player, batch.observation, batch.action_mask, batch.rewards,
                    batch.terminated, self._final,
                ),
            )  # fmt: skip

    def _parallel(self, loop: Any, arrays: tuple[Any, ...]) -> None:
        """Run a loop over all lanes: in the pool and this thread, each on its own lanes."""
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
            wait(running)  # nobody writes into the arrays any more once the error is out
            raise

    def _threads(self) -> ThreadPoolExecutor:
        """A pool for all threads but the caller's; a forked process has none of the threads and makes its own."""
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(self.num_threads - 1), os.getpid()
        return self._pool

    def state(self, lane: int) -> State:
        """The present position of a lane as an independent `State` (its history starts here)."""
        self._lifecycle.check()
        lane = check_lane(lane, self.num_envs)
        return State.of_records(self.game, self._states[lane : lane + 1])

    def close(self) -> None:
        """End the threads, and refuse everything from now on."""
        self._lifecycle.close()
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown()
        self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pool": None}
