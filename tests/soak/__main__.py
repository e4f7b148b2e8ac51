"""Run the soak test: use everything at once under injected faults, and measure memory and file descriptors.

    python -m tests.soak [PART…] [--minutes 30] [--seed N] [--games GAME…] [--example K] [--report FILE.md]

Each part runs in its own process. The exit code is 1 if a part found a fault, crashed or completed no round, or if
memory or descriptors grew, and 2 for an invalid option.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from tests.soak.report import summary, write_report
from tests.soak.running import PARTS, PartRunner, part_of

PROGRESS_SECONDS = 10.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    errors = _validate(options)
    if errors:
        print(f"error: {errors}", file=sys.stderr)
        return 2
    if options.seed is None:
        options.seed = int.from_bytes(os.urandom(4), "big")
    if options.within:
        (name,) = options.parts
        runner = PartRunner(name, part_of(name), options.games, options.seed, _file(options.within, name))
        return runner.run(60 * options.minutes, options.example)
    print(f"seed {options.seed}, {options.minutes:g} minutes", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        found = _soak_in_processes(options, Path(folder))
    text, sound = summary(found)
    print(text)
    if options.report is not None:
        write_report(options.report, found, options.minutes, options.seed)
    return 0 if sound else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.partition("\n")[0])
    parser.add_argument("parts", metavar="PART", nargs="*", help=f"one of {', '.join(PARTS)}; default: all")
    parser.add_argument("--minutes", type=float, default=30.0, help="duration, without compilation")
    parser.add_argument("--seed", type=int, help="default: a random one, which is printed")
    parser.add_argument("--example", type=int, help="run only this round")
    parser.add_argument("--games", nargs="+", help="default: all")
    parser.add_argument(
        "--report", type=Path, help="the Markdown file to write; the plot is saved in plots/ next to it"
    )
    parser.add_argument("--within", type=Path, help=argparse.SUPPRESS)
    return parser


def _validate(options: argparse.Namespace) -> str:
    """Return what is wrong with the options, or an empty string. By default, select all parts and games."""
    from tests.toy import enrol

    enrol()
    from edge_envs import GAMES

    options.parts = options.parts or list(PARTS)
    options.games = options.games or list(GAMES)
    if not 0 < options.minutes < float("inf"):
        return f"--minutes must be more than 0, not {options.minutes:g}"
    return _unknown("part", options.parts, PARTS) or _unknown("game", options.games, GAMES)


def _unknown(what: str, names: Sequence[str], possible: Collection[str]) -> str:
    errors = [name for name in names if name not in possible]
    return f"unknown {what} {errors[0]!r} (choose from {', '.join(possible)})" if errors else ""


def _soak_in_processes(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Run the parts in parallel and return their results."""
    running: dict[str, subprocess.Popen[bytes]] = {}
    for part in options.parts:
        command = [sys.executable, "-m", "tests.soak", part, "--within", str(folder)]
        command += ["--seed", str(options.seed), "--minutes", str(options.minutes), "--games", *options.games]
        command += ["--example", str(options.example)] if options.example is not None else []
        running[part] = subprocess.Popen(command, env={**os.environ, "EDGE_ENVS_QUIET": "1"})
    shown = time.monotonic()
    while any(process.poll() is None for process in running.values()):
        time.sleep(0.1)
        if time.monotonic() - shown > PROGRESS_SECONDS:
            shown = time.monotonic()
            print(" | ".join(_line(part, _read(_file(folder, part))) for part in running), flush=True)
    return {part: {**_read(_file(folder, part)), "code": process.returncode} for part, process in running.items()}


def _file(folder: Path, part: str) -> Path:
    """Return the file of a part's results."""
    return folder / f"{part}.json"


def _read(file: Path) -> dict[str, Any]:
    if file.exists():
        return dict(json.loads(file.read_text(encoding="utf-8")))
    return {"outcomes": {}, "samples": {}, "fault": "", "ended": False}


def _line(part: str, found: dict[str, Any]) -> str:
    """Return a line with a part's progress."""
    samples = found["samples"]
    if not samples.get("seconds"):
        return f"{part}: preparing"
    minutes, seconds = divmod(int(samples["seconds"][-1]), 60)
    rounds = sum(found["outcomes"].values())
    megabytes = samples["memory"][-1] / 2**20
    return f"{part} {minutes}:{seconds:02}: {rounds:,} rounds, {megabytes:,.0f} MB, {samples['descriptors'][-1]} open"


if __name__ == "__main__":
    sys.exit(main())
