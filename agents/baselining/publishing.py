"""Publish the results of baselines in the documentation, next to results from other sessions and machines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field

from agents.baselining.curves import half_widths
from agents.baselining.measuring import Measured, Point
from agents.baselining.plan import BaselinePlan, same_training
from agents.baselining.report import FEWEST, grouped, table, write_curves
from agents.common.configuration import Section, parse
from agents.common.files import read_json, write_whole
from agents.common.pages import write_results

RESULTS = "results.json"


class PublishedRun(Section):
    """A run: its configuration, its learning curve, and the results of its last policy against each opponent."""

    name: str
    config: dict[str, Any]
    curve: list[Point] = Field(min_length=2)
    opponents: list[dict[str, Any]]


class PublishedResults(Section):
    """The file of published results."""

    protocol: str
    runs: list[PublishedRun]


def publish(plan: BaselinePlan, measured: Sequence[Measured], page: Path) -> list[Measured]:
    """Write results into a page, and into the folder next to it that has the page's name.

    The folder gets results.json, curves.csv and the figures. Results that are already there stay, if the plan still has
    their run with the same configuration, apart from when it ends and saves checkpoints.

    Returns:
        All results of the page, in the order of the plan.

    Raises:
        ValueError: if the page does not have the two comments, or if results.json is invalid.
    """
    folder = page.with_suffix("")
    every = {one.run.name: one for one in [*read_published(plan, folder / RESULTS), *measured]}
    results = [every[run.name] for run in plan.runs() if run.name in every]
    folder.mkdir(exist_ok=True)
    document = {"protocol": plan.read_protocol().title, "runs": [_as_dict(one) for one in results]}
    write_whole(folder / RESULTS, json.dumps(document, indent=1) + "\n")
    figures = write_curves(plan, results, folder)
    lines = [
        f"So far {len(results)} of {len(plan.runs())} runs.",
        "",
        table(plan, grouped(results)),
        *(f"![{_caption(name)}]({folder.name}/{name}.png)\n" for name in figures),
    ]
    write_results(page, lines)
    return results


def read_published(plan: BaselinePlan, file: Path) -> list[Measured]:
    """Read published results, without runs that the plan does not have with the same configuration.

    A run may have ended at another time.
    """
    if not file.exists():
        return []
    runs, title = {run.name: run for run in plan.runs()}, plan.read_protocol().title
    found = parse(PublishedResults, read_json(file), str(file))
    if found.protocol != title:
        raise ValueError(f"{file}: these are results under {found.protocol}, not under {title}")
    return [
        Measured(run, one.config, tuple(one.curve), one.opponents)
        for one in found.runs
        if (run := runs.get(one.name)) is not None and same_training(one.config, plan.config_of(run))
    ]


def mean_scores(plan: BaselinePlan, file: Path) -> list[dict[str, Any]]:
    """Return the published scores of the runs of usual length: for each algorithm, a row of `game_tables`.

    A row has the mean over seeds on each board; with `FEWEST` seeds or more it has a 95 % interval.
    """
    groups = grouped([one for one in read_published(plan, file) if one.run.seconds == plan.seconds])
    rows: list[dict[str, Any]] = []
    for name, algorithm in plan.algorithms.items():
        boards: dict[str, dict[str, float]] = {}
        for board in plan.boards:
            scores = [one.curve[-1].score for one in groups.get((board, name, plan.seconds), ())]
            known = np.array([score for score in scores if score is not None])
            if len(known):
                boards[board] = {"score": float(known.mean())}
            if len(known) >= FEWEST:
                half = float(half_widths(known[:, None])[0])
                boards[board] |= {"score_low": float(known.mean()) - half, "score_high": float(known.mean()) + half}
        if boards:
            rows.append({"title": f"{algorithm.title}, {plan.seconds:g} s", "boards": boards})
    return rows


def _as_dict(one: Measured) -> dict[str, Any]:
    return {
        "name": one.run.name,
        "config": one.config,
        "curve": [vars(point) for point in one.curve],
        "opponents": one.opponents,
    }


def _caption(name: str) -> str:
    return "Learning curves on all boards" if name == "all" else f"Learning curves on {name}"
