"""Progress where stderr is no terminal: a line at times, for logs."""

from __future__ import annotations

import sys
import time
from typing import Any

from rich.progress import Progress, TaskID

EVERY = 60.0
"""Seconds between two lines."""


class ProgressLines(Progress):
    """Takes what a progress bar takes, and writes a line about each unfinished task now and then."""

    def __init__(self) -> None:
        super().__init__(disable=True)
        self._written = time.monotonic()

    def update(self, task_id: TaskID, **changes: Any) -> None:
        """Change a task, as `Progress.update` does."""
        super().update(task_id, **changes)
        if time.monotonic() - self._written >= EVERY:
            self._write()

    def _write(self) -> None:
        self._written = time.monotonic()
        for task in self.tasks:
            if not task.finished:
                done = "" if task.total is None else f"{task.percentage:.0f} %, "
                minutes, seconds = divmod(round(task.elapsed or 0), 60)
                print(f"{task.description}: {done}{minutes}:{seconds:02}", file=sys.stderr, flush=True)
