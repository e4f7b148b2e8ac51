"""The errors that users meet, and helpers for their messages. A rejected call changes nothing."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LONGEST = 1000


def in_short(value: object) -> str:
    """Return a value as messages show it: its `repr`, cut after 1,000 characters, or its type if `repr` fails."""
    try:
        text = repr(value)
    except Exception:  # too many digits or levels for Python, or a faulty class
        return f"<{type(value).__name__}>"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def printable(text: str, *, lines: bool = False) -> str:
    """Replace characters that a terminal would interpret or cannot show by escapes such as `\\x1b`.

    All kinds of white space become spaces. With `lines`, line breaks and tabs stay as they are.
    """
    if text.isprintable():
        return text
    kept = "\n\t" if lines else ""
    return "".join(
        letter
        if letter.isprintable() or letter in kept
        else " "
        if letter.isspace()
        else letter.encode("unicode_escape").decode()
        for letter in text
    )


def closest(name: object, choices: Iterable[str]) -> str | None:
    """Return the name among `choices` that was probably meant, or None if none is similar."""
    if not isinstance(name, str) or len(name) > _LONGEST:
        return None
    return next(iter(difflib.get_close_matches(name.lower().replace("-", "_"), choices, n=1, cutoff=0.6)), None)


def did_you_mean(name: object, choices: Iterable[str]) -> str:
    """Return a question that suggests the closest name, or an empty string if none is similar."""
    known = closest(name, choices)
    return "" if known is None else f"; did you mean {known!r}?"


class IllegalActionError(ValueError):
    """An action or chance outcome is illegal at this node. The message lists the legal ones."""


class InvalidPositionError(ValueError):
    """A position does not describe a legal state. The message names the invalid key."""


class ParameterError(ValueError, TypeError):
    """A parameter or argument is unknown, or its value is invalid. The message lists the valid ones.

    It is also a TypeError, like Python's own error for an unexpected keyword: some libraries try an argument and expect
    that.
    """


class MissingExtraError(ImportError):
    """An optional dependency is missing. The message says how to install it."""

    def __init__(self, what: str, needs: str, extra: str) -> None:
        super().__init__(f'{what} needs {needs}, which is not installed: pip install "edge-envs[{extra}]"')
