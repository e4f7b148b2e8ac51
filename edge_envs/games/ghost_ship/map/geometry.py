"""Places and steps of `ghost_ship`, as tables computed from the sixteen tile masks.

    edge      N 0, E 1, S 2, W 3; bit e of a tile's mask is set if edge e is land
    corner    NE 0, SE 1, SW 2, NW 3: corner v is between the edges v and v + 1
    spot      S 0, C0 1, C1 2, K0..K3 3..6, H 7: the possible spots of a tile
    place     8 x square + spot, squares row by row; RIM + i is board-edge circle i, clockwise from the north of A1,
              in the small sea from the north of B3
    wet       four bits of a tile: its wet corners; these depend on the adjacent tiles

A step goes to a spot of the same tile (`WITHIN`), or leaves over an edge (`OUT`) and enters a spot of the next tile
(`IN`). The costs of all spots are packed into one word, two bits for each; 0 means no step.
"""

from __future__ import annotations

import numpy as np

from edge_envs.games.ghost_ship.map.seas import NUM_SEAS, SEA_COLUMNS, SEA_ROWS
from edge_envs.games.ghost_ship.pieces.tiles import HILL, STRAITS

NUM_ROWS, NUM_COLUMNS = 7, 10
NUM_SQUARES = NUM_ROWS * NUM_COLUMNS
NUM_SPOTS = 8
S, C0, C1, K0, K1, K2, K3, H = range(NUM_SPOTS)
RIM = NUM_SQUARES * NUM_SPOTS
NUM_RIM = 2 * (NUM_ROWS + NUM_COLUMNS)
NUM_PLACES = RIM + NUM_RIM

CENTRE = np.array([34, 35])
"""D5 and D6, where the ghost begins."""

SAIL_COST, RIM_COST, LAND_COST, COAST_COST, OVERLAND_COST = 1, 3, 2, 2, 3

# Values of `OUT`: the kinds of ways over an edge.
BY_SEA, OVERLAND, ALONG_FIRST, ALONG_SECOND = 1, 2, 4, 8

# The compass, clockwise from N. Even directions are edges.
COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
NUM_WAYS = len(COMPASS)
DOWN = np.array([-1, -1, 0, 1, 1, 1, 0, -1])
RIGHT = np.array([0, 1, 1, 1, 0, -1, -1, -1])


def is_land(mask: int, edge: int) -> bool:
    """Return whether an edge of a tile is land."""
    return bool(mask >> edge & 1)


def region_of_edge(mask: int, edge: int) -> int:
    """Return the region of an edge, -1 for water."""
    if not is_land(mask, edge):
        return -1
    return edge // 2 if mask in STRAITS else 0


def region_of_corner(mask: int, corner: int) -> int:
    """Return the region of the land at a corner, -1 if both edges there are water."""
    return max(region_of_edge(mask, corner), region_of_edge(mask, (corner + 1) % 4))


def ends_shore(mask: int, corner: int) -> bool:
    """Return whether the shore of a region ends at a corner: one of the two edges there is land, the other water."""
    return is_land(mask, corner) != is_land(mask, (corner + 1) % 4)


def region_of_spot(mask: int, spot: int) -> int:
    """Return the region of a spot on land, -1 at sea or if the tile lacks this region."""
    if spot == H:
        return 0 if mask == HILL else -1
    if spot in (C0, C1):
        there = any(region_of_edge(mask, edge) == spot - C0 for edge in range(4))
        return spot - C0 if there and mask != HILL else -1
    return -1 if spot == S else region_of_corner(mask, spot - K0)


def exists(mask: int, spot: int) -> bool:
    """Return whether a tile has a spot if all its corners are wet."""
    return mask != HILL if spot == S else region_of_spot(mask, spot) >= 0


def ends_of(edge: int) -> tuple[int, int]:
    """Return the corners at the ends of an edge, clockwise."""
    return (edge + 3) % 4, edge


def _within(mask: int, spot: int, other: int) -> int:
    """Return the cost of a step on the same tile, 0 if there is none. Only a player whose boat is there puts to sea."""
    if spot == other or not (exists(mask, spot) and exists(mask, other)):
        return 0
    if S in (spot, other):
        return LAND_COST if {spot, other} <= {S, C0, C1} else 0
    if region_of_spot(mask, spot) != region_of_spot(mask, other):
        return 0
    corner, circle = sorted((spot, other), reverse=True)
    along = circle in (C0, C1) and K0 <= corner <= K3 and ends_shore(mask, corner - K0)
    return COAST_COST if along else OVERLAND_COST


def _out(mask: int, spot: int, edge: int) -> int:
    """Return the possible ways to leave over an edge from a spot."""
    if not is_land(mask, edge):
        return BY_SEA if spot == S else 0
    region = region_of_spot(mask, spot)
    if region < 0 or region != region_of_edge(mask, edge):
        return 0
    ways = OVERLAND
    for corner, along in zip(ends_of(edge), (ALONG_FIRST, ALONG_SECOND), strict=True):
        from_circle = spot in (C0, C1) and ends_shore(mask, corner)
        if from_circle or spot == K0 + corner:
            ways |= along
    return ways


def _in(mask: int, edge: int, ways: int, spot: int) -> int:
    """Return the cost of entering a spot over an edge, 0 if these ways do not lead there."""
    if not exists(mask, spot):
        return 0
    if ways & BY_SEA:
        return SAIL_COST if spot == S and not is_land(mask, edge) else 0
    if spot == S or not is_land(mask, edge):
        return 0
    region = region_of_edge(mask, edge)
    second, first = ends_of(edge)  # in reverse order from the other side
    for corner, along in ((first, ALONG_FIRST), (second, ALONG_SECOND)):
        to_circle = spot in (C0, C1) and region_of_spot(mask, spot) == region and ends_shore(mask, corner)
        if ways & along and (spot == K0 + corner or to_circle):
            return COAST_COST
    if not ways & OVERLAND or region_of_spot(mask, spot) != region:
        return 0
    on_edge = spot in (C0, C1, H) or spot - K0 in (first, second)
    return OVERLAND_COST if on_edge else 0


def _by_wet(costs: list[list[int]]) -> np.ndarray:
    """Pack costs (.., spots) for each of the sixteen sets of wet corners. A dry corner has no spot."""
    words = np.zeros((len(costs), 16), np.uint16)
    for spot in range(NUM_SPOTS):
        wet = np.array([not K0 <= spot <= K3 or bits >> (spot - K0) & 1 for bits in range(16)], np.uint16)
        words |= (np.array(costs, np.uint16)[:, spot, None] * wet) << np.uint16(2 * spot)
    return words


_SPOTS, _MASKS, _EDGES = range(NUM_SPOTS), range(16), range(4)

# SPOTS[mask, wet]: the spots of a tile, two bits for each, 1 where it has it.
SPOTS = _by_wet([[int(exists(m, s)) for s in _SPOTS] for m in _MASKS])
# REGION[mask, spot] and EDGE_REGION[mask, edge]: the region, -1 for none.
REGION = np.array([[region_of_spot(m, s) for s in _SPOTS] for m in _MASKS], np.int8)
EDGE_REGION = np.array([[region_of_edge(m, e) for e in _EDGES] for m in _MASKS], np.int8)
# WITHIN[mask, spot, wet]: costs of steps to the other spots of the tile.
WITHIN = _by_wet([[_within(m, s, o) for o in _SPOTS] for m in _MASKS for s in _SPOTS]).reshape(16, NUM_SPOTS, 16)
# OUT[mask, spot, edge]: the ways over an edge, as bits.
OUT = np.array([[[_out(m, s, e) for e in _EDGES] for s in _SPOTS] for m in _MASKS], np.uint8)
# IN[mask, edge, ways, wet]: costs of coming to the spots of a tile over one of its edges.
IN = _by_wet([[_in(m, e, w, s) for s in _SPOTS] for m in _MASKS for e in _EDGES for w in _MASKS]).reshape(16, 4, 16, 16)

# INSIDE[sea, square]: whether a square is part of a sea. The small sea is the middle of the full one.
INSIDE = np.zeros((NUM_SEAS, NUM_SQUARES), np.bool_)
# AROUND[sea, square, direction]: the square there; or -1 - i for board-edge circle i; or OUTSIDE, where there is none.
OUTSIDE = -1 - NUM_RIM
AROUND = np.full((NUM_SEAS, NUM_SQUARES, NUM_WAYS), OUTSIDE, np.int16)
# RIM_SIZE[sea]: the number of board-edge circles. RIM_SQUARE[sea, i]: the square inside circle i.
RIM_SIZE = np.array([2 * (len(rows) + len(columns)) for rows, columns in zip(SEA_ROWS, SEA_COLUMNS, strict=True)])
RIM_SQUARE = np.zeros((NUM_SEAS, NUM_RIM), np.int16)
# RIM_ROW, RIM_COLUMN[sea, i]: the row and column of the circle.
RIM_ROW, RIM_COLUMN = (np.zeros((NUM_SEAS, NUM_RIM), np.int16) for _ in range(2))


def _set_sea(sea: int, rows: range, columns: range) -> None:
    """Fill the tables of a sea."""
    ring = [
        *((rows.start - 1, column) for column in columns),
        *((row, columns.stop) for row in rows),
        *((rows.stop, column) for column in reversed(columns)),
        *((row, columns.start - 1) for row in reversed(rows)),
    ]
    RIM_ROW[sea, : len(ring)], RIM_COLUMN[sea, : len(ring)] = zip(*ring, strict=True)
    for row, column in np.ndindex(NUM_ROWS, NUM_COLUMNS):
        if row not in rows or column not in columns:
            continue
        square = row * NUM_COLUMNS + column
        INSIDE[sea, square] = True
        for way in range(NUM_WAYS):
            cell = (row + int(DOWN[way]), column + int(RIGHT[way]))
            if cell[0] in rows and cell[1] in columns:
                AROUND[sea, square, way] = cell[0] * NUM_COLUMNS + cell[1]
            elif cell in ring:
                AROUND[sea, square, way] = -1 - ring.index(cell)
                if way % 2 == 0:
                    RIM_SQUARE[sea, ring.index(cell)] = square


for _sea, _extent in enumerate(zip(SEA_ROWS, SEA_COLUMNS, strict=True)):
    _set_sea(_sea, *_extent)
# NEXT[sea, square, edge]: the same beyond an edge.
NEXT = np.ascontiguousarray(AROUND[:, :, ::2])
