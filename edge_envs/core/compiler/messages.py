"""What the package says on stderr of its own accord: that kernels are compiled, and that they cannot be kept.

Each is one line, once a process; with `EDGE_ENVS_QUIET=1` there is none. A program with a terminal may show
compilations in its own way: `compilations_shown_by`.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext

Show = Callable[[str], AbstractContextManager[object]]
"""Shows a line of text for as long as its context lasts."""

_said: set[str] = set()


def say_once(topic: str, text: str) -> None:
    """Write a line on stderr, if it is the first of its topic in this process."""
    if topic in _said or _quiet():
        return
    _said.add(topic)
    with contextlib.suppress(OSError, ValueError, AttributeError):  # stderr may be broken, closed or None
        sys.stderr.write(f"edge_envs: {text}\n")
        sys.stderr.flush()


def on_a_line(text: str) -> AbstractContextManager[object]:
    """Tell of a compilation by a line on stderr, if it is the first in this process."""
    say_once("compilation", text)
    return nullcontext()


def nothing(text: str) -> AbstractContextManager[object]:
    """Tell nothing of a compilation."""
    return nullcontext()


def compilation(text: str) -> AbstractContextManager[object]:
    """Tell of a compilation for as long as the context lasts; by a line on stderr if no program shows it otherwise."""
    return nullcontext() if _quiet() else _shows[-1](text)


@contextlib.contextmanager
def compilations_shown_by(show: Show) -> Iterator[None]:
    """Within this context `show` tells of compilations, in place of the line on stderr."""
    _shows.append(show)
    try:
        yield
    finally:
        _shows.remove(show)


_shows: list[Show] = [on_a_line]  # the last one shows


def _quiet() -> bool:
    return os.environ.get("EDGE_ENVS_QUIET", "0") not in ("", "0")
