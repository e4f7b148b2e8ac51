"""The short rules of `tic_tac_toe`, for text agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMES = ("square", "row", "rows", "draw")


def text(params: Mapping[str, Any]) -> str:
    """Return the rules with these parameters."""
    return f"""\
In turn, two players take an empty square of three rows of three, named a1, b1, c1, a2, ... in reading order. The \
first player with three in a row, across, down or along a diagonal, wins. After {params["max_turns"]} turns without \
a winner, the game is a draw.
"""
