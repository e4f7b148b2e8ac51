"""Read lines from the terminal and write text to it, with editing, history and completion if readline is available."""

from __future__ import annotations

import contextlib
import os
import pydoc
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from types import FrameType, ModuleType
from typing import Any

from edge_envs.core.errors import printable
from scripts.playing import colours
from scripts.playing.window import fit, fold

WITHOUT_WINDOW = (120, 40)
"""Columns and lines of output that does not go to a window."""

Completions = Callable[[str], Sequence[str]]
"""Function from a partial line to its completions."""


class Terminal:
    """Use standard input and output as the screen of a session."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout):
            with contextlib.suppress(AttributeError, ValueError):  # not a text file, or closed
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # only text files have it
        self._readline = _readline() if sys.stdin.isatty() and sys.stdout.isatty() else None

    @property
    def width(self) -> int:
        """Current width of the window in columns."""
        return self._size()[0]

    def _size(self) -> tuple[int, int]:
        return shutil.get_terminal_size(WITHOUT_WINDOW)

    def ask(self, prompt: str, completions: Completions) -> str:
        """Return a line of input. Raises EOFError at the end of the input."""
        if self._readline is not None:
            _complete_by(self._readline, completions)
        return input(prompt)

    def say(self, text: str) -> None:
        """Show text, with long lines wrapped."""
        print(fold(printable(text, lines=True), self.width), flush=True)

    def draw(self, picture: str) -> int:
        """Show a picture, in colours if the terminal supports them.

        Return the width needed to show it in one piece, or 0 if the window is wide enough.
        """
        fitted, needed = fit(printable(picture, lines=True), self.width)
        colours.write(fitted, sys.stdout, os.environ)
        return needed

    def page(self, text: str) -> None:
        """Show long text, page by page if the window is too small."""
        text = fold(printable(text, lines=True), self.width)
        if sys.stdin.isatty() and sys.stdout.isatty() and text.count("\n") + 2 > self._size()[1]:
            pydoc.pager(text)
        else:
            print(text, flush=True)


def _readline() -> ModuleType | None:
    """Return the configured readline module, or None if it is not available."""
    try:
        import readline
    except ImportError:
        return None
    readline.set_completer_delims("")  # complete the whole line
    if "libedit" in (readline.__doc__ or ""):
        readline.parse_and_bind("bind ^I rl_complete")
    else:
        readline.parse_and_bind("tab: complete")
        readline.parse_and_bind("set completion-ignore-case on")
    return readline


def _complete_by(readline: Any, completions: Completions) -> None:
    def completer(typed: str, number: int) -> str | None:
        found = completions(typed)
        return found[number] if number < len(found) else None

    readline.set_completer(completer)


@contextlib.contextmanager
def exit_on_signals() -> Iterator[None]:
    """Turn a closed window or a termination signal into SystemExit, so that the record is still written.

    Each Ctrl-C raises KeyboardInterrupt; the session handles the first one itself.
    """

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    numbers = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    before = {number: signal.signal(number, leave) for number in numbers}
    if callable(signal.getsignal(signal.SIGINT)):  # else it is ignored
        before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
