"""Maps of `over_the_edge` from drawings: the text that the game's own pictures show, drawn or changed by hand.

docs/maps.md says what is read. The picture of a map, without ships, is a drawing of the same map.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

from agents.common.files import decode
from edge_envs.core.checks.files import read_bytes
from edge_envs.games.over_the_edge.draw import LAND, PORT
from edge_envs.games.over_the_edge.map.charts import MAX_BYTES, SHIPPED, Cell, MapError

HEADER = re.compile(r"\s+\d+(\s+\d+)+\s*")
PLAIN, BROWN, OPEN = "│─", "║═", f" {LAND}"
LINES = PLAIN + BROWN + OPEN


def map_source(name: str) -> str | dict[str, Any]:
    """What `load_map` takes: the map in a file that holds a drawing, and any other name or path as it is."""
    path = Path(name)
    try:
        text = "" if name in SHIPPED else decode(read_bytes(path, MAX_BYTES), name)
    except (OSError, ValueError):  # which `load_map` will tell
        text = ""
    if "│" not in text or text.lstrip().startswith("{"):
        return name
    try:
        return read_drawing(text, path.stem)
    except MapError as error:
        raise MapError(f"{name}: {error}") from None


def read_drawing(text: str, name: str) -> dict[str, Any]:
    """The map that is drawn, as a map file has it, with a name if the drawing begins with none.

    MapError says which line cannot be read. Whether the map can be played is for `load_map` to say.
    """
    lines = dedent(text).splitlines()
    cells: dict[Cell, _Drawn] = {}
    for number, line in enumerate(lines):
        if HEADER.fullmatch(line):
            cells.update(_piece(lines, number))
    if not cells:
        raise MapError("drawing: there is no line with the numbers of the sectors above a disc")
    rings, sectors = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    for cell in ((ring, sector) for ring in range(rings) for sector in range(sectors)):
        if cell not in cells:
            raise MapError(f"drawing: the cell {list(cell)} is not drawn")
    spaces = _spaces(cells, sectors)
    ids = {cell: space for space, own in spaces.items() for cell in own}
    ports = _ports(lines, [space for space, own in spaces.items() if any(cells[cell].port for cell in own)])
    return {
        "name": _title(lines) or name,
        "rings": rings,
        "sectors": sectors,
        "spaces": [
            {"id": space, "cells": [list(cell) for cell in own], **({"port": ports[space]} if space in ports else {})}
            for space, own in spaces.items()
        ],
        "land": [list(cell) for cell in sorted(cells) if cells[cell].land],
        "barriers": _barriers(cells, ids, sectors),
    }


@dataclass(frozen=True)
class _Drawn:
    """What is drawn of a cell: land or not, the lines before and above it, and an id that begins in it."""

    land: bool
    before: str
    above: str
    label: str
    port: bool


def _piece(lines: Sequence[str], header: int) -> dict[Cell, _Drawn]:
    """The cells below a line of sectors' numbers."""
    numbers = {int(found[0]): found.start() for found in re.finditer(r"\d+", lines[header])}
    columns = list(numbers.values())
    width = columns[1] - columns[0] - 1
    for sector, column in numbers.items():
        if column != columns[0] + (sector - min(numbers)) * (width + 1):
            raise MapError(f"drawing, line {header + 1}: the number {sector} is not above its sector")
    rows = list(_rings(lines, header, columns[0] - 1))
    return {
        (ring, sector): _cell(lines, border, stop, column, width)
        for ring, (border, stop) in enumerate(rows)
        for sector, column in numbers.items()
    }


def _rings(lines: Sequence[str], header: int, margin: int) -> Iterator[tuple[int, int]]:
    """Of each ring the number of the line above it, and of the line below it."""
    end = header + 1
    while end < len(lines) and lines[end][margin:].strip() and "~" not in lines[end] and not _is_ports(lines[end]):
        end += 1
    starts = [line for line in range(header + 1, end) if lines[line][:margin].strip()]
    for ring, start in enumerate(starts):
        if lines[start][:margin].strip() != str(ring):
            raise MapError(f"drawing, line {start + 1}: the ring {ring} should begin here, with its number")
        yield start - 1, (starts[ring + 1] if ring + 1 < len(starts) else end) - 1


def _cell(lines: Sequence[str], border: int, stop: int, column: int, width: int) -> _Drawn:
    """A cell between two borders, from a column on."""
    first = border + 1
    inside = lines[first].ljust(column + width)[column : column + width]
    if LAND in inside and inside.strip(LAND):
        raise MapError(f"drawing, line {first + 1}, column {column + 1}: {inside!r} is partly land")
    before = _line(lines, first, column - 1)
    above = _line(lines, border, column)
    starts = before not in OPEN or not lines[first][column - 1 : column].strip()
    text = _label(lines[first:stop], column) if starts and inside.strip() and LAND not in inside else ""
    if text.endswith("…"):
        raise MapError(f"drawing, line {first + 1}, column {column + 1}: the id {text!r} is cut off")
    return _Drawn(LAND in inside, before, above, text.removesuffix(PORT), text.endswith(PORT))


def _line(lines: Sequence[str], number: int, column: int) -> str:
    """The character of a line between two cells; letters, where an id runs on, are none."""
    found = lines[number][column : column + 1] or " "
    return found if found in LINES else " "


def _label(rows: Sequence[str], column: int) -> str:
    """The id that begins at a column, with its mark; it goes on in the next row if it fills the first."""
    ends = [end for mark in "│║" + LAND if (end := rows[0].find(mark, column)) >= 0]
    room = slice(column, min(ends, default=len(rows[0])))
    text = rows[0][room]
    if text == text.rstrip() and len(rows) > 1 and not rows[1][room].startswith("("):
        text += rows[1][room]
    return text.split()[0] if text.strip() else ""


def _spaces(cells: Mapping[Cell, _Drawn], sectors: int) -> dict[str, list[Cell]]:
    """The cells of each space by its id, in the order of the ids' places in the drawing."""
    spaces: dict[str, list[Cell]] = {}
    for cell, drawn in sorted(cells.items()):
        if drawn.label:
            if drawn.label in spaces:
                raise MapError(f"drawing: two spaces have the id {drawn.label!r}")
            spaces[drawn.label] = sorted(_joined(cells, cell, sectors))
    owners: dict[Cell, str] = {}
    for space, own in spaces.items():
        for cell in own:
            if cell in owners:
                raise MapError(f"drawing: no line parts the spaces {owners[cell]!r} and {space!r}")
            owners[cell] = space
    for cell, drawn in cells.items():
        if cell not in owners and not drawn.land:
            raise MapError(f"drawing: the space at {list(cell)} has no id in its first cell")
    return spaces


def _joined(cells: Mapping[Cell, _Drawn], start: Cell, sectors: int) -> set[Cell]:
    """All cells of the sea that no line parts from a cell."""
    reached, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for near, line in _around(cells, here, sectors):
            if line in OPEN and not cells[near].land and near not in reached:
                reached.add(near)
                waiting.append(near)
    return reached


def _around(cells: Mapping[Cell, _Drawn], cell: Cell, sectors: int) -> Iterator[tuple[Cell, str]]:
    """The cells beside a cell, each with what is drawn between."""
    ring, sector = cell
    yield (ring, (sector - 1) % sectors), cells[cell].before
    yield (ring, (sector + 1) % sectors), cells[ring, (sector + 1) % sectors].before
    if ring:
        yield (ring - 1, sector), cells[cell].above
    if (ring + 1, sector) in cells:
        yield (ring + 1, sector), cells[ring + 1, sector].above


def _barriers(cells: Mapping[Cell, _Drawn], ids: Mapping[Cell, str], sectors: int) -> list[list[str]]:
    """The pairs of spaces with a brown line between them."""
    pairs = {
        tuple(sorted((ids[cell], ids[near])))
        for cell in ids
        for near, line in _around(cells, cell, sectors)
        if line in BROWN and near in ids
    }
    return sorted(map(list, pairs))


def _is_ports(line: str) -> bool:
    return line.startswith("ports:")


def _ports(lines: Sequence[str], marked: Sequence[str]) -> dict[str, str]:
    """The names of the ports by their ids, from the line that lists them."""
    listed = next((line.removeprefix("ports:") for line in lines if _is_ports(line)), "")
    ports: dict[str, str] = {}
    name = ""
    for part in listed.split(","):  # a name may have commas of its own
        name = f"{name},{part}" if name else part.strip()
        port, _, space = name.rpartition(" ")
        if space in marked:
            ports[space], name = port, ""
    if name:
        raise MapError(f"drawing, the line of ports: {name.strip()!r} does not end with the id of a space with {PORT}")
    for space in marked:
        if space not in ports:
            raise MapError(f"drawing: the port {space!r} has no name in a line such as 'ports: Lagos {space}'")
    return ports


def _title(lines: Sequence[str]) -> str:
    """The name of the map, with which a drawing may begin."""
    first = next((line for line in lines if line.strip()), "")
    return "" if HEADER.fullmatch(first) else first.split("   ")[0].strip()
