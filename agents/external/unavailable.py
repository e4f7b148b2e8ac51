"""An agent that cannot be asked now, which is not its fault."""

from __future__ import annotations


class UnavailableError(ValueError):
    """An agent cannot be asked: a server is down, or refuses. It forfeits nothing; what was played stays, and waits."""
