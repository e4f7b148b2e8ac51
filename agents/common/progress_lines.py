"""Progress lines for logs, where stderr is not a terminal."""

from __future__ import annotations

import sys
import threading

from rich.progress import Progress, ProgressColumn, Task
from rich.text import Text

from edge_envs.core.errors import printable

EVERY = 60.0
"""Seconds between two lines."""


class Description(ProgressColumn):
    """The description of a task, shown literally: without markup and terminal control characters."""

    def render(self, task: Task) -> Text:
        """Return the description as rich text."""
        return Text(printable(task.description))


class ProgressLines(Progress):
    """A progress bar that prints a line about each unfinished task at intervals.

    It prints also if nothing has changed, so that a log distinguishes long work from a hang.
    """

    def __init__(self) -> None:
        super().__init__(disable=True)
        self._over = threading.Event()
        self._writer = threading.Thread(target=self._write_at_times, daemon=True)

    def start(self) -> None:
        """Start printing."""
        self._writer.start()

    def stop(self) -> None:
        """Stop printing."""
        self._over.set()
        self._writer.join()

    def _write_at_times(self) -> None:
        while not self._over.wait(EVERY):
            for task in self.tasks:
                if not task.finished:
                    done = "" if task.total is None else f"{task.percentage:.0f} %, "
                    minutes, seconds = divmod(round(task.elapsed or 0), 60)
                    print(f"{printable(task.description)}: {done}{minutes}:{seconds:02}", file=sys.stderr, flush=True)
