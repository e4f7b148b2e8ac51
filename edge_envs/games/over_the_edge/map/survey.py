"""Survey a map: sizes, drifts and voyages, as JSON and as text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from edge_envs.games.over_the_edge.map.charts import Map
from edge_envs.games.over_the_edge.map.routes import Routes, off_the_rim

_SIZES = {
    "rings": "rings",
    "sectors": "sectors",
    "spaces": "spaces",
    "land": "land cells",
    "barriers": "brown lines",
}
_COLUMNS = ("port", "space", "ring", "shortest voyage", "off the rim")
_ASIDE = 2
"""The number of left-aligned text columns. The other columns hold numbers."""


def survey(chart: Map, most_ports: int | None = None) -> dict[str, Any]:
    """Return the survey, ready for JSON.

    Args:
        chart: The map.
        most_ports: Include only this many ports; None for all. Their voyages take most of the time.
    """
    return {
        "name": chart.name,
        "rings": chart.rings,
        "sectors": chart.sectors,
        "spaces": len(chart.spaces),
        "land": chart.rings * chart.sectors - sum(len(space.cells) for space in chart.spaces),
        "barriers": len(chart.source.get("barriers", [])),
        "ports": _ports(chart, chart.ports[:most_ports]),
        "drifts_to_void": _drifts(chart),
    }


def survey_text(document: dict[str, Any]) -> str:
    """Return the survey as text."""
    sizes = ", ".join(f"{word} {document[key]}" for key, word in _SIZES.items())
    drifts = (f"{one['spaces']} {f'at {n}' if (n := one['drifts']) else 'aground before'}"
              for one in document["drifts_to_void"])  # fmt: skip
    lines = [f"{document['name']}: {sizes}", f"spaces by drifts to the void: {', '.join(drifts)}", ""]
    return "\n".join([*lines, *_table([_COLUMNS, *(_row(port) for port in document["ports"])])])


def _ports(chart: Map, ports: Sequence[int]) -> list[dict[str, Any]]:
    """Return each port with its outermost ring and its voyages in steps, including the winning step."""
    inside = off_the_rim(chart)
    return [
        {
            "port": chart.spaces[port].port,
            "space": chart.spaces[port].id,
            "ring": max(ring for ring, _ in chart.spaces[port].cells),
            "shortest_voyage": chart.shortest_voyage(port),
            "voyage_off_the_rim": None if math.isinf(cost := Routes(chart, port, inside).cost(port, 0)) else int(cost),
        }
        for port in ports
    ]


def _drifts(chart: Map) -> list[dict[str, Any]]:
    """Count the spaces by their number of drifts to the void; None if land stops the drifts."""
    counts = Counter(chart.drifts_to_void)
    known = sorted(drifts for drifts in counts if drifts is not None)
    return [{"drifts": drifts, "spaces": counts[drifts]} for drifts in [*known, *([None] if None in counts else [])]]


def _row(port: dict[str, Any]) -> tuple[str, ...]:
    return tuple("none" if value is None else str(value) for value in port.values())


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows as aligned lines."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if number < _ASIDE else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
