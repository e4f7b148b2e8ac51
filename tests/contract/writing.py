"""The command line of the modules that write pinned results."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence

import edge_envs
from tests.toy import enrol


def games_to_write(module: str, words: Sequence[str] | None = None) -> Collection[str]:
    """Return the game that `python -m tests.contract.<module> --write GAME` names, or all games with the toy games.

    `words` are the arguments, by default those of the program. Invalid ones raise SystemExit with the usage.
    """
    enrol()
    words = sys.argv[1:] if words is None else words
    if not words or words[0] != "--write" or len(words) > 2:
        sys.exit(f"usage: python -m tests.contract.{module} --write [GAME]")
    if unknown := set(words[1:]) - edge_envs.GAMES.keys():
        sys.exit(f"unknown game {unknown.pop()!r} (choose from {', '.join(edge_envs.GAMES)})")
    return words[1:] or list(edge_envs.GAMES)
