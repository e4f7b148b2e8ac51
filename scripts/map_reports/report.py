"""What is told of a map: one document for machines, and tables for the terminal."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from edge_envs.games.over_the_edge.draw import LEGEND, WIDEST, disc
from edge_envs.games.over_the_edge.map.charts import Map, load_map
from scripts.map_reports.contests import Tally
from scripts.map_reports.goals import game_figures, map_figures
from scripts.map_reports.routes import Routes, stay_inside
from scripts.playing.window import fit

JUDGED = "flat_earth"
NOTES = (
    "Voyages are in steps, the winning one included. Off the rim: through ports, and spaces two drifts or more from "
    "the void. A careful pilot keeps off the rim, a plain one takes the shortest way; homes are drawn. Intervals of "
    "shares are Wilson's."
)


def map_document(chart: Map) -> dict[str, Any]:
    """What is seen on the map itself, ready for JSON."""
    return {
        "name": chart.name,
        "rings": chart.rings,
        "sectors": chart.sectors,
        "spaces": len(chart.spaces),
        "land": chart.rings * chart.sectors - sum(len(space.cells) for space in chart.spaces),
        "barriers": len(chart.source.get("barriers", [])),
        "ports": _ports(chart),
        "drifts_to_void": _drifts(chart),
    }


def games_document(chart: Map, tallies: Sequence[Tally], games: int, seed: int) -> dict[str, Any]:
    """The figures of the map and of its games, ready for JSON."""
    figures = [*map_figures(chart), *(figure for tally in tallies for figure in game_figures(tally))]
    judged = chart == load_map(JUDGED)
    return {"games": games, "seed": seed, "figures": [figure.to_dict(judged) for figure in figures]}


def _ports(chart: Map) -> list[dict[str, Any]]:
    """Each port with its outermost ring; voyages in steps, the winning one included."""
    inside = stay_inside(chart)
    return [
        {
            "port": chart.spaces[port].port,
            "space": chart.spaces[port].id,
            "ring": max(ring for ring, _ in chart.spaces[port].cells),
            "shortest_voyage": chart.shortest_voyage(port),
            "voyage_off_the_rim": None if math.isinf(cost := Routes(chart, port, inside).cost(port, 0)) else int(cost),
        }
        for port in chart.ports
    ]


def _drifts(chart: Map) -> list[dict[str, Any]]:
    """How many spaces are so many drifts from the void; None where land stops the drifts."""
    counts = Counter(chart.drifts_to_void)
    known = sorted(drifts for drifts in counts if drifts is not None)
    return [{"drifts": drifts, "spaces": counts[drifts]} for drifts in [*known, *([None] if None in counts else [])]]


def print_map(chart: Map, document: dict[str, Any]) -> None:
    """The picture of the map and what is seen on it, for people."""
    console = Console(highlight=False)
    picture, needed = fit("\n".join(disc(chart, {})), console.width if console.is_terminal else WIDEST)
    for line in (f"{chart.name}   {LEGEND}", picture):
        console.print(line, markup=False, soft_wrap=True)
    if needed:
        console.print(f"(Shown in parts: the map is {needed} columns wide, your window {console.width}.)")
    console.print()
    console.print(_size_in_words(document), markup=False, soft_wrap=True)
    console.print(_drifts_in_words(document["drifts_to_void"]), soft_wrap=True)
    console.print(_ports_table(document["ports"]))


def print_games(document: dict[str, Any]) -> None:
    """The figures of the map and of its games, for people."""
    console = Console(highlight=False)
    console.print(_figures_table(document))
    console.print(NOTES)


def _size_in_words(document: dict[str, Any]) -> str:
    words = {
        "rings": "rings",
        "sectors": "sectors",
        "spaces": "spaces",
        "land": "land cells",
        "barriers": "brown lines",
    }
    return f"{document['name']}: " + ", ".join(f"{word} {document[key]}" for key, word in words.items())


def _drifts_in_words(drifts: Sequence[dict[str, Any]]) -> str:
    told = (f"{entry['spaces']} {f'at {n}' if (n := entry['drifts']) else 'aground before'}" for entry in drifts)
    return f"spaces by drifts to the void: {', '.join(told)}"


def _ports_table(ports: Sequence[dict[str, Any]]) -> Table:
    table = _table("port", "space", title="Ports")
    for name in ("ring", "shortest voyage", "off the rim"):
        table.add_column(name, justify="right")
    for row in ports:
        numbers = (row["ring"], row["shortest_voyage"], row["voyage_off_the_rim"])
        table.add_row(
            escape(row["port"]),
            escape(row["space"]),
            *("none" if number is None else str(number) for number in numbers),
        )
    return table


def _figures_table(document: dict[str, Any]) -> Table:
    """A part for the map and for each contest; what is asked only where something is."""
    judged = any(figure["asked"] for figure in document["figures"])
    table = _table("figure", title=f"Figures (games of each kind: {document['games']}, seed: {document['seed']})")
    for name in ("found", "95 % interval", *(("asked",) if judged else ())):
        table.add_column(name, justify="right")
    if judged:
        table.add_column("met")
    for of, figures in itertools.groupby(document["figures"], key=lambda figure: figure["of"]):
        table.add_section()
        table.add_row(of)
        for figure in figures:
            verdict = [_told_asked(figure), {True: "yes", False: "no", None: ""}[figure["met"]]] if judged else []
            table.add_row(f"  {figure['name']}", *_found(figure), *verdict)
    return table


def _found(figure: dict[str, Any]) -> tuple[str, str]:
    """A figure and its interval in words."""
    is_share = figure["is_share"]
    if figure["low"] is None:
        return _told(figure["value"], is_share), ""
    interval = f"{_told(figure['low'], is_share).removesuffix(' %')}–{_told(figure['high'], is_share)}"
    return _told(figure["value"], is_share), interval


def _table(*columns: str, title: str) -> Table:
    return Table(*columns, title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)


def _told(value: float, is_share: bool) -> str:
    if is_share:
        return f"{100 * value:.1f} %"
    return f"{value:.1f}" if isinstance(value, float) else f"{value}"


def _told_asked(figure: dict[str, Any]) -> str:
    asked = figure["asked"]
    if asked is None:
        return ""
    unit, scale = (" %", 100) if figure["is_share"] else ("", 1)
    if asked["high"] is None:
        return f"over {scale * asked['low']:g}{unit}"
    return f"{scale * asked['low']:g}–{scale * asked['high']:g}{unit}"
