"""Look up the boards of a protocol by any form of their names."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from edge_envs.core.errors import did_you_mean
from edge_envs.games import plain_name


def find_board(name: str, boards: Collection[str]) -> str:
    """Return the plain name of a board, such as `beyond_maps_8x8`, for its name or id.

    Raises:
        ValueError: if the protocol does not have this board; the message lists its boards.
    """
    try:
        plain = plain_name(name)
    except ValueError:
        plain = name
    if plain not in boards:
        raise ValueError(f"unknown board {name!r} (choose from {', '.join(boards)}){did_you_mean(name, boards)}")
    return plain


def find_boards(names: Sequence[str] | None, boards: Collection[str]) -> list[str]:
    """Return the plain names of some boards, each once; all boards for None, no names or `all`."""
    if not names or "all" in names:
        return list(boards)
    return list(dict.fromkeys(find_board(name, boards) for name in names))
