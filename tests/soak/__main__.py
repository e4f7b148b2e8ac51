"""Use everything at once for some time, under faults, and look at what it leaves behind.

    python -m tests.soak [PART…] [--minutes 30] [--seed N] [--games GAME…] [--example K] [--report FILE.md]

Each part runs in a process of its own. Exit code 1 if there was a fault, or if memory or descriptors grew.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

WALL_SECONDS = 900
"""After this time a round is taken to hang."""
PROGRESS_SECONDS = 10.0
PARTS = {"faces": "Faces", "page": "Page", "programs": "Programs"}
"""The modules of the parts, and their classes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    options = _parser().parse_args(arguments)
    if options.seed is None:
        options.seed = int.from_bytes(os.urandom(4), "big")
    if options.within:
        return _soak_here(options)
    print(f"seed {options.seed}, {options.minutes:g} minutes", flush=True)
    from tests.soak.report import summary, write_report

    with tempfile.TemporaryDirectory() as folder:
        found = _soak_in_processes(options, Path(folder))
    text, sound = summary(found)
    print(text)
    if options.report is not None:
        write_report(options.report, found, options.minutes, options.seed)
    return 0 if sound else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.partition("\n")[0])
    parser.add_argument("parts", metavar="PART", nargs="*", choices=[[], *PARTS], help=f"of {', '.join(PARTS)}")
    parser.add_argument("--minutes", type=float, default=30.0, help="compiling comes before")
    parser.add_argument("--seed", type=int, help="default: a new one, which is printed")
    parser.add_argument("--example", type=int, help="try this round alone")
    parser.add_argument("--games", nargs="+", help="default: all")
    parser.add_argument("--report", type=Path, help="the Markdown file to write; a plot goes into plots/ beside it")
    parser.add_argument("--within", type=Path, help=argparse.SUPPRESS)
    return parser


def _soak_in_processes(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Run the parts side by side; what each found."""
    running: dict[str, subprocess.Popen[bytes]] = {}
    for part in options.parts or PARTS:
        command = [sys.executable, "-m", "tests.soak", part, "--within", str(folder)]
        command += ["--seed", str(options.seed), "--minutes", str(options.minutes)]
        command += ["--example", str(options.example)] if options.example is not None else []
        command += ["--games", *options.games] if options.games else []
        running[part] = subprocess.Popen(command, env={**os.environ, "EDGE_ENVS_QUIET": "1"})
    shown = time.monotonic()
    while any(process.poll() is None for process in running.values()):
        time.sleep(0.1)
        if time.monotonic() - shown > PROGRESS_SECONDS:
            shown = time.monotonic()
            print(" | ".join(_line(part, _read(folder / f"{part}.json")) for part in running), flush=True)
    return {part: {**_read(folder / f"{part}.json"), "code": process.returncode} for part, process in running.items()}


def _read(file: Path) -> dict[str, Any]:
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {"ends": {}, "samples": {}}


def _line(part: str, found: dict[str, Any]) -> str:
    """How far a part has come."""
    samples = found["samples"]
    if not samples.get("seconds"):
        return f"{part}: getting ready"
    minutes, seconds = divmod(int(samples["seconds"][-1]), 60)
    rounds = sum(found["ends"].values())
    megabytes = samples["memory"][-1] / 2**20
    return f"{part} {minutes}:{seconds:02}: {rounds:,} rounds, {megabytes:,.0f} MB, {samples['descriptors'][-1]} open"


def _soak_here(options: argparse.Namespace) -> int:
    """Run one part in this process, and keep what it has come to in a file of the folder."""
    from tests.toy import enrol

    enrol()
    import edge_envs
    from agents.files import write_whole
    from tests.fuzz.door import FaultError, try_example
    from tests.soak.gauge import Gauge

    (name,) = options.parts
    with tempfile.TemporaryDirectory() as folder:
        part = _part(name)(options.games or list(edge_envs.GAMES), Path(folder))
        part.prepare()
        ends: Counter[str] = Counter()
        gauge, fault, code = Gauge(), "", 0
        number = 0 if options.example is None else options.example
        try:
            while not ends or (options.example is None and gauge.passed() < 60 * options.minutes):
                faulthandler.dump_traceback_later(WALL_SECONDS, exit=True)
                ends[try_example(part, name, options.seed, number)] += 1
                number += 1
                if gauge.sample():
                    found = {"ends": ends, "samples": gauge.as_dict(), "fault": ""}
                    write_whole(options.within / f"{name}.json", json.dumps(found))
        except FaultError as error:
            fault, code = str(error).replace("tests.fuzz", "tests.soak"), 1
        finally:
            faulthandler.cancel_dump_traceback_later()
            part.finish()
        write_whole(
            options.within / f"{name}.json", json.dumps({"ends": ends, "samples": gauge.as_dict(), "fault": fault})
        )
    return code


def _part(name: str) -> Any:
    from importlib import import_module

    return getattr(import_module(f"tests.soak.{name}"), PARTS[name])


if __name__ == "__main__":
    sys.exit(main())
