"""What a run tells: one JSON object, or tables."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from scripts.benchmarks import faces, training
from scripts.benchmarks.measure import Budget

_PACKAGES = {
    "edge_envs": "edge-envs", "numpy": "numpy", "numba": "numba", "gymnasium": "gymnasium", "pettingzoo": "pettingzoo",
    "sb3": "stable-baselines3", "sb3_contrib": "sb3-contrib", "torch": "torch", "open_spiel": "open-spiel",
}  # fmt: skip

_WIDTH = 120  # of tables that go into a file or a pipe


def circumstances(budget: Budget) -> dict[str, Any]:
    """What was run, where and when."""
    return {
        "versions": {"python": platform.python_version()} | {key: _version(name) for key, name in _PACKAGES.items()},
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "sizes": {"lanes": faces.LANES, "threads": faces.THREADS, "training_lanes": training.LANES, **asdict(budget)},
        "repeats": budget.repeats,
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def print_tables(document: dict[str, Any]) -> None:
    """The rows and the ratios, game by game, and what was skipped."""
    console = Console() if sys.stdout.isatty() else Console(width=_WIDTH)
    known = ", ".join(f"{name} {number}" for name, number in document["versions"].items() if number)
    machine = f"{document['processor']}, {document['cores']} cores, {document['date']}"
    console.print(machine, known, sep="\n", soft_wrap=True)
    for game in document["games"]:
        console.print(_rows_table(game, [row for row in document["rows"] if row["game"] == game]))
        console.print(_ratios_table(game, [ratio for ratio in document["ratios"] if ratio["game"] == game]))
    for skipped in document["skipped"]:
        console.print(f"skipped, {skipped['game']}: {skipped['name']} ({skipped['reason']})", soft_wrap=True)


def _rows_table(game: str, rows: Sequence[dict[str, Any]]) -> Table:
    table = Table(title=f"{game}: median and range of the repeats", title_justify="left")
    for column in ("row", "median", "low", "high"):
        table.add_column(column, justify="left" if column == "row" else "right")
    for column in ("unit", "clock", "cores"):
        table.add_column(column)
    for row in rows:
        figures = (_figure(row[key]) for key in ("median", "low", "high"))
        table.add_row(row["name"], *figures, row["unit"], row["clock"], _figure(row["cores"]))
    return table


def _ratios_table(game: str, ratios: Sequence[dict[str, Any]]) -> Table:
    table = Table(title=f"{game}: against peers and targets", title_justify="left")
    for column in ("ratio", "median", "low", "high", "target", "met"):
        table.add_column(column, justify="left" if column in ("ratio", "met") else "right")
    for ratio in ratios:
        sign = "<" if ratio["at_most"] else "≥"
        target = "" if ratio["target"] is None else f"{sign} {_figure(ratio['target'])}"
        met = {True: "yes", False: "no", None: "not measured" if ratio["value"] is None else ""}[ratio["met"]]
        table.add_row(ratio["name"], *(_figure(ratio[key]) for key in ("value", "low", "high")), target, met)
    return table


def _figure(value: float | None) -> str:
    """Three digits that matter, with M and k."""
    if value is None:
        return "–"
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g}"
