"""Sets of generated maps, of which every game draws one: `random:0-199:sectors=12` are the maps of the seeds 0 to 199.

All maps of a set share one layout of actions and observations. Spaces are numbered by their first cells: a map of R
rings and S sectors has R x S numbers, and the space whose first cell is [ring, sector] has the number ring x S +
sector. Other numbers are not used. A number thus stands for the same place on every map, so that an agent can
generalize.

The observation of a game on a set contains the map, as planes over the cells (`PLANES`). Sets of the same numbers of
rings, sectors and ports share the layout, so an agent that was trained on one can be tested on another.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from edge_envs.core.spec import Array
from edge_envs.games.over_the_edge.map.charts import AGROUND, Cell, Map, MapError, Space, load_map
from edge_envs.games.over_the_edge.map.generator import SetRecipe, is_set, read_set_name

PLANES = ("sea", "port", "clockwise", "outward", "drifts")
"""The planes of a map in observations, over the cells.

| plane | content |
|---|---|
| `sea` | 1 if the cell is sea |
| `port` | the number of the port there, counted from 1; 0 if there is none |
| `clockwise` | the border to the next cell clockwise: 2 within a space, 1 if a step leads across it, else 0 |
| `outward` | the same for the next cell outward |
| `drifts` | the number of successive drifts over the edge, 0 if land stops them before, and on land |
"""
REACH = 2
"""The value of `Map.reach` of all maps of a set, on which the layout of cells depends."""

_UNUSED = Space("", (), None, Fraction(0))


@dataclass(frozen=True)
class MapSet:
    """The maps of a set, in the order of their seeds."""

    recipe: SetRecipe
    maps: tuple[Map, ...]

    @property
    def name(self) -> str:
        """The name of the set."""
        return self.recipe.name

    @functools.cached_property
    def digest(self) -> int:
        """A 64-bit digest, by which state records identify their set."""
        return int.from_bytes(hashlib.sha256(self.name.encode()).digest()[:8], "little")

    @functools.cached_property
    def seeds(self) -> Mapping[int, int]:
        """The seeds of the maps by the digests of the maps."""
        return {chart.digest: seed for seed, chart in zip(self.recipe.seeds, self.maps, strict=True)}


@functools.lru_cache(maxsize=4)  # the parts of a game load its maps one after the other
def load_set(name: str) -> MapSet:
    """Generate the maps of a set.

    Raises:
        MapError: if the name or a map is invalid.
    """
    try:
        recipe = read_set_name(name)
    except ValueError as error:
        raise MapError(str(error)) from None
    return MapSet(recipe, tuple(padded(load_map(recipe.recipe(seed).name)) for seed in recipe.seeds))


def layout_map(value: Any) -> Map:
    """Return a map that determines the layout of actions and observations: the map, or the first one of a set."""
    return load_set(value).maps[0] if is_set(value) else load_map(value)


def padded(found: Map) -> Map:
    """Return a map whose spaces are numbered by their first cells.

    Raises:
        MapError: if the layout of cells has no room for the map.
    """
    numbers = [_number(min(space.cells), found.sectors) for space in found.spaces]

    def moved(entries: tuple[Any, ...], missing: Any) -> tuple[Any, ...]:
        own = dict(zip(numbers, entries, strict=True))
        return tuple(own.get(number, missing) for number in range(found.rings * found.sectors))

    result = dataclasses.replace(
        found,
        spaces=moved(found.spaces, _UNUSED),
        ports=tuple(numbers[port] for port in found.ports),
        neighbours=moved(tuple(tuple(numbers[other] for other in near) for near in found.neighbours), ()),
        turns=moved(found.turns, ()),
        crossings=moved(found.crossings, ()),
        drift_targets=moved(tuple(numbers[t] if t >= 0 else t for t in found.drift_targets), AGROUND),
        drift_turns=moved(found.drift_turns, Fraction(0)),
        drift_crossings=moved(found.drift_crossings, 0),
        drifts_to_void=moved(found.drifts_to_void, None),
        is_padded=True,
    )
    if result.reach != REACH:
        raise MapError(f"the map {found.name!r} winds like a spiral and cannot be in a set; leave out its seed")
    return result


def _number(cell: Cell, sectors: int) -> int:
    return cell[0] * sectors + cell[1]


def planes_of(chart: Map) -> Array:
    """Return the planes (P, R x S) of a map of a set, int8."""
    sectors = chart.sectors
    owners = {cell: number for number, space in enumerate(chart.spaces) for cell in space.cells}
    ports = {port: number + 1 for number, port in enumerate(chart.ports)}
    planes = np.zeros((len(PLANES), chart.rings * sectors), np.int8)
    for cell, owner in owners.items():
        borders = (_border(chart, owner, owners.get(near)) for near in _ahead(cell, sectors))
        drifts = chart.drifts_to_void[owner] or 0
        planes[:, _number(cell, sectors)] = 1, ports.get(owner, 0), *borders, drifts
    return planes


def _ahead(cell: Cell, sectors: int) -> Iterator[Cell]:
    """Yield the next cell clockwise and the next cell outward."""
    ring, sector = cell
    yield ring, (sector + 1) % sectors
    yield ring + 1, sector


def _border(chart: Map, owner: int, other: int | None) -> int:
    if other is None:
        return 0
    return 2 if other == owner else int(other in chart.neighbours[owner])
