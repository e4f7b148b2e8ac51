"""The short rules of `two_boxes`, for text agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMES = ("line", "lines", "box", "boxes")


def text(params: Mapping[str, Any]) -> str:
    """Return the rules."""
    return """\
Two players in turn draw one of seven lines. Lines a, c, d and f are the sides of the left box, lines b, d, e and g \
those of the right box. Drawing the last side of boxes completes them: each takes a point from the opponent, and the \
same player draws again. The game ends when all lines are drawn.
"""
