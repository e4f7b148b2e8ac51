"""Read maps from drawings: the text picture that the game prints, drawn or changed by hand.

docs/maps.md describes the format. The text picture of a map without ships is a drawing of this map.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

from edge_envs.games.over_the_edge.draw import LAND, PORT
from edge_envs.games.over_the_edge.map.charts import Cell, MapError

HEADER = re.compile(r"\s+\d+(\s+\d+)+\s*")
PLAIN, BROWN, OPEN = "│─", "║═", f" {LAND}"
LINES = PLAIN + BROWN + OPEN


def is_drawing(text: str) -> bool:
    """Return whether the content of a file is the drawing of a map rather than a map file."""
    return "│" in text and not text.lstrip().startswith("{")


def read_drawing(text: str, name: str) -> dict[str, Any]:
    """Read the drawing of a map. `load_map` then checks whether the map can be played.

    Args:
        text: The drawing.
        name: The name of the map if the drawing has no title.

    Returns:
        The map as a dict, as in a map file.

    Raises:
        MapError: if a line cannot be read. The message names the line.
    """
    lines = dedent(text).splitlines()
    cells: dict[Cell, _Drawn] = {}
    for number, line in enumerate(lines):
        if HEADER.fullmatch(line):
            cells.update(_piece(lines, number))
    if not cells:
        raise MapError("drawing: no line with the numbers of the sectors above the disc")
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
    """The drawing of a cell: whether it is land, the lines before and above it, and the id that begins in it."""

    land: bool
    before: str
    above: str
    label: str
    port: bool


def _piece(lines: Sequence[str], header: int) -> dict[Cell, _Drawn]:
    """Read the cells below a header line, which numbers the sectors."""
    found = list(re.finditer(r"\d+", lines[header]))
    numbers = {int(one[0]): one.start() for one in found}
    if len(numbers) < len(found):
        raise MapError(f"drawing, line {header + 1}: a number of a sector occurs twice")
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
    """Yield the line numbers of the border above and the border below each ring."""
    end = header + 1
    while end < len(lines) and lines[end][margin:].strip() and "~" not in lines[end] and not _is_ports(lines[end]):
        end += 1
    starts = [line for line in range(header + 1, end) if lines[line][:margin].strip()]
    for ring, start in enumerate(starts):
        if lines[start][:margin].strip() != str(ring):
            raise MapError(f"drawing, line {start + 1}: the ring {ring} should begin here, with its number")
        stop = (starts[ring + 1] if ring + 1 < len(starts) else end) - 1
        if stop <= start:
            raise MapError(f"drawing, line {start + 2}: expected the line below the ring {ring}")
        yield start - 1, stop


def _cell(lines: Sequence[str], border: int, stop: int, column: int, width: int) -> _Drawn:
    """Read a cell between two borders. It begins at `column` and has `width` columns."""
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
    """Return the character between two cells, or a blank if it belongs to an id that spans both cells."""
    found = lines[number][column : column + 1] or " "
    return found if found in LINES else " "


def _label(rows: Sequence[str], column: int) -> str:
    """Read the id that begins at a column, with its mark. An id that fills the first row continues in the next."""
    ends = [end for mark in "│║" + LAND if (end := rows[0].find(mark, column)) >= 0]
    room = slice(column, min(ends, default=len(rows[0])))
    text = rows[0][room]
    if text == text.rstrip() and len(rows) > 1 and not rows[1][room].startswith("("):
        text += rows[1][room]
    return text.split()[0] if text.strip() else ""


def _spaces(cells: Mapping[Cell, _Drawn], sectors: int) -> dict[str, list[Cell]]:
    """Return the cells of each space by its id, ordered by the first cells of the spaces."""
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
    """Return all sea cells connected to a cell without a line between them (flood fill)."""
    reached, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for near, line in _around(cells, here, sectors):
            if line in OPEN and not cells[near].land and near not in reached:
                reached.add(near)
                waiting.append(near)
    return reached


def _around(cells: Mapping[Cell, _Drawn], cell: Cell, sectors: int) -> Iterator[tuple[Cell, str]]:
    """Yield the neighbours of a cell, each with the character drawn between the two."""
    ring, sector = cell
    yield (ring, (sector - 1) % sectors), cells[cell].before
    yield (ring, (sector + 1) % sectors), cells[ring, (sector + 1) % sectors].before
    if ring:
        yield (ring - 1, sector), cells[cell].above
    if (ring + 1, sector) in cells:
        yield (ring + 1, sector), cells[ring + 1, sector].above


def _barriers(cells: Mapping[Cell, _Drawn], ids: Mapping[Cell, str], sectors: int) -> list[list[str]]:
    """Return the sorted pairs of ids of spaces with a brown line between them."""
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
    """Read the names of the ports by their spaces' ids from the line that lists them."""
    listed = next((line.removeprefix("ports:") for line in lines if _is_ports(line)), "")
    ports: dict[str, str] = {}
    name = ""
    for part in listed.split(","):  # a name may contain commas
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
    """Read the optional title: the first line, up to three blanks."""
    first = next((line for line in lines if line.strip()), "")
    return "" if HEADER.fullmatch(first) else first.split("   ")[0].strip()
