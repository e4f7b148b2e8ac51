"""What is told of a map and its games: one document for machines, and tables for the terminal."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from edge_envs.games.over_the_edge.draw import LEGEND, WIDEST, disc
from edge_envs.games.over_the_edge.map.charts import Map, load_map
from edge_envs.games.over_the_edge.map.survey import survey_text
from scripts.map_reports.contests import Tally
from scripts.map_reports.goals import game_figures, map_figures
from scripts.playing.window import fit

JUDGED = "flat_earth"
NOTES = (
    "Voyages are in steps, the winning one included. Off the rim: through ports, and spaces two drifts or more from "
    "the void. A careful pilot keeps off the rim, a plain one takes the shortest way; homes are drawn. Intervals of "
    "shares are Wilson's."
)


def games_document(chart: Map, tallies: Sequence[Tally], games: int, seed: int) -> dict[str, Any]:
    """The figures of the map and of its games, ready for JSON."""
    figures = [*map_figures(chart), *(figure for tally in tallies for figure in game_figures(tally))]
    judged = chart == load_map(JUDGED)
    return {"games": games, "seed": seed, "figures": [figure.to_dict(judged) for figure in figures]}


def print_map(chart: Map, document: dict[str, Any]) -> None:
    """The picture of the map and what is seen on it, for people."""
    console = Console(highlight=False)
    picture, needed = fit("\n".join(disc(chart, {})), console.width if console.is_terminal else WIDEST)
    for line in (f"{chart.name}   {LEGEND}", picture):
        console.print(line, markup=False, soft_wrap=True)
    if needed:
        console.print(f"(Shown in parts: the map is {needed} columns wide, your window {console.width}.)")
    console.print()
    console.print(survey_text(document), markup=False, soft_wrap=True)
    console.print()


def print_games(document: dict[str, Any]) -> None:
    """The figures of the map and of its games, for people."""
    console = Console(highlight=False)
    console.print(_figures_table(document))
    console.print(NOTES)


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
