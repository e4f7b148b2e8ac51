"""Plots of a tournament: ratings with their intervals, and the scores of all pairs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from agents.common.drawing import GREY, subplots
from edge_envs.core.errors import printable
from edge_envs.core.spec import Array
from edge_envs.core.writing import replacing

COLOUR = "#0072B2"
WIDE_GAP = 0.4
"""The axis of ratings ends at a gap between neighbours that is wider than this share of the whole range."""
LONGEST_LABEL = 44  # characters of a name; longer labels would leave no room for the plot


def draw_ratings(document: Mapping[str, Any], title: str, folder: Path) -> None:
    """Write ratings.svg and ratings.png: a dot and an interval for each agent, the best on top."""
    rows = document["agents"][::-1]
    points = np.array([row["rating"] for row in rows])
    wide = np.abs(np.array([(row["low"], row["high"]) for row in rows]).T - points)
    shown, anchor = points >= lowest_shown(points), short_label(document["anchor"])
    with stable_figure("ratings", (8, 1.4 + 0.34 * len(rows))) as (figure, axes):
        places = np.arange(len(rows))
        axes.errorbar(points[shown], places[shown], xerr=wide[:, shown], fmt="o", color=COLOUR, capsize=3, markersize=5)
        axes.axvline(1000.0, color=GREY, linestyle=":", linewidth=1.2)
        axes.set_yticks(places, [short_label(row["agent"]) for row in rows])
        beyond = "" if shown.all() else "; ◂: farther to the left"
        axes.set(
            title=title,
            xlabel=f"rating ({anchor} = 1000; 400 points are odds of 10 to 1)\n95 % intervals{beyond}",
        )
        for place in places[~shown]:
            left = axes.get_yaxis_transform()
            axes.plot([0.012], [place], marker="<", color=COLOUR, transform=left, clip_on=False)
            axes.text(0.03, place, f"{points[place]:,.0f}".replace("-", "−"), va="center", color=GREY, transform=left)
        axes.set_ylim(-0.6, len(rows) - 0.4)
        axes.grid(axis="x", alpha=0.25)
        axes.spines[["top", "right", "left"]].set_visible(False)
        write_figure(figure, folder / "ratings")


def lowest_shown(points: Array) -> float:
    """Return the lowest rating on the axis. Much weaker agents would squeeze all others into a few pixels."""
    ranked = np.sort(points)
    gaps = np.diff(ranked)
    if not len(gaps):
        return float(ranked[0])
    wide = np.flatnonzero(gaps > WIDE_GAP * (ranked[-1] - ranked[0]))
    wide = wide[wide < len(ranked) - 2]  # at least two agents remain
    return float(ranked[wide[-1] + 1] if len(wide) else ranked[0])


def short_label(agent: str) -> str:
    """Return the name of an agent for a plot: printable and not too long."""
    agent = printable(agent)
    return agent if len(agent) <= LONGEST_LABEL else f"…{agent[1 - LONGEST_LABEL :]}"


def draw_matrix(document: Mapping[str, Any], title: str, folder: Path) -> None:
    """Write matrix.svg and matrix.png: the score of the agent of each row against that of each column."""
    names = [row["agent"] for row in document["agents"]]
    scores = np.full((len(names), len(names)), np.nan)
    for pair in document["pairs"]:
        one, other = names.index(pair["agent"]), names.index(pair["other"])
        scores[one, other], scores[other, one] = pair["score"], 1.0 - pair["score"]
    side = 2.6 + 0.62 * len(names)
    with stable_figure("matrix", (side + 1.2, side)) as (figure, axes):
        image = axes.imshow(scores, cmap="PuOr", vmin=0.0, vmax=1.0)
        for (row, column), score in np.ndenumerate(scores):
            if not np.isnan(score):
                ink = "white" if abs(score - 0.5) > 0.38 else "black"
                axes.text(column, row, f"{100 * score:.0f}", ha="center", va="center", fontsize=9, color=ink)
        labels = [short_label(name) for name in names]
        axes.set_xticks(range(len(names)), labels, rotation=40, ha="right")
        axes.set_yticks(range(len(names)), labels)
        axes.set_title(title)
        axes.spines[:].set_visible(False)
        label = "share of games in which the row did better,\na draw counting half"
        figure.colorbar(image, label=label, shrink=0.8, format=PercentFormatter(1.0))
        write_figure(figure, folder / "matrix")


def stable_figure(name: str, size: tuple[float, float]) -> AbstractContextManager[tuple[Figure, Any]]:
    """Make a figure whose SVG has the same bytes each time."""
    return subplots(figsize=size, settings={"svg.hashsalt": name, "svg.fonttype": "none"})


def write_figure(figure: Figure, path: Path) -> None:
    """Write a picture as SVG and as PNG."""
    with replacing(path.with_suffix(".svg")) as partial:
        figure.savefig(partial, format="svg", metadata={"Date": None})
    with replacing(path.with_suffix(".png")) as partial:
        figure.savefig(partial, format="png", dpi=120)
