"""The errors that users meet: both are `ValueError`s, and both leave everything as it was."""

from __future__ import annotations


class IllegalActionError(ValueError):
    """An action or chance outcome that is not legal at this node; the message says what is possible."""


class InvalidPositionError(ValueError):
    """A position that does not describe a legal state; the message names the key at fault."""
