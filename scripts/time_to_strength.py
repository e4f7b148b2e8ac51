"""Compare how fast learners become strong: processor time until they win half their games against the heuristic.

    python scripts/time_to_strength.py "n-tuple network=runs/beyond_maps/from_rules_8x8_*" "PPO=runs/beyond_maps/ppo_*"

Each argument names a method and its runs, which usually differ in their seeds. A run reaches the target at its first
evaluation with that win rate. Runs without the processor time in `evaluations.jsonl` are rejected.
"""

from __future__ import annotations

import json
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from agents.common.console import fail_politely, run

ROWS = "evaluations.jsonl"
LATEST = 10**15


@dataclass(frozen=True)
class Curve:
    """The evaluations of a run against one opponent, in order: seconds and win rates."""

    board: str
    method: str
    folder: str
    seconds: list[float]
    rates: list[float]

    def reaches(self, share: float) -> float | None:
        """Return the seconds until the first evaluation with at least this win rate; None if there is none."""
        return next((s for s, rate in zip(self.seconds, self.rates, strict=True) if rate >= share), None)


def main(
    methods: Annotated[
        list[str], typer.Argument(metavar="METHOD=PATTERN", help="a method, and the folders of its runs")
    ],
    against: Annotated[str, typer.Option(metavar="AGENT", help="the opponent of the evaluations")] = "heuristic",
    share: Annotated[float, typer.Option(min=0.0, max=1.0, help="the win rate to reach")] = 0.5,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="write the learning curves as PNG")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON instead of a table in Markdown")] = False,
) -> None:
    """Print the processor time until the runs of each method win a share of their games.

    Example: python scripts/time_to_strength.py "PPO=runs/ppo_*" "n-tuple network=runs/tuples_*"
    """
    with fail_politely():
        curves = [curve for method in methods for curve in _curves(method, against)]
        rows = summary(curves, share)
        if plot is not None:
            draw(curves, share, against, plot)
        print(json.dumps(rows) if as_json else table(rows, share, against))


def _curves(method: str, against: str) -> list[Curve]:
    """Read the runs of an argument `METHOD=PATTERN`."""
    name, equals, pattern = method.partition("=")
    if not equals:
        raise ValueError(f"expected METHOD=PATTERN, such as PPO=runs/ppo_*, not {method!r}")
    base = Path(pattern)
    folders = sorted(base.parent.glob(base.name)) if base.name else []
    if not folders:
        raise ValueError(f"{pattern}: no such folder")
    return [read_curve(name, folder, against) for folder in folders]


def read_curve(method: str, folder: Path, against: str) -> Curve:
    """Read the evaluations of a run.

    Raises:
        ValueError: if the folder has none against this opponent, or they lack the processor time.
    """
    from agents.common.files import read_json
    from agents.training.monitor import read_rows

    rows = [row for row in read_rows(folder / ROWS, LATEST) if row["opponent"] == against]
    if not rows:
        raise ValueError(f"{folder}: no evaluations against {against} in {ROWS}")
    if not all("cpu_seconds" in row for row in rows):
        raise ValueError(f"{folder}: the evaluations lack cpu_seconds; this run is from an earlier version")
    config = read_json(folder / "config.json")
    if not isinstance(config, dict) or not isinstance(config.get("game"), str):
        raise ValueError(f"{folder / 'config.json'}: not the configuration of a run")
    known = config.get("params")
    given = known.items() if isinstance(known, dict) else ()
    params = ", ".join(f"{name}={value}" for name, value in given if _is_short(value))
    board = f"{config['game']}, {params}" if params else config["game"]
    return Curve(
        board, method, folder.as_posix(), [row["cpu_seconds"] for row in rows], [row["win_rate"] for row in rows]
    )


def _is_short(value: Any) -> bool:
    """Return whether a parameter fits into a table: maps from files do not."""
    return len(str(value)) <= 24


def summary(curves: list[Curve], share: float) -> list[dict[str, Any]]:
    """Return a row for each board and method, for JSON."""
    groups: dict[tuple[str, str], list[Curve]] = {}
    for curve in curves:
        groups.setdefault((curve.board, curve.method), []).append(curve)
    rows = []
    for (board, method), group in groups.items():
        times = sorted(time for curve in group if (time := curve.reaches(share)) is not None)
        rows.append(
            {
                "board": board,
                "method": method,
                "runs": len(group),
                "reached": len(times),
                "median": statistics.median(times) if len(times) == len(group) else None,
                "lowest": times[0] if times else None,
                "highest": times[-1] if len(times) == len(group) else None,
                "trained": statistics.median(curve.seconds[-1] for curve in group),
                "final": statistics.median(curve.rates[-1] for curve in group),
            }
        )
    return rows


def table(rows: list[dict[str, Any]], share: float, against: str) -> str:
    """Return the summary as a table in Markdown."""
    lines = [
        f"| board | method | runs | CPU seconds until {share:.0%} wins against {against}, median (range) "
        "| runs that reach it | CPU seconds trained | final win rate, median |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        low, high = row["lowest"], row["highest"]
        if row["median"] is not None:
            reached = f"{row['median']:,.0f} ({low:,.0f} to {high:,.0f})"
        else:
            reached = "not reached" if low is None else f"not by all; the first after {low:,.0f}"
        lines.append(
            f"| {row['board']} | {row['method']} | {row['runs']} | {reached} | {row['reached']} of {row['runs']} "
            f"| {row['trained']:,.0f} | {row['final']:.3f} |"
        )
    return "\n".join(lines)


def draw(curves: list[Curve], share: float, against: str, path: Path) -> None:
    """Plot the learning curves of each board over the processor time, on a logarithmic axis."""
    from matplotlib.ticker import FuncFormatter, PercentFormatter

    from agents.common.drawing import GREY, subplots
    from agents.training.curves import COLOURS
    from edge_envs.core.writing import replacing

    boards = list(dict.fromkeys(curve.board for curve in curves))
    methods = list(dict.fromkeys(curve.method for curve in curves))
    with subplots(1, len(boards), figsize=(1 + 4.5 * len(boards), 4.2), squeeze=False, sharey=True) as (figure, grid):
        for axes, board in zip(grid[0], boards, strict=True):
            for curve in curves:
                if curve.board == board:
                    colour = COLOURS[methods.index(curve.method) % len(COLOURS)]
                    times = [max(second, 1.0) for second in curve.seconds]
                    axes.plot(times, curve.rates, color=colour, marker="o", markersize=2.5, linewidth=1.2, alpha=0.8)
            axes.axhline(share, color=GREY, linestyle=":", linewidth=1.2)
            axes.set(title=board, xlabel="processor time", xscale="log")
            axes.xaxis.set_major_formatter(FuncFormatter(_as_time))
            axes.yaxis.set_major_formatter(PercentFormatter(1.0))
            axes.set_ylim(-0.02, 1.02)
            axes.grid(alpha=0.25)
            axes.spines[["top", "right"]].set_visible(False)
        grid[0][0].set_ylabel(f"games won against {against}")
        for number, method in enumerate(methods):
            grid[0][0].plot([], [], color=COLOURS[number % len(COLOURS)], label=method)
        figure.legend(loc="outside lower center", ncols=len(methods), frameon=False)
        with replacing(path) as partial:
            figure.savefig(partial, dpi=120, format="png")


def _as_time(seconds: float, _: Any) -> str:
    """Return a time as the label of an axis."""
    if seconds < 120:
        return f"{seconds:,.0f} s"
    return f"{seconds / 60:,.0f} min" if seconds < 7200 else f"{seconds / 3600:,.0f} h"


if __name__ == "__main__":
    run(main)
