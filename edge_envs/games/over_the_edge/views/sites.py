"""The fixed parts of the picture of a map, computed once for each map: paths, and the positions of ships and names."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from edge_envs.games.over_the_edge.map.charts import Cell, Map, Space, sketch_map
from edge_envs.games.over_the_edge.map.sets import padded
from edge_envs.games.over_the_edge.views.lattice import (
    CENTRE_X,
    CENTRE_Y,
    MIDDLE,
    RIM,
    Lattice,
    around,
    borders,
    coast,
    outline,
)
from edge_envs.pictures import letters
from edge_envs.pictures.canvas import path_data

NAME_SIZE, NAME_HEIGHT, NAME_ROOM = 9.0, 12.5, 84.0
ID_SIZE, LEAST_ID_SIZE = 6.8, 4.6
LEAST_SHIP, LARGEST_SHIP, _IN_ROWS = 15.0, 25.0, 19.0
MOST_NAMES, MOST_IDS = 100, 200
"""Maps with more ports, or more spaces, are drawn without names. Their ports are plain discs."""
_ASIDE = 4.5  # ships are this far from the middle towards the pole, to leave room for the id
_PLAIN, _BROWN = range(2)  # kinds of lines between cells


class Site(NamedTuple):
    """The position of the ships of a space: a point, and the size of the space across and along the polar direction."""

    x: float
    y: float
    turn: float
    across: float
    along: float

    @property
    def ship(self) -> float:
        """The size of a single ship."""
        return self.spread(1)[0]

    def spread(self, count: int) -> tuple[float, list[tuple[float, float]]]:
        """Return the size of `count` ships and their positions in rows and columns that fit the space."""
        columns = max(range(1, count + 1), key=lambda columns: (self._fit(count, columns), -columns))
        rows = -(-count // columns)
        size = min(LARGEST_SHIP, max(LEAST_SHIP, self._fit(count, columns)))
        across, along = (
            min(size, (room - size * 0.8) / (number - 1)) if number > 1 else 0.0
            for room, number in ((self.across, columns), (self.along, rows))
        )
        least = size * 0.95
        places = []
        for k in range(count):
            row, column = divmod(k, columns)
            wide = min(columns, count - row * columns)
            u = (column - (wide - 1) / 2) * max(across, least)
            v = (row - (rows - 1) / 2) * max(along, least)
            places.append(self._beside(u, v))
        return size, places

    def rows(self, count: int, side: int) -> tuple[float, list[tuple[float, float]]]:
        """Return the same for a port with its name below (1) or above (-1): rows of three that leave the name free."""
        size = min(_IN_ROWS, self.ship)
        places = []
        for k in range(count):
            row, column = divmod(k, 3)
            wide = min(3, count - 3 * row)
            places.append((self.x + (column - (wide - 1) / 2) * size, self.y - side * row * size))
        return size, places

    def _fit(self, count: int, columns: int) -> float:
        return 0.86 * min(self.across / columns, self.along / -(-count // columns))

    def _beside(self, u: float, v: float) -> tuple[float, float]:
        """Return the point `u` further clockwise and `v` closer to the pole."""
        sine, cosine = math.sin(self.turn), math.cos(self.turn)
        return self.x + u * cosine - v * sine, self.y + u * sine + v * cosine


class Name(NamedTuple):
    """A text in the middle of a box, and the side with room for more: 1 is below, -1 above."""

    text: str
    x: float
    y: float
    width: float
    side: int


class World(NamedTuple):
    """The picture of a map without ships. Sites and areas with their keys are indexed by space."""

    lattice: Lattice
    coast: str
    lines: str
    walls: str
    hills: str
    harbours: str
    anchors: str
    anchor_discs: str
    anchor_size: float
    sites: tuple[Site, ...]
    areas: tuple[tuple[str, str], ...]
    names: tuple[Name, ...]
    """The names of the ports, in order; empty if there are too many."""
    ids: tuple[tuple[str, float, float, float], ...]
    """The ids of spaces with position and size."""


_NO_SITE = Site(0.0, 0.0, 0.0, 0.0, 0.0)  # of a number without a space


def world(chart: Map) -> World:
    """Return the picture of a map, even of one that cannot be played."""
    return _world(chart.text, chart.is_padded)


@functools.lru_cache(maxsize=8)
def _world(text: str, is_padded: bool) -> World:
    chart, _ = sketch_map(json.loads(text))
    chart = padded(chart) if is_padded else chart
    lattice = Lattice(chart.rings, chart.sectors)
    owners = {cell: number for number, space in enumerate(chart.spaces) for cell in space.cells}
    cells = [(ring, sector) for ring in range(chart.rings) for sector in range(chart.sectors)]
    land = [cell for cell in cells if cell not in owners]

    def kind(one: Cell, other: Cell) -> int | None:
        first, second = owners.get(one), owners.get(other)
        if first is None or second is None or first == second:
            return None
        return _PLAIN if second in chart.neighbours[first] else _BROWN

    sites = tuple(_site(lattice, space) if space.cells else _NO_SITE for space in chart.spaces)
    ports, named = [sites[port] for port in chart.ports], len(chart.ports) <= MOST_NAMES
    size = min([9.5, *(0.36 * min(site.across, site.along) for site in ports)])
    inset = min(1.5, 0.1 * lattice.depth, 0.1 * lattice.width(0))
    areas = tuple(
        (
            f"space-{space.id}",
            outline(lattice, space.cells, inset if len(space.cells) < 40 else 0.0) if space.cells else "",
        )
        for space in chart.spaces
    )
    return World(
        lattice=lattice,
        coast=coast(lattice, land),
        lines=borders(lattice, kind, _PLAIN),
        walls=borders(lattice, kind, _BROWN),
        hills=_hills(lattice, land),
        harbours=" ".join(areas[port][1] for port in chart.ports) if named else "",
        anchors=" ".join(_anchor(site.x, site.y, size) for site in ports) if named else "",
        anchor_discs=" ".join(_disc(site.x, site.y, size) for site in ports),
        anchor_size=size,
        sites=sites,
        areas=areas,
        names=tuple(_names(chart, sites, size)) if named else (),
        ids=tuple(_ids(lattice, chart, sites)) if len(chart.spaces) <= MOST_IDS else (),
    )


def _site(lattice: Lattice, space: Space) -> Site:
    """Return the middle of the cell, or of the block of cells, that is nearest to the middle of the space."""
    own = set(space.cells)
    ring = sum(ring for ring, _ in own) / len(own)
    middle = lattice.middle(ring, float(space.angle))
    found: list[tuple[float, float, float, int, int]] = []
    for cell in sorted(own):
        for wide, deep in ((1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3)):
            block = {(cell[0] + k, (cell[1] + m) % lattice.sectors) for k in range(deep) for m in range(wide)}
            if block <= own:
                at = cell[0] + (deep - 1) / 2, cell[1] + (wide - 1) / 2
                found.append((round(math.dist(lattice.middle(*at), middle), 3), *at, -wide, -deep))
    _, ring, sector, wide, deep = min(found, key=lambda one: (one[0], one[3] * one[4]))
    x, y = lattice.middle(ring - _aside(lattice) / lattice.depth, sector)
    return Site(x, y, lattice.turn(sector), -wide * lattice.width(ring), -deep * lattice.depth)


def _aside(lattice: Lattice) -> float:
    """Return the distance of ships from the middle of their space towards the pole."""
    return min(_ASIDE, 0.12 * lattice.depth)


def _hills(lattice: Lattice, land: Sequence[Cell]) -> str:
    """Return the path of marks on land, so that land does not differ only by its colour."""
    marks: list[str | float] = []
    size = min(1.0, lattice.depth / 34, lattice.width(0) / 20)
    every = max(1, len(land) // 300)
    for ring, sector in land[::every]:
        x, y = lattice.middle(ring, sector)
        shift = (7 * ring + 5 * sector) % 3 - 1
        x, y = x + 3 * shift * size, y + 2 * size
        marks += ["M", x - 9 * size, y + 3 * size, "L", x - 4 * size, y - 5 * size, "L", x, y + 2 * size]
        marks += ["M", x - 1.5 * size, y, "L", x + 3 * size, y - 3 * size, "L", x + 7 * size, y + 3 * size]
    for turn in range(0, 360, 45):
        x, y = around(MIDDLE * 0.74, math.radians(turn + 22.5))
        marks += ["M", x - 5, y + 2, "L", x - 1.5, y - 4, "L", x + 1, y, "L", x + 2.5, y - 2, "L", x + 5, y + 2]
    return path_data(marks)


def _anchor(x: float, y: float, size: float) -> str:
    """Return the path of an anchor around a point, half as high as `size` says, with its ring."""
    u = size / 10
    stem: list[str | float] = ["M", x, y - 2.6 * u, "L", x, y + 6 * u]
    stock: list[str | float] = ["M", x - 3.2 * u, y - 0.8 * u, "L", x + 3.2 * u, y - 0.8 * u]
    left: list[str | float] = ["M", x - 5.2 * u, y + 1.6 * u, "Q", x - 4 * u, y + 6 * u, x, y + 6 * u]
    right: list[str | float] = ["Q", x + 4 * u, y + 6 * u, x + 5.2 * u, y + 1.6 * u]
    return path_data([*stem, *stock, *left, *right]) + _disc(x, y - 4.4 * u, 1.8 * u)


def _disc(x: float, y: float, radius: float) -> str:
    arc: list[str | float] = ["A", radius, radius, 0, 1, 1]
    return path_data(["M", x - radius, y, *arc, x + radius, y, *arc, x - radius, y, "Z"])


# Texts


def _ids(lattice: Lattice, chart: Map, sites: Sequence[Site]) -> Iterator[tuple[str, float, float, float]]:
    """Yield the ids of spaces near their outer edges, where there is room."""
    for space, site in zip(chart.spaces, sites, strict=True):
        if not space.cells:
            continue
        room = 0.8 * min(site.across, 2.4 * site.along)
        size = ID_SIZE * min(1.0, room / letters.length(space.id, ID_SIZE))
        if size >= LEAST_ID_SIZE and min(site.across, site.along) >= 2 * size:
            half = letters.length(space.id, size) / 2
            away = abs(math.cos(site.turn)) * 0.5 * size + abs(math.sin(site.turn)) * half + 3.4
            out = site.along / 2 + _aside(lattice) - away
            yield space.id, site.x + out * math.sin(site.turn), site.y - out * math.cos(site.turn) + 0.36 * size, size


def _names(chart: Map, sites: Sequence[Site], anchor: float) -> Iterator[Name]:
    """Yield the names of ports beside their anchors, each in the position where it covers least."""
    discs = [(site.x, site.y, site.ship * 0.5) for site in sites]
    taken: list[Name] = []
    for port, text in zip(chart.ports, chart.port_names, strict=True):
        width = min(NAME_ROOM, letters.length(text, NAME_SIZE, bold=True)) + 7
        own = sites[port]
        near = [disc for disc in discs if math.dist(disc[:2], (own.x, own.y)) < width + 60]
        chosen = min(_boxes(own, text, width, anchor), key=lambda name: _hidden(name, own, near, taken))
        taken.append(chosen)
        yield chosen


def _boxes(site: Site, text: str, width: float, anchor: float) -> Iterator[Name]:
    """Yield the possible positions of a name below and above its anchor."""
    away = max(anchor, site.ship * 0.6) + NAME_HEIGHT / 2 + 0.5
    for far in (0.0, 5.0, 10.0):
        for side in (1, -1):
            for shift in (0.0, 0.25, -0.25, 0.5, -0.5):
                yield Name(text, site.x + shift * width, site.y + side * (away + far), width, side)


def _hidden(name: Name, own: Site, discs: Sequence[tuple[float, float, float]], taken: Sequence[Name]) -> float:
    """Return a penalty for what a name covers and for its distance from the port."""
    hidden = 0.1 * math.dist((name.x, name.y), (own.x, own.y))
    for x, y, radius in discs:
        hidden += _overlap(name.x - x, name.width / 2 + radius) * _overlap(name.y - y, NAME_HEIGHT / 2 + radius)
    for other in taken:
        wide = _overlap(name.x - other.x, (name.width + other.width) / 2)
        hidden += 20 * wide * _overlap(name.y - other.y, NAME_HEIGHT + 4)
    corner = math.hypot(abs(name.x - CENTRE_X) + name.width / 2, abs(name.y - CENTRE_Y) + NAME_HEIGHT / 2)
    inner = _overlap(name.x - CENTRE_X, name.width / 2 + 26) * _overlap(name.y - CENTRE_Y, NAME_HEIGHT / 2 + 18)
    return hidden + 20 * max(0.0, corner - RIM - 8) + 20 * inner


def _overlap(distance: float, reach: float) -> float:
    return max(0.0, reach - abs(distance))
