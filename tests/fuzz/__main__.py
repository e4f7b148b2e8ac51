"""Fuzz the package.

    python -m tests.fuzz [TARGET…] [--seconds 60] [--seed N] [--games GAME…] [--example K]

Each target runs in its own process, with kernels that check all array indices. These are compiled on first use and
cached separately. The exit code is 1 if a fault was found.
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
"""Time limit of an example that hangs in compiled code, which a signal cannot interrupt."""
PROGRESS_SECONDS = 10.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    if options.seed is None:
        options.seed = int.from_bytes(os.urandom(4), "big")
    if options.within:
        return _fuzz_here(options)
    print(f"seed {options.seed}, {options.seconds:g} s per target", flush=True)
    reports = [_fuzz_in_process(target, options) for target in options.targets or _names()]
    print("\n" + "\n".join(reports))
    faults = sum("FAULT" in report for report in reports)
    print(f"{faults} of {len(reports)} targets showed a fault" if faults else "no fault was found")
    return 1 if faults else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "targets", metavar="TARGET", nargs="*", choices=[[], *_names()], help=f"one of {', '.join(_names())}"
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="time for each target, without compilation")
    parser.add_argument("--seed", type=int, help="default: a random one, which is printed")
    parser.add_argument("--example", type=int, help="run only this example")
    parser.add_argument("--games", nargs="+", help="default: all")
    parser.add_argument("--within", action="store_true", help=argparse.SUPPRESS)
    return parser


def _names() -> list[str]:
    from tests.fuzz.targets import TARGETS

    return list(TARGETS)


def _fuzz_in_process(target: str, options: argparse.Namespace) -> str:
    """Fuzz a target in its own process and return a line with the result."""
    command = [sys.executable, "-m", "tests.fuzz", target, "--within"]
    command += ["--seed", str(options.seed), "--seconds", str(options.seconds)]
    command += ["--example", str(options.example)] if options.example is not None else []
    command += ["--games", *options.games] if options.games else []
    with tempfile.TemporaryDirectory() as folder:
        current = Path(folder) / "current"
        environment = {"NUMBA_BOUNDSCHECK": "1", **os.environ, "EDGE_ENVS_QUIET": "1", "FUZZ_CURRENT": str(current)}
        code = subprocess.run(command, env=environment, check=False).returncode
        tried = current.read_text(encoding="utf-8") if current.exists() else "before the first example"
    if code == 0:
        return f"{target:15} {tried}"
    died = "" if code == 1 else f" (the process ended with {code})"
    return f"{target:15} FAULT at {tried}{died}"


def _fuzz_here(options: argparse.Namespace) -> int:
    """Fuzz one target in this process."""
    from tests.toy import enrol

    enrol()
    import edge_envs
    from tests.fuzz.target import FaultError, repeat_command, try_example
    from tests.fuzz.targets import target_class

    (name,) = options.targets
    current = Path(os.environ.get("FUZZ_CURRENT", os.devnull))
    with tempfile.TemporaryDirectory() as folder:
        target = target_class(name)(options.games or list(edge_envs.GAMES), Path(folder))
        print(f"{name}: preparing", flush=True)
        target.prepare()
        outcomes: Counter[str] = Counter()
        started = shown = time.monotonic()
        number = 0 if options.example is None else options.example
        try:
            while not outcomes or (options.example is None and time.monotonic() - started < options.seconds):
                current.write_text(repeat_command(target, name, options.seed, number), encoding="utf-8")
                faulthandler.dump_traceback_later(WALL_SECONDS, exit=True)
                outcomes[try_example(target, name, options.seed, number)] += 1
                number += 1
                if time.monotonic() - shown > PROGRESS_SECONDS:
                    shown = time.monotonic()
                    print(f"{name}: {_summary(outcomes)}", flush=True)
            target.finish()
        except (FaultError, AssertionError) as fault:
            print(f"{name}: FAULT\n{fault}", flush=True)
            return 1
        finally:
            faulthandler.cancel_dump_traceback_later()
    print(f"{name}: {_summary(outcomes)}", flush=True)
    current.write_text(_summary(outcomes), encoding="utf-8")
    return 0


def _summary(outcomes: Counter[str]) -> str:
    counts = ", ".join(f"{count:,} {end}" for end, count in sorted(outcomes.items()))
    return f"{outcomes.total():,} examples: {counts}"


if __name__ == "__main__":
    sys.exit(main())
