"""The command line of what writes pinned results anew."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence

import edge_envs
from tests.toy import enrol


def games_to_write(module: str, words: Sequence[str] | None = None) -> Collection[str]:
    """The game that `python -m tests.contract.<module> --write GAME` names, or all, the toys among them.

    `words` are the arguments; by default those of the program. SystemExit says what is possible.
    """
    enrol()
    words = sys.argv[1:] if words is None else words
    if not words or words[0] != "--write" or len(words) > 2:
        sys.exit(f"usage: python -m tests.contract.{module} --write [GAME]")
    if unknown := set(words[1:]) - edge_envs.GAMES.keys():
        sys.exit(f"there is no game {unknown.pop()!r}; possible are {', '.join(edge_envs.GAMES)}")
    return words[1:] or list(edge_envs.GAMES)
