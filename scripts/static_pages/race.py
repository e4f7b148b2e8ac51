"""The game of `falling_off` that runs in the browser: the table of its exact values, and its drawings.

`assets/race.js` has the rules. Sizes for four pawns, compressed: 12.9 MB for the values of positions with one turn owed
as 64-bit numbers, 1.9 MB in units of 1/65535, 0.65 MB in units of 1/255. The page computes the values of positions with
more turns owed itself, so the table has none. With units of 1/65535, no value is off by more than 0.00001.
"""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Callable
from typing import Any

import numpy as np

import edge_envs
from edge_envs.games.falling_off.picture import World
from edge_envs.pictures.canvas import Canvas
from edge_envs.pictures.colours import CARD, INK, MARK, PLAYERS

UNITS = 65535


def table() -> bytes:
    """Return the values of all positions with one turn owed, in rows by the pawns of the player to roll."""
    from edge_envs.games.falling_off.solver import load_solution

    values = np.round(load_solution().values[:, 0] * UNITS).astype("<u2")
    low_high = values.view(np.uint8).reshape(*values.shape, 2)
    return np.ascontiguousarray(np.moveaxis(low_high, 2, 0)).tobytes()  # all low bytes first compresses better


def packed_table() -> str:
    """Return the table, compressed, as text."""
    return base64.b64encode(gzip.compress(table(), 9, mtime=0)).decode()


def drawings() -> dict[str, Any]:
    """Return the parts of a picture of two players as SVG, with the light theme.

    `board` is everything that does not move; pawns and dice are drawn around the point (0, 0).
    """
    from edge_envs.games.falling_off import picture
    from edge_envs.pictures.tokens import die, pawn

    game = edge_envs.load_game("falling_off")
    width, height = picture.size(game.params)
    record = game.new_initial_state(0)._record
    record.pawns[:] = 0
    bottom, world = picture.TOP + 2 * picture.LANE, picture.World(int(record.spaces))

    def board(canvas: Canvas) -> None:
        picture.ground(canvas, world, bottom)
        for player in range(2):
            _empty_lane(canvas, world, player)

    return {
        "width": width,
        "height": height,
        "board": _drawn(board),
        "pawns": [_drawn(pawn, 0, 0, player, picture.PAWN) for player in range(2)],
        "small": [_drawn(pawn, 0, 0, player, 20) for player in range(2)],
        "dice": [_drawn(die, 0, 0, value, 32) for value in range(7)],
        "thrown": [_drawn(die, 0, 0, value, 17) for value in range(7)],
        "arrow": _drawn(picture.reroll_arrow, 0, 0),
        "storm": _drawn(picture.storm, 0, 0, 2),
        "places": [[world.x(place), world.width(place)] for place in world.places],
        "top": picture.TOP,
        "lane": picture.LANE,
        "left": picture.LEFT,
        "edge": world.edge,
        "colours": [colour.of("light") for colour in PLAYERS[:2]],
        "card": CARD.of("light"),
        "mark": MARK.of("light"),
        "ink": INK.of("light"),
    }


def _empty_lane(canvas: Canvas, world: World, player: int) -> None:
    from edge_envs.games.falling_off import picture
    from edge_envs.pictures.tokens import badge

    y = picture.TOP + picture.LANE * player
    badge(canvas, picture.LEFT - 13, y + picture.LANE / 2, player, size=17)
    for place in world.places[1:-1]:
        left = world.x(place) - picture.SPACE / 2 + 2
        canvas.rect(left, y + 6, picture.SPACE - 4, picture.LANE - 12, radius=5, fill=picture.FIELD)


def _drawn(draw: Callable[..., None], *arguments: float) -> str:
    """Return what a function draws, without the canvas around it."""
    canvas = Canvas(0, 0)
    draw(canvas, *arguments)
    found = re.search(r"<g>(.*)</g></svg>$", str(canvas), re.DOTALL)
    assert found is not None
    return found[1]
