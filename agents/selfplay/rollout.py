"""A rollout of decisions of all seats in many games, with generalised advantage estimation (GAE)."""

from __future__ import annotations

import numpy as np

from edge_envs import Game
from edge_envs.core.spec import Array


class Rollout:
    """Some steps of N games with P players.

    The advantage of a decision depends on the seat's next decision or the end of the game. If neither has happened when
    the rollout is full, the decision is *open*: it waits for the next rollout in the first P rows, one per seat. The
    steps are in the rows after these. Shapes begin with (P + steps, N).
    """

    def __init__(self, game: Game, steps: int, lanes: int) -> None:
        players = game.num_players
        rows = (players + steps, lanes)
        self.steps, self.lanes, self.players = steps, lanes, players
        self.observation = np.zeros((*rows, *game.observation_shape), game.observation_dtype)
        self.action_mask = np.zeros((*rows, game.num_distinct_actions), np.int8)
        self.player = np.zeros(rows, np.int64)
        self.action = np.zeros(rows, np.int64)
        self.log_prob = np.zeros(rows, np.float32)
        self.value = np.zeros(rows, np.float32)
        self.learns = np.zeros(rows, np.bool_)  # the learner decided
        self.rewards = np.zeros((steps, lanes, players), np.float32)
        self.terminated = np.zeros((steps, lanes), np.bool_)
        self._open: tuple[Array, Array] = (np.full((lanes, players), -1), np.zeros((lanes, players), np.float32))
        self.reward_so_far = np.zeros((players, lanes), np.float32)  # since the open decisions

    def compute_gae(self, gamma: float, gae_lambda: float) -> tuple[Array, Array]:
        """Return the generalised advantages (rows, N) (Schulman et al., 2016), and a mask of decisions to learn from.

        For each seat, the decisions of others are part of the environment. The seat receives the rewards between two of
        its decisions, and the value of a decision is compared with the value of its next one.
        """
        lanes = np.arange(self.lanes)
        advantage = np.zeros_like(self.value)
        is_learnable = np.zeros_like(self.learns)
        shape = self.lanes, self.players
        # For each player's next decision: whether it is known, its value and advantage, and the rewards until then.
        known = np.zeros(shape, np.bool_)
        next_value, next_advantage, reward = (np.zeros(shape, np.float32) for _ in range(3))
        open_row = np.full(shape, -1)
        open_reward = np.zeros(shape, np.float32)

        def add_decision(row: int, player: Array, which: Array) -> None:
            """Process one decision in the lanes `which`."""
            gain = reward[which, player] + gamma * next_value[which, player] - self.value[row, which]
            gain += gamma * gae_lambda * next_advantage[which, player]
            is_known = known[which, player]
            advantage[row, which] = gain
            is_learnable[row, which] = is_known & self.learns[row, which]
            waits = ~is_known & self.learns[row, which]
            open_row[which[waits], player[waits]] = row
            open_reward[which[waits], player[waits]] = reward[which[waits], player[waits]]
            known[which, player] = True
            next_value[which, player] = self.value[row, which]
            next_advantage[which, player] = np.where(is_known, gain, 0.0)
            reward[which, player] = 0.0

        for step in reversed(range(self.steps)):
            ended = self.terminated[step]
            known[ended] = True
            next_value[ended] = next_advantage[ended] = reward[ended] = 0.0
            reward += self.rewards[step]
            add_decision(self.players + step, self.player[self.players + step], lanes)
        for player in range(self.players):
            which = np.flatnonzero(self.learns[player])
            reward[which, player] += self.reward_so_far[player, which]
            add_decision(player, np.full(which.size, player), which)
        self._open = open_row, open_reward
        return advantage, is_learnable

    def carry_over(self) -> None:
        """Move the open decisions to the first rows, after learning."""
        open_row, open_reward = self._open
        for player in range(self.players):
            rows = open_row[:, player]
            which = np.flatnonzero(rows >= 0)
            for array in self._kept():
                array[player, which] = array[rows[which], which]
            self.learns[player] = rows >= 0
            self.reward_so_far[player] = open_reward[:, player]

    def open_decisions(self) -> dict[str, Array]:
        """Return the first rows for a checkpoint."""
        kept = {str(number): array[: self.players] for number, array in enumerate(self._kept())}
        return {**kept, "learns": self.learns[: self.players], "reward": self.reward_so_far}

    def restore(self, decisions: dict[str, Array]) -> None:
        """Restore the first rows from a checkpoint."""
        for number, array in enumerate(self._kept()):
            array[: self.players] = decisions[str(number)]
        self.learns[: self.players], self.reward_so_far[:] = decisions["learns"], decisions["reward"]

    def _kept(self) -> tuple[Array, ...]:
        return self.observation, self.action_mask, self.player, self.action, self.log_prob, self.value
