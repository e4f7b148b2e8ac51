"""An n-tuple network that learns in self-play by TD(λ), and the running average of its weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from agents.training.divergence import DivergedError
from agents.tuple_learning.config import TuplesConfig, make_network
from edge_envs import Game
from edge_envs.core.kernels.rng import chance_word
from edge_envs.ntuple.self_play import SelfPlay

MOST_WEIGHT = 60_000.0
"""The largest weight; policy files have half precision."""


class TupleLearner:
    """The weights, their average over the last part of the run, those that play, and the games of self-play."""

    def __init__(self, config: TuplesConfig, game: Game) -> None:
        self.config, self.step, self.games, self.averaged_over = config, 0, 0, 0
        self.network = make_network(game, config.tuples)
        self.weights = np.zeros(self.network.size[0], np.float32)
        self.average = np.zeros_like(self.weights)
        self.playing = np.zeros_like(self.weights)
        self.word = np.array([chance_word(np.uint64(config.seed))], np.uint64)
        self._self_play = SelfPlay(game, self.network, self.word, config.most_turns)

    def learn(self) -> dict[str, float]:
        """Play some games, learn from them, and return statistics.

        Raises:
            DivergedError: if a weight is not finite or too large.
        """
        config = self.config
        done = min(self.step / config.total_steps, 1.0)
        late = done >= config.late_from
        step_size = config.step_size[0] + (config.step_size[1] - config.step_size[0]) * done
        turns, positions, error = self._self_play.learn(
            self.weights,
            config.games,
            step_size=step_size,
            trace=config.trace,
            random_moves=config.random_moves,
            random_turns=config.random_turns,
            beam=config.search.beam,
            depth=config.search.depth,
            replies=config.late_replies if late else config.search.replies,
        )
        largest = float(np.abs(self.weights).max())
        if not largest < MOST_WEIGHT:
            raise DivergedError("a weight is not finite or too large")
        self.step += turns
        self.games += config.games
        if done >= 1.0 - config.averaging:
            self.averaged_over += 1
            self.average += (self.weights - self.average) / np.float32(self.averaged_over)
        self._update_player()
        return {
            "error": error,
            "step_size": step_size,
            "largest_weight": largest,
            "turns_per_game": turns / config.games,
            "positions_per_turn": positions / max(turns, 1),
        }

    def _update_player(self) -> None:
        """Copy the weights to play with: the average, once there is one."""
        self.playing[:] = self.average if self.averaged_over else self.weights

    def state(self) -> dict[str, Any]:
        """Return the state for a checkpoint, as tensors and plain values."""
        return {
            "step": self.step,
            "games": self.games,
            "averaged_over": self.averaged_over,
            "weights": torch.from_numpy(self.weights.copy()),
            "average": torch.from_numpy(self.average.copy()),
            "word": int(self.word[0]),
        }

    def load(self, state: dict[str, Any]) -> None:
        """Restore a state from a checkpoint."""
        self.step, self.games, self.averaged_over = state["step"], state["games"], state["averaged_over"]
        self.weights[:] = state["weights"].numpy()
        self.average[:] = state["average"].numpy()
        self.word[0] = np.uint64(state["word"])
        self._update_player()
