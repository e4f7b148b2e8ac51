"""The map of `ghost_ship` as text: seven columns and three lines for each tile, surrounded by board-edge circles.

A tile has nine parts: its middle, its four edges and its four corners. Land edges are drawn as land, and so are hills.
A corner is land if it is not wet. Blanks are water, so a boat at sea is drawn on a blank edge, a boat and a scout
ashore in the circle on a land edge of their region, and a scout at a corner in that corner.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.map.geometry import (
    EDGE_REGION,
    INSIDE,
    K0,
    NEXT,
    NUM_COLUMNS,
    NUM_RIM,
    NUM_SPOTS,
    REGION,
    RIM,
    H,
    S,
    is_land,
)
from edge_envs.games.ghost_ship.map.names import SQUARE_NAMES
from edge_envs.games.ghost_ship.map.seas import FULL_SEA, SEA_COLUMNS, SEA_ROWS
from edge_envs.games.ghost_ship.pieces.tiles import HILL, NO_SYMBOL
from edge_envs.games.ghost_ship.state import CHITS, GOLD, SIX, SYMBOL, TILE, VACANT

LAND, UNKNOWN = "▒", "·"
CIRCLE, HILL_TOP, SIX_TOP, GOLD_TOP, CHIT, GHOST = "o^6$*@"
SYMBOL_LETTERS = "kshrfc?"
SCOUTS, BOATS = "0123", "⓪①②③"
MORE = "+"
"""The mark for things that do not fit."""
LEGEND = (
    f"{LAND} land   {UNKNOWN} vacant   {CIRCLE} circle   {HILL_TOP} hill, {SIX_TOP} takes gold, {GOLD_TOP} gold   "
    f"{CHIT} chit   {GHOST} ghost   {SCOUTS[0]} scout, {BOATS[0]} boat of player 0",
    "k skull   s storm   h hostile   r ruins   f friendly   c chest   ? not seen",
)

MARGIN, RIM_WIDTH = 2, 4
WIDTHS = (2, 3, 2)
TILE_WIDTH, TILE_HEIGHT = sum(WIDTHS), len(WIDTHS)

# The parts of a tile by row and column: the edges N E S W, and the corners K0 to K3.
_MIDDLE = (1, 1)
_EDGES = ((0, 1), (1, 2), (2, 1), (1, 0))
_CORNERS = ((0, 2), (2, 2), (2, 0), (0, 0))
_ROOMY_FIRST = (0, 2, 1, 3)
"""The edges, ordered by room, most room first."""


def sketch(record: Record) -> list[str]:
    """Return the lines of the map."""
    canvas, rows = _Canvas(int(record.sea)), record.squares.tolist()
    masks, ghost = [row[TILE] for row in rows], int(record.ghost)
    for square in np.flatnonzero(INSIDE[record.sea]).tolist():
        row = rows[square]
        _draw_tile(canvas, square, masks)
        _draw_top(canvas, square, row, square == ghost)
    for place, marks in _pawns(record).items():
        if place >= RIM:
            canvas.rim[place - RIM] = marks
        else:
            square, spot = divmod(place, NUM_SPOTS)
            canvas.put(square, _part_of(masks[square], spot), marks)
    return canvas.lines()


class _Canvas:
    """The map under construction."""

    def __init__(self, sea: int) -> None:
        self.rows_shown, self.columns_shown = SEA_ROWS[sea], SEA_COLUMNS[sea]
        self.rows = [[" "] * (len(self.columns_shown) * TILE_WIDTH) for _ in range(len(self.rows_shown) * TILE_HEIGHT)]
        self.rim = [""] * NUM_RIM

    def fill(self, square: int, part: tuple[int, int], mark: str) -> None:
        """Fill a part of a tile."""
        self._write(square, part, mark * WIDTHS[part[1]])

    def put(self, square: int, part: tuple[int, int], marks: str) -> None:
        """Put marks into a part of a tile, near its middle, beside existing ones."""
        room = WIDTHS[part[1]]
        if len(marks) > room:
            marks = marks[: room - 1] + MORE
        at = (room - len(marks), (room - len(marks)) // 2, 0)[part[1]]
        self._write(square, part, marks, at)

    def _write(self, square: int, part: tuple[int, int], text: str, at: int = 0) -> None:
        row, column = divmod(square, NUM_COLUMNS)
        row, column = row - self.rows_shown.start, column - self.columns_shown.start
        left = column * TILE_WIDTH + sum(WIDTHS[: part[1]]) + at
        self.rows[row * TILE_HEIGHT + part[0]][left : left + len(text)] = text

    def lines(self) -> list[str]:
        """Return the lines of the map with names around it, and boats beside those of the board-edge circles."""
        indent = " " * (MARGIN + RIM_WIDTH)
        rows, columns = len(self.rows_shown), len(self.columns_shown)
        above = [self._circle(i) for i in range(columns)]
        below = [self._circle(i) for i in reversed(range(columns + rows, 2 * columns + rows))]
        numbers = [str(column + 1) for column in self.columns_shown]
        top, edge, bottom = (indent + "".join(f"{t:^{TILE_WIDTH}}" for t in texts) for texts in (numbers, above, below))
        middle = [self._line(y) for y in range(rows * TILE_HEIGHT)]
        return [line.rstrip() for line in (top, edge, *middle, bottom)]

    def _circle(self, circle: int) -> str:
        return f"B{circle}{' ' * (len(self.rim[circle]) < len(BOATS))}{self.rim[circle]}".strip()

    def _line(self, y: int) -> str:
        row, part = divmod(y, TILE_HEIGHT)
        rows, columns = len(self.rows_shown), len(self.columns_shown)
        circles = (2 * (rows + columns) - 1 - row, columns + row)
        left, right = (("", f"B{circle}", self.rim[circle])[part] for circle in circles)
        label = SQUARE_NAMES[(self.rows_shown.start + row) * NUM_COLUMNS][0] if part == _MIDDLE[0] else ""
        return f"{label:<{MARGIN}}{left:<{RIM_WIDTH}}{''.join(self.rows[y])} {right}"


def _draw_tile(canvas: _Canvas, square: int, masks: Sequence[int]) -> None:
    """Draw the land of a tile."""
    mask = masks[square]
    if mask == VACANT:
        for part in (_MIDDLE, *_EDGES, *_CORNERS):
            canvas.fill(square, part, UNKNOWN)
        return
    land = [_MIDDLE] * (mask == HILL)
    land += [part for edge, part in enumerate(_EDGES) if is_land(mask, edge)]
    land += [part for corner, part in enumerate(_CORNERS) if _is_dry(masks, square, corner)]
    for part in land:
        canvas.fill(square, part, LAND)


def _is_dry(masks: Sequence[int], square: int, corner: int) -> bool:
    """Return whether all edges at a corner are known to be land."""
    one, other = corner, (corner + 1) % 4
    if not (is_land(masks[square], one) and is_land(masks[square], other)):
        return False
    near = [(masks[NEXT[FULL_SEA, square, one]], other), (masks[NEXT[FULL_SEA, square, other]], one)]
    return all(mask != VACANT and is_land(mask, edge) for mask, edge in near)


def _draw_top(canvas: _Canvas, square: int, row: Sequence[int], haunted: bool) -> None:
    """Draw the middle of a tile: its symbol, the circle or the hilltop, with a chit and the ghost beside it."""
    if row[TILE] == VACANT:
        return
    around, top = " ", CIRCLE
    if row[TILE] == HILL:
        around, top = LAND, GOLD_TOP if row[GOLD] else SIX_TOP if row[SIX] else HILL_TOP
    elif row[SYMBOL] != NO_SYMBOL:
        top = SYMBOL_LETTERS[row[SYMBOL]]
    canvas.put(square, _MIDDLE, (GHOST if haunted else around) + top + (CHIT if row[CHITS] else around))


def _pawns(record: Record) -> dict[int, str]:
    """Return the marks of scouts and boats by place."""
    marks: dict[int, str] = {}
    for places, names, there in ((record.pawn, SCOUTS, record.ashore), (record.boat, BOATS, [1] * len(BOATS))):
        for player in range(int(record.num_players)):
            if there[player]:
                place = int(places[player])
                marks[place] = marks.get(place, "") + names[player]
    return marks


def _part_of(mask: int, spot: int) -> tuple[int, int]:
    """Return the part of a tile in which pawns at a spot are drawn."""
    if K0 <= spot < H:
        return _CORNERS[spot - K0]
    region = -1 if spot == S else REGION[mask, spot]
    return next(_EDGES[edge] for edge in _ROOMY_FIRST if EDGE_REGION[mask, edge] == region)
