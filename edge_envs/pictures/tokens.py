"""Pieces shared by the pictures of several games: pawns, ships, dice and player badges, with numbers."""

from __future__ import annotations

from edge_envs.pictures.canvas import Canvas
from edge_envs.pictures.colours import BLACK, CARD, INK, ON_PLAYERS, PLAYERS, WHITE

_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def badge(canvas: Canvas, x: float, y: float, player: int, size: float = 18.0) -> None:
    """Draw a player's number on a square of the player's colour, centred at (x, y)."""
    canvas.rect(x - size / 2, y - size / 2, size, size, radius=size / 5, fill=PLAYERS[player])
    canvas.text(x, y + size * 0.26, str(player), size=size * 0.72, fill=ON_PLAYERS[player], anchor="middle", bold=True)


def pawn(canvas: Canvas, x: float, y: float, player: int, size: float = 24.0, piece: str | None = None) -> None:
    """Draw a player's pawn with its number, `size` units high, centred at (x, y)."""
    with canvas.group(x, y, scale=size / 24, piece=piece):
        canvas.path(
            "M", -8, 12, "L", 8, 12, "C", 8, 6, 4, 3, 3.5, -1, "A", 5.6, 5.6, 0, 1, 0, -3.5, -1,
            "C", -4, 3, -8, 6, -8, 12, "Z",
            fill=PLAYERS[player], stroke=BLACK, stroke_width=1.2, round=True,
        )  # fmt: skip
        canvas.text(0, 10.4, str(player), size=9.5, fill=ON_PLAYERS[player], anchor="middle", bold=True)


def ship(canvas: Canvas, x: float, y: float, player: int, size: float = 24.0, piece: str | None = None) -> None:
    """Draw a player's ship with two white sails and its number, `size` units wide, centred at (x, y)."""
    with canvas.group(x, y, scale=size / 24, piece=piece):
        canvas.path(
            "M", -1, -11, "L", -1, 1.5, "L", -9, 1.5, "Z", fill=WHITE, stroke=BLACK, stroke_width=0.9, round=True
        )
        canvas.path("M", 1, -11, "L", 1, 1.5, "L", 8, 1.5, "Z", fill=WHITE, stroke=BLACK, stroke_width=0.9, round=True)
        canvas.path(
            "M", -11.5, 3, "L", 11.5, 3, "L", 7.5, 11.5, "L", -7.5, 11.5, "Z",
            fill=PLAYERS[player], stroke=BLACK, stroke_width=1, round=True,
        )  # fmt: skip
        canvas.text(0, 10.4, str(player), size=8.6, fill=ON_PLAYERS[player], anchor="middle", bold=True)


def die(canvas: Canvas, x: float, y: float, value: int, size: float = 30.0, piece: str | None = None) -> None:
    """Draw a die that shows `value`, centred at (x, y); blank if `value` is 0.

    A die with a name tumbles on pages when it appears. The name has to contain everything that changes with a roll.
    """
    if piece is not None:
        with canvas.group(x, y, piece=piece, motion="tumble"):
            die(canvas, 0, 0, value, size)
        return
    canvas.rect(
        x - size / 2, y - size / 2, size, size, radius=size * 0.16, fill=CARD, stroke=INK, stroke_width=size / 20
    )
    for across, down in _PIPS.get(value, ()):
        canvas.circle(x + across * size * 0.27, y + down * size * 0.27, size * 0.09, fill=INK)
