"""The positions of squares and places of `ghost_ship` in the drawn picture, in its units."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

from edge_envs.games.ghost_ship.map.geometry import (
    EDGE_REGION,
    INSIDE,
    K0,
    NUM_COLUMNS,
    NUM_ROWS,
    NUM_SPOTS,
    REGION,
    RIM,
    RIM_COLUMN,
    RIM_ROW,
    RIM_SIZE,
    SPOTS,
    H,
    S,
    ends_shore,
    is_land,
)
from edge_envs.games.ghost_ship.map.seas import FULL_SEA, SEA_COLUMNS, SEA_ROWS
from edge_envs.games.ghost_ship.pieces.tiles import HILL, STRAITS

Point = tuple[float, float]
_LEVEL = 0.1  # shorter vectors have no direction

TILE, HALF = 64.0, 32.0
MARGIN = 46.0
"""The distance from the left and upper side of the picture to the board."""
BOARD_WIDTH, BOARD_HEIGHT = TILE * NUM_COLUMNS, TILE * NUM_ROWS
RIM_AWAY = 18.0
"""The distance from the board to the middle of its board-edge circles."""

OUTWARD: tuple[Point, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The direction of each edge from the middle of its tile."""
CORNERS: tuple[Point, ...] = ((1, -1), (1, 1), (-1, 1), (-1, -1))
"""The direction of each corner."""

_SEAWARD, _LANDWARD, _DIAGONALLY, _LANDWARD_IN_STRAITS = 16.5, 13.0, 9.0, 14.0
_ALONG, _INWARD = (
    19.0,
    9.0,
)  # the distances of a pawn on a shore from the corner along the land edge, and from that edge
_IN_BAY = 14.0  # the distance from both edges at a corner between two land edges
_ASHORE, _BESIDE = 5.0, 18.0  # the offsets of a boat left ashore towards the land, and sideways


def corner_of(square: int) -> Point:
    """Return the upper left corner of a square."""
    row, column = divmod(square, NUM_COLUMNS)
    return MARGIN + TILE * column, MARGIN + TILE * row


def middle_of(square: int) -> Point:
    """Return the middle of a square."""
    x, y = corner_of(square)
    return x + HALF, y + HALF


def landward(mask: int, region: int) -> Point:
    """Return the unit direction from the middle of a tile to a region's land; (0, 0) without land."""
    edges = [OUTWARD[edge] for edge in range(4) if EDGE_REGION[mask, edge] == region]
    x, y = sum(x for x, _ in edges), sum(y for _, y in edges)
    length = math.hypot(x, y)
    return (x / length, y / length) if length else (0.0, 0.0)


def _seaward(mask: int) -> Point:
    """Return the direction from the middle of a tile to open water; of two such, the one with room for a chit."""
    if mask in STRAITS or mask == 0:
        return (-1.0, 0.0) if is_land(mask, 0) else (0.0, 1.0)
    x, y = landward(mask, 0)
    if abs(x) > _LEVEL and abs(y) > _LEVEL:
        return math.copysign(0.1, -x), math.copysign(1.0, -y)
    return -x, -y


@functools.cache
def offset(mask: int, spot: int) -> Point:
    """Return the offset of a spot from the middle of its tile."""
    if spot == H:
        return 0.0, 0.0
    if spot == S:
        x, y = _seaward(mask)
        return _SEAWARD * x, _SEAWARD * y
    if spot < K0:
        x, y = landward(mask, REGION[mask, spot])
        far = _LANDWARD_IN_STRAITS if mask in STRAITS else _DIAGONALLY if abs(x * y) > _LEVEL else _LANDWARD
        return far * x, far * y
    corner = spot - K0
    across, down = CORNERS[corner]
    if not ends_shore(mask, corner):
        return across * (HALF - _IN_BAY), down * (HALF - _IN_BAY)
    land = corner if is_land(mask, corner) else (corner + 1) % 4
    along, inward = HALF - _ALONG, HALF - _INWARD
    return (across * along, down * inward) if land % 2 == 0 else (across * inward, down * along)


@functools.cache
def boat_offset(mask: int, spot: int) -> Point:
    """Return the offset of a boat at a spot; ashore where it covers neither its scout nor the symbol."""
    if spot == S:
        return offset(mask, spot)
    x, y = landward(mask, REGION[mask, spot])
    if sum(is_land(mask, edge) for edge in range(4)) == 3:
        return -_SEAWARD * x, -_SEAWARD * y
    if abs(y) < _LEVEL:
        return _ASHORE * x, _BESIDE
    return (_BESIDE if x < -_LEVEL else -_BESIDE), _ASHORE * y


class Frame(NamedTuple):
    """The rectangle of a sea in the picture."""

    left: float
    top: float
    width: float
    height: float


def frame(sea: int) -> Frame:
    """Return the rectangle of a sea."""
    rows, columns = SEA_ROWS[sea], SEA_COLUMNS[sea]
    return Frame(MARGIN + TILE * columns.start, MARGIN + TILE * rows.start, TILE * len(columns), TILE * len(rows))


def _beside(cell: int, cells: range) -> float:
    """Return a coordinate of a board-edge circle in a row or column, outside or among those of the sea."""
    if cell < cells.start:
        return MARGIN + TILE * cells.start - RIM_AWAY
    return MARGIN + (TILE * cells.stop + RIM_AWAY if cell == cells.stop else TILE * cell + HALF)


def rim_point(circle: int, sea: int = FULL_SEA) -> Point:
    """Return the middle of a board-edge circle."""
    x = _beside(int(RIM_COLUMN[sea, circle]), SEA_COLUMNS[sea])
    y = _beside(int(RIM_ROW[sea, circle]), SEA_ROWS[sea])
    return x, y


@functools.cache
def chit_offset(mask: int) -> Point:
    """Return the offset of chits on a tile from its middle: in a corner of water, else where no pawn stands."""
    for corner, (x, y) in enumerate(CORNERS):
        if not is_land(mask, corner) and not is_land(mask, (corner + 1) % 4):
            return 20.0 * x, 19.5 * y
    water = [OUTWARD[edge] for edge in range(4) if not is_land(mask, edge)]
    x, y = water[0] if water else (-1.0, 0.0)
    return (23 * x, 23 * y) if mask in STRAITS or mask == HILL else (-23.5 * x, -23.5 * y)


@functools.lru_cache(maxsize=64)
def places(masks: tuple[int, ...], wet: tuple[int, ...], sea: int = FULL_SEA) -> tuple[tuple[int, float, float], ...]:
    """Return all places of a finished map with their points."""
    found = [(RIM + circle, *rim_point(circle, sea)) for circle in range(int(RIM_SIZE[sea]))]
    for square, mask in enumerate(masks):
        if not INSIDE[sea, square]:
            continue
        x, y = middle_of(square)
        for spot in range(NUM_SPOTS):
            if int(SPOTS[mask, wet[square]]) >> 2 * spot & 1:
                right, down = offset(mask, spot)
                found.append((square * NUM_SPOTS + spot, x + right, y + down))
    return tuple(found)
