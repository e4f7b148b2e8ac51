"""The replay buffer: the last decisions of the learners of some lanes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edge_envs import Game
from edge_envs.core.spec import Array


class Minibatch(NamedTuple):
    """Decisions (B,) with what followed up to n steps later.

    `reward` is the discounted sum of the rewards of these steps, and `discount` the factor of the value of the position
    after them. `next_mask` is zero after the end of a game.
    """

    observation: Array
    action: Array
    reward: Array
    discount: Array
    terminated: Array
    next_observation: Array
    next_mask: Array


class ReplayBuffer:
    """A ring of `rows` rows, each with one decision of every lane.

    The next decision of a lane is in the next row, so observations are stored once. The exception is the last row
    before new games begin: its entry in `continues` (rows,) is False, and its decisions are never drawn.
    """

    def __init__(self, game: Game, rows: int, lanes: int) -> None:
        self.rows, self.lanes, self.added = rows, lanes, 0
        self.observation = np.zeros((rows, lanes, *game.observation_shape), game.observation_dtype)
        self.mask = np.zeros((rows, lanes, game.num_distinct_actions), np.int8)
        self.action = np.zeros((rows, lanes), np.int64)
        self.reward = np.zeros((rows, lanes), np.float32)
        self.terminated = np.zeros((rows, lanes), np.bool_)
        self.continues = np.zeros(rows, np.bool_)

    def __len__(self) -> int:
        """The number of decisions that can be drawn: of all rows whose next row is known."""
        return int(self._known().sum()) * self.lanes

    def _known(self) -> Array:
        """Return whether rows (rows,) can be drawn: not the newest, whose next row does not exist yet."""
        known = self.continues.copy()
        known[(self.added - 1) % self.rows] = False
        return known

    def add(self, observation: Array, mask: Array, action: Array, reward: Array, terminated: Array) -> None:
        """Add a decision of every lane, in place of the oldest ones if the buffer is full."""
        row = self.added % self.rows
        self.observation[row], self.mask[row], self.action[row] = observation, mask, action
        self.reward[row], self.terminated[row], self.continues[row] = reward, terminated, True
        self.added += 1

    def begin(self) -> None:
        """Note that the decisions added from here on are those of new games."""
        self.continues[(self.added - 1) % self.rows] = False

    def draw(self, count: int, rng: np.random.Generator, steps: int = 1, gamma: float = 1.0) -> Minibatch:
        """Draw decisions uniformly, with replacement.

        Args:
            count: The number of decisions.
            rng: The generator.
            steps: The number of steps until the next position; fewer where a game or the known rows end.
            gamma: The discount per step.

        Returns:
            `count` decisions, each with its n-step reward and the position after these steps.
        """
        known = self._known()
        row, lane = rng.choice(np.flatnonzero(known), count), rng.integers(self.lanes, size=count)
        reward, over = self.reward[row, lane], self.terminated[row, lane]
        following, discount = (row + 1) % self.rows, np.full(count, gamma, np.float32)
        for _ in range(steps - 1):
            goes_on = known[following] & ~over
            reward += np.where(goes_on, discount * self.reward[following, lane], 0.0)
            discount = np.where(goes_on, gamma * discount, discount)
            over |= goes_on & self.terminated[following, lane]
            following = np.where(goes_on, (following + 1) % self.rows, following)
        return Minibatch(
            self.observation[row, lane],
            self.action[row, lane],
            reward,
            discount,
            over,
            self.observation[following, lane],
            np.where(over[:, None], np.int8(0), self.mask[following, lane]),
        )

    def state(self) -> dict[str, Any]:
        """Return the state for a checkpoint; rows that were never filled are left out."""
        filled = min(self.added, self.rows)
        names = ("observation", "mask", "action", "reward", "terminated", "continues")
        return {"added": self.added, **{name: getattr(self, name)[:filled] for name in names}}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a state from a checkpoint."""
        self.added = state.pop("added")
        for name, array in state.items():
            getattr(self, name)[: len(array)] = array
