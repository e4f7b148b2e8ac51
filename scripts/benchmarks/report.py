"""Report a run as one JSON object, or as tables for the terminal or for a page."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from agents.workers.cores import usable_cores
from scripts.benchmarks import apis, training
from scripts.benchmarks.measure import Budget

_PACKAGES = {
    "edge_envs": "edge-envs", "numpy": "numpy", "numba": "numba", "gymnasium": "gymnasium", "pettingzoo": "pettingzoo",
    "sb3": "stable-baselines3", "sb3_contrib": "sb3-contrib", "torch": "torch", "open_spiel": "open-spiel",
}  # fmt: skip

_WIDTH = 120  # columns of tables written to a file or a pipe


def circumstances(budget: Budget, device: str = "cpu") -> dict[str, Any]:
    """Return the versions, machine, date and sizes of a run, with the name of the GPU if the device is one."""
    return {
        **({"gpu": _gpu()} if device == "cuda" else {}),
        "versions": {"python": platform.python_version()} | {key: _version(name) for key, name in _PACKAGES.items()},
        "processor": _processor(),
        "cores": usable_cores(),
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "sizes": {"lanes": apis.LANES, "threads": apis.THREADS, "training_lanes": training.LANES, **asdict(budget)},
        "repeats": budget.repeats,
    }


def _gpu() -> str | None:
    if training.missing_device("cuda"):
        return None
    import torch

    return torch.cuda.get_device_name()


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
    """Print the rows and ratios of each game, and the skipped rows."""
    console = Console() if sys.stdout.isatty() else Console(width=_WIDTH)
    known = ", ".join(f"{name} {number}" for name, number in document["versions"].items() if number)
    gpu = f", {document['gpu']}" if document.get("gpu") else ""
    machine = f"{document['processor']}, {document['cores']} cores{gpu}, {document['date']}"
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
    table.add_column("unit")
    table.add_column("games/s", justify="right")
    for column in ("clock", "cores"):
        table.add_column(column)
    for row in rows:
        figures = (_figure(row[key]) for key in ("median", "low", "high"))
        games = _figure(row["games_per_second"])
        table.add_row(row["name"], *figures, row["unit"], games, row["clock"], _figure(row["cores"]))
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
    """Format a figure with three significant digits and the suffixes M and k."""
    if value is None:
        return "–"
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g}"


_IN_WORDS = {"numpy": "NumPy", "numba": "numba", "gymnasium": "Gymnasium", "pettingzoo": "PettingZoo",
             "sb3": "Stable-Baselines3", "torch": "PyTorch", "open_spiel": "OpenSpiel"}  # fmt: skip


def markdown(document: dict[str, Any]) -> str:
    """Return the tables of each game in the format of docs/performance.md."""
    return "\n".join(line for game in document["games"] for line in _page(document, game))


def _page(document: dict[str, Any], game: str) -> Iterable[str]:
    versions = document["versions"]
    known = [f"{word} {versions[key].partition('+')[0]}" for key, word in _IN_WORDS.items() if versions[key]]
    load = f" (load {document['load'][0]:.1f} at the start)" if document["load"] else ""
    gpu = f", {document['gpu']}" if document.get("gpu") else ""
    machine = f"{document['processor']}, {document['cores']} cores{load}{gpu}, Python {versions['python']}"
    yield f"### {game}\n"
    command = f"python scripts/benchmark.py --game {game} --markdown"
    yield f"`{command}`, {document['date'][:10]}: {', '.join([machine, *known])}.\n"
    yield "| row | unit | median | range | games/s | cores |\n|---|---|---|---|---|---|"
    for row in (row for row in document["rows"] if row["game"] == game):
        cores = "" if row["cores"] is None else f"{row['cores']:.2f}"
        games = "" if row["games_per_second"] is None else format_figure(row["games_per_second"])
        median = format_figure(row["median"])
        yield f"| {row['name']} | {row['unit']} | {median} | {_format_range(row)} | {games} | {cores} |"
    yield "\n| quantity | target | measured | range | met |\n|---|---|---|---|---|"
    for ratio in (ratio for ratio in document["ratios"] if ratio["game"] == game):
        measured = (format_figure(ratio["value"]), _format_range(ratio)) if ratio["value"] is not None else ("", "")
        met = {True: "yes", False: "no", None: ""}[ratio["met"]]
        target = format_target(ratio["target"], ratio["at_most"])
        yield f"| {ratio['name']} | {target} | {' | '.join(measured)} | {met} |"
    yield ""


def format_figure(value: float) -> str:
    """Format a figure for the page."""
    if value >= 1e6:
        return f"{value / 1e6:.1f} M"
    if value >= 1e3:
        return f"{value / 1e3:.0f} k" if value >= 1e4 else f"{value / 1e3:.1f} k"
    return f"{value:.2f}"


def format_target(target: float | None, at_most: bool) -> str:
    """Format a target for the page."""
    return "" if target is None else f"{'at most' if at_most else 'at least'} {format_figure(target)}"


def _format_range(figures: dict[str, Any]) -> str:
    return f"{format_figure(figures['low'])} to {format_figure(figures['high'])}"
