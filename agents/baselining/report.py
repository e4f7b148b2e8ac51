"""Write the results of the baselines: CSV, TensorBoard, figures, the table for the documentation, and model cards."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter
from torch.utils.tensorboard import SummaryWriter

from agents.baselining.cards import write_card
from agents.baselining.curves import Curve, curve_over_boards, half_widths, mean_curve
from agents.baselining.measuring import Measured, kept_policies
from agents.baselining.plan import BaselinePlan
from agents.benchmarking.references import level_scores
from agents.common.drawing import GREY, subplots
from agents.common.files import write_whole
from edge_envs.core.writing import replacing

Groups = Mapping[tuple[str, str, float], Sequence[Measured]]
"""Runs by board, algorithm and seconds."""

PANELS = (("score", "seconds"), ("score", "frames"), ("return", "seconds"), ("return", "frames"))
NAMES = {
    "score": "normalized score",
    "return": "mean return against levels 1 to 5",
    "seconds": "seconds of processor time on the reference machine",
    "frames": "frames",
}


def write_report(plan: BaselinePlan, measured: Sequence[Measured], folder: Path) -> str:
    """Write all files of the results; return the Markdown table."""
    for one in measured:
        write_whole(folder / one.run.name / "curve.csv", curve_csv([one]))
        write_tensorboard(plan, one, folder / "tensorboard")
        write_card(plan, one, kept_policies(folder, one.run)[-1], folder / "policies" / one.run.name)
    write_curves(plan, measured, folder)
    text = table(plan, grouped(measured))
    write_whole(folder / "table.md", text)
    return text


def grouped(measured: Sequence[Measured]) -> Groups:
    """Return runs by board, algorithm and seconds."""
    groups: dict[tuple[str, str, float], list[Measured]] = {}
    for one in measured:
        groups.setdefault((one.run.board, one.run.algorithm, one.run.seconds), []).append(one)
    return groups


def write_curves(plan: BaselinePlan, measured: Sequence[Measured], folder: Path) -> list[str]:
    """Write the learning curves as CSV and as figures; return the names of the figures."""
    groups = grouped(measured)
    write_whole(folder / "curves.csv", curve_csv(measured))
    boards = _boards(plan, groups)
    for board in boards:
        draw_board(plan, groups, board, folder / f"{board}.png")
    draw_all(plan, groups, folder / "all.png")
    return [*boards, "all"]


def _boards(plan: BaselinePlan, groups: Groups) -> list[str]:
    """Return the boards of the plan that have runs."""
    return [board for board in plan.boards if any(where == board for where, _, _ in groups)]


def curve_csv(measured: Sequence[Measured]) -> str:
    """Return the points of learning curves as CSV, one per line."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["board", "algorithm", "seed", "budget_seconds", "frames", "seconds", "mean_return", "score"])
    for one in measured:
        run = one.run
        for point in one.curve:
            score = "" if point.score is None else round(point.score, 3)
            place = [point.step, round(point.seconds, 2), round(point.mean_return, 4), score]
            rows.writerow([run.board, run.algorithm, run.seed, f"{run.seconds:g}", *place])
    return file.getvalue()


def write_tensorboard(plan: BaselinePlan, one: Measured, folder: Path) -> None:
    """Write the learning curve and the hyperparameters of a run, in place of what was written before.

    Raises:
        ValueError: if the folder of the run has other files, such as a training.
    """
    place = folder / one.run.name
    written = list(place.iterdir()) if place.is_dir() else []
    if others := [file for file in written if not file.name.startswith("events.out.tfevents.")]:
        raise ValueError(f"{min(others)}: this is not a TensorBoard log; choose another folder")
    for file in written:
        file.unlink()
    last = one.curve[-1]
    results = {"final/return": last.mean_return} | ({} if last.score is None else {"final/score": last.score})
    settings = {"algorithm": one.run.algorithm, "board": one.run.board, **flat(one.config)}
    with SummaryWriter(str(place)) as writer:
        writer.add_hparams(settings, results, run_name=".")
        for point in one.curve:
            writer.add_scalar("curve/return", point.mean_return, point.step)
            writer.add_scalar("curve/seconds", point.seconds, point.step)
            if point.score is not None:
                writer.add_scalar("curve/score", point.score, point.step)


def flat(config: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return the settings of a configuration as one level of keys such as `ppo.epochs`; lists become JSON."""
    settings: dict[str, Any] = {}
    for key, value in config.items():
        if isinstance(value, Mapping):
            settings |= flat(value, f"{prefix}{key}.")
        else:
            plain = isinstance(value, bool | int | float | str)
            settings[prefix + key] = value if plain else json.dumps(value)
    return settings


FEWEST = 3
"""Seeds from which on figures and tables have intervals; those of two seeds are wider than the range of scores."""


def draw_board(plan: BaselinePlan, groups: Groups, board: str, path: Path) -> None:
    """Draw the learning curves of all algorithms on a board: scores and returns, against seconds and frames."""
    levels = level_scores(plan.read_protocol(), board)
    with subplots(2, 2, figsize=(12, 8)) as (figure, axes):
        for place, (what, axis) in zip(axes.flat, PANELS, strict=True):
            for number, (name, algorithm) in enumerate(plan.algorithms.items()):
                runs = groups.get((board, name, plan.seconds))
                if runs:
                    _draw(
                        place,
                        mean_curve(runs, what, axis),
                        f"C{number}",
                        f"{algorithm.title} ({counted(len(runs), 'seed')})",
                        intervals=len(runs) >= FEWEST,
                    )
            place.set_xlabel(NAMES[axis])
            place.set_ylabel(NAMES[what])
            if axis == "frames":
                place.set_xscale("symlog", linthresh=1000)
                place.xaxis.set_major_locator(FixedLocator([0.0, *(10.0**power for power in range(3, 12))]))
                place.xaxis.set_major_formatter(FuncFormatter(lambda frames, _: in_short(frames)))
            for level, score in levels.items() if what == "score" else ():
                place.axhline(score, color="0.75", linewidth=0.7, zorder=0)
                where: Any = {"xycoords": ("axes fraction", "data"), "xytext": (3, -2), "textcoords": "offset points"}
                place.annotate(level, (1.0, score), **where, fontsize=7, color=GREY)
            _fit_means(place)
        if axes[0, 0].get_legend_handles_labels()[0]:
            axes[0, 0].legend(fontsize=8)
        figure.suptitle(f"{board}: means over seeds, with 95 % intervals of {FEWEST} or more")
        with replacing(path) as partial:
            figure.savefig(partial, dpi=110, format="png")


def _fit_means(place: Any) -> None:
    """Show the range of the means and levels; intervals of few seeds may be much wider, and are cut off."""
    if place.lines:
        values = np.concatenate([line.get_ydata() for line in place.lines])
        margin = 0.15 * max(float(np.ptp(values)), 0.1)
        place.set_ylim(float(values.min()) - margin, float(values.max()) + margin)


def in_short(frames: float) -> str:
    """Return a number of frames for an axis, such as `10 k`."""
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if frames >= unit:
            return f"{frames / unit:g} {name}"
    return f"{frames:g}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def draw_all(plan: BaselinePlan, groups: Groups, path: Path) -> None:
    """Draw the interquartile means over all boards with scores on which an algorithm has runs."""
    with subplots(figsize=(8, 5)) as (figure, place):
        for number, (name, algorithm) in enumerate(plan.algorithms.items()):
            boards = [groups.get((board, name, plan.seconds), ()) for board in plan.boards]
            scored = [runs for runs in boards if runs and runs[0].curve[-1].score is not None]
            if scored:
                _draw(
                    place,
                    curve_over_boards(scored),
                    f"C{number}",
                    f"{algorithm.title} ({counted(len(scored), 'board')})",
                    intervals=all(len(runs) >= FEWEST for runs in scored),
                )
        place.set_xlabel(NAMES["seconds"])
        place.set_ylabel("interquartile mean of normalized scores")
        if place.lines:
            place.legend(fontsize=8)
        figure.suptitle(f"all boards: interquartile means, with 95 % bootstrap intervals over {FEWEST} seeds or more")
        with replacing(path) as partial:
            figure.savefig(partial, dpi=110, format="png")


def _draw(place: Any, curve: Curve, colour: str, label: str, intervals: bool = True) -> None:
    place.plot(curve.at, curve.mean, color=colour, label=label)
    if intervals:
        place.fill_between(curve.at, curve.low, curve.high, color=colour, alpha=0.2, linewidth=0)


def table(plan: BaselinePlan, groups: Groups) -> str:
    """Return a Markdown table: for each board and algorithm the final score and return, with intervals over seeds."""
    protocol = plan.read_protocol()
    lines = [
        "| board | algorithm | seconds | seeds | frames | score | mean return |",
        "|---|---|---|---|---|---|---|",
    ]
    for board in _boards(plan, groups):
        for (where, name, seconds), runs in sorted(groups.items(), key=lambda group: group[0][2]):
            if where == board:
                lines.append(_row(board, plan.algorithms[name].title, seconds, runs))
        for level, score in level_scores(protocol, board).items():
            lines.append(f"| `{board}` | `{level}` | | | | {score:.1f} | |")
    return "\n".join(lines) + "\n"


def _row(board: str, title: str, seconds: float, runs: Sequence[Measured]) -> str:
    ends = [run.curve[-1] for run in runs]
    frames = np.mean([end.step for end in ends])
    score = _with_interval([end.score for end in ends if end.score is not None], 1)
    returns = _with_interval([end.mean_return for end in ends], 3)
    return f"| `{board}` | {title} | {seconds:g} | {len(runs)} | {frames:,.0f} | {score} | {returns} |"


def _with_interval(values: Sequence[float], digits: int) -> str:
    """Return a mean with the half-width of its 95 % interval if there are enough values; "" without values."""
    if not values:
        return ""
    mean, half = float(np.mean(values)), float(half_widths(np.array(values)[:, None])[0])
    return f"{mean:.{digits}f} ± {half:.{digits}f}" if len(values) >= FEWEST else f"{mean:.{digits}f}"
