"""The editor of maps: the places to click on the disc, and the effects of the tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.errors import in_short
from edge_envs.core.interactive.editor import Document, Editor, Problem, Tool, number
from edge_envs.games.over_the_edge.editor.draft import LEAST_SECTORS, MOST_CELLS, MOST_RINGS, MOST_SECTORS, Draft
from edge_envs.games.over_the_edge.map.charts import SHIPPED, Cell, read_source, sketch_map
from edge_envs.games.over_the_edge.map.generator import is_generated
from edge_envs.games.over_the_edge.map.survey import survey, survey_text
from edge_envs.games.over_the_edge.views.disc import BOTTOM, MARGIN, paint_map
from edge_envs.games.over_the_edge.views.lattice import CENTRE_X, Lattice, borders, outline, seam
from edge_envs.pictures.canvas import Canvas
from edge_envs.pictures.colours import FAINT

_CELL, _LINE = "cell-", "line-"
_TOOLS = (
    Tool("land", "land", "cells", _CELL),
    Tool("sea", "sea: a separate space", "cells", _CELL),
    Tool("join", "join the two spaces", "lines", _LINE),
    Tool("wall", "add or remove a brown line", "lines", _LINE),
    Tool("port", "port", "spaces", _CELL, asks="name of the port"),
    Tool("no-port", "not a port", "spaces", _CELL),
    Tool("id", "name of the space", "spaces", _CELL, asks="name of the space, one word"),
    Tool("name", "name", "the map", asks="name of the map"),
    Tool("rings", "rings", "the map", asks=f"number of rings, 1 to {MOST_RINGS}"),
    Tool("sectors", "sectors", "the map", asks=f"number of sectors, {LEAST_SECTORS} to {MOST_SECTORS}"),
    Tool("all-sea", "sea everywhere", "the map"),
    Tool("all-land", "land everywhere", "the map"),
)
_OPEN_SEA: Document = {"name": "new map", "rings": 3, "sectors": 8, "spaces": [], "land": [], "barriers": []}
_MOST_PORTS = 12
"""The report lists the voyages of at most this many ports."""
_INSET, _REACH = 1.5, 5.0


class MapEditor(Editor):
    """Draw a map on the disc that the game shows, by clicks on cells and on lines between spaces."""

    edits = "map"

    def first(self, params: Mapping[str, Any]) -> Document:
        """Return the map to start from: a map by its name, a map as an object, or open sea with one port."""
        self.game_type.check_params({name: value for name, value in params.items() if name != self.edits})
        value = params.get(self.edits)
        if value is None:
            return _open_sea()
        named = value in SHIPPED or is_generated(value)
        if not isinstance(value, dict) and not named:  # a web client must not read files
            raise ValueError(f"invalid map={in_short(value)}: expected {', '.join(SHIPPED)} or a map as an object")
        document = read_source(value)
        self.check(document)
        return document

    def fit(self, document: Document, params: Mapping[str, Any]) -> None:
        """Leave the document unchanged: a map does not depend on the other parameters."""

    def check(self, document: Document) -> None:
        """Check that the map can be drawn: each cell has one owner, and the map is not too large."""
        for key, most in (("rings", MOST_RINGS), ("sectors", MOST_SECTORS)):
            value = document.get(key)
            if isinstance(value, int) and value > most:
                raise ValueError(f"{key}: {value} are too many for the editor; the maximum is {most}")
        chart, _ = sketch_map(document)
        if chart.rings * chart.sectors > MOST_CELLS:
            raise ValueError(f"the map has too many cells for the editor; the maximum is {MOST_CELLS}")

    def tools(self, document: Document) -> list[Tool]:
        """Return all tools; they are always available."""
        return list(_TOOLS)

    def places(self, document: Document) -> dict[str, str]:
        """Return the cells and the lines between spaces, each with a description."""
        draft, (chart, _) = Draft(document), sketch_map(document)
        texts = {
            cell: space.id if space.port is None else f"{space.id}, port {space.port}"
            for space in chart.spaces
            for cell in space.cells
        }
        cells = {
            _key(_CELL, cell): f"ring {cell[0]}, sector {cell[1]}: {texts.get(cell, 'land')}" for cell in draft.cells()
        }
        lines = {
            _key(_LINE, one, other): ("brown line" if draft.has_wall(one, other) else "line")
            + f" between {texts[one]} and {texts[other]}"
            for one, other in draft.seams()
        }
        return cells | lines

    def size(self, document: Document) -> tuple[float, float]:
        """Return the size of the picture, the same for all maps."""
        return 2 * CENTRE_X, BOTTOM + MARGIN

    def paint(self, document: Document, canvas: Canvas) -> None:
        """Draw the map as the game does, with faint lines between the cells of spaces and land."""
        draft, (chart, _) = Draft(document), sketch_map(document)
        paint_map(canvas, chart, {})
        lattice = Lattice(chart.rings, chart.sectors)
        within = borders(lattice, lambda one, other: 0 if draft.owner(one) is draft.owner(other) else None, 0)
        if within:
            canvas.path(within, stroke=FAINT, dash="1.5 3.5")
        reach = min(_REACH, 0.2 * lattice.depth, 0.2 * lattice.width(0))
        for cell in draft.cells():
            canvas.area(_key(_CELL, cell), outline(lattice, [cell], min(_INSET, reach / 2)))
        for one, other in draft.seams():
            canvas.area(_key(_LINE, one, other), seam(lattice, one, other, reach))

    def change(self, document: Document, tool: Tool, key: str, text: str) -> None:
        """Apply an edit."""
        draft = Draft(document)
        if tool.places == _CELL:
            _click_cell(draft, tool, _cells_of(key)[0], text)
        elif tool.places == _LINE:
            _click_line(draft, tool, *_cells_of(key))
        elif tool.id == "name":
            draft.name = text
        elif tool.id == "rings":
            draft.resize(number(text, tool, 1, MOST_RINGS), draft.sectors)
        elif tool.id == "sectors":
            draft.resize(draft.rings, number(text, tool, LEAST_SECTORS, MOST_SECTORS))
        else:
            _fill(draft, tool.id == "all-sea")
        draft.write(document)

    def problems(self, document: Document) -> list[Problem]:
        """Return everything that prevents playing on the map."""
        _, faults = sketch_map(document)
        return [Problem(fault.line, None if fault.cell is None else _key(_CELL, fault.cell)) for fault in faults]

    def report(self, document: Document) -> str:
        """Return the sizes, drifts and voyages of the map as text."""
        chart, _ = sketch_map(document)
        more = len(chart.ports) - _MOST_PORTS
        return survey_text(survey(chart, _MOST_PORTS)) + (f"\nand {more} more ports" if more > 0 else "")


def _open_sea() -> Document:
    """Return the initial map: all sea, and one port."""
    document, draft = dict(_OPEN_SEA), Draft(_OPEN_SEA)
    _fill(draft, True)
    draft.set_port((0, 0), "Home")
    draft.write(document)
    return document


def _fill(draft: Draft, with_sea: bool) -> None:
    """Make all cells land, or spaces of one cell."""
    for cell in draft.cells():
        draft.make_land(cell)
        if with_sea:
            draft.make_sea(cell)


def _click_cell(draft: Draft, tool: Tool, cell: Cell, text: str) -> None:
    """Apply a tool to a cell."""
    if tool.id == "land":
        draft.make_land(cell)
    elif tool.id == "sea":
        draft.make_sea(cell)
    elif tool.id == "id":
        draft.set_id(cell, text)
    else:
        draft.set_port(cell, text or None)


def _click_line(draft: Draft, tool: Tool, one: Cell, other: Cell) -> None:
    """Apply a tool to the line between two cells."""
    if tool.id == "join":
        draft.join(one, other)
    else:
        draft.toggle_wall(one, other)


def _key(prefix: str, *cells: Cell) -> str:
    return prefix + "-".join(f"{ring}-{sector}" for ring, sector in cells)


def _cells_of(key: str) -> list[Cell]:
    numbers = list(map(int, key.split("-")[1:]))
    return list(zip(numbers[::2], numbers[1::2], strict=True))
