"""Statistics across boards: interquartile means with stratified bootstrap intervals, and probabilities of improvement.

They follow Agarwal, Schwarzer, Castro, Courville and Bellemare, "Deep Reinforcement Learning at the Edge of the
Statistical Precipice" (2021). Samples are the games of one agent, resampled within each cell, or the scores of several
training runs, resampled within each board. `scipy.stats.bootstrap` resamples each stratum independently.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from edge_envs.core.spec import Array

RESAMPLES = 2000
BATCH = 100  # resamples that are computed at the same time
TRIMMED = 0.25  # on each side, for the interquartile mean
SEED = 20211030

Interval = tuple[float, float, float]
"""An estimate, and the bounds of its 95 % interval."""


@dataclass(frozen=True)
class CellGames:
    """The games of a cell: derivatives of the log-likelihood by the agent's strength, and the agent's returns (n,)."""

    slopes: Array
    bends: Array
    returns: Array


@dataclass(frozen=True)
class BoardGames:
    """The games of an agent on a board, and its score there.

    The score of the strength x is 100 (x - `zero`) / `unit`. The strength of resampled games is one Newton step from
    `strength`; `prior` is the weight of the prior, whose mean is 0.
    """

    board: str
    score: float
    strength: float
    prior: float
    zero: float
    unit: float
    cells: tuple[CellGames, ...]

    @classmethod
    def of(cls, board: str, document: dict[str, Any]) -> BoardGames:
        """Read the games of a board from a results document."""
        cells = []
        for row in document["opponents"]:
            outcomes = row["outcomes"]
            counts = [one["games"] for one in outcomes]
            columns = (
                [one["slope"] for one in outcomes],
                [one["bend"] for one in outcomes],
                [one["returns"][one["seat"]] for one in outcomes],
            )
            cells.append(CellGames(*(np.repeat(np.array(column, float), counts) for column in columns)))
        scale = document["scale"]
        return cls(
            board, document["score"], scale["strength"], scale["prior"], scale["zero"], scale["unit"], tuple(cells)
        )

    def scores(self, chosen: Sequence[Array]) -> Array:
        """Return the scores of resampled games; `chosen` has for each cell the numbers of its games (..., n)."""
        slope = sum(cell.slopes[one].sum(axis=-1) for cell, one in zip(self.cells, chosen, strict=True))
        bend = sum(cell.bends[one].sum(axis=-1) for cell, one in zip(self.cells, chosen, strict=True))
        strength = self.strength + (slope - self.prior * self.strength) / (self.prior + bend)
        scores: Array = 100.0 * (strength - self.zero) / self.unit
        return scores


def interquartile_mean(scores: Array) -> Array:
    """Return the interquartile mean along the last axis: the mean of the middle half."""
    mean: Array = stats.trim_mean(scores, TRIMMED, axis=-1)
    return mean


class Side:
    """The results of an agent, or of several runs of an algorithm, on the same boards.

    Args:
        boards: for each board the results of one or more runs.
        by_runs: whether the samples are runs instead of games; always with several runs.
    """

    def __init__(self, boards: Sequence[Sequence[BoardGames]], by_runs: bool = False) -> None:
        self.boards = boards
        self.by_runs = by_runs or any(len(runs) > 1 for runs in boards)

    def strata(self) -> list[int]:
        """Return the number of samples in each stratum: a board, or a cell of a board."""
        if self.by_runs:
            return [len(runs) for runs in self.boards]
        return [len(cell.slopes) for (board,) in self.boards for cell in board.cells]

    def scores(self, chosen: Sequence[Array]) -> Array:
        """Return the normalized scores (..., S) of resampled strata: one per board and run."""
        if self.by_runs:
            parts = [np.array([run.score for run in runs])[one] for runs, one in zip(self.boards, chosen, strict=True)]
            return np.concatenate(parts, axis=-1)
        rest, columns = list(chosen), []
        for (board,) in self.boards:
            own, rest = rest[: len(board.cells)], rest[len(board.cells) :]
            columns.append(board.scores(own))
        return np.stack(columns, axis=-1)

    def samples(self) -> list[list[Array]]:
        """Return the samples of each board by stratum: scores of runs, or returns of games."""
        if self.by_runs:
            return [[np.array([run.score for run in runs])] for runs in self.boards]
        return [[cell.returns for cell in board.cells] for (board,) in self.boards]


def bootstrap(strata: Sequence[int], statistic: Callable[[list[Array]], Array]) -> Interval:
    """Return a statistic with its 95 % percentile interval, from a stratified bootstrap.

    Args:
        strata: the number of samples in each stratum. A stratum with a single sample is not resampled.
        statistic: computes the statistic for arrays (..., n) of sample numbers, one array for each stratum.
    """
    numbers = [np.arange(size) for size in strata]
    estimate = float(statistic(numbers))
    several = [at for at, size in enumerate(strata) if size > 1]
    if not several:
        return estimate, estimate, estimate

    def resampled(*chosen: Array, axis: int) -> Array:
        every = [np.zeros((*chosen[0].shape[:-1], size), int) for size in strata]
        for at, one in zip(several, chosen, strict=True):
            every[at] = one
        return statistic(every)

    found = stats.bootstrap(
        [numbers[at] for at in several],
        resampled,
        n_resamples=RESAMPLES,
        batch=BATCH,
        vectorized=True,
        method="percentile",
        random_state=np.random.default_rng(SEED),
    )
    low, high = np.quantile(found.bootstrap_distribution, [0.025, 0.975])
    return estimate, float(low), float(high)


def aggregate(side: Side) -> Interval:
    """Return the interquartile mean of the normalized scores over boards and runs, with its interval."""
    return bootstrap(side.strata(), lambda chosen: interquartile_mean(side.scores(chosen)))


def difference(one: Side, other: Side) -> Interval:
    """Return the difference of two interquartile means, with its interval."""
    cut = len(one.strata())

    def statistic(chosen: list[Array]) -> Array:
        means = interquartile_mean(one.scores(chosen[:cut])) - interquartile_mean(other.scores(chosen[cut:]))
        return np.asarray(means)

    return bootstrap([*one.strata(), *other.strata()], statistic)


def improvement(one: Side, other: Side, boards: Sequence[int] | None = None) -> Interval:
    """Return the probability that the first agent does better than the second, with its interval.

    It is the probability that a sample of the first is greater than one of the second, where equal samples count half
    (the Mann-Whitney statistic), as the mean over strata and boards. `boards` selects some boards by their numbers.
    """
    pairs = [
        [_Codes.of(*pair) for pair in zip(left, right, strict=True) if min(map(len, pair))]
        for at, (left, right) in enumerate(zip(one.samples(), other.samples(), strict=True))
        if boards is None or at in boards
    ]
    pairs = [board for board in pairs if board]
    if not pairs:  # no opponent in common
        return 0.5, 0.0, 1.0
    flat = [pair for board in pairs for pair in board]
    weights = np.array([1.0 / len(board) / len(pairs) for board in pairs for _ in board])

    def statistic(chosen: list[Array]) -> Array:
        some, others = chosen[: len(flat)], chosen[len(flat) :]
        each = [pair.better(left, right) for pair, left, right in zip(flat, some, others, strict=True)]
        mean: Array = np.tensordot(weights, np.array(each), 1)
        return mean

    return bootstrap([*(len(pair.left) for pair in flat), *(len(pair.right) for pair in flat)], statistic)


@dataclass(frozen=True)
class _Codes:
    """Two samples as ranks among their distinct values."""

    left: Array
    right: Array
    values: int

    @classmethod
    def of(cls, left: Array, right: Array) -> _Codes:
        values, codes = np.unique(np.concatenate([left, right]), return_inverse=True)
        codes = codes.ravel()
        return cls(codes[: len(left)], codes[len(left) :], len(values))

    def better(self, left: Array, right: Array) -> Array:
        """Return the probability that a value of the first sample is greater, for resamples (..., n) and (..., m)."""
        shares = [
            np.stack([(codes[one] == value).mean(axis=-1) for value in range(self.values)], axis=-1)
            for codes, one in ((self.left, left), (self.right, right))
        ]
        below = np.cumsum(shares[1], axis=-1) - 0.5 * shares[1]
        better: Array = (shares[0] * below).sum(axis=-1)
        return better
