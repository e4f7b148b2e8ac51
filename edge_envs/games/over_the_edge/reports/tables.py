"""Present the figures of a map and its games: a document for machines and tables for the terminal."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from edge_envs.games.over_the_edge.draw import LEGEND, WIDEST, disc
from edge_envs.games.over_the_edge.map.charts import Map, load_map
from edge_envs.games.over_the_edge.map.survey import survey_text
from edge_envs.games.over_the_edge.reports.contests import Tally
from edge_envs.games.over_the_edge.reports.figures import game_figures, map_figures
from edge_envs.intervals import format_interval

JUDGED = "flat_earth"
NOTES = (
    "Voyages are in steps, including the winning step. Off the rim: only through ports and spaces at least two drifts "
    "from the void. A careful pilot keeps off the rim, a plain one takes the shortest route. Home ports are random. "
    "The intervals of shares are Wilson intervals."
)


def games_document(chart: Map, tallies: Sequence[Tally], games: int, seed: int) -> dict[str, Any]:
    """Return the figures of the map and of its games, ready for JSON."""
    figures = [*map_figures(chart), *(figure for tally in tallies for figure in game_figures(tally))]
    judged = chart == load_map(JUDGED)
    return {"games": games, "seed": seed, "figures": [figure.to_dict(judged) for figure in figures]}


def print_map(chart: Map, document: dict[str, Any], fit: Callable[[str, int], tuple[str, int]]) -> None:
    """Print the picture of the map and its survey.

    Args:
        chart: The map.
        document: Its survey.
        fit: Fits a picture to a width in columns. It returns the picture and the width that it would need, or 0.
    """
    console = Console(highlight=False)
    picture, needed = fit("\n".join(disc(chart, {})), console.width if console.is_terminal else WIDEST)
    for line in (f"{chart.name}   {LEGEND}", picture):
        console.print(line, markup=False, soft_wrap=True)
    if needed:
        console.print(f"(Shown in parts: the map is {needed} columns wide, your terminal {console.width}.)")
    console.print()
    console.print(survey_text(document), markup=False, soft_wrap=True)
    console.print()


def print_games(document: dict[str, Any]) -> None:
    """Print the figures of the map and of its games as a table."""
    console = Console(highlight=False)
    console.print(_figures_table(document))
    console.print(NOTES)


def _figures_table(document: dict[str, Any]) -> Table:
    """Build a section for the map and for each contest. Targets get columns only if the map has any."""
    judged = any(figure["asked"] for figure in document["figures"])
    table = _table("figure", title=f"Figures (games of each kind: {document['games']}, seed: {document['seed']})")
    for name in ("found", "95 % interval", *(("target",) if judged else ())):
        table.add_column(name, justify="right")
    if judged:
        table.add_column("met")
    for of, figures in itertools.groupby(document["figures"], key=lambda figure: figure["of"]):
        table.add_section()
        table.add_row(of)
        for figure in figures:
            verdict = [_format_target(figure), {True: "yes", False: "no", None: ""}[figure["met"]]] if judged else []
            table.add_row(f"  {figure['name']}", *_with_interval(figure), *verdict)
    return table


def _with_interval(figure: dict[str, Any]) -> tuple[str, str]:
    """Format a figure and its interval."""
    is_share = figure["is_share"]
    if figure["low"] is None:
        return _format(figure["value"], is_share), ""
    interval = format_interval(figure["low"], figure["high"], 3 if is_share else 1)
    return _format(figure["value"], is_share), interval


def _table(*columns: str, title: str) -> Table:
    return Table(
        *columns, title=title, title_justify="left", box=box.SIMPLE_HEAD, collapse_padding=True, pad_edge=False
    )


def _format(value: float, is_share: bool) -> str:
    if is_share:
        return f"{value:.3f}"
    return f"{value:.1f}" if isinstance(value, float) else f"{value}"


def _format_target(figure: dict[str, Any]) -> str:
    target = figure["asked"]
    if target is None:
        return ""
    if target["high"] is None:
        return f"over {target['low']:g}"
    return f"{target['low']:g} to {target['high']:g}"
