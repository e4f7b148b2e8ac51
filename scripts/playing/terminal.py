"""Lines that a person types, and text for the window: with editing, history and completion where there is readline."""

from __future__ import annotations

import contextlib
import pydoc
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from types import FrameType, ModuleType
from typing import Any

from edge_envs.core.errors import printable
from scripts.playing.window import fit, fold

WITHOUT_WINDOW = (120, 40)
"""Columns and lines that are written to where there is no window."""

Completions = Callable[[str], Sequence[str]]
"""What a line that is begun could go on to."""


class Terminal:
    """Standard input and output."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout):
            with contextlib.suppress(AttributeError, ValueError):  # something else than a file, or closed
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # of text files alone
        self._readline = _readline() if sys.stdin.isatty() and sys.stdout.isatty() else None

    @property
    def width(self) -> int:
        """The columns of the window, now."""
        return self._size()[0]

    def _size(self) -> tuple[int, int]:
        return shutil.get_terminal_size(WITHOUT_WINDOW)

    def ask(self, prompt: str, completions: Completions) -> str:
        """A line of input; EOFError at its end."""
        if self._readline is not None:
            _complete_by(self._readline, completions)
        return input(prompt)

    def say(self, text: str) -> None:
        """Show a text, with long lines folded."""
        print(fold(printable(text, lines=True), self.width), flush=True)

    def draw(self, picture: str) -> int:
        """Show a picture. Returns how wide the window must be to show it whole; 0 if it is shown so."""
        fitted, needed = fit(printable(picture, lines=True), self.width)
        print(fitted, flush=True)
        return needed

    def page(self, text: str) -> None:
        """Show a long text page by page, if the window is too small for it."""
        text = fold(printable(text, lines=True), self.width)
        if sys.stdin.isatty() and sys.stdout.isatty() and text.count("\n") + 2 > self._size()[1]:
            pydoc.pager(text)
        else:
            print(text, flush=True)


def _readline() -> ModuleType | None:
    """The module for editing lines, set up; None where there is none."""
    try:
        import readline
    except ImportError:
        return None
    readline.set_completer_delims("")  # the whole line is completed
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
def leaving_in_order() -> Iterator[None]:
    """End by SystemExit when the window is closed or the process is told to end, so that what is to be kept is kept.

    Each Ctrl-C is a KeyboardInterrupt: the session answers the first one itself.
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
