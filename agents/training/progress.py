"""The progress of a training: a bar on a terminal or in a notebook, and a line per minute in a log."""

from __future__ import annotations

import sys
import time
from typing import Any, Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from agents.common.progress_lines import ProgressLines
from edge_envs.core.errors import printable

REDRAW = 0.5
"""Seconds between two updates of the bar in a notebook."""
PARTS = 10_000
"""Parts of the training that bars and lines count."""


class Bar(Protocol):
    """Shows the number of steps, and prints lines."""

    def start(self) -> None:
        """Show the bar."""

    def stop(self) -> None:
        """Show the bar for the last time."""

    def update(self, step: int, done: float, speed: float) -> None:
        """Show the number of steps, the fraction of the training that is done, and the steps per second."""

    def say(self, text: str) -> None:
        """Print a line."""


class TerminalBar:
    """A bar on stderr, below the lines. If stderr is not a terminal, it is printed once, at the end."""

    def __init__(self, total: int | None, step: int, done: float) -> None:
        self._total = total
        self._console = Console(stderr=True, force_jupyter=False)
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[speed]}"),
            TimeElapsedColumn(), TimeRemainingColumn(), console=self._console,
        )  # fmt: skip
        self._task = self._progress.add_task(_count(step, total), total=PARTS, completed=round(done * PARTS), speed="")

    def start(self) -> None:
        """Show the bar."""
        self._progress.start()

    def stop(self) -> None:
        """Show the bar for the last time."""
        self._progress.stop()

    def update(self, step: int, done: float, speed: float) -> None:
        """Show the number of steps, the fraction of the training that is done, and the steps per second."""
        count = _count(step, self._total)
        self._progress.update(self._task, completed=round(done * PARTS), description=count, speed=f"{speed:,.0f}/s")

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        self._console.print(printable(text), markup=False, highlight=False, soft_wrap=True)


class LogBar(TerminalBar):
    """The same for a log: a line per minute during the training, and the bar at the end."""

    def __init__(self, total: int | None, step: int, done: float) -> None:
        super().__init__(total, step, done)
        self._lines = ProgressLines()
        self._line = self._lines.add_task("steps", total=PARTS, completed=round(done * PARTS))

    def start(self) -> None:
        """Start printing."""
        super().start()
        self._lines.start()

    def stop(self) -> None:
        """Print the bar, and stop printing."""
        self._lines.stop()
        super().stop()

    def update(self, step: int, done: float, speed: float) -> None:
        """Note the number of steps, the fraction of the training that is done, and the steps per second."""
        super().update(step, done, speed)
        self._lines.update(self._line, completed=round(done * PARTS), description=f"{step:,} steps, {speed:,.0f}/s")


class NotebookBar:
    """A bar in the output of a notebook's cell, above the lines. It needs IPython only, no widgets."""

    def __init__(self, total: int | None, step: int, done: float) -> None:
        self._total, self._step, self._done, self._speed = total, step, done, 0.0
        self._handle: Any = None
        self._started = self._drawn = 0.0

    def start(self) -> None:
        """Show the bar."""
        from IPython.display import display

        self._started = self._drawn = time.perf_counter()
        self._handle = display(self._html(), display_id=True)

    def stop(self) -> None:
        """Show the bar for the last time."""
        self._handle.update(self._html())

    def update(self, step: int, done: float, speed: float) -> None:
        """Show the number of steps, the fraction of the training that is done, and the steps per second."""
        self._step, self._done, self._speed = step, done, speed
        if time.perf_counter() - self._drawn >= REDRAW:
            self._handle.update(self._html())
            self._drawn = time.perf_counter()

    def say(self, text: str) -> None:
        """Print a line below the bar."""
        print(printable(text), flush=True)

    def _html(self) -> Any:
        from IPython.display import HTML

        minutes, seconds = divmod(round(time.perf_counter() - self._started), 60)
        words = f"{_count(self._step, self._total)}, {self._speed:,.0f}/s, {minutes}:{seconds:02}"
        return HTML(f'<progress value="{self._done:.4f}" max="1"></progress> {words}')


def in_notebook() -> bool:
    """Return whether this process runs the cells of a notebook, such as Jupyter or Colab."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module else None
    return getattr(shell, "kernel", None) is not None


def _count(step: int, total: int | None) -> str:
    """Return the number of steps in words."""
    return f"{step:,} steps" if total is None else f"{step:,} of {total:,} steps"


def make_bar(total: int | None, step: int, done: float) -> Bar:
    """Return the bar that fits the place where this process prints.

    Args:
        total: the number of steps of the whole training; None if it ends after a time.
        step: the number of steps so far.
        done: the fraction of the training that is done.
    """
    if in_notebook():
        return NotebookBar(total, step, done)
    return (TerminalBar if Console(stderr=True).is_terminal else LogBar)(total, step, done)
