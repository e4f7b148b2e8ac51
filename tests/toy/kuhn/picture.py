"""The SVG picture of a position of `kuhn`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.spec import Record
from edge_envs.pictures.canvas import Canvas
from edge_envs.pictures.colours import CARD, INK
from edge_envs.pictures.tokens import badge
from tests.toy.kuhn.draw import headline, line
from tests.toy.kuhn.state import WORDS

ROW = 40


def size(params: Mapping[str, Any]) -> tuple[float, float]:
    """Return the width and height of the picture."""
    return 360, ROW * params["num_players"] + 48


def ways(record: Record) -> dict[int, tuple[str, ...]]:
    """Return the way of each action: a button with its word."""
    return {action: (word,) for action, word in enumerate(WORDS[int(record.bettor >= 0)])}


def task(record: Record) -> str:
    """Return the task: one of two words."""
    return f"click {' or '.join(WORDS[int(record.bettor >= 0)])}."


def label(key: str) -> str | None:
    """Return the label of a button, which is its word."""
    return key if any(key in words for words in WORDS) else None


def caption(params: Mapping[str, Any]) -> tuple[float, float, float]:
    """Return the place of the latest events: the last line."""
    return 5, size(params)[1] - 6, 350


def paint(record: Record, canvas: Canvas, viewer: int | None = None) -> None:
    """Draw a row for each player."""
    for player in range(int(record.num_players)):
        y = ROW * player + 5
        canvas.rect(5, y + 3, 350, ROW - 6, radius=4, fill=CARD, stroke=INK)
        badge(canvas, 22, y + ROW / 2, player)
        canvas.text(40, y + ROW / 2 + 4, line(record, player, viewer), size=12, room=310)
    canvas.text(5, ROW * int(record.num_players) + 22, headline(record), size=12, room=350)
