"""The drawn picture of a position of `ghost_ship`, and the clicks of each action."""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.actions import (
    CENTRE_NAMES,
    DECLARE,
    END,
    FIRST_CENTRE,
    FIRST_CHIT,
    FIRST_GHOST_WAY,
    FIRST_NUMBER,
    FIRST_STACK,
    GO,
    NUM_ACTIONS,
    NUMBERS,
    SAVE_MINUS,
    SAVE_PLUS,
    TAKE_CHIT,
    TAKE_GOLD,
)
from edge_envs.games.ghost_ship.draw import headline
from edge_envs.games.ghost_ship.map.geometry import AROUND, INSIDE, NUM_COLUMNS, NUM_SPOTS, RIM, RIM_SIZE, is_land
from edge_envs.games.ghost_ship.map.names import EDGE_NAMES, PLACE_NAMES, SQUARE_NAMES, TILE_NAMES
from edge_envs.games.ghost_ship.map.seas import SEA_COLUMNS, SEA_ROWS
from edge_envs.games.ghost_ship.pieces.tiles import HILL, NO_SYMBOL, TILE_IDS
from edge_envs.games.ghost_ship.rules import legal_action_mask
from edge_envs.games.ghost_ship.state import (
    CHITS,
    COMPLETE,
    DECLARE_PHASE,
    DECLARED,
    FILL,
    GHOST,
    GHOST_BACK,
    GOLD,
    NUMBER,
    PLACE,
    SIX,
    STACK,
    SYMBOL,
    TILE,
    TRAVEL_PHASE,
    VACANT,
)
from edge_envs.games.ghost_ship.views import emblems, spots
from edge_envs.games.ghost_ship.views.panel import LEFT as PANEL_LEFT
from edge_envs.games.ghost_ship.views.panel import WIDTH as PANEL_WIDTH
from edge_envs.games.ghost_ship.views.panel import panel
from edge_envs.games.ghost_ship.views.rows import ROW, rows
from edge_envs.games.ghost_ship.views.shores import strip, wet_corners
from edge_envs.pictures.canvas import Canvas
from edge_envs.pictures.colours import FAINT, INK, LAND, MARK, SEA, SHALLOWS, SHORE, WHITE, colour
from edge_envs.pictures.tokens import pawn, ship

WIDTH = PANEL_LEFT + PANEL_WIDTH + 14
_BELOW = spots.BOARD_HEIGHT + 2 * spots.MARGIN
_HEADLINE_Y, _CAPTION_Y, _HEADS_Y, _BOTTOM = _BELOW + 16, _BELOW + 33, _BELOW + 54, 16
_TABLE = colour("#efe8d8", "#262b30")  # where no tile lies
_LAGOON = colour("#e4f1f8", "#3d6e84")  # a circle
_GRASS = colour("#a98f52", "#6b5a34")
_PLACE, _RIM_PLACE, _EDGE_PLACE = 8.6, 11.0, 8.5  # radii
_PAWN, _SHIP = 21.0, 23.0
_ASIDE: spots.Point = (9.0, 4.0)
"""The offset between pieces at the same place."""

_LABELS = {
    **{name.replace(" ", "-"): name for name in DECLARED},
    **{f"steal-{player}": f"steal the boat of player {player}" for player in range(4)},
    **{"save-plus": "save +1", "save-minus": "save −1"},
    **{"take-chit": "take the chit", "take-gold": "take the gold", "end": "end the turn"},
    **{f"number-{number}": f"result {number}" for number in NUMBERS},
}


def size(params: Mapping[str, Any]) -> tuple[float, float]:
    """Return the width and height of the picture in units."""
    return WIDTH, _HEADS_Y + ROW * params["num_players"] + _BOTTOM


def ways(record: Record) -> dict[int, tuple[str, ...]]:
    """Return the keys to click, in order, for each legal action."""
    mask = np.zeros(NUM_ACTIONS, np.int8)
    legal_action_mask(record, mask)
    return {action: _way(record, action) for action in mask.nonzero()[0].tolist()}


def task(record: Record) -> str:
    """Return the task of the player to act, and where to click."""
    if record.phase == TRAVEL_PHASE:
        return _travel_task(ways(record).values())
    return {
        PLACE: "lay the tile: click a square, then a rotation.",
        STACK: "take tiles: click a stack.",
        FILL: "lay a tile of your hand: click a square, then a tile in its rotation.",
        GHOST: "place the ghost in the middle: click a square.",
        DECLARE_PHASE: "declare what you do in this turn, before the spin: click it.",
        GHOST_BACK: "put the ghost back in the middle: click a square.",
        NUMBER: "choose the result of your spin: click it.",
    }[int(record.phase)]


def _travel_task(open_ways: Collection[tuple[str, ...]]) -> str:
    """Return the possible acts of a travel, from the first keys of its actions."""
    told = (
        ("place-", "move: click a place"),
        ("take-", "take the treasure here"),
        ("edge-", "move a chit: click its tile, then an edge"),
        ("sq-", "move the ghost: click a square"),
        ("save-", "save points"),
        ("end", "end the turn"),
    )
    starts = {way[-1] for way in open_ways}
    return "; ".join(text for start, text in told if any(key.startswith(start) for key in starts)) + "."


def caption(params: Mapping[str, Any]) -> tuple[float, float, float]:
    """Return the position of a line of text: x, the baseline y, and the width."""
    return 16, _CAPTION_Y, WIDTH - 32


def label(key: str) -> str | None:
    """Return the text of the button for a key without a place in the picture, else None."""
    return _LABELS.get(key)


def _way(record: Record, action: int) -> tuple[str, ...]:
    if action >= FIRST_CHIT:
        square, edge = divmod(action - FIRST_CHIT, 4)
        return _square_key(square), f"edge-{SQUARE_NAMES[square]}-{EDGE_NAMES[edge]}"
    if action >= FIRST_GHOST_WAY:
        return (_square_key(int(AROUND[record.sea, record.ghost, action - FIRST_GHOST_WAY])),)
    if GO <= action < TAKE_CHIT:
        return (f"place-{PLACE_NAMES[action - GO]}",)
    return _FIXED_WAYS.get(action) or _tile_way(action)


def _tile_way(action: int) -> tuple[str, ...]:
    square, tile = divmod(action, TILE_IDS)
    return _square_key(square), f"tile-{TILE_NAMES[tile]}"


def _square_key(square: int) -> str:
    return f"sq-{SQUARE_NAMES[square]}"


_FIXED_WAYS: dict[int, tuple[str, ...]] = {
    **{FIRST_STACK + k: (f"stack-{k + 1}",) for k in range(4)},
    **{FIRST_CENTRE + k: (f"sq-{name}",) for k, name in enumerate(CENTRE_NAMES)},
    **{DECLARE + k: (name.replace(" ", "-"),) for k, name in enumerate(DECLARED)},
    **{SAVE_PLUS: ("save-plus",), SAVE_MINUS: ("save-minus",)},
    **{TAKE_CHIT: ("take-chit",), TAKE_GOLD: ("take-gold",), END: ("end",)},
    **{FIRST_NUMBER + k: (f"number-{number}",) for k, number in enumerate(NUMBERS)},
}


def paint(record: Record, canvas: Canvas, viewer: int | None = None) -> None:
    """Draw the map with everything on it, the spinner or the tiles in hand, a legend, and the players."""
    squares = record.squares.tolist()
    masks = tuple(row[TILE] for row in squares)
    wet = wet_corners(masks)
    sea = int(record.sea)
    _map(canvas, masks, wet, sea)
    _rim(canvas, sea)
    canvas.rise()
    if record.phase == COMPLETE:
        x, y = spots.corner_of(masks.index(VACANT))
        canvas.rect(x + 3, y + 3, spots.TILE - 6, spots.TILE - 6, radius=4, stroke=MARK, stroke_width=2, dash="5 4")
    for square in np.flatnonzero(INSIDE[sea]).tolist():
        _top(canvas, square, squares[square])
    _pieces(record, canvas, masks, squares)
    _targets(canvas, masks, wet, sea)
    panel(record, canvas)
    canvas.text(16, _HEADLINE_Y, headline(record), size=14.5, bold=True, room=WIDTH - 32)
    rows(record, canvas, viewer, _HEADS_Y, WIDTH)


# The map


def _map(canvas: Canvas, masks: tuple[int, ...], wet: tuple[int, ...], sea: int) -> None:
    """Draw sea and land, with the routes over water edges and the circles, row by row."""
    columns = SEA_COLUMNS[sea]
    starts = [row * NUM_COLUMNS + columns.start for row in SEA_ROWS[sea]]
    strips = [strip(start, masks[start : start + len(columns)], wet[start : start + len(columns)]) for start in starts]
    frame = spots.frame(sea)
    for drawn in strips:
        _layer(canvas, drawn.sea, fill=SEA)
    for drawn in strips:
        _layer(canvas, drawn.coast, stroke=SHALLOWS, stroke_width=10)
    for drawn in strips:
        _layer(canvas, drawn.vacant, fill=_TABLE)
    for drawn in strips:
        _layer(canvas, drawn.land, fill=LAND, stroke=LAND, stroke_width=0.6)
        _layer(canvas, drawn.texture, stroke=_GRASS, stroke_width=1)
    _layer(canvas, _grid(sea), stroke=FAINT, stroke_width=0.8, opacity=0.35)
    for drawn in strips:
        _layer(canvas, drawn.coast, stroke=SHORE, stroke_width=1.9)
        _layer(canvas, drawn.routes, stroke=WHITE, stroke_width=1.3, dash="3 3", opacity=0.7)
        _layer(canvas, drawn.circles, fill=_LAGOON, stroke=_LAGOON, stroke_width=1, opacity=0.8)
    canvas.rect(frame.left, frame.top, frame.width, frame.height, stroke=FAINT, stroke_width=1.4)


def _layer(canvas: Canvas, data: str, **options: Any) -> None:
    if data:
        canvas.path(data, **options)


@functools.cache
def _grid(sea: int) -> str:
    left, top, width, height = spots.frame(sea)
    lines = [f"M {left} {top + spots.TILE * row} h {width}" for row in range(1, len(SEA_ROWS[sea]))]
    lines += [f"M {left + spots.TILE * column} {top} v {height}" for column in range(1, len(SEA_COLUMNS[sea]))]
    return " ".join(lines)


def _rim(canvas: Canvas, sea: int) -> None:
    """Draw the ring of board-edge circles, and the names of rows and columns."""
    away, frame = spots.RIM_AWAY, spots.frame(sea)
    canvas.rect(
        frame.left - away, frame.top - away, frame.width + 2 * away, frame.height + 2 * away,
        radius=22, stroke=SEA, stroke_width=3,
    )  # fmt: skip
    for circle in range(int(RIM_SIZE[sea])):
        x, y = spots.rim_point(circle, sea)
        canvas.circle(x, y, 10.5, fill=SHALLOWS, stroke=FAINT, stroke_width=0.9)
        canvas.text(x, y + 2.8, str(circle), size=8, fill=FAINT, anchor="middle")
    for row in SEA_ROWS[sea]:
        y = spots.middle_of(row * NUM_COLUMNS)[1]
        canvas.text(8, y + 4.5, "ABCDEFG"[row], size=12, fill=INK, anchor="middle", bold=True)
    for column in SEA_COLUMNS[sea]:
        canvas.text(spots.middle_of(column)[0], 13, str(column + 1), size=12, fill=INK, anchor="middle", bold=True)


def _top(canvas: Canvas, square: int, row: Sequence[int]) -> None:
    """Draw the symbol or the hill of a tile, and the chits on it."""
    x, y = spots.middle_of(square)
    if row[TILE] == HILL:
        emblems.hill(canvas, x, y, bool(row[SIX]), bool(row[GOLD]))
    elif row[TILE] != VACANT and row[SYMBOL] != NO_SYMBOL:
        emblems.symbol(canvas, x, y, row[SYMBOL])
    if row[CHITS]:
        right, down = spots.chit_offset(row[TILE])
        emblems.chit(canvas, x + right, y + down, count=row[CHITS])


# Pieces


def _pieces(record: Record, canvas: Canvas, masks: Sequence[int], squares: Sequence[Sequence[int]]) -> None:
    """Draw the boats, the ghost where it covers least, and the scouts."""
    players, sea = range(int(record.num_players)), int(record.sea)
    boats = {player: int(record.boat[player]) for player in players}
    scouts = {player: int(record.pawn[player]) for player in players if record.ashore[player]}
    boat_points = _spread(boats, lambda place: _point(masks, place, sea, is_boat=True))
    scout_points = _spread(scouts, lambda place: _point(masks, place, sea))
    for player, (x, y) in boat_points.items():
        ship(canvas, x, y, player, _SHIP, piece=f"ship-{player}")
    if record.ghost >= 0:
        square = int(record.ghost)
        taken = [*boat_points.values(), *scout_points.values()]
        if squares[square][CHITS]:
            taken.append(_moved(spots.middle_of(square), spots.chit_offset(masks[square])))
        emblems.ghost(canvas, *_free_point(square, taken), piece="ghost")
    for player, (x, y) in scout_points.items():
        pawn(canvas, x, y, player, _PAWN, piece=f"scout-{player}")


def _moved(point: spots.Point, by: spots.Point) -> spots.Point:
    return point[0] + by[0], point[1] + by[1]


def _point(masks: Sequence[int], place: int, sea: int, is_boat: bool = False) -> spots.Point:
    """Return the point of a piece at a place."""
    if place >= RIM:
        return spots.rim_point(place - RIM, sea)
    square, spot = divmod(place, NUM_SPOTS)
    offset = spots.boat_offset if is_boat else spots.offset
    return _moved(spots.middle_of(square), offset(masks[square], spot))


def _spread(places: Mapping[int, int], point_of: Any) -> dict[int, spots.Point]:
    """Return the points of pieces; several at one place are side by side."""
    points = {}
    for player, place in places.items():
        there = [other for other, others in places.items() if others == place]
        k = there.index(player) - (len(there) - 1) / 2
        points[player] = _moved(point_of(place), (_ASIDE[0] * k, _ASIDE[1] * k))
    return points


def _free_point(square: int, taken: Sequence[spots.Point]) -> spots.Point:
    """Return the point around the middle of a tile that is farthest from other things."""
    middle = spots.middle_of(square)
    around = [(20.0 * x, 19.0 * y) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, 0), (1, 0), (0, -1), (0, 1))]
    points = [_moved(middle, offset) for offset in around]
    return max(points, key=lambda point: round(min((math.dist(point, other) for other in taken), default=0.0), 3))


# Places for clicks


def _targets(canvas: Canvas, masks: tuple[int, ...], wet: tuple[int, ...], sea: int) -> None:
    """Draw the click areas: squares, edges of land for chits, and places; later ones are on top."""
    inside = np.flatnonzero(INSIDE[sea]).tolist()
    for square in inside:
        x, y = spots.corner_of(square)
        canvas.field(_square_key(square), x + 2, y + 2, spots.TILE - 4, spots.TILE - 4, radius=5)
    if VACANT in masks:
        return
    for square in inside:
        mask = masks[square]
        x, y = spots.middle_of(square)
        for edge, (right, down) in enumerate(spots.OUTWARD):
            if is_land(mask, edge):
                key = f"edge-{SQUARE_NAMES[square]}-{EDGE_NAMES[edge]}"
                canvas.place(key, x + right * spots.HALF, y + down * spots.HALF, _EDGE_PLACE)
    for place, x, y in spots.places(masks, wet, sea):
        canvas.place(f"place-{PLACE_NAMES[place]}", x, y, _RIM_PLACE if place >= RIM else _PLACE)
