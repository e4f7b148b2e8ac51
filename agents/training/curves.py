"""Plot the learning curves of a run, and its results against the opponents of the training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from agents.common.drawing import GREY, subplots
from edge_envs.core.errors import printable
from edge_envs.core.writing import replacing

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Colours that are distinct for all types of colour vision (Okabe and Ito)."""


def draw_curves(rows: list[dict[str, Any]], title: str, share: float, path: Path) -> None:
    """Plot the rows of `evaluations.jsonl`: win rates with their intervals, and estimates against perfect play.

    A dotted line shows `share`, the win rate between equal agents.
    """
    rows = [{**row, "opponent": printable(row["opponent"])} for row in rows]
    from matplotlib.ticker import EngFormatter, PercentFormatter

    with subplots(figsize=(8, 5.5)) as (figure, axes):
        for number, opponent in enumerate(dict.fromkeys(row["opponent"] for row in rows)):
            own = [row for row in rows if row["opponent"] == opponent]
            colour = COLOURS[number % len(COLOURS)]
            _draw(axes, own, "win_rate", f"wins against {opponent}", color=colour, marker="o", markersize=3)
            estimated = [row for row in own if "estimate" in row]
            if estimated:
                _draw(axes, estimated, "estimate", f"estimate against {opponent}", color=colour, linestyle="--")
        axes.axhline(share, color=GREY, linestyle=":", linewidth=1.2, label=f"equal agents: {share:.0%}")
        axes.set(title=title, xlabel="decisions of the learner", ylabel="games won (bands: 95 % intervals)")
        axes.set_ylim(-0.02, 1.02)
        axes.set_xlim(left=0)
        axes.xaxis.set_major_formatter(EngFormatter(sep=""))
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
        figure.legend(loc="outside lower center", ncols=2, frameon=False)  # below: paths of policies are long
        _save(figure, path)


def draw_met(rows: list[dict[str, Any]], title: str, share: float, path: Path) -> None:
    """Plot the rows of `opponents.jsonl` as a matrix: the learner's win rate at each step against each opponent.

    White is `share`, the win rate between equal agents.
    """
    rows = [{**row, "opponent": printable(row["opponent"])} for row in rows]
    from matplotlib.colors import TwoSlopeNorm
    from matplotlib.ticker import PercentFormatter

    steps, names = (list(dict.fromkeys(row[key] for row in rows)) for key in ("step", "opponent"))
    rates = np.full((len(names), len(steps)), np.nan)
    for row in rows:
        if row["games"] > 0:
            rates[names.index(row["opponent"]), steps.index(row["step"])] = row["score"] / row["games"]
    with subplots(figsize=(8, min(2.5 + 0.22 * len(names), 40))) as (figure, axes):
        colours = TwoSlopeNorm(share, vmin=-1e-9, vmax=1 + 1e-9)
        image = axes.imshow(rates, cmap="PuOr", norm=colours, aspect="auto", interpolation="nearest")
        axes.set(title=title, xlabel="decisions of the learner, up to", ylabel="opponents of the training")
        axes.set_xticks(range(len(steps)), [f"{step:,}" for step in steps], rotation=90, fontsize=7)
        axes.set_yticks(range(len(names)), names, fontsize=7)
        figure.colorbar(image, label="games won", format=PercentFormatter(1.0))
        _save(figure, path)


def _save(figure: Any, path: Path) -> None:
    """Save the picture atomically."""
    with replacing(path) as partial:
        figure.savefig(partial, dpi=120, format="png")


def _draw(axes: Any, rows: list[dict[str, Any]], key: str, label: str, **style: Any) -> None:
    """Draw one line with a band for its intervals."""
    steps = [row["step"] for row in rows]
    axes.plot(steps, [row[key] for row in rows], label=label, linewidth=1.6, **style)
    low, high = zip(*(_interval(row, key) for row in rows), strict=True)
    axes.fill_between(steps, low, high, color=style["color"], alpha=0.15, linewidth=0)


def _interval(row: dict[str, Any], key: str) -> tuple[float, float]:
    if key == "estimate":
        return row["estimate"] - row["half_width"], row["estimate"] + row["half_width"]
    return row["low"], row["high"]
