"""A map under construction: cells change their owner, and everything else follows.

In a `Draft` every cell always belongs to exactly one space or to land, and brown lines run between spaces that share an
edge. A space is named after its first cell, such as A0 or C14, until the user gives it a name.
"""

from __future__ import annotations

import itertools
import string
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from edge_envs.games.over_the_edge.map.charts import Cell

MOST_RINGS, MOST_SECTORS, MOST_CELLS = 12, 36, 240
LEAST_SECTORS = 4


@dataclass(eq=False)
class Region:
    """A space under construction. Without an id it is named after its first cell."""

    cells: list[Cell]
    id: str | None = None
    port: str | None = None


class Draft:
    """The content of a map document, for editing. `write` puts it back."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.name: str = document["name"]
        self.rings: int = document["rings"]
        self.sectors: int = document["sectors"]
        self.regions = [
            Region([(ring, sector) for ring, sector in space["cells"]], space["id"], space.get("port"))
            for space in document["spaces"]
        ]
        known = {region.id: region for region in self.regions}
        self._walls = [{known[one], known[other]} for one, other in document.get("barriers", [])]
        for region in self.regions:
            if region.id == _name(region.cells[0]):
                region.id = None
        self._owners = {cell: region for region in self.regions for cell in region.cells}

    def write(self, document: dict[str, Any]) -> None:
        """Write the whole map into a document."""
        names = self._names()
        document.update(
            name=self.name,
            rings=self.rings,
            sectors=self.sectors,
            spaces=[
                {
                    "id": names[region],
                    "cells": [list(cell) for cell in region.cells],
                    **({} if region.port is None else {"port": region.port}),
                }
                for region in self.regions
            ],
            land=[list(cell) for cell in self.cells() if cell not in self._owners],
            barriers=[[names[region] for region in self.regions if region in wall] for wall in self._remaining_walls()],
        )

    def cells(self) -> Iterator[Cell]:
        """Yield all cells of the disc."""
        return itertools.product(range(self.rings), range(self.sectors))

    def owner(self, cell: Cell) -> Region | None:
        """Return the space of a cell; None for land."""
        return self._owners.get(cell)

    def seams(self) -> Iterator[tuple[Cell, Cell]]:
        """Yield the pairs of cells of two spaces that share an edge, the inner or anticlockwise cell first."""
        for ring, sector in self.cells():
            for other in ((ring + 1, sector), (ring, (sector + 1) % self.sectors)):
                near = {self.owner((ring, sector)), self.owner(other)}
                if len(near) == 2 and None not in near:
                    yield (ring, sector), other

    def has_wall(self, one: Cell, other: Cell) -> bool:
        """Return whether a brown line runs between the spaces of two cells."""
        return {self.owner(one), self.owner(other)} in self._walls

    def make_sea(self, cell: Cell) -> None:
        """Make a cell a separate space."""
        owner = self.owner(cell)
        if owner is not None and len(owner.cells) == 1:
            raise ValueError("this cell is already a separate space")
        self.make_land(cell)
        following = (number for number, region in enumerate(self.regions) if region.cells[0] > cell)
        region = self._owners[cell] = Region([cell])
        self.regions.insert(next(following, len(self.regions)), region)

    def make_land(self, cell: Cell) -> None:
        """Remove a cell from its space. A space without cells is deleted."""
        region = self._owners.pop(cell, None)
        if region is not None:
            region.cells.remove(cell)
            if not region.cells:
                self.regions.remove(region)

    def join(self, one: Cell, other: Cell) -> None:
        """Join the spaces of two cells. The result keeps the first number, its name, and the port of either."""
        into, gone = sorted((self._owners[one], self._owners[other]), key=self.regions.index)
        if into.port is not None and gone.port is not None:
            raise ValueError(f"both {into.port} and {gone.port} are ports; remove one of the ports first")
        into.cells += gone.cells
        into.port = gone.port if into.port is None else into.port
        self._owners.update(dict.fromkeys(gone.cells, into))
        self._walls = [{into if region is gone else region for region in wall} for wall in self._walls]
        self.regions.remove(gone)

    def toggle_wall(self, one: Cell, other: Cell) -> None:
        """Add or remove a brown line between the spaces of two cells."""
        wall = {self._owners[one], self._owners[other]}
        if wall in self._walls:
            self._walls.remove(wall)
        else:
            self._walls.append(wall)

    def set_port(self, cell: Cell, port: str | None) -> None:
        """Make the space of a cell a port with this name, or with None an ordinary space."""
        region = self._space(cell)
        if port is not None and any(other.port == port for other in self.regions if other is not region):
            raise ValueError(f"another port is already named {port}")
        if port is None and region.port is None:
            raise ValueError("this space is not a port")
        region.port = port

    def set_id(self, cell: Cell, name: str) -> None:
        """Name the space of a cell."""
        region, names = self._space(cell), self._names()
        if any(letter.isspace() for letter in name):
            raise ValueError(f"{name!r} contains a blank; actions name spaces by a single word")
        if any(names[other] == name for other in self.regions if other is not region):
            raise ValueError(f"another space is already named {name}")
        region.id = name

    def resize(self, rings: int, sectors: int) -> None:
        """Add or remove cells at the rim and after the last sector. Each added cell is a space."""
        if rings * sectors > MOST_CELLS:
            raise ValueError(f"{rings} rings of {sectors} sectors are too many cells; the maximum is {MOST_CELLS}")
        before = set(self.cells())
        self.rings, self.sectors = rings, sectors
        after = set(self.cells())
        for cell in before - after:
            self.make_land(cell)
        for cell in sorted(after - before):
            self.make_sea(cell)

    def _space(self, cell: Cell) -> Region:
        region = self.owner(cell)
        if region is None:
            raise ValueError("this cell is land; make it sea first")
        return region

    def _names(self) -> dict[Region, str]:
        """Return the ids of all spaces. If another space already has the name of a cell, a letter is added."""
        names = {region: region.id for region in self.regions if region.id is not None}
        for region in self.regions:
            if region.id is None:
                name = _name(region.cells[0])
                names[region] = next(
                    name + end for end in ("", *string.ascii_lowercase) if name + end not in names.values()
                )
        return names

    def _remaining_walls(self) -> list[set[Region]]:
        """Return the brown lines between spaces that still share an edge, each once."""
        near = [{self.owner(one), self.owner(other)} for one, other in self.seams()]
        return [wall for number, wall in enumerate(self._walls) if wall in near and wall not in self._walls[:number]]


def _name(cell: Cell) -> str:
    """Return the default name of a space at a cell: a letter for the ring, then the sector."""
    ring, sector = cell
    return f"{string.ascii_uppercase[ring]}{sector}"
