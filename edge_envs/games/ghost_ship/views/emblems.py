"""The small drawings of `ghost_ship`: symbols, chits, gold, hills and the ghost."""

from __future__ import annotations

from edge_envs.games.ghost_ship.pieces.tiles import CHEST, FRIENDLY, HOSTILE, RUINS, SKULL, STORM
from edge_envs.pictures.canvas import Canvas
from edge_envs.pictures.colours import BLACK, CARD, GOLD, INK, SHORE, STAR, WHITE, Colour, colour

DISC = 12.5
"""The radius of a symbol's disc."""
HILLSIDE = colour("#b58f4e", "#6b5930")
SNOW = colour("#f6efdf", "#d9cda9")
HIDDEN = colour("#7b2d26", "#a8483d")  # the back of a chit
FACE = colour("#f7e7b4", "#e9d79d")  # its face
ANGER = colour("#b3261e", "#ff8a75")
CLOUD = colour("#66727c", "#a9b5bf")
THATCH = colour("#a8702a", "#d59a4a")
WOOD = colour("#8b5a2b", "#b98a55")

# The shapes of each symbol within its disc: data of a path, fill, stroke, width.
_Shape = tuple[str, Colour | None, Colour | None, float]
_SHAPES: dict[int, tuple[_Shape, ...]] = {
    SKULL: (
        (
            "M -7.2 -2 A 7.2 6.6 0 1 1 7.2 -2 C 7.2 1 5.4 2.2 4.3 3 L 4.3 7.4 L -4.3 7.4 L -4.3 3 "
            "C -5.4 2.2 -7.2 1 -7.2 -2 Z",
            INK, None, 0,
        ),
        (
            "M -5 -1.6 A 2 2 0 1 1 -1 -1.6 A 2 2 0 1 1 -5 -1.6 Z M 1 -1.6 A 2 2 0 1 1 5 -1.6 A 2 2 0 1 1 1 -1.6 Z "
            "M 0 1 L 1.2 3.2 L -1.2 3.2 Z",
            CARD, None, 0,
        ),
        ("M -1.5 4.8 L -1.5 7.4 M 1.5 4.8 L 1.5 7.4", None, CARD, 0.9),
    ),
    STORM: (
        ("M -6 2 A 3.6 3.6 0 0 1 -6.2 -5 A 5 5 0 0 1 3 -7 A 4.6 4.6 0 0 1 6.6 2 Z", CLOUD, None, 0),
        ("M 1.6 -1.6 L -3.4 4.4 L -0.4 4.4 L -2.2 9.4 L 4 2.8 L 0.8 2.8 L 3.4 -1.6 Z", GOLD, INK, 0.8),
    ),
    HOSTILE: (
        ("M -6.5 7.5 L 5 -5.6 M 6.5 7.5 L -5 -5.6", None, WOOD, 1.6),
        ("M 8 -8.8 L 6.8 -3.6 L 3.2 -6.6 Z M -8 -8.8 L -6.8 -3.6 L -3.2 -6.6 Z", ANGER, None, 0),
        ("M 0 -4.4 C 4.6 -3 4.6 4.6 0 7.4 C -4.6 4.6 -4.6 -3 0 -4.4 Z", ANGER, CARD, 0.9),
    ),
    RUINS: (
        (
            "M -8.5 5.6 L 8.5 5.6 L 8.5 8 L -8.5 8 Z M -7 -5.4 L -3.6 -5.4 L -3.6 4.8 L -7 4.8 Z "
            "M -1.7 -1.6 L -0.2 -2.8 L 1.7 -0.8 L 1.7 4.8 L -1.7 4.8 Z M 3.6 -5.4 L 7 -5.4 L 7 4.8 L 3.6 4.8 Z "
            "M -8.2 -8.4 L -2.2 -8.4 L -3.4 -6.2 L -8.2 -6.2 Z M 3 -8.4 L 8.2 -8.4 L 8.2 -6.2 L 3 -6.2 Z",
            INK, None, 0,
        ),
    ),
    FRIENDLY: (
        ("M -5.6 -0.6 L 5.6 -0.6 L 5.6 7.6 L -5.6 7.6 Z", FACE, INK, 0.9),
        ("M 0 -8.6 L 9 0.2 L -9 0.2 Z", THATCH, INK, 0.9),
        ("M -1.8 7.6 L -1.8 3 A 1.8 1.8 0 0 1 1.8 3 L 1.8 7.6 Z", INK, None, 0),
    ),
    CHEST: (
        ("M -8 -1 C -8 -7.6 8 -7.6 8 -1 Z", WOOD, INK, 0.9),
        ("M -8 -0.6 L 8 -0.6 L 8 6.8 L -8 6.8 Z", WOOD, INK, 0.9),
        ("M -2 -2.2 L 2 -2.2 L 2 3 L -2 3 Z", GOLD, INK, 0.8),
    ),
}  # fmt: skip


def symbol(canvas: Canvas, x: float, y: float, which: int, size: float = 1.0) -> None:
    """Draw a symbol in its disc; a question mark if it is hidden."""
    with canvas.group(x, y, scale=size):
        canvas.circle(0, 0, DISC, fill=CARD, stroke=INK, stroke_width=1.3)
        if which not in _SHAPES:
            canvas.text(0, 6.2, "?", size=17, anchor="middle", bold=True)
        for data, fill, stroke, width in _SHAPES.get(which, ()):
            if stroke is None:
                canvas.path(data, fill=fill)
            else:
                canvas.path(data, fill=fill, stroke=stroke, stroke_width=width, round=True)


def chit(canvas: Canvas, x: float, y: float, value: int = 0, count: int = 1, radius: float = 8.5) -> None:
    """Draw a chit or a heap of chits: face down, or with its value."""
    fill, ink = (FACE, BLACK) if value else (HIDDEN, WHITE)
    if count > 1:
        canvas.circle(x - 2.5, y + 2.5, radius, fill=fill, stroke=STAR, stroke_width=1.1)
    canvas.circle(x, y, radius, fill=fill, stroke=SHORE if value else STAR, stroke_width=1.2)
    text = str(value or "?") if count == 1 else f"×{count}"
    canvas.text(x, y + radius * 0.43, text, size=radius * 1.25, fill=ink, anchor="middle", bold=True, room=radius * 1.7)


def coin(canvas: Canvas, x: float, y: float, radius: float = 7.5) -> None:
    """Draw a piece of gold."""
    canvas.circle(x, y, radius, fill=GOLD, stroke=BLACK, stroke_width=1)
    canvas.path(
        "M", x, y - radius * 0.6, "L", x + radius * 0.45, y, "L", x, y + radius * 0.6, "L", x - radius * 0.45, y, "Z",
        fill=FACE, stroke=THATCH, stroke_width=0.9,
    )  # fmt: skip


def hill(canvas: Canvas, x: float, y: float, six: bool, gold: bool, size: float = 1.0) -> None:
    """Draw mountains around a point, with a 6 if they receive gold, and the gold there."""
    with canvas.group(x, y, scale=size):
        canvas.path("M 2 9 L 10 -6 L 19 9 Z", fill=HILLSIDE, stroke=SHORE, stroke_width=1.2, round=True)
        canvas.path("M -18 9 L -5 -13 L 9 9 Z", fill=HILLSIDE, stroke=SHORE, stroke_width=1.2, round=True)
        canvas.path(
            "M -5 -13 L -1.2 -6.6 L -3.4 -7.6 L -5.2 -5 L -7.4 -7.6 L -8.9 -6.4 Z "
            "M 10 -6 L 12.6 -1.6 L 10.2 -2.8 L 7.6 -1.4 Z",
            fill=SNOW,
        )
        if gold:
            coin(canvas, 0, 14)
        if six:
            canvas.text(12 if gold else 0, 19, "6", size=10, fill=BLACK, anchor="middle", bold=True)


def ghost(canvas: Canvas, x: float, y: float, size: float = 1.0, piece: str | None = None) -> None:
    """Draw the ghost."""
    with canvas.group(x, y, scale=size, piece=piece, motion=None if piece is None else "drift"):
        canvas.path(
            "M -7.5 9.5 L -7.5 -2 C -7.5 -12.5 7.5 -12.5 7.5 -2 L 7.5 9.5 L 4.4 6.6 L 1.6 9.5 L 0 7 L -1.6 9.5 "
            "L -4.4 6.6 Z",
            fill=WHITE, stroke=BLACK, stroke_width=1.3, round=True,
        )  # fmt: skip
        canvas.path(
            "M -4.4 -2.4 A 1.6 2.1 0 1 1 -1.2 -2.4 A 1.6 2.1 0 1 1 -4.4 -2.4 Z "
            "M 1.2 -2.4 A 1.6 2.1 0 1 1 4.4 -2.4 A 1.6 2.1 0 1 1 1.2 -2.4 Z M -1.6 3 A 1.6 1.6 0 1 1 1.6 3 Z",
            fill=BLACK,
        )
