"""Look for faults at the doors of the package.

    python -m tests.fuzz [DOOR…] [--seconds 60] [--seed N] [--games GAME…] [--example K]

Each door runs in a process of its own, with kernels that check all bounds, which are compiled for this and kept beside
the others. Exit code 1 if there was a fault.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

WALL_SECONDS = 300
"""After this time an example is taken to hang, where no Python code runs that could be broken off."""
PROGRESS_SECONDS = 10.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    options = _parser().parse_args(arguments)
    if options.seed is None:
        options.seed = int.from_bytes(os.urandom(4), "big")
    if options.within:
        return _fuzz_here(options)
    print(f"seed {options.seed}, {options.seconds:g} s a door", flush=True)
    reports = [_fuzz_in_process(door, options) for door in options.doors or _names()]
    print("\n" + "\n".join(reports))
    faults = sum("FAULT" in report for report in reports)
    print(f"{faults} of {len(reports)} doors showed a fault" if faults else "no fault was found")
    return 1 if faults else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.partition("\n")[0])
    parser.add_argument("doors", metavar="DOOR", nargs="*", choices=[[], *_names()], help=f"of {', '.join(_names())}")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each door; compiling comes before")
    parser.add_argument("--seed", type=int, help="default: a new one, which is printed")
    parser.add_argument("--example", type=int, help="try this one alone")
    parser.add_argument("--games", nargs="+", help="default: all")
    parser.add_argument("--within", action="store_true", help=argparse.SUPPRESS)
    return parser


def _names() -> list[str]:
    from tests.fuzz.doors import DOORS

    return list(DOORS)


def _fuzz_in_process(door: str, options: argparse.Namespace) -> str:
    """Fuzz a door in a process of its own; a line on how it went."""
    command = [sys.executable, "-m", "tests.fuzz", door, "--within"]
    command += ["--seed", str(options.seed), "--seconds", str(options.seconds)]
    command += ["--example", str(options.example)] if options.example is not None else []
    command += ["--games", *options.games] if options.games else []
    with tempfile.TemporaryDirectory() as folder:
        current = Path(folder) / "current"
        environment = {"NUMBA_BOUNDSCHECK": "1", **os.environ, "EDGE_ENVS_QUIET": "1", "FUZZ_CURRENT": str(current)}
        code = subprocess.run(command, env=environment, check=False).returncode
        tried = current.read_text(encoding="utf-8") if current.exists() else "before its first example"
    if code == 0:
        return f"{door:15} {tried}"
    died = "" if code == 1 else f" (the process ended with {code})"
    return f"{door:15} FAULT at {tried}{died}"


def _fuzz_here(options: argparse.Namespace) -> int:
    """Fuzz one door in this process."""
    from tests.toy import enrol

    enrol()
    import edge_envs
    from tests.fuzz.door import FaultError, again, try_example
    from tests.fuzz.doors import door_of

    (name,) = options.doors
    current = Path(os.environ.get("FUZZ_CURRENT", os.devnull))
    with tempfile.TemporaryDirectory() as folder:
        door = door_of(name)(options.games or list(edge_envs.GAMES), Path(folder))
        print(f"{name}: getting ready", flush=True)
        door.prepare()
        ends: Counter[str] = Counter()
        started = shown = time.monotonic()
        number = 0 if options.example is None else options.example
        try:
            while not ends or (options.example is None and time.monotonic() - started < options.seconds):
                current.write_text(again(door, name, options.seed, number), encoding="utf-8")
                faulthandler.dump_traceback_later(WALL_SECONDS, exit=True)
                ends[try_example(door, name, options.seed, number)] += 1
                number += 1
                if time.monotonic() - shown > PROGRESS_SECONDS:
                    shown = time.monotonic()
                    print(f"{name}: {_told(ends)}", flush=True)
            door.finish()
        except (FaultError, AssertionError) as fault:
            print(f"{name}: FAULT\n{fault}", flush=True)
            return 1
        finally:
            faulthandler.cancel_dump_traceback_later()
    print(f"{name}: {_told(ends)}", flush=True)
    current.write_text(_told(ends), encoding="utf-8")
    return 0


def _told(ends: Counter[str]) -> str:
    how = ", ".join(f"{count:,} {end}" for end, count in sorted(ends.items()))
    return f"{ends.total():,} examples: {how}"


if __name__ == "__main__":
    sys.exit(main())
