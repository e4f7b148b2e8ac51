"""The SVG picture of a position of `two_boxes`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.spec import Record
from edge_envs.pictures.canvas import Canvas
from edge_envs.pictures.colours import FAINT, INK, PLAYERS
from tests.toy.two_boxes.draw import headline
from tests.toy.two_boxes.state import NAMES, NUM_LINES

SIDE, EDGE = 80, 20
WIDTH, HEIGHT = 2 * SIDE + 2 * EDGE, SIDE + 2 * EDGE
PLACES = ((0, 0, 1), (1, 0, 1), (0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 1), (1, 1, 1))
"""For each line: the column and the row where it starts, and whether it is horizontal."""


def size(params: Mapping[str, Any]) -> tuple[float, float]:
    """Return the width and height of the picture."""
    return WIDTH, HEIGHT + 44


def ways(record: Record) -> dict[int, tuple[str, ...]]:
    """Return the click for each action: the line."""
    return {line: (_key(line),) for line in range(NUM_LINES) if not record.drawn[line]}


def task(record: Record) -> str:
    """Return the task."""
    return "draw a line: click where none is."


def label(key: str) -> str | None:
    """Return None: all keys have places."""
    return None


def caption(params: Mapping[str, Any]) -> tuple[float, float, float]:
    """Return the place of the latest events: the last line."""
    return 4, HEIGHT + 36, WIDTH - 8


def paint(record: Record, canvas: Canvas, viewer: int | None = None) -> None:
    """Draw the lines, the boxes, and the player to act or the result."""
    for box, owner in enumerate(record.owner):
        if owner >= 0:
            with canvas.group(EDGE + (box + 0.5) * SIDE, EDGE + SIDE / 2 + 12, piece=f"box-{box}"):
                canvas.text(0, 0, str(owner), size=34, fill=PLAYERS[owner], anchor="middle", bold=True)
    for line, (column, row, across) in enumerate(PLACES):
        x, y = EDGE + column * SIDE, EDGE + row * SIDE
        end = (x + SIDE, y) if across else (x, y + SIDE)
        canvas.line(x, y, *end, stroke=INK if record.drawn[line] else FAINT, stroke_width=4)
        canvas.field(_key(line), x + (10 if across else -9), y + (-9 if across else 10), *_extent(across))
    canvas.text(4, HEIGHT + 20, headline(record), size=12, room=WIDTH - 8)


def _extent(across: int) -> tuple[float, float]:
    return (SIDE - 20, 18) if across else (18, SIDE - 20)


def _key(line: int) -> str:
    return f"line-{NAMES[line]}"
