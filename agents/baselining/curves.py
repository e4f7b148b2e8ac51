"""Statistics of learning curves over seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from agents.baselining.measuring import Measured, Point
from agents.benchmarking.scores import Interval, bootstrap, interquartile_mean
from edge_envs.core.spec import Array

GRID = 50
"""The number of places of a curve."""


@dataclass(frozen=True)
class Curve:
    """A mean over runs with a 95 % interval, at places on the axis."""

    at: Array
    mean: Array
    low: Array
    high: Array


def value_of(point: Point, what: str) -> float:
    """Return the `return` or the `score` of a point; NaN for a score that is not known."""
    value = point.mean_return if what == "return" else point.score
    return np.nan if value is None else value


def axis_of(point: Point, axis: str) -> float:
    """Return the place of a point on the axis `seconds` or `frames`."""
    return point.seconds if axis == "seconds" else float(point.step)


def on_grid(runs: Sequence[Measured], what: str, axis: str) -> tuple[Array, Array]:
    """Return places (G,) that all runs reach, and the values (R, G) of the runs there, by linear interpolation."""
    ends = [(axis_of(run.curve[0], axis), axis_of(run.curve[-1], axis)) for run in runs]
    grid = np.linspace(max(first for first, _ in ends), max(min(last for _, last in ends), 1e-9), GRID)
    values = [
        np.interp(grid, [axis_of(point, axis) for point in run.curve], [value_of(point, what) for point in run.curve])
        for run in runs
    ]
    return grid, np.array(values)


def mean_curve(runs: Sequence[Measured], what: str, axis: str) -> Curve:
    """Return the mean over the runs of an algorithm on one board, with Student's t intervals."""
    grid, values = on_grid(runs, what, axis)
    mean, half = values.mean(axis=0), half_widths(values)
    return Curve(grid, mean, mean - half, mean + half)


def half_widths(values: Array) -> Array:
    """Return the half-widths (G,) of 95 % intervals of the means of values (R, G); zero for a single run."""
    count = len(values)
    if count < 2:
        return np.zeros(values.shape[1])
    widths: Array = stats.t.ppf(0.975, count - 1) * values.std(axis=0, ddof=1) / np.sqrt(count)
    return widths


def curve_over_boards(boards: Sequence[Sequence[Measured]], places: int = 12) -> Curve:
    """Return the interquartile mean of the normalized scores over boards and runs against processor time.

    The intervals are from a stratified bootstrap: runs are resampled within each board.
    """
    last = min(run.curve[-1].seconds for runs in boards for run in runs)
    first = max(run.curve[0].seconds for runs in boards for run in runs)
    grid = np.linspace(first, last, places)
    rows = [_interval([_scores_at(runs, at) for runs in boards]) for at in grid.tolist()]
    mean, low, high = np.array(rows).T
    return Curve(grid, mean, low, high)


def _scores_at(runs: Sequence[Measured], seconds: float) -> Array:
    """Return the scores (R,) of runs at a processor time, by linear interpolation."""
    return np.array([
        np.interp(seconds, [point.seconds for point in run.curve], [value_of(point, "score") for point in run.curve])
        for run in runs
    ])  # fmt: skip


def _interval(strata: Sequence[Array]) -> Interval:
    """Return the interquartile mean of scores by board, with its interval."""

    def statistic(chosen: list[Array]) -> Array:
        return interquartile_mean(
            np.concatenate([one[some] for one, some in zip(strata, chosen, strict=True)], axis=-1)
        )

    return bootstrap([len(one) for one in strata], statistic)
