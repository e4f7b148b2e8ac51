"""Messages on stderr: that kernels are being compiled, and that they cannot be cached.

Each is one line, which a process writes once. `EDGE_ENVS_QUIET=1` suppresses them. A program with a terminal may show
compilations in its own way with `compilations_shown_by`.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext

Show = Callable[[str], AbstractContextManager[object] | None]
"""A function that returns a context in which a text is shown, or None for a line on stderr."""

_said: set[str] = set()


def say_once(topic: str, text: str) -> None:
    """Write a line to stderr, unless this process has written one on the same topic."""
    if topic in _said or _quiet():
        return
    _said.add(topic)
    with contextlib.suppress(OSError, ValueError, AttributeError):  # stderr may be broken, closed or None
        sys.stderr.write(f"edge_envs: {text}\n")
        sys.stderr.flush()


def nothing(text: str) -> AbstractContextManager[object]:
    """Do not announce a compilation."""
    return nullcontext()


def compilation(text: str, topic: str) -> AbstractContextManager[object]:
    """Announce a compilation while the context is open.

    The announcement is a line on stderr, once for each topic, unless a program shows it in its own way.
    """
    shown = nullcontext() if _quiet() else _shows[-1](text) if _shows else None
    if shown is None:
        say_once(topic, text)
    return shown or nullcontext()


@contextlib.contextmanager
def compilations_shown_by(show: Show) -> Iterator[None]:
    """Within this context, announce compilations with `show` instead of the line on stderr."""
    _shows.append(show)
    try:
        yield
    finally:
        _shows.remove(show)


_shows: list[Show] = []  # the last one is used


def _quiet() -> bool:
    return os.environ.get("EDGE_ENVS_QUIET", "0") not in ("", "0")
