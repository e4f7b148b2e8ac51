"""The geometry of the disc seen from above, and the lines between its cells as paths.

A corner (i, j) lies on the inner edge of ring i, at the beginning of sector j. Sector 0 is on top, and sectors go
clockwise.
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from edge_envs.games.over_the_edge.map.charts import Cell
from edge_envs.pictures.canvas import path_data

Corner = tuple[int, int]
Commands = list[str | float]

CENTRE_X, CENTRE_Y = 320.0, 300.0
MIDDLE, RIM = 64.0, 274.0
"""The radii of the Old World and of the whole disc."""

_CLOCKWISE, _INWARD, _BACK, _OUTWARD = range(4)  # directions of an edge; the enclosed cells are on its right
_STEPS = ((0, 1), (-1, 0), (0, -1), (1, 0))  # rings outward and sectors clockwise, by direction
_PIECE, _MOST_PIECES = 11.0, 700  # the length of the pieces of a coast, and their largest number
_BAYS, _CAPES = 2.6, 0.6  # how far a coast deviates from the edges of its cells


class Lattice(NamedTuple):
    """A disc of rings and sectors."""

    rings: int
    sectors: int

    @property
    def depth(self) -> float:
        """The distance from a ring to the next."""
        return (RIM - MIDDLE) / self.rings

    def radius(self, ring: float) -> float:
        """Return the distance of the inner edge of a ring from the pole."""
        return MIDDLE + self.depth * ring

    def width(self, ring: float) -> float:
        """Return the width of a cell in the middle of its ring."""
        return 2 * math.pi * self.radius(ring + 0.5) / self.sectors

    def turn(self, sector: float) -> float:
        """Return the angle of the middle of a sector, clockwise from the top."""
        return 2 * math.pi * sector / self.sectors

    def middle(self, ring: float, sector: float) -> tuple[float, float]:
        """Return the middle of a cell; half-integers lie on edges."""
        return around(self.radius(ring + 0.5), self.turn(sector))

    def corner(self, corner: Corner, out: float = 0.0, on: float = 0.0) -> tuple[float, float]:
        """Return a corner, moved outward by `out` and clockwise by `on` units."""
        radius = self.radius(corner[0]) + out
        return around(radius, self.turn(corner[1] - 0.5) + on / radius)


def around(radius: float, turn: float) -> tuple[float, float]:
    """Return a point by its distance from the pole and its angle, clockwise from the top."""
    return CENTRE_X + radius * math.sin(turn), CENTRE_Y - radius * math.cos(turn)


# Around cells


def outline(lattice: Lattice, cells: Collection[Cell], inset: float) -> str:
    """Return the path around cells, `inset` units within their edges."""
    path: Commands = []
    for loop in _loops(lattice, cells):
        points = []
        for (corner, way), (_, before) in zip(loop, [loop[-1], *loop[:-1]], strict=True):
            out, on = (sum(axis) for axis in zip(*{_right_of(way), _right_of(before)}, strict=True))
            points.append((*lattice.corner(corner, inset * out, inset * on), lattice.radius(corner[0]) + inset * out))
        path += ["M", *points[0][:2]]
        for (_, way), (x, y, radius) in zip(loop, [*points[1:], points[0]], strict=True):
            path += _edge(way, radius, x, y)
        path.append("Z")
    return path_data(path)


def seam(lattice: Lattice, one: Cell, other: Cell, reach: float) -> str:
    """Return the path around the edge between a cell and the next one outward or clockwise, at distance `reach`."""
    ring, sector = other
    first, turned = (ring, sector), one[0] == ring
    last = (ring + 1, sector) if turned else (ring, sector + 1)
    at, radius = lattice.corner, lattice.radius(ring)
    if turned:
        sides = at(first, reach, -reach), at(last, -reach, -reach), at(last, -reach, reach), at(first, reach, reach)
        ways = (_OUTWARD, _OUTWARD, _INWARD)
    else:
        sides = at(first, -reach, reach), at(last, -reach, -reach), at(last, reach, -reach), at(first, reach, reach)
        ways = (_CLOCKWISE, _OUTWARD, _BACK)
    path: Commands = ["M", *sides[0]]
    for way, (x, y) in zip(ways, sides[1:], strict=True):
        path += _edge(way, radius - reach if way == _CLOCKWISE else radius + reach, x, y)
    return path_data([*path, "Z"])


def coast(lattice: Lattice, land: Collection[Cell]) -> str:
    """Return the path around the land and the Old World: uneven curves, almost entirely within their cells."""
    chance = random.Random(lattice.sectors)
    old_world = [(-1, sector) for sector in range(lattice.sectors)]
    loops = [list(_pieces(lattice, loop)) for loop in _loops(lattice, {*land, *old_world})]
    lean = min(1.0, lattice.depth / 30)
    path: Commands = []
    for loop in loops:
        points = []
        for corner, out, on in loop:
            inward = lean * chance.uniform(-_CAPES, _BAYS)
            radius, turn = corner
            points.append(around(radius + inward * out, turn + inward * on / radius))
        middles = [((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in zip(points, [*points[1:], points[0]], strict=True)]
        path += ["M", *middles[-1]]
        for point, middle in zip(points, middles, strict=True):
            path += ["Q", *point, *middle]
        path.append("Z")
    return path_data(path)


def _pieces(lattice: Lattice, loop: list[tuple[Corner, int]]) -> Iterator[tuple[tuple[float, float], int, int]]:
    """Yield points along a loop, as radius and angle, and the inward direction there."""
    lengths = [lattice.depth if way in (_INWARD, _OUTWARD) else lattice.width(corner[0] - 0.5) for corner, way in loop]
    piece = max(_PIECE, sum(lengths) / _MOST_PIECES)
    for (corner, way), length in zip(loop, lengths, strict=True):
        count = max(1, round(length / piece))
        for k in range(count):
            part = (k + 0.5) / count
            out, on = _STEPS[way]
            ring, sector = corner[0] + part * out, corner[1] + part * on
            yield (lattice.radius(ring), lattice.turn(sector - 0.5)), *_right_of(way)


def _right_of(way: int) -> tuple[int, int]:
    """Return the direction to the right of an edge, in rings outward and sectors clockwise."""
    return _STEPS[(way + 1) % 4]


def _edge(way: int, radius: float, x: float, y: float) -> Commands:
    """Return the path commands of an edge to a point."""
    if way in (_INWARD, _OUTWARD):
        return ["L", x, y]
    return ["A", radius, radius, 0, 0, 1 if way == _CLOCKWISE else 0, x, y]


def _loops(lattice: Lattice, cells: Collection[Cell]) -> list[list[tuple[Corner, int]]]:
    """Return the edges around cells, clockwise, each as its first corner and its direction."""
    own, ways = set(cells), dict[Corner, list[int]]()
    for ring, sector in sorted(own):
        following = (sector + 1) % lattice.sectors
        sides = (
            ((ring + 1, sector), (ring + 1, sector), _CLOCKWISE),
            ((ring, following), (ring + 1, following), _INWARD),
            ((ring - 1, sector), (ring, following), _BACK),
            ((ring, (sector - 1) % lattice.sectors), (ring, sector), _OUTWARD),
        )
        for beside, start, way in sides:
            if beside not in own and beside[0] >= -1:
                ways.setdefault(start, []).append(way)
    loops = []
    while ways:
        loops.append(_follow(lattice, ways))
    return loops


def _follow(lattice: Lattice, ways: dict[Corner, list[int]]) -> list[tuple[Corner, int]]:
    """Remove and return one loop of edges. Where two cells touch at a corner, it turns right."""
    at = next(iter(ways))
    way, loop = ways[at][0], list[tuple[Corner, int]]()
    while not loop or (at, way) != loop[0]:
        loop.append((at, way))
        out, on = _STEPS[way]
        at = (at[0] + out, (at[1] + on) % lattice.sectors)
        way = max(ways[at], key=functools.partial(_rightness, way))
    for corner, way in loop:
        ways[corner].remove(way)
        if not ways[corner]:
            del ways[corner]
    return loop


def _rightness(before: int, way: int) -> int:
    """Return 2 for a right turn, 1 for straight on, 0 for a left turn."""
    return (way - before + 1) % 4


# Between cells


def borders(lattice: Lattice, kind: Callable[[Cell, Cell], int | None], wanted: int) -> str:
    """Return the path along all edges between two cells of kind `wanted`, with adjoining edges joined to one line."""
    path: Commands = []
    most = max(1, (lattice.sectors - 1) // 2)
    for ring in range(1, lattice.rings):
        along = [kind((ring - 1, sector), (ring, sector)) == wanted for sector in range(lattice.sectors)]
        for start, stop in _runs(along, most):
            radius = lattice.radius(ring)
            path += ["M", *lattice.corner((ring, start)), "A", radius, radius, 0, 0, 1, *lattice.corner((ring, stop))]
    for sector in range(lattice.sectors):
        before = (sector - 1) % lattice.sectors
        across = [kind((ring, before), (ring, sector)) == wanted for ring in range(lattice.rings)]
        for start, stop in _runs(across, lattice.rings):
            path += ["M", *lattice.corner((start, sector)), "L", *lattice.corner((stop, sector))]
    return path_data(path)


def _runs(wanted: list[bool], most: int) -> Iterator[tuple[int, int]]:
    """Yield each run of wanted numbers as its start and end (exclusive), at most `most` long."""
    start = None
    for number, is_wanted in enumerate([*wanted, False]):
        if start is not None and (not is_wanted or number - start == most):
            yield start, number
            start = None
        if is_wanted and start is None:
            start = number
