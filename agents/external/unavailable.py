"""The error of an agent that cannot be called now, without being at fault."""

from __future__ import annotations


class UnavailableError(ValueError):
    """An agent cannot be called, because a server is down or refuses. It forfeits nothing; games are kept."""


class LimitReachedError(UnavailableError):
    """A language model may not be called any more, because a limit of its configuration is reached."""
