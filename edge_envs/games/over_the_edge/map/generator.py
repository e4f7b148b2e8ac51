"""Generated maps: `random:SEED` with options, such as `random:7:sectors=12:land=0`.

`random:FIRST-LAST` with options means a set of maps, one for each seed, see `sets`.

A name always means the same map, on every platform: the generator uses only integers and its own random numbers. It
starts from open sea with ports and adds land, spaces of several cells and brown lines, one at a time. It leaves out
whatever would separate two cells of the sea or close the way round the world, so every map can be played. Both are
checked on cells: `_is_navigable` is a search of the sea that counts the crossings from the last sector to sector 0.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Any

from edge_envs.core.errors import in_short

PREFIX = "random:"
"""The start of the names of generated maps."""
MAX_SEED = (1 << 63) - 1
MAX_SET = 1_000
"""The largest number of maps in a set."""
MAX_CELLS = 25_000
"""The largest number of cells of all maps in a set together."""
PORT_NAMES = (
    "Aden", "Bergen", "Cadiz", "Dunwich", "Elmina", "Faro", "Goa", "Hormuz", "Ithaca", "Jaffa", "Kilwa", "Luanda",
)  # fmt: skip

RANGES = {
    "rings": (1, 8),
    "sectors": (4, 64),
    "ports": (1, len(PORT_NAMES)),
    "land": (0, 60),
    "large": (0, 60),
    "barriers": (0, 40),
}
"""The valid values of each option, from and to."""

Cell = tuple[int, int]  # ring, sector, as in `charts`


@dataclass(frozen=True)
class Recipe:
    """The parameters of a generated map.

    Args:
        seed: The seed.
        rings: The number of rings.
        sectors: The number of sectors.
        ports: The number of ports.
        land: The percentage of the cells that are land, as far as the sea remains navigable.
        large: The percentage of the sea cells in spaces of two or three cells, as far as such spaces fit.
        barriers: The number of brown lines, as far as the sea remains navigable.
    """

    seed: int
    rings: int = 5
    sectors: int = 20
    ports: int = 5
    land: int = 22
    large: int = 25
    barriers: int = 5

    @property
    def name(self) -> str:
        """The name of the map, without options that have their defaults."""
        options = [
            f"{field.name}={getattr(self, field.name)}"
            for field in dataclasses.fields(self)[1:]
            if getattr(self, field.name) != field.default
        ]
        return PREFIX + ":".join([str(self.seed), *options])


@dataclass(frozen=True)
class SetRecipe:
    """The recipe of a set of generated maps, one for each seed."""

    first: Recipe
    """The recipe of the first map."""
    count: int
    """The number of maps."""

    @property
    def name(self) -> str:
        """The name of the set, without options that have their defaults."""
        seed, _, options = self.first.name.removeprefix(PREFIX).partition(":")
        last = self.first.seed + self.count - 1
        return f"{PREFIX}{seed}-{last}" + (f":{options}" if options else "")

    @property
    def seeds(self) -> range:
        """The seeds of the maps."""
        return range(self.first.seed, self.first.seed + self.count)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """The numbers of rings, sectors and ports: ids and observations mean the same in all sets that share them."""
        return self.first.rings, self.first.sectors, self.first.ports

    def recipe(self, seed: int) -> Recipe:
        """Return the recipe of the map with a seed."""
        return dataclasses.replace(self.first, seed=seed)


def is_generated(value: Any) -> bool:
    """Return whether a value of the parameter `map` is the name of a generated map or set of maps, valid or not."""
    return isinstance(value, str) and value.startswith(PREFIX)


def is_set(value: Any) -> bool:
    """Return whether a value of the parameter `map` is the name of a set of generated maps, valid or not."""
    return is_generated(value) and "-" in value.removeprefix(PREFIX).partition(":")[0]


def read_set_name(name: str) -> SetRecipe:
    """Read the name of a set of generated maps.

    Raises:
        ValueError: if the name is invalid or the set is too large. The message names the part.
    """
    seeds, colon, options = name.removeprefix(PREFIX).partition(":")
    first, _, last = seeds.partition("-")
    recipe = _read(name, first, f"{colon}{options}")
    count = _number(last, "the last seed", name, recipe.seed, MAX_SEED) - recipe.seed + 1
    most = min(MAX_SET, MAX_CELLS // (recipe.rings * recipe.sectors))
    if count > most:
        raise ValueError(
            f"map={in_short(name)}: {count} maps are too many; the maximum for {recipe.rings} rings of "
            f"{recipe.sectors} sectors is {most}"
        )
    return SetRecipe(recipe, count)


def read_name(name: str) -> Recipe:
    """Read the name of a generated map.

    Raises:
        ValueError: if the name is invalid. The message names the part.
    """
    seed, colon, options = name.removeprefix(PREFIX).partition(":")
    return _read(name, seed, f"{colon}{options}")


def _read(name: str, seed: str, rest: str) -> Recipe:
    """Read a seed and options such as `:rings=3:land=0`; `name` is for messages."""
    options = rest.split(":")[1:]
    values = {"seed": _number(seed, "the seed", name, 0, MAX_SEED)}
    for option in options:
        key, _, value = option.partition("=")
        if key not in RANGES:
            raise ValueError(
                f"map={in_short(name)}: unknown option {in_short(option)}; expected {', '.join(RANGES)}, "
                f"as in {PREFIX}7:sectors=12"
            )
        if key in values:
            raise ValueError(f"map={in_short(name)}: the option {key!r} is given twice")
        values[key] = _number(value, key, name, *RANGES[key])
    recipe = Recipe(**values)
    if 2 * recipe.ports > recipe.sectors:
        raise ValueError(
            f"map={in_short(name)}: {recipe.ports} ports are too many for {recipe.sectors} sectors; "
            f"the maximum is {recipe.sectors // 2}"
        )
    return recipe


def _number(text: str, what: str, name: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MAX_SEED)) and low <= int(text) <= high):
        raise ValueError(f"map={in_short(name)}: {what} is {in_short(text)}; expected an integer from {low} to {high}")
    return int(text)


def generate_map(name: str) -> dict[str, Any]:
    """Return the map with a name as a dict, as in a map file.

    Raises:
        ValueError: if the name is invalid.
    """
    draft = _Draft(read_name(name))
    draft.add_ports()
    draft.add_land()
    draft.join_cells()
    draft.add_barriers()
    return draft.source()


class _Numbers:
    """Random integers: the same on every platform and in every version of Python."""

    def __init__(self, seed: int) -> None:
        self._seed, self._count = seed, 0

    def below(self, n: int) -> int:
        """Return a random integer from 0 to n - 1."""
        self._count += 1
        digest = hashlib.sha256(f"{self._seed} {self._count}".encode()).digest()
        return int.from_bytes(digest[:8], "big") * n >> 64

    def take(self, some: list[Any]) -> Any:
        """Remove a random entry of a list and return it."""
        return some.pop(self.below(len(some)))


class _Draft:
    """A map in the making. Its sea is navigable at any time."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe, self._random = recipe, _Numbers(recipe.seed)
        self._cells = [(ring, sector) for ring in range(recipe.rings) for sector in range(recipe.sectors)]
        self._sea = set(self._cells)
        self._near = {cell: list(self._neighbours(cell)) for cell in self._cells}
        self._ports: list[Cell] = []
        self._owner = {cell: cell for cell in self._cells}  # the first cell of its space
        self._barriers: list[tuple[Cell, Cell]] = []

    def _neighbours(self, cell: Cell) -> Iterator[tuple[Cell, int]]:
        """Yield the cells that share an edge with a cell, and the change of the rounds on the way there."""
        (ring, sector), sectors = cell, self._recipe.sectors
        yield (ring, (sector + 1) % sectors), int(sector == sectors - 1)
        yield (ring, (sector - 1) % sectors), -int(sector == 0)
        for other in (ring - 1, ring + 1):
            if 0 <= other < self._recipe.rings:
                yield (other, sector), 0

    def add_ports(self) -> None:
        """Place the ports, spread over the sectors, none at the rim unless there is only one ring."""
        rings, sectors, ports = self._recipe.rings, self._recipe.sectors, self._recipe.ports
        turned = self._random.below(sectors)
        for k in range(ports):
            first, after = k * sectors // ports, (k + 1) * sectors // ports
            sector = (turned + first + self._random.below(max(after - first - 1, 1))) % sectors
            ring = min(self._random.below(max(rings - 1, 1)) for _ in range(2))
            self._ports.append((ring, sector))
        self._ports.sort()

    def add_land(self) -> None:
        """Add peninsulas of the Old World, continents at the rim, and islands."""
        candidates = [cell for cell in self._cells if cell not in self._ports]
        missing = self._recipe.land * len(self._cells) // 100
        while missing and candidates:
            coast = [cell for cell in candidates if any(near not in self._sea for near, _ in self._near[cell])]
            ends = [cell for cell in candidates if cell[0] in (0, self._recipe.rings - 1)]
            way = self._random.below(8)
            cell = self._random.take((coast if way > 1 else ends if way else candidates) or ends or candidates)
            candidates = [other for other in candidates if other != cell]  # what closes a way now, closes it later
            if self._is_navigable(self._sea - {cell}, set()):
                self._sea.remove(cell)
                missing -= 1

    def join_cells(self) -> None:
        """Join cells of the sea, except ports, to spaces of two or three cells."""
        free = [cell for cell in self._cells if cell in self._sea and cell not in self._ports]
        missing = self._recipe.large * len(free) // 100
        while missing > 1 and free:
            space = [self._random.take(free)]
            for _ in range(min(1 + (self._random.below(3) == 0), missing - 1)):
                ways = sorted({near for cell in space for near, _ in self._near[cell] if near in free})
                ways = [near for near in ways if 4 * len({s for _, s in (*space, near)}) <= self._recipe.sectors]
                if ways:
                    space.append(self._random.take(ways))
                    free.remove(space[-1])
            if len(space) > 1:
                missing -= len(space)
                self._owner |= dict.fromkeys(space, min(space))

    def add_barriers(self) -> None:
        """Add brown lines between spaces."""
        borders = {
            (self._owner[cell], self._owner[near])
            for cell in self._sea
            for near, _ in self._near[cell]
            if near in self._sea and self._owner[cell] < self._owner[near]
        }
        candidates = sorted(borders)
        while len(self._barriers) < self._recipe.barriers and candidates:
            line = self._random.take(candidates)
            if self._is_navigable(self._sea, {*self._barriers, line}):
                self._barriers.append(line)
        self._barriers.sort()

    def _is_navigable(self, sea: Set[Cell], barriers: Set[tuple[Cell, Cell]]) -> bool:
        """Return whether all cells of the sea are connected, and some way in it leads round the world."""
        start = self._ports[0]
        rounds, waiting, is_round = {start: 0}, [start], False
        while waiting:
            cell = waiting.pop()
            owner = self._owner[cell]
            for near, crossing in self._near[cell]:
                if near not in sea:
                    continue
                other = self._owner[near]
                if barriers and ((owner, other) in barriers or (other, owner) in barriers):
                    continue
                if near not in rounds:
                    rounds[near] = rounds[cell] + crossing
                    waiting.append(near)
                elif rounds[near] != rounds[cell] + crossing:
                    is_round = True
        return is_round and len(rounds) == len(sea)

    def source(self) -> dict[str, Any]:
        """Return the map as a dict."""
        spaces: dict[Cell, list[Cell]] = {}
        for cell in self._cells:
            if cell in self._sea:
                spaces.setdefault(self._owner[cell], []).append(cell)
        names = dict(zip(self._ports, PORT_NAMES, strict=False))
        return {
            "name": self._recipe.name,
            "rings": self._recipe.rings,
            "sectors": self._recipe.sectors,
            "spaces": [
                {
                    "id": _id_of(first),
                    "cells": [list(cell) for cell in cells],
                    **({"port": names[first]} if first in names else {}),
                }
                for first, cells in spaces.items()
            ],
            "land": [list(cell) for cell in self._cells if cell not in self._sea],
            "barriers": [[_id_of(one), _id_of(other)] for one, other in self._barriers],
        }


def _id_of(cell: Cell) -> str:
    return f"{'ABCDEFGH'[cell[0]]}{cell[1]}"
