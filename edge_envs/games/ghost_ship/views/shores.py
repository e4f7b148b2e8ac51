"""The coasts of `ghost_ship` as SVG paths, computed for each tile from its land edges and wet corners.

A shore leaves a land edge at a right angle, `BAY` from a wet corner, so that the coasts of adjacent tiles meet without
knowing each other. It runs through the tile's middle, where the circle is. A strait has a shore on each side. A wet
corner between two land edges is a bay, a quarter of a circle.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

from edge_envs.games.ghost_ship.map.geometry import EDGE_REGION, NEXT, is_land
from edge_envs.games.ghost_ship.map.seas import FULL_SEA
from edge_envs.games.ghost_ship.pieces.tiles import HILL, STRAITS
from edge_envs.games.ghost_ship.state import VACANT
from edge_envs.games.ghost_ship.views.spots import CORNERS, HALF, OUTWARD, TILE, Point, corner_of, middle_of
from edge_envs.pictures.canvas import path_data

BAY = 11.0
_HANDLE, _STRAIT_HANDLE = 0.30 * TILE, 0.24 * TILE
_STRAIT_SHIFT = 0.19 * TILE
CIRCLE = 11.0
"""The radius of circles without a symbol."""

Path = list[str | float]


class Strip(NamedTuple):
    """The drawing of some tiles, each part as the data of one path, which may be empty."""

    sea: str
    vacant: str
    land: str
    coast: str
    texture: str
    routes: str
    circles: str


def wet_corners(masks: Sequence[int]) -> tuple[int, ...]:
    """Return the wet corners of each square as bits. A corner is wet unless all land around it is known."""
    return tuple(
        sum(1 << corner for corner in range(4) if not _is_dry(masks, square, corner)) for square in range(len(masks))
    )


def _is_dry(masks: Sequence[int], square: int, corner: int) -> bool:
    """Return whether all edges at a corner are known to be land."""
    one, other = corner, (corner + 1) % 4
    if masks[square] == VACANT or not (is_land(masks[square], one) and is_land(masks[square], other)):
        return False
    near = ((masks[NEXT[FULL_SEA, square, one]], other), (masks[NEXT[FULL_SEA, square, other]], one))
    return all(mask != VACANT and is_land(mask, edge) for mask, edge in near)


@functools.lru_cache(maxsize=1024)
def strip(first: int, masks: tuple[int, ...], wet: tuple[int, ...]) -> Strip:
    """Return the drawing of adjacent tiles of a row; `first` is the square of the first one."""
    parts = [_tile(first + column, *both) for column, both in enumerate(zip(masks, wet, strict=True))]
    return Strip(*(" ".join(filter(None, layer)) for layer in zip(*parts, strict=True)))


@functools.cache
def _tile(square: int, mask: int, wet: int) -> Strip:
    x, y = middle_of(square)
    left, top = corner_of(square)
    whole = path_data(("M", left, top, "h", TILE, "v", TILE, "h", -TILE, "Z"))
    if mask == VACANT:
        return Strip("", whole, "", "", "", "", "")
    land, coast = tile_paths(mask, wet, x, y)
    routes: Path = []
    for edge, (right, down) in enumerate(OUTWARD):
        if not is_land(mask, edge):
            routes += ["M", x + right * CIRCLE, y + down * CIRCLE, "L", x + right * HALF, y + down * HALF]
    circle = () if mask == HILL else round_path(x, y, CIRCLE)
    return Strip(whole, "", land, coast, path_data(_tufts(square, mask)), path_data(routes), path_data(circle))


def round_path(x: float, y: float, radius: float) -> tuple[str | float, ...]:
    """Return a circle as path commands."""
    half = ("A", radius, radius, 0, 1, 1)
    return ("M", x - radius, y, *half, x + radius, y, *half, x - radius, y, "Z")


def tile_paths(mask: int, wet: int, x: float, y: float) -> tuple[str, str]:
    """Return the land of a tile around a point, and its coasts without the tile's border."""
    land: Path = []
    coast: Path = []
    for region in range(2):
        edges = [edge for edge in range(4) if EDGE_REGION[mask, edge] == region]
        if edges:
            _region(mask, wet, edges, land, coast)
    return path_data(_moved(land, x, y)), path_data(_moved(coast, x, y))


def _moved(path: Path, x: float, y: float) -> Path:
    """Return the path with its points moved. In arcs the point follows five numbers."""
    moved: Path = []
    for command in _commands(path):
        letter, numbers = command[0], command[1:]
        skipped = 5 if letter == "A" else 0
        moved += [letter, *numbers[:skipped]]
        moved += [number + (y if i % 2 else x) for i, number in enumerate(numbers[skipped:])]  # type: ignore[operator]  # the rest are numbers
    return moved


def _commands(path: Path) -> list[Path]:
    commands: list[Path] = []
    for part in path:
        if isinstance(part, str):
            commands.append([])
        commands[-1].append(part)
    return commands


def _on_edge(edge: int, corner: int, away: float) -> Point:
    """Return the point of an edge that is `away` from a corner at its end."""
    x, y = CORNERS[corner]
    return (x * (HALF - away), y * HALF) if edge % 2 == 0 else (x * HALF, y * (HALF - away))


def _region(mask: int, wet: int, edges: Sequence[int], land: Path, coast: Path) -> None:
    """Add a region with these edges to the land and to the coasts of a tile."""
    is_ring = mask == HILL
    first = 0 if is_ring else next(edge for edge in edges if (edge + 3) % 4 not in edges)
    run = [(first + i) % 4 for i in range(len(edges))]
    start = _on_edge(first, (first + 3) % 4, BAY if not is_ring or wet >> 3 & 1 else 0.0)
    land += ["M", *start]
    for edge in run if is_ring else run[:-1]:
        if wet >> edge & 1:
            bay: Path = ["A", BAY, BAY, 0, 0, 0, *_on_edge((edge + 1) % 4, edge, BAY)]
            land += ["L", *_on_edge(edge, edge, BAY), *bay]
            coast += ["M", *_on_edge(edge, edge, BAY), *bay]
        else:
            land += ["L", *_on_edge(edge, edge, 0.0)]
    if not is_ring:
        end = _on_edge(run[-1], run[-1], BAY)
        shore = _shore(mask, first, run[-1], start, end)
        land += ["L", *end, *shore]
        coast += ["M", *end, *shore]
    land += ["Z"]


def _shore(mask: int, first: int, last: int, start: Point, end: Point) -> Path:
    """Return the curve from the end of a region's land edges through the tile's middle back to their start."""
    handle, middle = _HANDLE, (0.0, 0.0)
    if mask in STRAITS:
        handle, middle = _STRAIT_HANDLE, (OUTWARD[first][0] * _STRAIT_SHIFT, OUTWARD[first][1] * _STRAIT_SHIFT)
    length = math.hypot(start[0] - end[0], start[1] - end[1])
    along = ((start[0] - end[0]) / length * handle, (start[1] - end[1]) / length * handle)
    inward_end = (end[0] - OUTWARD[last][0] * handle, end[1] - OUTWARD[last][1] * handle)
    inward_start = (start[0] - OUTWARD[first][0] * handle, start[1] - OUTWARD[first][1] * handle)
    before = (middle[0] - along[0], middle[1] - along[1])
    behind = (middle[0] + along[0], middle[1] + along[1])
    return ["C", *inward_end, *before, *middle, "C", *behind, *inward_start, *start]


def _tufts(square: int, mask: int) -> Path:
    """Return blades of grass on land near its edges, so that land does not differ from water only by its colour."""
    x, y = middle_of(square)
    path: Path = []
    for edge, (right, down) in enumerate(OUTWARD):
        if is_land(mask, edge):
            aside = (square * 7 + edge * 5) % 11 - 5
            at_x, at_y = x + right * 25.5 + down * aside, y + down * 25.5 + right * aside
            path += ["M", at_x - 2.6, at_y - 2, "l", 1.6, 3.6, "m", 1.2, 0, "l", 0, -4.6, "m", 1.2, 4.6, "l", 1.6, -3.6]
    return path
