"""All seats of many games at once: the batched AEC environment."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from edge_envs.core.errors import IllegalActionError
from edge_envs.core.game import Array, Game, Records
from edge_envs.core.picks import first_illegal
from edge_envs.core.rng import chance_words
from edge_envs.core.state import State
from edge_envs.envs.options import check_count, lane_seeds, start_records

MAX_THREADS = 256


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
        self._states: Records | None = None
        self._pool = _threads(self.num_threads)
        cuts = [num_envs * k // self.num_threads for k in range(self.num_threads + 1)]
        self._chunks = [slice(a, b) for a, b in itertools.pairwise(cuts)]

    def reset(self, seed: int | Sequence[int] | None = None, options: Mapping[str, Any] | None = None) -> Batch:
        """Start a game in every lane; lane i is seeded with seed + i, without a seed its generator goes on.

        `options={"position": d}` starts every lane from a position, for this game only.
        """
        states = start_records(self.game, options, self.num_envs)
        if seed is not None or self._states is None:
            chance_words(np.array(lane_seeds(seed, self.num_envs), np.uint64), states["rng"])
        else:
            states["rng"] = self._states["rng"]
        self._states = states
        batch = self._batch
        batch.rewards[:] = 0.0
        batch.terminated[:] = False
        arrays = (states, batch.current_player, batch.observation, batch.action_mask)
        self._parallel(self.game.type.loops.start, arrays)
        return batch

    def step(self, actions: Array | Sequence[int]) -> Batch:
        """One decision in every lane, `actions` (N,) of integers; IllegalActionError names a lane and changes none."""
        if self._states is None:
            raise RuntimeError("call reset before step")
        self._run(self.game.type.loops.step, 1, self._check(actions))
        return self._batch

    def _check(self, actions: Array | Sequence[int]) -> Array:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or not np.issubdtype(given.dtype, np.integer):
            raise IllegalActionError(
                f"actions must be {self.num_envs} integers, one per lane, not {given.dtype} of shape {given.shape}"
            )
        numbers = np.ascontiguousarray(given, np.int64)
        lane = first_illegal(self._batch.action_mask, numbers)
        if lane >= 0:
            legal = self._batch.action_mask[lane].nonzero()[0].tolist()
            raise IllegalActionError(f"lane {lane}: action {given[lane]} is not legal; possible are {legal}")
        return numbers

    def _parallel(self, loop: Any, arrays: tuple[Any, ...]) -> None:
        """Run a loop over all lanes: in the pool and this thread, each on its own lanes."""
        if self._pool is None:
            loop(*arrays)
            return
        parts = [tuple(array[chunk] for array in arrays) for chunk in self._chunks]
        waiting = [self._pool.submit(loop, *part) for part in parts[1:]]
        loop(*parts[0])
        for future in waiting:
            future.result()

    def random_steps(self, words: Array, steps: int) -> None:
        """`steps` times in every lane: a uniform legal action drawn from `words` (N,) uint64, then a step."""
        if self._states is None:
            raise RuntimeError("call reset before random_steps")
        self._run(self.game.type.loops.random_steps, steps, words)

    def heuristic_actions(self) -> Array:
        """What the game's heuristic would do in each lane, (N,) int64; changes nothing."""
        if self._states is None:
            raise RuntimeError("call reset before heuristic_actions")
        actions = np.empty(self.num_envs, np.int64)
        self._parallel(self.game.type.loops.heuristic_actions, (self._states.copy(), actions))
        return actions

    def _run(self, loop: Any, steps: int, given: Array) -> None:
        batch = self._batch
        self._parallel(
            functools.partial(loop, steps),
            (
                self._states, given, batch.current_player, batch.observation, batch.action_mask, batch.rewards,
                batch.terminated, self._final,
            ),
        )  # fmt: skip

    def state(self, lane: int) -> State:
        """The present position of a lane as an independent `State` (its history starts here)."""
        if self._states is None:
            raise RuntimeError("call reset before state")
        return State.of_records(self.game, self._states[lane : lane + 1])

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_pool"}

    def __setstate__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)
        self._pool = _threads(self.num_threads)


def _threads(count: int) -> ThreadPoolExecutor | None:
    """A pool for all threads but the caller's."""
    return ThreadPoolExecutor(count - 1) if count > 1 else None
