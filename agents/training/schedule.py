"""Schedules of hyperparameters."""

from __future__ import annotations


class LinearSchedule:
    """A linear schedule from `start` to `end`, a function of the remaining progress as in Stable-Baselines3."""

    def __init__(self, start: float, end: float) -> None:
        self.start, self.end = start, end

    def __call__(self, progress_remaining: float) -> float:
        """Return the value when this fraction of the training is left."""
        return self.end + (self.start - self.end) * max(progress_remaining, 0.0)
