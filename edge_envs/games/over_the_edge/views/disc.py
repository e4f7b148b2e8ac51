"""Draw the disc: the earth in the void with its ports and ships, and the ships that have fallen."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

from edge_envs.core.spec import Record
from edge_envs.games.over_the_edge.map.atlas import map_of
from edge_envs.games.over_the_edge.map.charts import Map
from edge_envs.games.over_the_edge.state import OVER, has_fallen
from edge_envs.games.over_the_edge.views.lattice import CENTRE_X, CENTRE_Y, MIDDLE, RIM, around
from edge_envs.games.over_the_edge.views.sites import NAME_HEIGHT, NAME_SIZE, Name, World, world
from edge_envs.pictures.canvas import Canvas, path_data
from edge_envs.pictures.colours import (
    CARD,
    INK,
    LAND,
    PLAYERS,
    SHALLOWS,
    SHORE,
    STAR,
    VOID,
    WHITE,
    colour,
)
from edge_envs.pictures.tokens import badge, ship

MARGIN = 8
BOTTOM = 2 * CENTRE_Y - MARGIN
"""The lower end of the void."""
DEEP = colour("#4f92b8", "#142b38")
LINE = colour("#fafdff", "#86a5b3")
WALL, STONE = colour("#5a2d0c", "#c98d5a"), colour("#e0b98c", "#4a2608")
HARBOUR = colour("#fff3cf", "#6a6148")
ANCHOR = colour("#8c1d18", "#ffb3a8")
ID = colour("#1f4357", "#a9c3cf")
FOAM = colour("#cfe6f1", "#5d8ba0")
_MOST_SHADES, _LIGHTEST = 8, 0.86  # the number of shades of the sea, and the contrast of the middle
_HOME = 9.5  # the size of the player numbers at home ports
_FALLEN = ((34, 566, -35), (68, 572, 160), (32, 528, 100), (606, 566, 35), (572, 572, -160), (608, 528, -100))
"""The positions and rotations of fallen ships."""


def _stars(seed: int, count: int, size: float) -> str:
    """Return the path of four-pointed stars in the void."""
    chance, path = random.Random(seed), list[str | float]()
    while count:
        x, y = chance.uniform(MARGIN + 6, 2 * CENTRE_X - MARGIN - 6), chance.uniform(MARGIN + 6, BOTTOM - 6)
        if math.dist((x, y), (CENTRE_X, CENTRE_Y)) > RIM + 12:
            s, t = size * chance.uniform(0.6, 1.3), size * 0.28
            path += ["M", x, y - s, "L", x + t, y - t, "L", x + s, y, "L", x + t, y + t]
            path += ["L", x, y + s, "L", x - t, y + t, "L", x - s, y, "L", x - t, y - t, "Z"]
            count -= 1
    return path_data(path)


def _falls(seed: int, number: int, reach: float) -> str:
    """Return the path of the water that pours over the rim."""
    chance, path = random.Random(seed), list[str | float]()
    for k in range(number):
        turn = 2 * math.pi * (k + chance.uniform(-0.3, 0.3)) / number
        path += ["M", *around(RIM, turn), "L", *around(RIM + reach * chance.uniform(0.3, 1), turn)]
    return path_data(path)


_SMALL_STARS, _LARGE_STARS = _stars(3, 60, 1.5), _stars(8, 14, 3.2)
_FALLS = _falls(2, 150, 11.0)


def paint_disc(record: Record, canvas: Canvas, mover: int) -> None:
    """Draw the disc in the void; `mover` is the player whose ship is highlighted, -1 for none."""
    chart = map_of(record)
    drawn, players = world(chart), range(int(record.num_players))
    paint_map(canvas, chart, {port: [p for p in players if int(record.home[p]) == port] for port in chart.ports})
    canvas.rise()
    ships = _places(record, drawn, dict(zip(chart.ports, drawn.names, strict=False)))
    if mover in ships and record.phase != OVER:
        x, y, size = ships[mover]
        canvas.circle(x, y, size * 0.68, fill=WHITE, stroke=PLAYERS[mover], stroke_width=2.2)
    for player, (x, y, size) in ships.items():
        ship(canvas, x, y, player, size, piece=f"ship-{player}")
    _fallen(record, canvas)
    for key, area in drawn.areas:
        if area:
            canvas.area(key, area)
    for player, (x, y, size) in ships.items():
        canvas.place(f"ship-{player}", x, y, max(8.5, size * 0.68))


def paint_map(canvas: Canvas, chart: Map, homes: Mapping[int, list[int]]) -> None:
    """Draw the earth of a map in the void; `homes` are the players by the spaces of their home ports."""
    drawn = world(chart)
    _void(canvas, chart.name)
    _earth(canvas, drawn)
    _texts(canvas, drawn)
    for name, port in zip(drawn.names, chart.ports, strict=False):
        _name(canvas, name, homes.get(port, []))


def _void(canvas: Canvas, name: str) -> None:
    canvas.rect(
        MARGIN, MARGIN, 2 * (CENTRE_X - MARGIN), BOTTOM - MARGIN, radius=14, fill=VOID, stroke=INK, stroke_width=0.8
    )
    canvas.path(_SMALL_STARS, fill=STAR, opacity=0.75)
    canvas.path(_LARGE_STARS, fill=STAR)
    canvas.text(MARGIN + 14, MARGIN + 24, name, size=13, fill=STAR, bold=True, room=96)


def _earth(canvas: Canvas, drawn: World) -> None:
    """Draw the sea, darker towards the rim, the falls, the borders of spaces, ports, walls, and the land."""
    canvas.circle(CENTRE_X, CENTRE_Y, RIM, fill=DEEP)
    shades = min(drawn.lattice.rings, _MOST_SHADES)
    for k in range(shades - 1, 0, -1):
        radius, opacity = MIDDLE + (RIM - MIDDLE) * k / shades, min(0.45, 1 - (1 - _LIGHTEST) ** (1 / (shades - 1)))
        canvas.circle(CENTRE_X, CENTRE_Y, radius, fill=SHALLOWS, opacity=opacity)
    if drawn.harbours:
        canvas.path(drawn.harbours, fill=HARBOUR, opacity=0.8)
    canvas.path(drawn.lines, stroke=LINE, stroke_width=1.1, opacity=0.85)
    canvas.path(drawn.coast, stroke=SHALLOWS, stroke_width=8, opacity=0.6, round=True)
    canvas.circle(CENTRE_X, CENTRE_Y, RIM + 4.5, stroke=VOID, stroke_width=9)
    canvas.path(_FALLS, stroke=FOAM, stroke_width=3.4, opacity=0.3)
    canvas.circle(CENTRE_X, CENTRE_Y, RIM, stroke=FOAM, stroke_width=2.2)
    canvas.path(drawn.coast, fill=LAND, stroke=SHORE, stroke_width=1.6, round=True)
    canvas.path(drawn.hills, stroke=SHORE, stroke_width=1.1, opacity=0.75, round=True)
    if drawn.walls:
        canvas.path(drawn.walls, stroke=WALL, stroke_width=5.5, round=True)
        canvas.path(drawn.walls, stroke=STONE, stroke_width=1.5, dash="3 4")
    canvas.path(drawn.anchor_discs, fill=CARD, stroke=ANCHOR, stroke_width=1.3)
    if drawn.anchors:
        canvas.path(drawn.anchors, stroke=ANCHOR, stroke_width=max(0.7, drawn.anchor_size * 0.16), round=True)


def _texts(canvas: Canvas, drawn: World) -> None:
    for text, x, y, size in drawn.ids:
        canvas.text(x, y, text, size=size, fill=ID, anchor="middle")
    for line, y in (("Old", -3), ("World", 12)):
        canvas.text(CENTRE_X, CENTRE_Y + y, line, size=14, fill=INK, anchor="middle", bold=True)


def _name(canvas: Canvas, name: Name, homes: list[int]) -> None:
    """Draw the name of a port, and the numbers of the players whose home it is."""
    canvas.rect(
        name.x - name.width / 2, name.y - NAME_HEIGHT / 2, name.width, NAME_HEIGHT,
        radius=4, fill=CARD, stroke=ANCHOR, stroke_width=0.7, opacity=0.92,
    )  # fmt: skip
    canvas.text(
        name.x, name.y + NAME_SIZE * 0.36, name.text, size=NAME_SIZE, anchor="middle", bold=True, room=name.width - 6
    )
    y = name.y + name.side * (NAME_HEIGHT + _HOME) / 2
    for k, player in enumerate(homes):
        badge(canvas, name.x + (k - (len(homes) - 1) / 2) * (_HOME + 0.8), y, player, _HOME)


def _places(record: Record, drawn: World, names: Mapping[int, Name]) -> dict[int, tuple[float, float, float]]:
    """Return the position and size of each ship on the disc."""
    spaces = record.space[: record.num_players].tolist()
    places = {}
    for space in sorted({space for space in spaces if space >= 0}):
        players = [player for player, at in enumerate(spaces) if at == space]
        site, count = drawn.sites[space], len(players)
        size, points = site.rows(count, names[space].side) if count > 1 and space in names else site.spread(count)
        places.update({player: (*point, size) for player, point in zip(players, points, strict=True)})
    return places


def _fallen(record: Record, canvas: Canvas) -> None:
    """Draw the ships over the edge, rotated in the void."""
    for player in range(int(record.num_players)):
        if has_fallen(record, player):
            x, y, turn = _FALLEN[player]
            with canvas.group(x, y, turn=turn, piece=f"ship-{player}", motion="fall"):
                ship(canvas, 0, 0, player, 22)
