"""The errors that users meet. Those that refuse something leave everything as it was."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LONGEST = 1000


def in_short(value: object) -> str:
    """A value as a message shows it: as Python writes it, cut short where that is long, or else by its type alone."""
    try:
        text = repr(value)
    except Exception:  # more digits or levels than Python writes, or a mistake in somebody's class
        return f"<{type(value).__name__}>"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def printable(text: str, *, lines: bool = False) -> str:
    """Replace characters that a terminal would obey or cannot show by escapes such as `\\x1b`.

    Blanks of all kinds become spaces. With `lines`, line breaks and tabs stay as they are.
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
    """Return a question that names the closest of some names, or an empty string if none is similar."""
    known = closest(name, choices)
    return "" if known is None else f"; did you mean {known!r}?"


class IllegalActionError(ValueError):
    """An action or chance outcome that is not legal at this node; the message says what is possible."""


class InvalidPositionError(ValueError):
    """A position that does not describe a legal state; the message names the key at fault."""


class ParameterError(ValueError, TypeError):
    """A parameter or argument that does not exist, or a value that it cannot have; the message says what is possible.

    It is a TypeError too, as Python's own for an unexpected keyword is: libraries that try an argument look for that.
    """


class MissingExtraError(ImportError):
    """A part of the package whose optional dependencies are not installed; the message says how to install them."""

    def __init__(self, what: str, needs: str, extra: str) -> None:
        super().__init__(f'{what} needs {needs}, which is not installed: pip install "edge-envs[{extra}]"')
