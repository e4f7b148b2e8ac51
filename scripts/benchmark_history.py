"""Measure rows of the benchmark for several commits, keep the figures in a file, and report changes.

    python scripts/benchmark_history.py --commit HEAD~5 --commit HEAD --game falling_off --rows playouts
    python scripts/benchmark_history.py --report

Each commit is checked out in a temporary worktree and measured with its own `scripts/benchmark.py`. The commits of a
run take turns, so that changes in the load of the machine affect all of them. The file gets a line of JSON per commit.
The table compares each commit with the first one of its run: only figures of the same run are comparable.
"""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from agents.common.console import NOTHING_SAVED, fail_politely, if_interrupted, progress_bar, run

if TYPE_CHECKING:
    import typer

ROOT = Path(__file__).resolve().parents[1]
FILE = Path("runs/benchmark_history.jsonl")
NOTABLE = 0.05
"""The relative change of a median that the table flags."""


def main(
    commit: Annotated[
        list[str] | None, typer.Option(metavar="COMMIT", help="a commit to measure; repeat for several; default: HEAD")
    ] = None,
    game: Annotated[
        list[str] | None, typer.Option(metavar="GAME", help="a game to measure; repeat for several; default: all")
    ] = None,
    rows: Annotated[
        str, typer.Option(metavar="STRING", help="measure rows with this string in their names")
    ] = "playouts",
    rounds: Annotated[int, typer.Option(min=1, metavar="N", help="measurements of each commit, in turn")] = 3,
    seconds: Annotated[float, typer.Option(min=0.001, metavar="SECONDS", help="time for a row in each round")] = 2.0,
    file: Annotated[Path, typer.Option(metavar="FILE", help="file of JSON lines that keeps the figures")] = FILE,
    report: Annotated[
        bool, typer.Option("--report", help="measure nothing; print the table of the whole file")
    ] = False,
) -> None:
    """Measure rows of the benchmark for several commits, keep the figures in a file, and report changes.

    Changes that are not committed are not measured. Example:
    python scripts/benchmark_history.py --commit HEAD~5 --commit HEAD --game falling_off
    """
    with fail_politely("bench"):
        from agents.common.files import append_lines

        if report:
            print(table(read(file)))
            return
        hashes = list(dict.fromkeys(map(_resolve, commit or ["HEAD"])))
        options = [
            "--rows",
            rows,
            "--seconds",
            str(seconds),
            *(word for name in game or () for word in ("--game", name)),
        ]
        documents: dict[str, list[dict[str, Any]]] = {name: [] for name in hashes}

        def save() -> str:
            complete = min(map(len, documents.values()))
            if complete == 0:
                return NOTHING_SAVED
            lines = [entry(name, documents[name][:complete], hashes[0]) for name in hashes]
            file.parent.mkdir(parents=True, exist_ok=True)
            append_lines(file, [json.dumps(line) for line in lines])
            print(table(lines))
            return f"{file}: rounds saved: {complete} of {rounds}"

        with if_interrupted(save):
            _measure(documents, options, rounds)
        save()


def _git(*words: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(done.stderr.strip() or f"git {words[0]} failed")
    return done.stdout.strip()


def _resolve(commit: str) -> str:
    try:
        return _git("rev-parse", "--verify", "--end-of-options", f"{commit}^{{commit}}")
    except ValueError:
        raise ValueError(f"unknown commit {commit!r}") from None


@contextlib.contextmanager
def _worktrees(hashes: Sequence[str]) -> Iterator[dict[str, Path]]:
    """Check out each commit in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        trees = {name: Path(folder, name) for name in hashes}
        try:
            for name, tree in trees.items():
                _git("worktree", "add", "--quiet", "--detach", str(tree), name)
            yield trees
        finally:
            for tree in trees.values():
                with contextlib.suppress(ValueError):  # it was not created
                    _git("worktree", "remove", "--force", str(tree))


def _measure(documents: dict[str, list[dict[str, Any]]], options: Sequence[str], rounds: int) -> None:
    """Append a document of `scripts/benchmark.py --json` to those of each commit in each round."""
    with _worktrees(list(documents)) as trees, progress_bar() as progress:
        task = progress.add_task("", total=rounds * len(trees))
        for _ in range(rounds):
            for name, tree in trees.items():
                progress.update(task, description=name[:9])
                documents[name].append(_benchmark(tree, options))
                progress.update(task, advance=1)


def _benchmark(tree: Path, options: Sequence[str]) -> dict[str, Any]:
    command = [sys.executable, str(tree / "scripts" / "benchmark.py"), "--json", *options]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise ValueError(f"the benchmark of {tree.name[:9]} failed: {reason}")
    return dict(json.loads(done.stdout))


def entry(commit: str, documents: Sequence[dict[str, Any]], first: str) -> dict[str, Any]:
    """Return the line of a commit: the circumstances, and for each row the median and the range of the rounds.

    Args:
        commit: The hash of the commit.
        documents: The output of the benchmark in each round.
        first: The hash of the first commit of the run, with which the table compares.
    """
    kept = {key: documents[0][key] for key in ("date", "processor", "cores", "versions")}
    medians: defaultdict[tuple[str, str, str], list[float]] = defaultdict(list)
    for row in (row for document in documents for row in document["rows"]):
        medians[row["game"], row["name"], row["unit"]].append(row["median"])
    figures = [
        {"game": game, "name": name, "unit": unit, "median": statistics.median(m), "low": min(m), "high": max(m)}
        for (game, name, unit), m in medians.items()
    ]
    return {"commit": commit, "first": first, **kept, "rows": figures}


def read(file: Path) -> list[dict[str, Any]]:
    """Read the lines of a file. Raises ValueError, with the number of the line, if one is damaged."""
    from agents.common.files import read_text

    lines = []
    for number, text in enumerate(read_text(file, "JSON lines").splitlines(), start=1):
        try:
            line = json.loads(text)
            lines.append({key: line[key] for key in ("commit", "first", "date", "processor", "rows")})
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{file}: line {number} is not a line of this program") from None
    return lines


def table(lines: Iterable[dict[str, Any]]) -> str:
    """Return a Markdown table of the figures, with the change from the first commit of the same run.

    Changes of more than 5 % are flagged with `faster` or `slower`, followed by `?` if the ranges of the rounds overlap.
    """
    from scripts.benchmarks.report import format_figure

    texts = ["| date | commit | game | row | median | range | change | |", "|---|---|---|---|---|---|---|---|"]
    before: dict[tuple[str, str], dict[str, Any]] = {}
    for line in lines:
        if line["commit"] == line["first"]:
            before = {(row["game"], row["name"]): row for row in line["rows"]}
        for row in line["rows"]:
            old = before.get((row["game"], row["name"]), row)
            change = row["median"] / old["median"] - 1
            median, low, high = (format_figure(row[key]) for key in ("median", "low", "high"))
            cells = (
                *(line["date"][:10], line["commit"][:9], row["game"], row["name"], f"{median} {row['unit']}"),
                *(f"{low} to {high}", f"{change:+.1%}" if old is not row else "", _flag(old, row, change)),
            )
            texts.append(f"| {' | '.join(cells)} |")
    return "\n".join(texts)


def _flag(old: dict[str, Any], new: dict[str, Any], change: float) -> str:
    if abs(change) <= NOTABLE:
        return ""
    overlap = new["low"] <= old["high"] and old["low"] <= new["high"]
    faster = change < 0 if new["unit"] == "s" else change > 0
    return ("faster" if faster else "slower") + ("?" if overlap else "")


if __name__ == "__main__":
    run(main, extra="bench")
