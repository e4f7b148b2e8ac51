"""Geometry of the reference implementation of `ghost_ship`: squares, tiles, corners, places and steps, without caches.

A tile is a string of its edges N E S W, such as `LLWW`. A place is a string: `D5.S`, `D5.C0`, `D5.K2`, `D5.H`, `B7`.
Squares are numbered row by row, places as in the rules: square x 8 + S 0, C0 1, C1 2, K0..K3 3..6, H 7; `B7` is
560 + 7.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

Square = str  # C4
Place = str  # C4.K2, or B7 outside the board
Tile = str  # LLWW

ROWS = "ABCDEFG"
COLUMNS = 10
SQUARES = [f"{row}{column}" for row in ROWS for column in range(1, COLUMNS + 1)]

SIDES = "NESW"
CORNERS = ["NE", "SE", "SW", "NW"]
WAYS = {
    "N": (-1, 0),
    "NE": (-1, 1),
    "E": (0, 1),
    "SE": (1, 1),
    "S": (1, 0),
    "SW": (1, -1),
    "W": (0, -1),
    "NW": (-1, -1),
}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}

SPOTS = ["S", "C0", "C1", "K0", "K1", "K2", "K3", "H"]


@dataclass(frozen=True)
class Sea:
    """The part of the board that is used: some rows and columns."""

    rows: str
    columns: tuple[int, ...]

    @functools.cached_property
    def squares(self) -> list[Square]:
        """The squares in reading order."""
        return [f"{row}{column}" for row in self.rows for column in self.columns]

    @functools.cached_property
    def rim(self) -> list[tuple[int, int]]:
        """The rows and columns, from 0, of the board-edge circles, clockwise from the north-west."""
        rows, columns = [ROWS.index(row) for row in self.rows], [column - 1 for column in self.columns]
        return [
            *((rows[0] - 1, column) for column in columns),
            *((row, columns[-1] + 1) for row in rows),
            *((rows[-1] + 1, column) for column in reversed(columns)),
            *((row, columns[0] - 1) for row in reversed(rows)),
        ]


FULL = Sea(ROWS, tuple(range(1, COLUMNS + 1)))
SMALL = Sea("BCDEF", (3, 4, 5, 6, 7, 8))
PLACES = [*(f"{square}.{spot}" for square in SQUARES for spot in SPOTS), *(f"B{i}" for i in range(len(FULL.rim)))]

TILES = ["".join("L" if mask >> side & 1 else "W" for side in range(4)) for mask in range(16)]  # by mask
CLASSES = ["WWWW", "LWWW", "LWLW", "LLWW", "LLLW", "LLLL"]


@functools.cache
def class_of(tile: Tile) -> str:
    """Return the class of a tile, ignoring its rotation."""
    turned = {tile[i:] + tile[:i] for i in range(4)}
    return next(name for name in CLASSES if name in turned)


def rotations(name: str) -> list[Tile]:
    """Return the tiles of a class, by mask."""
    return [tile for tile in TILES if class_of(tile) == name]


def position_of(square: Square) -> tuple[int, int]:
    """Return row and column of a square, from 0."""
    return ROWS.index(square[0]), int(square[1:]) - 1


def square_at(row: int, column: int, sea: Sea = FULL) -> Square | None:
    """Return the square at a row and column, or None outside the sea."""
    inside = row >= 0 and ROWS[row : row + 1] in list(sea.rows) and column + 1 in sea.columns
    return f"{ROWS[row]}{column + 1}" if inside else None


def moved(square: Square, way: str) -> tuple[int, int]:
    """Return row and column of the next square in a direction, on the board or not."""
    (row, column), (down, right) = position_of(square), WAYS[way]
    return row + down, column + right


def beside(square: Square, way: str, sea: Sea = FULL) -> Square | None:
    """Return the next square in a direction, or None."""
    return square_at(*moved(square, way), sea)


def circle_beside(square: Square, way: str, sea: Sea = FULL) -> Place | None:
    """Return the board-edge circle in a direction, or None."""
    where = moved(square, way)
    return f"B{sea.rim.index(where)}" if where in sea.rim else None


def tile_of(place: Place) -> Square | None:
    """Return the square of a place, or None for a board-edge circle."""
    return place.split(".")[0] if "." in place else None


def spot_of(place: Place) -> str:
    """Return `S`, `C0`, `C1`, `K0`..`K3`, `H`, or `B` for a board-edge circle."""
    return place.split(".")[1] if "." in place else "B"


def where_is(place: Place, sea: Sea = FULL) -> tuple[int, int]:
    """Return row and column; board-edge circles are outside the sea."""
    square = tile_of(place)
    return position_of(square) if square else sea.rim[int(place[1:])]


def corner_across(corner: str, side: str) -> str:
    """Return the same grid corner as a corner of the neighbour over one of its two sides."""
    return corner.replace(side, OPPOSITE[side])


def corners_of(side: str) -> list[str]:
    """Return the two ends of a side."""
    return [corner for corner in CORNERS if side in corner]


def region_of_side(tile: Tile, side: str) -> int:
    """Return the region of a land edge: all edges form one region, except on a tile with a strait."""
    return 1 if class_of(tile) == "LWLW" and side in "SW" else 0


class Chart:
    """The tiles on the board, and the geometry that follows from them."""

    def __init__(self, tiles: Mapping[Square, Tile], sea: Sea = FULL) -> None:
        """Keep the mapping without a copy, so that it grows with the board."""
        self.tiles, self.sea = tiles, sea

    # Tiles

    def is_land(self, square: Square, side: str) -> bool:
        """Return whether this edge of the tile is land."""
        return self.tiles[square][SIDES.index(side)] == "L"

    def fits(self, square: Square, tile: Tile) -> bool:
        """Return whether a tile fits a square: touching edges match, outer edges are water."""
        for side, edge in zip(SIDES, tile, strict=True):
            other = beside(square, side, self.sea)
            if other is None and edge == "L":
                return False
            if other is not None and other in self.tiles and self.is_land(other, OPPOSITE[side]) != (edge == "L"):
                return False
        return True

    def vacant(self) -> list[Square]:
        """Return the squares without a tile, in reading order."""
        return [square for square in self.sea.squares if square not in self.tiles]

    # Regions and corners

    def is_all_land(self, square: Square) -> bool:
        """Return whether the tile is a hill, which has no circle."""
        return self.tiles[square] == "LLLL"

    def is_all_sea(self, square: Square) -> bool:
        """Return whether the tile is all sea, where chits lie on rocks."""
        return self.tiles[square] == "WWWW"

    def has_strait(self, square: Square) -> bool:
        """Return whether two regions face each other over water."""
        return class_of(self.tiles[square]) == "LWLW"

    def land_sides(self, square: Square, sides: str = SIDES) -> list[str]:
        """Return the land edges among some sides."""
        return [side for side in sides if self.is_land(square, side)]

    def region(self, square: Square, side: str) -> int:
        """Return the region of a land edge."""
        return region_of_side(self.tiles[square], side)

    def sides_of_region(self, square: Square, region: int) -> list[str]:
        """Return the land edges of a region."""
        return [side for side in self.land_sides(square) if self.region(square, side) == region]

    def regions(self, square: Square) -> list[int]:
        """Return the regions of a tile."""
        return sorted({self.region(square, side) for side in self.land_sides(square)})

    def corner_region(self, square: Square, corner: str) -> int:
        """Return the region of the tile's land edges at a corner."""
        return self.region(square, self.land_sides(square, corner)[0])

    def is_wet(self, square: Square, corner: str) -> bool:
        """Return whether the grid corner lies on the rim, or any of the edges that meet there is water."""
        vertical, horizontal = corner[0], corner[1]
        above, aside = beside(square, vertical, self.sea), beside(square, horizontal, self.sea)
        if above is None or aside is None:
            return True
        meeting = [(square, vertical), (square, horizontal), (above, horizontal), (aside, vertical)]
        return any(not self.is_land(*edge) for edge in meeting)

    def ends_shore(self, square: Square, corner: str) -> bool:
        """Return whether one of the two edges of the tile at the corner is land and the other water."""
        return len(self.land_sides(square, corner)) == 1

    # Places

    def exists(self, place: Place) -> bool:
        """Return whether the tile has this place."""
        square, spot = tile_of(place), spot_of(place)
        if square is None:
            return int(place[1:]) < len(self.sea.rim)
        if square not in self.tiles:
            return False
        if spot == "H":
            return self.is_all_land(square)
        if spot == "S":
            return not self.is_all_land(square)
        if spot[0] == "C":
            return not self.is_all_land(square) and int(spot[1]) in self.regions(square)
        corner = CORNERS[int(spot[1])]
        return bool(self.land_sides(square, corner)) and self.is_wet(square, corner)

    def region_of(self, place: Place) -> int | None:
        """Return the region of a place ashore, or None at sea."""
        square, spot = tile_of(place), spot_of(place)
        if square is None or spot == "S":
            return None
        if spot[0] == "K":
            return self.corner_region(square, CORNERS[int(spot[1])])
        return 0 if spot == "H" else int(spot[1])

    def places_of_region(self, square: Square, region: int) -> list[Place]:
        """Return all places ashore that belong to a region."""
        places = [f"{square}.{spot}" for spot in SPOTS]
        return [place for place in places if self.exists(place) and self.region_of(place) == region]

    # Steps: for each kind, a dict of targets and costs

    def sail(self, place: Place) -> dict[Place, int]:
        """Return steps over a water edge, or between a circle at sea and a board-edge circle."""
        square = tile_of(place)
        if square is None:
            near_to = [(near, circle_beside(near, side, self.sea)) for near in self.sea.squares for side in SIDES]
            inner = [f"{near}.S" for near, circle in near_to if circle == place]
            return dict.fromkeys(inner, 1)
        if spot_of(place) != "S":
            return {}
        over = [side for side in SIDES if not self.is_land(square, side)]
        near = {side: beside(square, side, self.sea) for side in over}
        ends = [f"{near[side]}.S" if near[side] else circle_beside(square, side, self.sea) for side in over]
        return {end: 1 for end in ends if end}

    def rim(self, place: Place) -> dict[Place, int]:
        """Return steps from a board-edge circle to the adjacent ones."""
        if tile_of(place):
            return {}
        return {f"B{(int(place[1:]) + step) % len(self.sea.rim)}": 3 for step in (1, -1)}

    def land(self, place: Place) -> dict[Place, int]:
        """Return steps from the sea to a region of the tile."""
        square = tile_of(place)
        if square is None or spot_of(place) != "S":
            return {}
        return {f"{square}.C{region}": 2 for region in self.regions(square)}

    def put_to_sea(self, place: Place) -> dict[Place, int]:
        """Return steps to the sea from a circle ashore with the boat."""
        return {f"{tile_of(place)}.S": 2} if spot_of(place)[0] == "C" else {}

    def coast(self, place: Place) -> dict[Place, int]:
        """Return steps along the shore: over a land edge to the next tile, or between circle and corner of a tile."""
        square, spot = tile_of(place), spot_of(place)
        if square is None or spot[0] not in "CK":
            return {}
        if spot[0] == "C":
            shore = [c for c in CORNERS if self.ends_shore(square, c) and self.corner_region(square, c) == int(spot[1])]
            same = [f"{square}.K{CORNERS.index(corner)}" for corner in shore]
        else:
            shore = [CORNERS[int(spot[1])]]
            same = [f"{square}.C{self.corner_region(square, c)}" for c in shore if self.ends_shore(square, c)]
        over = [(corner, side) for corner in shore for side in self.land_sides(square, corner)]
        along = [end for corner, side in over for end in self.along(square, corner, side)]
        return {end: 2 for end in same + along if self.exists(end)}

    def along(self, square: Square, corner: str, side: str) -> list[Place]:
        """Return the targets of the coast over a land edge at a corner."""
        other, there = beside(square, side, self.sea), corner_across(corner, side)
        assert other is not None
        ends = [f"{other}.K{CORNERS.index(there)}"]
        if self.ends_shore(other, there):
            ends.append(f"{other}.C{self.corner_region(other, there)}")
        return ends

    def overland(self, place: Place) -> dict[Place, int]:
        """Return steps within a region, or over one of its land edges to the places at that edge."""
        square, region = tile_of(place), self.region_of(place)
        if square is None or region is None:
            return {}
        ends = self.places_of_region(square, region)
        for side in self.sides_of_region(square, region):
            ends += self.behind(square, side)
        return {end: 3 for end in ends if end != place and self.exists(end)}

    def behind(self, square: Square, side: str) -> list[Place]:
        """Return the places behind a land edge."""
        other = beside(square, side, self.sea)
        assert other is not None
        ends = [f"{other}.K{CORNERS.index(corner)}" for corner in corners_of(OPPOSITE[side])]
        return [*ends, f"{other}.H", f"{other}.C{self.region(other, OPPOSITE[side])}"]
