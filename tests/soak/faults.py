"""Fault injection for workloads: kill, terminate, full disk and corrupt files, followed by a resume."""

from __future__ import annotations

import contextlib
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.mutation import damaged_bytes
from tests.fuzz.target import Trace
from tests.programs import ROOT
from tests.soak.workloads import INPUTS, Workload

MOST_BYTES = (0, 1_000, 4_096, 20_000, 100_000)
"""Limits on the size of a file, which simulate a full disk."""
GARBAGE_SECONDS = 60.0
"""Time for which a program may continue with garbage that it takes for its own data."""

TERMINATING_SECONDS = 60.0
"""Time limit for a program to exit after a signal, on a loaded machine."""


@dataclass
class WorkloadRun:
    """A workload with its output folder and a folder for its inputs."""

    workload: Workload
    inputs: Path
    out: Path

    def complete(self) -> dict[str, Any]:
        """Run or resume the workload to its end and return the outputs to compare, by file name."""
        done = self._start()
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = {}
        for pattern, read in self.workload.outputs.items():
            paths = list(self.out.glob(pattern))
            assert paths, f"no {pattern}"
            found |= {str(path.relative_to(self.out)): read(path.read_bytes()) for path in paths}
        return found

    def kill(self, seconds: float) -> None:
        """Run the workload and kill it after some seconds, unless it ends before."""
        self._stop(seconds, subprocess.Popen.kill)

    def terminate(self, seconds: float) -> None:
        """Run the workload and send SIGTERM after some seconds; it must exit soon and without a traceback."""
        stderr = self._stop(seconds, subprocess.Popen.terminate)
        assert "Traceback" not in stderr, stderr

    def _stop(self, seconds: float, stop: Callable[[subprocess.Popen[str]], None]) -> str:
        """Run the program, stop it after some seconds, and return its stderr."""
        quiet = subprocess.DEVNULL
        with subprocess.Popen(
            self._command(), cwd=ROOT, stdin=quiet, stdout=quiet, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                return process.communicate(timeout=seconds)[1]
            except subprocess.TimeoutExpired:
                stop(process)
                return process.communicate(timeout=TERMINATING_SECONDS)[1]
            finally:
                process.kill()

    def limit_file_size(self, size: int) -> None:
        """Run the workload with a limit on the size of files; it must fail with a one-line error."""
        _check_exit(self._start(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))))

    def corrupt(self, file: Path, content: bytes) -> None:
        """Run the workload with garbage in a file and restore all files; it may only fail with a one-line error."""
        before = self.out.with_name("before")
        shutil.copytree(self.out, before)
        file.write_bytes(content)
        with contextlib.suppress(subprocess.TimeoutExpired):
            _check_exit(self._start(timeout=GARBAGE_SECONDS))
        shutil.rmtree(self.out)
        before.rename(self.out)

    def files(self) -> list[Path]:
        """Return the files that the workload has written so far."""
        return sorted(path for path in self.out.rglob("*") if path.is_file())

    def _command(self) -> list[str]:
        self.inputs.mkdir(exist_ok=True)
        for name, text in self.workload.files.items():
            (self.inputs / name).write_text(text, encoding="utf-8")
        resumes = self.workload.resume and (self.out / "config.json").exists()
        command = self.workload.resume if resumes else self.workload.start
        return [sys.executable, *(word.replace(INPUTS, str(self.inputs)) for word in command), "--out", str(self.out)]

    def _start(self, **others: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self._command(), cwd=ROOT, capture_output=True, text=True, check=False, **others)


def _check_exit(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode in (0, 2), done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 0 or done.stderr.splitlines()[-1].startswith("error: "), done.stderr


def run_uninterrupted(run: WorkloadRun) -> tuple[dict[str, Any], float]:
    """Run a workload without faults, return its outputs and its duration, and delete its folder."""
    start = time.monotonic()
    found = run.complete()
    shutil.rmtree(run.out)
    return found, time.monotonic() - start


def inject_fault(run: WorkloadRun, seconds: float, rng: Random, trace: Trace) -> None:
    """Inject a random fault into a workload; an uninterrupted run takes `seconds`."""
    files = run.files()
    faults = ("kill", "terminate", "full disk", "garbage" if files else "kill")
    fault = rng.choices(faults, (3, 2, 2, 3))[0]
    if fault in ("kill", "terminate"):
        delay = rng.uniform(0.2, 1.0) * seconds
        trace.add(f"{'killed' if fault == 'kill' else 'terminated'} after {delay:.2f} s")
        (run.kill if fault == "kill" else run.terminate)(delay)
    elif fault == "full disk":
        size = rng.choice(MOST_BYTES)
        trace.add(f"no file can exceed {size} bytes")
        run.limit_file_size(size)
    else:
        file = rng.choice(files)
        content = damaged_bytes(rng, file.read_bytes())
        trace.add(f"garbage in {file.relative_to(run.out)}", content)
        run.corrupt(file, content)
