"""An n-tuple network that learns in self-play by TD(λ), and the running average of its weights."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import torch

from agents.training.divergence import DivergedError
from agents.tuple_learning.config import TuplesConfig, make_network
from edge_envs import Game
from edge_envs.core.kernels.rng import GAMMA, chance_word, mix
from edge_envs.core.spec import Array
from edge_envs.ntuple.agent import LEAD, score_weights
from edge_envs.ntuple.network import Network, TupleSpec, network_of
from edge_envs.ntuple.self_play import SelfPlay
from edge_envs.ntuple.transfer import carried_over, transferable

MOST_WEIGHT = 60_000.0
"""The largest weight; policy files have half precision."""
CHECKS = 200
"""How often in a run all weights are checked."""
AVERAGED = 100
"""How many sets of weights are averaged."""


class TupleLearner:
    """The weights, their average over the last part of the run, those that play, and the games of self-play.

    A run with a curriculum learns one board after the other. `network` and `playing` are those of its last board.
    Before that, only the tables that are carried over to the last board take part, unless there are none.
    """

    def __init__(self, config: TuplesConfig, game: Game) -> None:
        self.config, self.step, self.games, self.averaged_over = config, 0, 0, 0
        self.by_time, self._checks = 0.0, 0
        self.board, self._boards = 0, [*itertools.islice(config.boards(), len(config.curriculum)), game]
        self._ends = list(itertools.accumulate(lesson.turns for lesson in config.curriculum))
        specs = [group.spec() for group in config.tuples]
        self._specs = [transferable(board, game, specs) or specs for board in self._boards[:-1]] + [specs]
        self.network = make_network(game, config.tuples)
        self.playing = np.zeros(self.network.size[0], np.float32)
        self.words = _words(config)
        self.snapshots: list[Array] = []
        self._next_snapshot = config.snapshots.every
        self._threads = ThreadPoolExecutor(config.threads) if config.threads > 1 else None
        self._load_board(0)

    def _load_board(self, board: int, weights: Array | None = None) -> None:
        """Switch to a board of the curriculum, or that of the run; without `weights`, use those at the start."""
        self.board, game = board, self._boards[board]
        network = self.network if board == len(self._boards) - 1 else network_of(game, self._specs[board])
        self.weights = self._first_weights(game, network) if weights is None else weights
        self.average = np.zeros_like(self.weights)
        alone = [spec.cells[0] for spec in self._specs[board] if spec == TupleSpec(cells=spec.cells[:1])]
        linear = [name for name in self.config.linear if name in alone]
        fixed = [LEAD] if self.config.from_score and LEAD in alone else []
        words, most = self.words, self.config.most_turns
        self._plays = [SelfPlay(game, network, words[k : k + 1], most, linear, fixed) for k in range(len(words))]

    def _first_weights(self, game: Game, network: Network) -> Array:
        layout = game.type.cell_layout(game.params)
        if self.config.start:
            return self.config.weights_at_start(game)
        if self.config.from_score and layout is not None:
            return score_weights(layout, network)
        return np.zeros(network.size[0], np.float32)

    @property
    def done(self) -> float:
        """The fraction of the training that is done, by steps or, with a time limit, by processor time."""
        return min(max(self.step / self.config.total_steps, self.by_time), 1.0)

    def learn(self) -> dict[str, float]:
        """Play some games, learn from them, and return statistics.

        Raises:
            DivergedError: if a weight is not finite or too large.
        """
        config = self.config
        if self.board < len(self._ends) and self.step >= self._ends[self.board]:
            self._load_board(self.board + 1, self._carried_to(self.board + 1))
            self.snapshots.clear()
        done = self.done
        step_size = config.step_size[0] + (config.step_size[1] - config.step_size[0]) * done
        turns, positions, error = self._play(step_size, config.late_replies if done >= config.late_from else None)
        checks = int(max(done, (self.step + turns) / config.total_steps) * CHECKS)
        if not np.isfinite(error) or checks != self._checks:
            self._check()
            self._checks = checks
        self.step += turns
        self.games += config.games
        if config.against_snapshots > 0.0 and self.step >= self._next_snapshot:
            self.snapshots = [*self.snapshots, self.weights.copy()][-config.snapshots.keep :]
            self._next_snapshot = self.step + config.snapshots.every
        if self.board == len(self._ends) and self.averaged_over < self._to_average():
            self.averaged_over += 1
            self.average += (self.weights - self.average) / np.float32(self.averaged_over)
        return {
            "board": self.board,
            "error": error,
            "step_size": step_size,
            "turns_per_game": turns / config.games,
            "positions_per_turn": positions / max(turns, 1),
        }

    def _check(self) -> None:
        """Raise DivergedError if a weight is not finite or too large."""
        if not max(self.weights.max(), -self.weights.min()) < MOST_WEIGHT:
            raise DivergedError("a weight is not finite or too large")

    def _to_average(self) -> int:
        """Return how many sets of weights the average should have by now."""
        averaging = self.config.averaging
        done = min(max(self.step / self.config.total_steps, self.by_time), 1.0)
        if averaging == 0.0 or done < 1.0 - averaging:
            return 0
        return 1 + int((done - 1.0 + averaging) / averaging * AVERAGED)

    def _play(self, step_size: float, replies: int | None) -> tuple[int, int, float]:
        """Play games in all threads; return the numbers of turns and positions, and the mean error."""
        config = self.config
        options: dict[str, Any] = {
            "step_size": step_size,
            "trace": config.trace,
            "discount": config.discount,
            "recompute": config.recompute,
            "random_moves": config.random_moves,
            "random_turns": config.random_turns,
            "beam": config.search.beam,
            "depth": config.search.depth,
            "replies": config.search.replies if replies is None else replies,
            **self._opponents(),
        }
        games = np.diff(np.linspace(0, config.games, len(self._plays) + 1).astype(int)).tolist()
        if self._threads is None:
            return self._plays[0].learn(self.weights, games[0], **options)
        jobs = [
            self._threads.submit(partial(play.learn, self.weights, count, **options))
            for play, count in zip(self._plays, games, strict=True)
        ]
        results = [job.result() for job in jobs]
        turns, positions, errors = (sum(figures) for figures in zip(*results, strict=True))
        return turns, positions, errors / sum(count > 0 for count in games)

    def _opponents(self) -> dict[str, Any]:
        """Draw who plays the other seats: earlier weights, the heuristic, or nobody, so that all seats learn."""
        draw = np.random.default_rng((self.config.seed, self.step))
        chance = draw.random()
        if self.snapshots and chance < self.config.against_snapshots:
            return {"earlier": self.snapshots[int(draw.integers(len(self.snapshots)))]}
        return {"heuristic": chance >= 1.0 - self.config.against_heuristic}

    def _carried_to(self, board: int) -> Array:
        """Return the weights for another board of the run."""
        return carried_over(
            self.weights,
            self._boards[self.board],
            self._boards[board],
            self._specs[self.board],
            self._specs[board],
        )

    def update_player(self) -> None:
        """Copy the weights to play with: the average, once there is one.

        Raises:
            DivergedError: if a weight is not finite or too large.
        """
        self._check()
        if self.board < len(self._ends):
            self.playing[:] = self._carried_to(len(self._ends))
        else:
            self.playing[:] = self.average if self.averaged_over else self.weights

    def state(self) -> dict[str, Any]:
        """Return the state for a checkpoint, as tensors and plain values."""
        return {
            "step": self.step,
            "games": self.games,
            "board": self.board,
            "averaged_over": self.averaged_over,
            "weights": torch.from_numpy(self.weights.copy()),
            "average": torch.from_numpy(self.average.copy()),
            "words": self.words.tolist(),
            "snapshots": [torch.from_numpy(weights) for weights in self.snapshots],
            "next_snapshot": self._next_snapshot,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Restore a state from a checkpoint."""
        self.step, self.games, self.averaged_over = state["step"], state["games"], state["averaged_over"]
        self.words[:] = np.array(state["words"], np.uint64)
        self._load_board(state["board"], state["weights"].numpy())
        self.average[:] = state["average"].numpy()
        self.snapshots = [weights.numpy() for weights in state["snapshots"]]
        self._next_snapshot = state["next_snapshot"]
        self.update_player()


def _words(config: TuplesConfig) -> Array:
    """Return the random generators of the threads, uint64 (threads,)."""
    words = np.empty(config.threads, np.uint64)
    words[0] = chance_word(np.uint64(config.seed))
    for k in range(1, config.threads):
        words[k] = mix(words[k - 1] ^ GAMMA)
    return words
