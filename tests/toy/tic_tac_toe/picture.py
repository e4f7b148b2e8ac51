"""The SVG picture of a position of `tic_tac_toe`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.spec import Record
from edge_envs.pictures.canvas import Canvas
from edge_envs.pictures.colours import FAINT, PLAYERS
from tests.toy.tic_tac_toe.actions import action_to_string
from tests.toy.tic_tac_toe.draw import headline
from tests.toy.tic_tac_toe.state import SIDE, STONES, board_rows

SQUARE = 60


def size(params: Mapping[str, Any]) -> tuple[float, float]:
    """Return the width and height of the picture."""
    return SQUARE * SIDE, SQUARE * SIDE + 44


def ways(record: Record) -> dict[int, tuple[str, ...]]:
    """The squares."""
    stones = "".join(board_rows(record))
    return {square: (_key(record, square),) for square, stone in enumerate(stones) if stone == STONES[0]}


def task(record: Record) -> str:
    """Return the task, which is always the same."""
    return "put a stone: click a free square."


def label(key: str) -> str | None:
    """Return None: all keys have places."""
    return None


def caption(params: Mapping[str, Any]) -> tuple[float, float, float]:
    """Return the place of the latest events: the last line."""
    return 4, SQUARE * SIDE + 36, SQUARE * SIDE - 8


def paint(record: Record, canvas: Canvas, viewer: int | None = None) -> None:
    """Draw the board, and the player to act or the result."""
    for square, stone in enumerate("".join(board_rows(record))):
        row, column = divmod(square, SIDE)
        x, y = column * SQUARE, row * SQUARE
        canvas.rect(x + 1, y + 1, SQUARE - 2, SQUARE - 2, stroke=FAINT)
        if stone != STONES[0]:
            player = STONES.index(stone) - 1
            with canvas.group(x + SQUARE / 2, y + SQUARE / 2 + 12, piece=f"stone-{player}"):
                canvas.text(0, 0, stone, size=34, fill=PLAYERS[player], anchor="middle", bold=True)
        canvas.field(_key(record, square), x + 1, y + 1, SQUARE - 2, SQUARE - 2)
    canvas.text(4, SQUARE * SIDE + 20, headline(record), size=12, room=SQUARE * SIDE - 8)


def _key(record: Record, square: int) -> str:
    return f"sq-{action_to_string(record, square)}"
