"""One way for all work to be broken off: it is killed, finds the disk full or garbage in its files, and goes on."""

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

from tests.fuzz.door import Story
from tests.fuzz.mutation import damaged_bytes
from tests.programs import ROOT
from tests.soak.works import INPUTS, Work

MOST_BYTES = (0, 1_000, 4_096, 20_000, 100_000)
"""What a file may grow to on a disk that is full."""
GARBAGE_SECONDS = 60.0
"""So long may a program work on with garbage that it can take for what it has written."""

TERMINATING_SECONDS = 60.0
"""So long may a program take to end after a signal, on a machine with other work."""


@dataclass
class Place:
    """A folder in which a work is done, with another one for what it reads."""

    work: Work
    inputs: Path
    out: Path

    def end(self) -> dict[str, Any]:
        """Work to the end; what must be the same, by the names of the files."""
        done = self._start()
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = {}
        for pattern, read in self.work.same.items():
            paths = list(self.out.glob(pattern))
            assert paths, f"no {pattern}"
            found |= {str(path.relative_to(self.out)): read(path.read_bytes()) for path in paths}
        return found

    def kill(self, seconds: float) -> None:
        """Work for so long, or to the end."""
        self._stop(seconds, subprocess.Popen.kill)

    def terminate(self, seconds: float) -> None:
        """Work for so long, or to the end; SIGTERM ends the program soon and without a traceback."""
        said = self._stop(seconds, subprocess.Popen.terminate)
        assert "Traceback" not in said, said

    def _stop(self, seconds: float, stop: Callable[[subprocess.Popen[str]], None]) -> str:
        """What the program says on stderr."""
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

    def fill_the_disk(self, size: int) -> None:
        """Work until a file would be longer, which is told in a line."""
        _check_told(self._start(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))))

    def damage(self, file: Path, content: bytes) -> None:
        """Work with garbage in a file, which is told in a line or does no harm; then all is as it was before."""
        before = self.out.with_name("before")
        shutil.copytree(self.out, before)
        file.write_bytes(content)
        with contextlib.suppress(subprocess.TimeoutExpired):
            _check_told(self._start(timeout=GARBAGE_SECONDS))
        shutil.rmtree(self.out)
        before.rename(self.out)

    def files(self) -> list[Path]:
        """All that the work has written so far."""
        return sorted(path for path in self.out.rglob("*") if path.is_file())

    def _command(self) -> list[str]:
        self.inputs.mkdir(exist_ok=True)
        for name, text in self.work.files.items():
            (self.inputs / name).write_text(text, encoding="utf-8")
        goes_on = self.work.go_on and (self.out / "config.json").exists()
        words = self.work.go_on if goes_on else self.work.begin
        return [sys.executable, *(word.replace(INPUTS, str(self.inputs)) for word in words), "--out", str(self.out)]

    def _start(self, **others: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self._command(), cwd=ROOT, capture_output=True, text=True, check=False, **others)


def _check_told(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode in (0, 2), done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 0 or done.stderr.splitlines()[-1].startswith("error: "), done.stderr


def unbroken(place: Place) -> tuple[dict[str, Any], float]:
    """What a work comes to when nothing happens, and how long that takes; the folder is empty again."""
    start = time.monotonic()
    found = place.end()
    shutil.rmtree(place.out)
    return found, time.monotonic() - start


def break_off(place: Place, seconds: float, rng: Random, story: Story) -> None:
    """Something happens while, or before, a work goes on that takes so long as a whole."""
    files = place.files()
    faults = ("kill", "terminate", "full disk", "garbage" if files else "kill")
    fault = rng.choices(faults, (3, 2, 2, 3))[0]
    if fault in ("kill", "terminate"):
        after = rng.uniform(0.2, 1.0) * seconds
        story.tell(f"{'killed' if fault == 'kill' else 'terminated'} after {after:.2f} s")
        (place.kill if fault == "kill" else place.terminate)(after)
    elif fault == "full disk":
        size = rng.choice(MOST_BYTES)
        story.tell(f"no file may grow beyond {size} bytes")
        place.fill_the_disk(size)
    else:
        file = rng.choice(files)
        content = damaged_bytes(rng, file.read_bytes())
        story.tell(f"garbage in {file.relative_to(place.out)}", content)
        place.damage(file, content)
