"""Values that change as a training goes on."""

from __future__ import annotations


class Linear:
    """A value that goes linearly from `start` to `end`, as Stable-Baselines3's schedules of the progress remaining."""

    def __init__(self, start: float, end: float) -> None:
        self.start, self.end = start, end

    def __call__(self, progress_remaining: float) -> float:
        """The value when this fraction of the training is left."""
        return self.end + (self.start - self.end) * max(progress_remaining, 0.0)
