"""Maps of the flat earth: read and check them, and derive what the kernels need.

A map file says which cells of the disc make up each space, which cells are land, and where brown lines run.
docs/maps.md describes the format and its JSON Schema (`SCHEMA`). `load_map` reads a map and derives everything else:
adjacent spaces, the turn of each step round the world, and the drift from each space. Maps named `random:SEED` come
from `generator`.

Turns are exact, in sectors, clockwise. `rounds` counts how often a ship has crossed from the last sector to sector 0,
minus the crossings in the other direction. Then `winding` = angle of its space - angle of its home + `rounds` x
sectors. Kernels therefore count rounds and need no fractions, see `crossing` in `atlas`.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import resources
from typing import Any, NamedTuple

from edge_envs.core.checks.files import read_bytes
from edge_envs.core.errors import in_short
from edge_envs.core.spec import Parameter
from edge_envs.games.over_the_edge.map.generator import PREFIX, generate_map, is_generated, read_name

OVER_THE_EDGE = -1
"""A target of a drift: the void."""
AGROUND = -2
"""A target of a drift: land; the ship stays in its space."""

MAX_SPACES = 512
"""The largest number of spaces of a map, far more than on a printed map. It sets the size of a chart."""
MAX_BYTES = 1 << 20
"""The largest size of a map file. A map of `MAX_SPACES` spaces takes about 60,000 bytes."""
MAX_NEIGHBOURS = 6 * MAX_SPACES
"""The largest number of steps of a map of `MAX_SPACES` spaces: their adjacency graph is planar."""

_FOLDER = resources.files(__package__)  # works in a zip archive too

SCHEMA = _FOLDER / "map.schema.json"
"""The JSON Schema of a map file. It describes only the form; `load_map` checks whether the entries fit together."""

SHIPPED = tuple(
    sorted(file.name[: -len(".json")] for file in (_FOLDER / "maps").iterdir() if file.name.endswith(".json"))
)
"""The names of the maps in the package."""

Cell = tuple[int, int]  # ring from the middle outward, sector clockwise


class MapError(ValueError):
    """A map is invalid or cannot be loaded. The message names the cause."""


class Fault(NamedTuple):
    """A reason why a well-formed map cannot be played, and the cell where it shows, if any."""

    line: str
    cell: Cell | None


@dataclass(frozen=True)
class Space:
    """A space of one or more connected cells. A space with a port name is a port."""

    id: str
    cells: tuple[Cell, ...]
    port: str | None
    angle: Fraction
    """The mean of its cells' sectors, counted across the wrap: 0 <= angle < sectors."""


@dataclass(frozen=True)
class Map:
    """A checked map. Spaces and ports are numbered in the order of the file. Tuples are indexed by space."""

    name: str
    rings: int
    sectors: int
    spaces: tuple[Space, ...]
    ports: tuple[int, ...]
    """The spaces of the ports."""
    neighbours: tuple[tuple[int, ...], ...]
    """The targets of the steps from each space, sorted."""
    turns: tuple[tuple[Fraction, ...], ...]
    """The change of the winding by each of these steps."""
    crossings: tuple[tuple[int, ...], ...]
    """The change of the rounds by each of these steps: -1, 0 or 1."""
    drift_targets: tuple[int, ...]
    """The target of a drift: a space, `OVER_THE_EDGE` or `AGROUND`."""
    drift_turns: tuple[Fraction, ...]
    """The change of the winding by a drift; 0 if it does not lead to a space."""
    drift_crossings: tuple[int, ...]
    """The change of the rounds by a drift; 0 if it does not lead to a space."""
    drifts_to_void: tuple[int | None, ...]
    """The number of successive drifts over the edge, 1 at the rim; None if land stops the ship before."""
    text: str = field(compare=False, repr=False)
    """The source of the map as JSON."""

    @property
    def source(self) -> dict[str, Any]:
        """The source of the map, as a new dict."""
        return dict(json.loads(self.text))

    @functools.cached_property
    def index(self) -> Mapping[str, int]:
        """The numbers of the spaces by their ids."""
        return {space.id: number for number, space in enumerate(self.spaces)}

    @functools.cached_property
    def port_names(self) -> tuple[str, ...]:
        """The names of the ports."""
        return tuple(self.spaces[port].port or "" for port in self.ports)

    def winding(self, space: int, home: int, rounds: int) -> Fraction:
        """Return the winding of a ship in a space, in sectors."""
        return self.spaces[space].angle - self.spaces[home].angle + rounds * self.sectors

    def shortest_voyage(self, port: int) -> int:
        """Return the fewest steps from a port round the world and back, in either direction (breadth-first search)."""
        steps, reached, edge = 0, {(port, 0)}, [(port, 0)]
        while not any(space == port and rounds for space, rounds in edge):
            steps += 1
            edge = [place for before in edge for place in self._after(*before) if place not in reached]
            edge = list(dict.fromkeys(edge))
            reached.update(edge)
        return steps

    @functools.cached_property
    def reach(self) -> int:
        """The number of rounds in either direction that a route search must consider. Barriers may form spirals.

        It is twice the number that a ship needs to leave the first port and reach each space with two different rounds.
        """
        reach, ways = 0, Counter[int]()
        while len(ways) < len(self.spaces) or min(ways.values()) < 2:
            reach += 1
            start = (self.ports[0], 0)
            reached, waiting = {start}, [start]
            while waiting:
                for place in self._after(*waiting.pop()):
                    if abs(place[1]) <= reach and place not in reached:
                        reached.add(place)
                        waiting.append(place)
            ways = Counter(space for space, _ in reached)
        return 2 * reach

    def _after(self, space: int, rounds: int) -> list[tuple[int, int]]:
        near, crossed = self.neighbours[space], self.crossings[space]
        return [(target, rounds + crossing) for target, crossing in zip(near, crossed, strict=True)]

    @functools.cached_property
    def digest(self) -> int:
        """A 64-bit digest, by which state records identify their map."""
        text = json.dumps(self.source, sort_keys=True)
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


class MapParameter(Parameter):
    """A parameter whose value is a map.

    The name of a shipped or generated map remains a name, any other value becomes a dict.
    """

    @property
    def possible(self) -> str:
        """The accepted values, in words."""
        return _allowed()

    @property
    def annotation(self) -> str:
        """The accepted values, as a type annotation."""
        return f"Literal[{', '.join(map(repr, SHIPPED))}] | str | os.PathLike[str] | Mapping[str, Any]"

    def check(self, game: str, value: Any) -> Any:
        """Return the name, without options that have their defaults, or the dict of a valid map.

        Raises:
            MapError: if the map is invalid. The message names the game and the cause.
        """
        try:
            found = load_map(value)
        except MapError as error:
            raise MapError(f"{game}: {error}") from None
        if is_generated(value):
            return read_name(value).name
        return value if isinstance(value, str) and value in SHIPPED else found.source

    def is_file(self, value: Any) -> bool:
        """Return whether a value is a path to a map file."""
        return super().is_file(value) and not is_generated(value)

    def format_value(self, value: Any) -> str:
        """Return a short form of a value: a dict by the name of its map alone."""
        return f"<map {value.get('name')!r}>" if isinstance(value, Mapping) else in_short(value)

    def same(self, one: Any, other: Any) -> bool:
        """Return whether two values are the same map, whether given by name or not."""
        return load_map(one) == load_map(other)


# Reading


def load_map(value: str | os.PathLike[str] | Mapping[str, Any]) -> Map:
    """Load a map: the name of a shipped or generated map, a path to a map file, or a dict.

    Raises:
        MapError: if the map cannot be loaded or is invalid.
    """
    if isinstance(value, str) and value in SHIPPED:
        return _load_shipped(value)
    return _checked(*_load(_read_text(value)))


def sketch_map(source: Mapping[str, Any]) -> tuple[Map, tuple[Fault, ...]]:
    """Load a map that is being drawn, and list its faults. A map without faults can be played.

    Raises:
        MapError: if an entry is invalid, or a cell belongs to no space or to two. Such a map cannot even be drawn.
    """
    return _load(_read_text(source))


@functools.cache
def _load_shipped(name: str) -> Map:
    return _checked(*_load(_read_text(name)))


@functools.lru_cache(maxsize=8)  # the parts of a game load its map one after the other
def _load(text: str) -> tuple[Map, tuple[Fault, ...]]:
    reader = _Reader(json.loads(text))
    found = _measure(reader, text)
    return found, (*_space_faults(reader), *_route_faults(found))


def _checked(found: Map, faults: tuple[Fault, ...]) -> Map:
    """Return the map if it has no faults."""
    if faults:
        raise MapError(faults[0].line)
    return found


def read_source(value: Any) -> dict[str, Any]:
    """Return the dict of a named map or of a map file, or a copy of a dict. The content is not checked."""
    return dict(json.loads(_read_text(value)))


def _read_text(value: Any) -> str:
    """Return a map as JSON, the same for a dict and for a file that holds it. The content is not checked."""
    content = value if isinstance(value, Mapping) else _read_file(value)
    where = "the map" if isinstance(value, Mapping) else f"map={os.fspath(value)!r}"
    try:
        source = json.loads(content.decode("utf-8")) if isinstance(content, bytes) else dict(content)
        text = json.dumps(source)
    except (TypeError, ValueError, RecursionError) as error:
        raise MapError(f"{where} is not JSON: {error}") from None
    if not isinstance(source, dict):
        raise MapError(f"{where} is not a JSON object")
    return text


def _read_file(value: Any) -> bytes:
    if not isinstance(value, str | os.PathLike):
        raise MapError(f"invalid map={in_short(value)}: expected {_allowed()}")
    if value in SHIPPED:
        return (_FOLDER / "maps" / f"{value}.json").read_bytes()
    if is_generated(value):
        return _generate(str(value))
    try:
        return read_bytes(value, MAX_BYTES)
    except OSError as error:
        raise MapError(f"cannot read map={os.fspath(value)!r} ({error.strerror}): expected {_allowed()}") from None


@functools.lru_cache(maxsize=64)  # the parts of a game load its map one after the other
def _generate(name: str) -> bytes:
    """Return a generated map as JSON."""
    try:
        return json.dumps(generate_map(name)).encode()
    except ValueError as error:
        raise MapError(str(error)) from None


def _allowed() -> str:
    return f"{', '.join(map(repr, SHIPPED))}, '{PREFIX}SEED', a path to a map file, or a map as a dict"


class _Reader:
    """Read the entries of a map, and check their form and that they make up the disc."""

    def __init__(self, source: dict[str, Any]) -> None:
        _keys(source, "map", ("name", "rings", "sectors", "spaces"), ("land", "barriers"))
        self.name = _line(source["name"], "name")
        self.rings = _integer(source["rings"], "rings", 1)
        self.sectors = _integer(source["sectors"], "sectors", 4)
        self.ids: list[str] = []
        self.cells: list[list[Cell]] = []
        self.ports: list[str | None] = []
        entries = _list(source["spaces"], "spaces")
        if len(entries) > MAX_SPACES:
            raise MapError(f"spaces: {len(entries)} are too many; the maximum is {MAX_SPACES}")
        for number, entry in enumerate(entries):
            self._read_space(entry, f"spaces[{number}]")
        self.land = self._read_cells(source.get("land", []), "land")
        self.owner = self._owners()
        self.borders = self._borders()
        self.barriers = self._read_barriers(_list(source.get("barriers", []), "barriers"))

    def _read_space(self, entry: Any, where: str) -> None:
        _keys(entry, where, ("id", "cells"), ("port",))
        name = _text(entry["id"], f"{where}.id")
        if not name or any(letter.isspace() for letter in name):
            raise MapError(f"{where}.id: {name!r} is empty or contains a blank")
        _line(name, f"{where}.id")
        if name in self.ids:
            raise MapError(f"{where}.id: {name!r} is the id of an earlier space")
        port = _line(entry["port"], f"{where}.port") if "port" in entry else None
        if port == "":
            raise MapError(f"{where}.port: the name of the port is empty")
        if port is not None and port in self.ports:
            raise MapError(f"{where}.port: {port!r} is the name of an earlier port")
        cells = self._read_cells(entry["cells"], f"{where}.cells")
        if not cells:
            raise MapError(f"{where}.cells: the space {name!r} has no cells")
        self.ids.append(name)
        self.cells.append(cells)
        self.ports.append(port)

    def _read_cells(self, value: Any, where: str) -> list[Cell]:
        return [self._read_cell(entry, f"{where}[{i}]") for i, entry in enumerate(_list(value, where))]

    def _read_cell(self, value: Any, where: str) -> Cell:
        ring, sector = _pair(value, where, "[ring, sector]")
        ring, sector = _integer(ring, where), _integer(sector, where)
        if not (0 <= ring < self.rings and 0 <= sector < self.sectors):
            raise MapError(
                f"{where}: {in_short(value)} is off the map of {self.rings} rings and {self.sectors} sectors"
            )
        return ring, sector

    def _owners(self) -> dict[Cell, int]:
        """Return the space of each sea cell, and check that every cell belongs to exactly one space or to land."""
        owners: dict[Cell, int | None] = {}
        rows = [*enumerate(self.cells), (None, self.land)]
        for owner, cells in rows:
            for cell in cells:
                if cell in owners:
                    parties = f"{self._owner_name(owners[cell])} and to {self._owner_name(owner)}"
                    raise MapError(f"cell {list(cell)} is assigned twice: to {parties}")
                owners[cell] = owner
        for ring in range(self.rings):
            for sector in range(self.sectors):
                if (ring, sector) not in owners:
                    raise MapError(f"cell {[ring, sector]} is missing: it belongs neither to a space nor to land")
        return {cell: owner for cell, owner in owners.items() if owner is not None}

    def _owner_name(self, owner: int | None) -> str:
        return "land" if owner is None else f"space {self.ids[owner]!r}"

    def adjacent_cells(self, cell: Cell) -> list[Cell]:
        """Return the cells that share an edge with a cell."""
        ring, sector = cell
        near = [(ring, (sector + 1) % self.sectors), (ring, (sector - 1) % self.sectors)]
        return near + [(other, sector) for other in (ring - 1, ring + 1) if 0 <= other < self.rings]

    def _borders(self) -> set[tuple[int, int]]:
        """Return the ordered pairs of spaces that share an edge, with or without a brown line."""
        sides = (
            (owner, self.owner.get(near)) for cell, owner in self.owner.items() for near in self.adjacent_cells(cell)
        )
        return {(one, other) for one, other in sides if other is not None and other != one}

    def _read_barriers(self, entries: list[Any]) -> set[tuple[int, int]]:
        """Return the ordered pairs of spaces that brown lines separate."""
        barriers: set[tuple[int, int]] = set()
        for number, entry in enumerate(entries):
            where = f"barriers[{number}]"
            one, other = (self._space(name, where) for name in _pair(entry, where, "[id, id]"))
            if one == other:
                raise MapError(f"{where}: {in_short(entry)} names the same space twice")
            if (one, other) not in self.borders:
                raise MapError(f"{where}: the spaces {entry!r} do not share an edge")
            if (one, other) in barriers:
                raise MapError(f"{where}: {entry!r} is a duplicate")
            barriers |= {(one, other), (other, one)}
        return barriers

    def _space(self, name: Any, where: str) -> int:
        if _text(name, where) not in self.ids:
            raise MapError(f"{where}: {name!r} is not the id of a space")
        return self.ids.index(name)


def _keys(value: Any, where: str, needed: Sequence[str], optional: Sequence[str]) -> None:
    if not isinstance(value, dict):
        raise MapError(f"{where}: {in_short(value)} is not an object")
    for key in needed:
        if key not in value:
            raise MapError(f"{where}: the key {key!r} is missing")
    for key in value:
        if key not in (*needed, *optional):
            raise MapError(f"{where}: unknown key {key!r}; expected {', '.join((*needed, *optional))}")


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise MapError(f"{where}: {in_short(value)} is not a string")
    return value


def _line(value: Any, where: str) -> str:
    """Read a string without line breaks, for pictures and action strings."""
    text = _text(value, where)
    if not text.isprintable():
        raise MapError(f"{where}: {text!r} contains a line break or another character that cannot be printed")
    if text != text.strip():
        raise MapError(f"{where}: {text!r} begins or ends with a blank")
    return text


def _integer(value: Any, where: str, low: int | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or (low is not None and value < low):
        raise MapError(f"{where}: {in_short(value)} is not an integer" + ("" if low is None else f" of at least {low}"))
    return value


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise MapError(f"{where}: {in_short(value)} is not a list")
    return value


def _pair(value: Any, where: str, form: str) -> list[Any]:
    if len(_list(value, where)) != 2:
        raise MapError(f"{where}: {in_short(value)} is not of the form {form}")
    return list(value)


# Measuring


def _measure(reader: _Reader, text: str) -> Map:
    """Derive everything else from the entries of a map."""
    numbers = range(len(reader.ids))
    spaces = tuple(
        Space(reader.ids[i], tuple(reader.cells[i]), reader.ports[i], _angle(reader.cells[i], reader.sectors))
        for i in numbers
    )
    steps = reader.borders - reader.barriers
    neighbours = tuple(tuple(other for other in numbers if (one, other) in steps) for one in numbers)
    drift_targets = tuple(_drift_target(reader, cells) for cells in reader.cells)
    targets = [target if target >= 0 else space for space, target in enumerate(drift_targets)]
    angles = [space.angle for space in spaces]
    half = Fraction(reader.sectors, 2)

    def turn(one: int, other: int) -> Fraction:
        """Return the signed shorter way from one angle to another. Adjacent spaces are never half the world apart."""
        return (angles[other] - angles[one] + half) % reader.sectors - half

    def crossing(one: int, other: int) -> int:
        return int((turn(one, other) - angles[other] + angles[one]) / reader.sectors)

    return Map(
        name=reader.name,
        rings=reader.rings,
        sectors=reader.sectors,
        spaces=spaces,
        ports=tuple(i for i in numbers if spaces[i].port is not None),
        neighbours=neighbours,
        turns=tuple(tuple(turn(one, other) for other in neighbours[one]) for one in numbers),
        crossings=tuple(tuple(crossing(one, other) for other in neighbours[one]) for one in numbers),
        drift_targets=drift_targets,
        drift_turns=tuple(turn(one, targets[one]) for one in numbers),
        drift_crossings=tuple(crossing(one, targets[one]) for one in numbers),
        drifts_to_void=tuple(_drifts(drift_targets, one) for one in numbers),
        text=text,
    )


def _angle(cells: Iterable[Cell], sectors: int) -> Fraction:
    """Return the mean of the cells' sectors, counted clockwise from the first sector of the space."""
    own = [sector for _, sector in cells]
    first = _first_sector(own, sectors)
    return Fraction(first + Fraction(sum((sector - first) % sectors for sector in own), len(own))) % sectors


def _first_sector(own: Sequence[int], sectors: int) -> int:
    """Return the sector without an anticlockwise neighbour, or any if a space under construction is a full circle."""
    return next((sector for sector in own if (sector - 1) % sectors not in own), own[0])


def _drift_target(reader: _Reader, cells: Sequence[Cell]) -> int:
    """Return the space that most of a space's outermost cells face outward; among equals the first one clockwise."""
    ring = max(ring for ring, _ in cells)
    if ring == reader.rings - 1:
        return OVER_THE_EDGE
    first = _first_sector([sector for _, sector in cells], reader.sectors)
    outermost = sorted((sector for r, sector in cells if r == ring), key=lambda s: (s - first) % reader.sectors)
    seen = [reader.owner.get((ring + 1, sector)) for sector in outermost]
    counts = Counter(space for space in seen if space is not None)  # preserves the order
    return max(counts, key=lambda space: counts[space], default=AGROUND)


def _drifts(drift_targets: Sequence[int], space: int) -> int | None:
    """Count the drifts over the edge. The count is finite because each drift leads further out."""
    count = 1
    while drift_targets[space] >= 0:
        space = drift_targets[space]
        count += 1
    return count if drift_targets[space] == OVER_THE_EDGE else None


def _space_faults(reader: _Reader) -> Iterator[Fault]:
    """Yield faults: spaces that are not connected or too wide, and a map without a port."""
    for name, cells in zip(reader.ids, reader.cells, strict=True):
        own = set(cells)
        reached = _flood(
            cells[0], {cell: [near for near in reader.adjacent_cells(cell) if near in own] for cell in cells}
        )
        if len(reached) < len(own):
            apart = next(cell for cell in cells if cell not in reached)
            line = f"space {name!r} is not connected: {list(apart)} is separate from {list(cells[0])}"
            yield Fault(line, apart)
        wide = len({sector for _, sector in cells})
        if 4 * wide > reader.sectors:
            yield Fault(
                f"space {name!r} is {wide} of {reader.sectors} sectors wide, "
                "which is more than a quarter of the circle",
                cells[0],
            )
    if not any(reader.ports):
        yield Fault("spaces: none is a port; give at least one space a port name", None)


def _route_faults(found: Map) -> Iterator[Fault]:
    """Yield faults: spaces that cannot be reached from the first one, and a world that cannot be sailed round."""
    if not found.spaces:
        return
    reached = _flood(0, dict(enumerate(found.neighbours)))
    first = found.spaces[0].id
    for number, space in enumerate(found.spaces):
        if number not in reached:
            yield Fault(f"space {space.id!r} cannot be reached from space {first!r}", space.cells[0])
    if len(reached) == len(found.spaces) and not _has_round_voyage(found):
        named = f"port {found.port_names[0]!r}, nor from any other" if found.ports else "any space"
        yield Fault(f"no voyage leads round the world from {named}", None)


def _has_round_voyage(found: Map) -> bool:
    """Return whether some closed route has a winding. If so, one exists from every port."""
    rounds, waiting = {0: 0}, [0]
    while waiting:
        space = waiting.pop()
        for target, crossing in zip(found.neighbours[space], found.crossings[space], strict=True):
            if target not in rounds:
                rounds[target] = rounds[space] + crossing
                waiting.append(target)
            elif rounds[target] != rounds[space] + crossing:
                return True
    return False


def _flood(start: Any, near: Mapping[Any, Iterable[Any]]) -> set[Any]:
    """Return all nodes reachable from a start."""
    reached, waiting = {start}, [start]
    while waiting:
        for other in near[waiting.pop()]:
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return reached
