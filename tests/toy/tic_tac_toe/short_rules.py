"""The rules of `tic_tac_toe` in short, for players who read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMES = ("square", "row", "rows", "draw")


def text(params: Mapping[str, Any]) -> str:
    """The rules as they are with these parameters."""
    return f"""\
Two players in turn take an empty square of three rows of three, named a1, b1, c1, a2, ... in reading order. Who first \
has three in a row, across, down or along a diagonal, has won. If nobody has after {params["max_turns"]} turns, it is \
a draw.
"""
