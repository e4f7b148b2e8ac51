"""Maps of the flat earth: read, checked, and measured for the kernels.

A map file says which cells of the disc make up each space, which are land, and where brown lines run; docs/maps.md has
its format and its JSON Schema (`SCHEMA`). `load_map` reads one and finds out all else: who is next to whom, how far
each step turns round the world, and where each space drifts.

Turns are exact, in sectors, clockwise. A ship that has crossed the line where sectors begin to count anew `rounds`
times (clockwise less anticlockwise) has `winding` = angle of its space - angle of its home + `rounds` x sectors; so
kernels need no fractions, but count rounds, see `crossing` in `atlas`.
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

OVER_THE_EDGE = -1
"""An edgeward target: the void."""
AGROUND = -2
"""An edgeward target: land, the ship stays where it is."""

MAX_SPACES = 512
"""More than any printed map has; a chart has room for so many."""
MAX_BYTES = 1 << 20
"""Of a map's file; one of `MAX_SPACES` takes some 60,000."""
MAX_WAYS = 6 * MAX_SPACES
"""Enough for the steps of any map of `MAX_SPACES`, as a map of spaces on a disc is a planar graph."""

_FOLDER = resources.files(__package__)  # the package may lie in a zip archive

SCHEMA = _FOLDER / "map.schema.json"
"""The JSON Schema of a map file. It knows the form alone; what must fit together is checked by `load_map`."""

SHIPPED = tuple(
    sorted(file.name[: -len(".json")] for file in (_FOLDER / "maps").iterdir() if file.name.endswith(".json"))
)
"""The names of the maps that come with the package."""

Cell = tuple[int, int]  # ring from the middle outward, sector clockwise


class MapError(ValueError):
    """A map that cannot be loaded; the message names what is at fault."""


class Fault(NamedTuple):
    """Why nobody can play on a map whose entries are in order, and the cell where that shows, if it shows at one."""

    line: str
    cell: Cell | None


@dataclass(frozen=True)
class Space:
    """One or more cells that hang together; a port if it has a name."""

    id: str
    cells: tuple[Cell, ...]
    port: str | None
    angle: Fraction
    """The mean of its cells' sectors, counted through over the wrap: 0 <= angle < sectors."""


@dataclass(frozen=True)
class Map:
    """A checked map. Spaces are numbered in the order of the file, and so are ports; tuples are by space."""

    name: str
    rings: int
    sectors: int
    spaces: tuple[Space, ...]
    ports: tuple[int, ...]
    """The spaces of the ports."""
    neighbours: tuple[tuple[int, ...], ...]
    """Where one step leads, sorted."""
    turns: tuple[tuple[Fraction, ...], ...]
    """What each of these steps adds to the winding."""
    crossings: tuple[tuple[int, ...], ...]
    """What each of these steps adds to the rounds: -1, 0 or 1."""
    edgeward: tuple[int, ...]
    """Where a drift leads: a space, `OVER_THE_EDGE` or `AGROUND`."""
    drift_turns: tuple[Fraction, ...]
    """What a drift adds to the winding; 0 if it leads to no space."""
    drift_crossings: tuple[int, ...]
    """What a drift adds to the rounds; 0 if it leads to no space."""
    drifts_to_void: tuple[int | None, ...]
    """How many drifts in a row lead over the edge, 1 at the rim; None if land stops them before that."""
    text: str = field(compare=False, repr=False)
    """What the map was read from, as JSON."""

    @property
    def source(self) -> dict[str, Any]:
        """What the map was read from; a fresh dict, also within."""
        return dict(json.loads(self.text))

    @functools.cached_property
    def index(self) -> Mapping[str, int]:
        """The number of a space by its id."""
        return {space.id: number for number, space in enumerate(self.spaces)}

    @functools.cached_property
    def port_names(self) -> tuple[str, ...]:
        """The names of the ports."""
        return tuple(self.spaces[port].port or "" for port in self.ports)

    def winding(self, space: int, home: int, rounds: int) -> Fraction:
        """How far a ship in a space is round the world from its home."""
        return self.spaces[space].angle - self.spaces[home].angle + rounds * self.sectors

    def shortest_voyage(self, port: int) -> int:
        """The fewest steps from a port's space round the world and back into it, either way."""
        steps, reached, edge = 0, {(port, 0)}, [(port, 0)]
        while not any(space == port and rounds for space, rounds in edge):
            steps += 1
            edge = [place for before in edge for place in self._after(*before) if place not in reached]
            edge = list(dict.fromkeys(edge))
            reached.update(edge)
        return steps

    @functools.cached_property
    def reach(self) -> int:
        """How many rounds either way routes must be looked for; barriers may make spirals.

        Twice as many as a ship needs that leaves the first port and comes to each space in two ways round the world.
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
        """64 bits by which state records name their map."""
        text = json.dumps(self.source, sort_keys=True)
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


class MapParameter(Parameter):
    """A parameter that is a map: the name of a shipped one stays as it is, all else becomes the map's dict."""

    @property
    def possible(self) -> str:
        """What is accepted, in words."""
        return _possible()

    @property
    def annotation(self) -> str:
        """What is accepted, as type checkers read it."""
        return f"Literal[{', '.join(map(repr, SHIPPED))}] | str | os.PathLike[str] | Mapping[str, Any]"

    def check(self, game: str, value: Any) -> Any:
        """The name or the dict; MapError says what is wrong with a map."""
        try:
            found = load_map(value)
        except MapError as error:
            raise MapError(f"{game}: {error}") from None
        return value if isinstance(value, str) and value in SHIPPED else found.source

    def format_value(self, value: Any) -> str:
        """A map's dict by the map's name alone."""
        return f"<map {value.get('name')!r}>" if isinstance(value, Mapping) else in_short(value)

    def same(self, one: Any, other: Any) -> bool:
        """Whether two values are the same map, by its name or not."""
        return load_map(one) == load_map(other)


# Reading


def load_map(value: str | os.PathLike[str] | Mapping[str, Any]) -> Map:
    """A map by the name of a shipped one, from a file, or from a dict; MapError if it is none."""
    if isinstance(value, str) and value in SHIPPED:
        return _load_shipped(value)
    return _sound(*_load(_read_text(value)))


def sketch_map(source: Mapping[str, Any]) -> tuple[Map, tuple[Fault, ...]]:
    """A map that is being drawn, and what is wrong with it: it can be played on if there is nothing.

    MapError if an entry is at fault, or a cell has no owner or two; then it cannot even be drawn.
    """
    return _load(_read_text(source))


@functools.cache
def _load_shipped(name: str) -> Map:
    return _sound(*_load(_read_text(name)))


@functools.lru_cache(maxsize=8)  # as the parts of a game load its map one after the other
def _load(text: str) -> tuple[Map, tuple[Fault, ...]]:
    reader = _Reader(json.loads(text))
    found = _measure(reader, text)
    return found, (*_faults_of_spaces(reader), *_faults_of_ways(found))


def _sound(found: Map, faults: tuple[Fault, ...]) -> Map:
    """The map, if there are no faults."""
    if faults:
        raise MapError(faults[0].line)
    return found


def read_source(value: Any) -> dict[str, Any]:
    """The dict of a map by the name of a shipped one, from a file, or a copy of a dict; its content is not checked."""
    return dict(json.loads(_read_text(value)))


def _read_text(value: Any) -> str:
    """A map as JSON, the same for a dict and for a file that holds it; its content is not checked."""
    content = value if isinstance(value, Mapping) else _read_file(value)
    told = "the map" if isinstance(value, Mapping) else f"map={os.fspath(value)!r}"
    try:
        source = json.loads(content.decode("utf-8")) if isinstance(content, bytes) else dict(content)
        text = json.dumps(source)
    except (TypeError, ValueError, RecursionError) as error:
        raise MapError(f"{told} is not JSON: {error}") from None
    if not isinstance(source, dict):
        raise MapError(f"{told} holds no JSON object")
    return text


def _read_file(value: Any) -> bytes:
    if not isinstance(value, str | os.PathLike):
        raise MapError(f"map={in_short(value)} is not possible; it must be {_possible()}")
    if value in SHIPPED:
        return (_FOLDER / "maps" / f"{value}.json").read_bytes()
    try:
        return read_bytes(value, MAX_BYTES)
    except OSError as error:
        why = f"cannot be read ({error.strerror})"
        raise MapError(f"map={os.fspath(value)!r} {why}; it must be {_possible()}") from None


def _possible() -> str:
    return f"{', '.join(map(repr, SHIPPED))}, a path to a map file, or a map as a dict"


class _Reader:
    """A map's entries, each checked, and that they make up the disc; whether it can be played on shows later."""

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
            raise MapError(f"spaces: {len(entries)} are too many; at most {MAX_SPACES} are possible")
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
            raise MapError(f"{where}.id: {name!r} is empty or has a blank")
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
            raise MapError(f"{where}.cells: the space {name!r} has no cell")
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
        """The space of each cell at sea; every cell of the disc has one owner, land included."""
        owners: dict[Cell, int | None] = {}
        rows = [*enumerate(self.cells), (None, self.land)]
        for owner, cells in rows:
            for cell in cells:
                if cell in owners:
                    parties = f"{self._owner_name(owners[cell])} and to {self._owner_name(owner)}"
                    raise MapError(f"cell {list(cell)} is given twice: to {parties}")
                owners[cell] = owner
        for ring in range(self.rings):
            for sector in range(self.sectors):
                if (ring, sector) not in owners:
                    raise MapError(f"cell {[ring, sector]} is missing: it belongs to no space and not to land")
        return {cell: owner for cell, owner in owners.items() if owner is not None}

    def _owner_name(self, owner: int | None) -> str:
        return "land" if owner is None else f"space {self.ids[owner]!r}"

    def beside(self, cell: Cell) -> list[Cell]:
        """The cells that share an edge with a cell."""
        ring, sector = cell
        near = [(ring, (sector + 1) % self.sectors), (ring, (sector - 1) % self.sectors)]
        return near + [(other, sector) for other in (ring - 1, ring + 1) if 0 <= other < self.rings]

    def _borders(self) -> set[tuple[int, int]]:
        """The pairs of spaces that share an edge, both ways round, whatever the brown lines."""
        sides = ((owner, self.owner.get(near)) for cell, owner in self.owner.items() for near in self.beside(cell))
        return {(one, other) for one, other in sides if other is not None and other != one}

    def _read_barriers(self, entries: list[Any]) -> set[tuple[int, int]]:
        """The pairs of spaces that brown lines part, both ways round."""
        barriers: set[tuple[int, int]] = set()
        for number, entry in enumerate(entries):
            where = f"barriers[{number}]"
            one, other = (self._space(name, where) for name in _pair(entry, where, "[id, id]"))
            if one == other:
                raise MapError(f"{where}: {in_short(entry)} names one space twice")
            if (one, other) not in self.borders:
                raise MapError(f"{where}: {entry!r} share no edge")
            if (one, other) in barriers:
                raise MapError(f"{where}: {entry!r} comes twice")
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
            raise MapError(f"{where}: unknown key {key!r}; possible are {', '.join((*needed, *optional))}")


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise MapError(f"{where}: {in_short(value)} is not a string")
    return value


def _line(value: Any, where: str) -> str:
    """A text that pictures and texts of actions can hold."""
    text = _text(value, where)
    if not text.isprintable():
        raise MapError(f"{where}: {text!r} has a line break or another character that cannot be printed")
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
    """What follows from a map's entries."""
    numbers = range(len(reader.ids))
    spaces = tuple(
        Space(reader.ids[i], tuple(reader.cells[i]), reader.ports[i], _angle(reader.cells[i], reader.sectors))
        for i in numbers
    )
    steps = reader.borders - reader.barriers
    neighbours = tuple(tuple(other for other in numbers if (one, other) in steps) for one in numbers)
    edgeward = tuple(_edgeward(reader, cells) for cells in reader.cells)
    targets = [target if target >= 0 else space for space, target in enumerate(edgeward)]
    angles = [space.angle for space in spaces]
    half = Fraction(reader.sectors, 2)

    def turn(one: int, other: int) -> Fraction:
        """The signed shorter way from one angle to another; adjacent spaces are never half the world apart."""
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
        edgeward=edgeward,
        drift_turns=tuple(turn(one, targets[one]) for one in numbers),
        drift_crossings=tuple(crossing(one, targets[one]) for one in numbers),
        drifts_to_void=tuple(_drifts(edgeward, one) for one in numbers),
        text=text,
    )


def _angle(cells: Iterable[Cell], sectors: int) -> Fraction:
    """The mean of the cells' sectors, counted through from the one without a neighbour on its anticlockwise side."""
    own = [sector for _, sector in cells]
    first = _first(own, sectors)
    return Fraction(first + Fraction(sum((sector - first) % sectors for sector in own), len(own))) % sectors


def _first(own: Sequence[int], sectors: int) -> int:
    """The sector without one before it; any of a space that goes all the way round, as some do while they are drawn."""
    return next((sector for sector in own if (sector - 1) % sectors not in own), own[0])


def _edgeward(reader: _Reader, cells: Sequence[Cell]) -> int:
    """What most of a space's outermost cells see one ring further out; among equals what is seen first, clockwise."""
    ring = max(ring for ring, _ in cells)
    if ring == reader.rings - 1:
        return OVER_THE_EDGE
    first = _first([sector for _, sector in cells], reader.sectors)
    outermost = sorted((sector for r, sector in cells if r == ring), key=lambda s: (s - first) % reader.sectors)
    seen = [reader.owner.get((ring + 1, sector)) for sector in outermost]
    counts = Counter(space for space in seen if space is not None)  # keeps the order in which they are seen
    return max(counts, key=lambda space: counts[space], default=AGROUND)


def _drifts(edgeward: Sequence[int], space: int) -> int | None:
    """How many drifts lead over the edge; each leads further out, so there is an end."""
    count = 1
    while edgeward[space] >= 0:
        space = edgeward[space]
        count += 1
    return count if edgeward[space] == OVER_THE_EDGE else None


def _faults_of_spaces(reader: _Reader) -> Iterator[Fault]:
    """Spaces that are in pieces or too wide, and that there is no port."""
    for name, cells in zip(reader.ids, reader.cells, strict=True):
        own = set(cells)
        reached = _flood(cells[0], {cell: [near for near in reader.beside(cell) if near in own] for cell in cells})
        if len(reached) < len(own):
            apart = next(cell for cell in cells if cell not in reached)
            line = f"space {name!r} does not hang together: {list(apart)} is apart from {list(cells[0])}"
            yield Fault(line, apart)
        wide = len({sector for _, sector in cells})
        if 4 * wide > reader.sectors:
            yield Fault(
                f"space {name!r} is {wide} of {reader.sectors} sectors wide, "
                "which is more than a quarter of the circle",
                cells[0],
            )
    if not any(reader.ports):
        yield Fault("spaces: no port; at least one space needs a name as port", None)


def _faults_of_ways(found: Map) -> Iterator[Fault]:
    """Spaces that cannot be reached from the first, and that the world cannot be sailed round."""
    if not found.spaces:
        return
    reached = _flood(0, dict(enumerate(found.neighbours)))
    first = found.spaces[0].id
    for number, space in enumerate(found.spaces):
        if number not in reached:
            yield Fault(f"space {space.id!r} cannot be reached by steps from space {first!r}", space.cells[0])
    if len(reached) == len(found.spaces) and not _goes_round(found):
        named = f"port {found.port_names[0]!r}, nor from any other" if found.ports else "any space"
        yield Fault(f"no voyage leads round the world from {named}", None)


def _goes_round(found: Map) -> bool:
    """Whether some way back to where it began has a winding; then there is one from every port."""
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
    """All that can be reached from a start."""
    reached, waiting = {start}, [start]
    while waiting:
        for other in near[waiting.pop()]:
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return reached
