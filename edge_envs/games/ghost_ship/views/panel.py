"""The panel beside the map of `ghost_ship`: the spinner or the tiles to be laid, and a legend."""

from __future__ import annotations

import functools
import math

from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.map.geometry import COMPASS, NUM_WAYS
from edge_envs.games.ghost_ship.map.names import TILE_NAMES
from edge_envs.games.ghost_ship.pieces.tiles import (
    HILL,
    HILLS,
    KIND_OF,
    NO_SYMBOL,
    NUM_KINDS,
    NUM_SYMBOLS,
    SIX_TILE,
    SIXES,
    SYMBOLS,
    UNSEEN,
)
from edge_envs.games.ghost_ship.state import (
    COMPLETE,
    CREATION,
    DRAW,
    FEWEST,
    FILL,
    GHOST,
    NUM_NUMBERS,
    PLACE,
    STACK,
    SYMBOL_PHASE,
)
from edge_envs.games.ghost_ship.views.emblems import chit, coin, ghost, hill, symbol
from edge_envs.games.ghost_ship.views.shores import BAY, tile_paths
from edge_envs.games.ghost_ship.views.spots import BOARD_WIDTH, HALF, MARGIN, TILE
from edge_envs.pictures.canvas import Canvas, path_data
from edge_envs.pictures.colours import BLACK, CARD, FAINT, GOLD, INK, LAND, SEA, SHALLOWS, SHORE, WHITE

LEFT, WIDTH = MARGIN * 2 + BOARD_WIDTH + 6, 152.0
MIDDLE = LEFT + WIDTH / 2
_DIAL, _BAND, _HUB = 72.0, 53.0, 19.0  # radii of the spinner
_DIAL_Y = 110.0
_PIPS_Y = _DIAL_Y + _DIAL + 34
_TRAY_Y, _TRAY_TILE, _TRAY_STEP = 99.0, 32.0, 38.5
_PER_ROW = 4
_LEGEND_Y, _LEGEND_STEP = 308.0, 28.0
_ROTATIONS: tuple[tuple[int, ...], ...] = (
    (0, SIX_TILE, HILL), (1, 2, 4, 8), (5, 10), (3, 6, 12, 9), (7, 14, 13, 11),
)  # fmt: skip
"""The rows of the tray: the ways to lay the tiles of a kind. Kinds with a single way share a row."""
_MEANINGS = (
    "leave with 5, then stop",
    "ashore leave with 4, 5",
    "leave with 2, 3",
    "leave with 2, 3, 4",
    "leave with 3, 4, 5",
    "its chit costs 3 points",
)


def panel(record: Record, canvas: Canvas) -> None:
    """Draw the panel."""
    if record.phase in CREATION and record.phase != GHOST:
        _heaps(record, canvas)
    else:
        _spinner(record, canvas)
    _legend(record, canvas)


def kind_of(tile: int) -> int:
    """Return the kind of a way to lay a tile."""
    return SIXES if tile == SIX_TILE else HILLS if tile == HILL else int(KIND_OF[tile])


# The spinner


def _turned(radius: float, degrees: float) -> tuple[float, float]:
    """Return the point of the dial at a distance from its middle, clockwise from north."""
    angle = math.radians(degrees)
    return MIDDLE + radius * math.sin(angle), _DIAL_Y - radius * math.cos(angle)


def _wedge(inner: float, outer: float, start: float, end: float) -> str:
    arcs = (("A", outer, outer, 0, 0, 1), ("A", inner, inner, 0, 0, 0))
    ends = (_turned(outer, end), _turned(inner, start))
    corners = (_turned(outer, start), _turned(inner, end))
    return path_data(("M", *corners[0], *arcs[0], *ends[0], "L", *corners[1], *arcs[1], *ends[1], "Z"))


_SECTOR = 360 / NUM_WAYS
_FIELD = _SECTOR / NUM_NUMBERS


def _field_start(number: int, way: int) -> float:
    """Return the start of a field of the dial, in degrees."""
    return way * _SECTOR - _SECTOR / 2 + (number - FEWEST) * _FIELD


@functools.cache
def _dial_lines() -> tuple[str, str, str]:
    """Draw the shaded sectors, the lines between fields, and those between sectors."""
    starts = [way * _SECTOR - _SECTOR / 2 for way in range(NUM_WAYS)]
    shaded = " ".join(_wedge(_HUB, _DIAL, start, start + _SECTOR) for start in starts[::2])
    fields = [start + _FIELD * k for start in starts for k in range(1, NUM_NUMBERS)]
    narrow, wide = (
        " ".join(path_data(("M", *_turned(inner, at), "L", *_turned(_DIAL, at))) for at in angles)
        for inner, angles in ((_BAND, fields), (_HUB, starts))
    )
    return shaded, narrow, wide


def _spinner(record: Record, canvas: Canvas) -> None:
    """Draw the dial with 32 fields, the last spin while it counts, and the result with the remaining points."""
    shaded, fields, sectors = _dial_lines()
    spun, way = int(record.spun_number), int(record.spun_way)
    canvas.circle(MIDDLE, _DIAL_Y, _DIAL, fill=CARD, stroke=INK, stroke_width=1.8)
    canvas.path(shaded, fill=SHALLOWS)
    if spun:
        start = _field_start(spun, way)
        canvas.path(_wedge(_BAND, _DIAL, start, start + _FIELD), fill=GOLD)
    canvas.path(fields, stroke=FAINT, stroke_width=0.7)
    canvas.path(sectors, stroke=INK, stroke_width=0.9)
    canvas.circle(MIDDLE, _DIAL_Y, _BAND, stroke=FAINT, stroke_width=0.8)
    for at, name in enumerate(COMPASS):
        x, y = _turned(37, at * _SECTOR)
        canvas.text(x, y + 4, name, size=11 if at % 2 == 0 else 9, anchor="middle", bold=True)
        for number in range(FEWEST, FEWEST + NUM_NUMBERS):
            x, y = _turned((_BAND + _DIAL) / 2, _field_start(number, at) + _FIELD / 2)
            marked = number == spun and at == way
            fill = BLACK if marked else INK
            canvas.text(x, y + 3.2, str(number), size=9, fill=fill, anchor="middle", bold=marked)
    if spun:
        _pointer(canvas, _field_start(spun, way) + _FIELD / 2)
    canvas.circle(MIDDLE, _DIAL_Y, _HUB - 3, fill=INK)
    if spun or record.result:
        text = str(int(record.result) or spun)
        canvas.text(MIDDLE, _DIAL_Y + 7.6, text, size=21, fill=CARD, anchor="middle", bold=True)
    if record.result:
        _points(canvas, int(record.result), int(record.points))


def _pointer(canvas: Canvas, degrees: float) -> None:
    tip, left, right = _turned(_BAND + 1, degrees), _turned(_HUB, degrees - 24), _turned(_HUB, degrees + 24)
    canvas.path("M", *left, "L", *tip, "L", *right, "Z", fill=INK)


def _points(canvas: Canvas, result: int, points: int) -> None:
    """Draw a dot for each point of the result, filled if it remains."""
    x = MIDDLE - 11 * (result - 1)
    for k in range(result):
        canvas.circle(x + 22 * k, _PIPS_Y, 7, fill=GOLD if k < points else None, stroke=INK, stroke_width=1.3)
    text = f"{points} of {result} points left"
    canvas.text(MIDDLE, _PIPS_Y + 24, text, size=11, fill=FAINT, anchor="middle")


# Tiles to be laid


def _heaps(record: Record, canvas: Canvas) -> None:
    """Draw the stacks or the heap of symbol tiles, and the hand."""
    if record.phase in (SYMBOL_PHASE, PLACE):
        count = int(record.tiles_left.sum()) - (_unseen_twice(record) if record.covered else 0)
        _head(canvas, 30, "symbol tiles to turn up")
        _pile(canvas, LEFT, 38, count)
        if record.phase == PLACE:
            _head(canvas, _TRAY_Y - 12, "to be placed, in any rotation")
            _tray(canvas, [int(kind == record.hand_class) for kind in range(NUM_KINDS)], int(record.hand_symbol))
        return
    _head(canvas, 30, "stacks of tiles")
    for k, count in enumerate(record.stacks.tolist()):
        _pile(canvas, LEFT + _TRAY_STEP * k, 38, count)
        canvas.field(f"stack-{k + 1}", LEFT + _TRAY_STEP * k, 38, _TRAY_TILE, _TRAY_TILE, radius=3)
    if record.phase in (DRAW, FILL):
        coming = f", {int(record.to_draw)} to be drawn" if record.to_draw else ""
        _head(canvas, _TRAY_Y - 12, f"the hand, {int(record.hand.sum())} tiles{coming}")
        _tray(canvas, record.hand.tolist(), NO_SYMBOL)
    elif record.phase in (STACK, COMPLETE):
        _head(canvas, _TRAY_Y - 12, f"{int(record.discards.sum())} tiles {_left_over(record)}")


def _left_over(record: Record) -> str:
    return "left over" if record.phase == COMPLETE else "discarded"


def _unseen_twice(record: Record) -> int:
    """Return the tiles that are also counted under their symbols: those to be turned up, or face down."""
    return int(record.tiles_left[:UNSEEN].sum())


def _head(canvas: Canvas, y: float, text: str) -> None:
    canvas.text(LEFT, y, text, size=11, fill=FAINT, bold=True, room=WIDTH)


def _pile(canvas: Canvas, x: float, y: float, count: int) -> None:
    """Draw tiles face down, with their number."""
    if count == 0:
        canvas.rect(x, y, _TRAY_TILE, _TRAY_TILE, radius=3, stroke=FAINT, dash="3 3")
        return
    for k in reversed(range(min(3, count))):
        fill = LAND if k else SHALLOWS
        canvas.rect(x + 2 * k, y - 2 * k, _TRAY_TILE, _TRAY_TILE, radius=3, fill=fill, stroke=INK, stroke_width=0.9)
    canvas.text(x + _TRAY_TILE / 2, y + 21, str(count), size=14, anchor="middle", bold=True)


def _tray(canvas: Canvas, hand: list[int], which: int) -> None:
    """Draw all ways to lay the tiles in hand, kind by kind, with the number of tiles of each kind."""
    y = _TRAY_Y
    for row in _ROTATIONS:
        shown = [tile for tile in row if hand[kind_of(tile)]]
        for k, tile in enumerate(shown):
            _small_tile(canvas, LEFT + _TRAY_STEP * (k % _PER_ROW), y, tile, which)
            if hand[kind_of(tile)] > 1:
                _count(canvas, LEFT + _TRAY_STEP * k + _TRAY_TILE - 2, y + 2, hand[kind_of(tile)])
        y += _TRAY_STEP if shown else 0


def _count(canvas: Canvas, x: float, y: float, count: int) -> None:
    canvas.circle(x, y, 7, fill=INK)
    canvas.text(x, y + 3.4, str(count), size=9.5, fill=CARD, anchor="middle", bold=True)


def _small_tile(canvas: Canvas, x: float, y: float, tile: int, which: int) -> None:
    mask = min(tile, HILL)
    with canvas.group(x, y, scale=_TRAY_TILE / TILE):
        canvas.rect(0, 0, TILE, TILE, fill=SEA)
        land, coast = tile_paths(mask, HILL, HALF, HALF)
        if land:
            canvas.path(land, fill=LAND)
            canvas.path(coast, stroke=SHORE, stroke_width=3)
        if mask == HILL:
            hill(canvas, HALF, HALF, tile == SIX_TILE, gold=False, size=1.3)
        elif which != NO_SYMBOL:
            symbol(canvas, HALF, HALF, which, size=1.4)
        else:
            canvas.circle(HALF, HALF, BAY, fill=WHITE, opacity=0.5)
        canvas.rect(0, 0, TILE, TILE, radius=3, stroke=INK, stroke_width=2)
    canvas.field(f"tile-{TILE_NAMES[tile]}", x, y, _TRAY_TILE, _TRAY_TILE, radius=3, renewed=True)


# The legend


def _legend(record: Record, canvas: Canvas) -> None:
    """Draw the symbols with their limits, the pieces, and the number of symbol tiles still to come."""
    for which, name in enumerate(SYMBOLS):
        y = _LEGEND_Y + _LEGEND_STEP * which
        left = int(record.tiles_left[which].sum())
        symbol(canvas, LEFT + 12, y, which, size=0.88)
        canvas.text(LEFT + 30, y - 1.5, name, size=11, bold=True)
        canvas.text(LEFT + 30, y + 9, _MEANINGS[which], size=9, fill=FAINT, room=WIDTH - 30)
        if left:
            canvas.text(
                LEFT + WIDTH,
                y - 1.5,
                f"{left} {'unseen' if record.covered else 'to come'}",
                size=9,
                fill=FAINT,
                anchor="end",
            )
    first, second, third = (_LEGEND_Y + _LEGEND_STEP * NUM_SYMBOLS + 23 * k for k in range(3))
    chit(canvas, LEFT + 12, first)
    canvas.text(LEFT + 30, first + 3.5, "chit, 1 to 4", size=9.5)
    coin(canvas, LEFT + 108, first)
    canvas.text(LEFT + 121, first + 3.5, "gold", size=9.5)
    ghost(canvas, LEFT + 12, second)
    canvas.text(LEFT + 30, second + 3.5, "the ghost takes chits", size=9.5)
    hill(canvas, LEFT + 12, third - 2, six=True, gold=False, size=0.62)
    canvas.text(LEFT + 30, third + 3.5, "a hill that receives gold", size=9.5)
