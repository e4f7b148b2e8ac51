"""Progress where stderr is no terminal: a line at times, for logs."""

from __future__ import annotations

import sys
import threading

from rich.progress import Progress, ProgressColumn, Task
from rich.text import Text

from edge_envs.core.errors import printable

EVERY = 60.0
"""Seconds between two lines."""


class Description(ProgressColumn):
    """What a task does, as it stands: names in it are neither markup nor orders to the terminal."""

    def render(self, task: Task) -> Text:
        """The description as a text of rich."""
        return Text(printable(task.description))


class ProgressLines(Progress):
    """Takes what a progress bar takes; while it is on, a line about each unfinished task is written now and then.

    Also where nothing has changed: so a log tells a long piece of work from one that hangs.
    """

    def __init__(self) -> None:
        super().__init__(disable=True)
        self._over = threading.Event()
        self._writer = threading.Thread(target=self._write_at_times, daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._writer.start()

    def stop(self) -> None:
        """Write no more."""
        self._over.set()
        self._writer.join()

    def _write_at_times(self) -> None:
        while not self._over.wait(EVERY):
            for task in self.tasks:
                if not task.finished:
                    done = "" if task.total is None else f"{task.percentage:.0f} %, "
                    minutes, seconds = divmod(round(task.elapsed or 0), 60)
                    print(f"{printable(task.description)}: {done}{minutes}:{seconds:02}", file=sys.stderr, flush=True)
