"""Trainings, tournaments and data sets that are killed, or find the disk full, and go on: they end as if unbroken."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.agents import test_selfplay, test_teaching, test_values
from tests.fuzz.door import Door, Story
from tests.programs import ROOT

MOST_FAULTS = 3
GAME = ("--game", "falling_off", "--agents", "heuristic", "search:5")


@dataclass
class Work:
    """A program that goes on with what it finds in its folder."""

    arguments: tuple[str, ...]
    results: tuple[str, ...]
    """Patterns of the files that are the same, however often it was interrupted."""
    config: str = ""
    """Of a training: what stands in its file. Such a program is told to resume."""


WORKS = {
    "selfplay": Work(("-m", "agents.selfplay"), ("policy/*", "opponents.jsonl"), test_selfplay.TINY),
    "teach": Work(("-m", "agents.teach"), ("policy/*",), test_teaching.TINY),
    "values": Work(("-m", "agents.values"), ("policy/*",), test_values.TINY),
    "tournament": Work(("-m", "agents.tournament", *GAME, "random", "--games", "2000"), ("games.jsonl",)),
    "collect": Work(("-m", "agents.collect", *GAME, "--games", "1000", "--shard", "50"), ("*.safetensors",)),
}


class Programs(Door):
    """In each round one program is broken off some times at random moments."""

    ends = tuple(WORKS)

    def __init__(self, games: Sequence[str], folder: Path) -> None:
        super().__init__(games, folder)
        self._whole: dict[str, tuple[dict[str, bytes], float]] = {}

    def prepare(self) -> None:
        """Nothing is needed ahead: each program runs once unbroken before it is first broken off."""

    def attempt(self, rng: Random, story: Story) -> str:
        """Break a program off, go on to the end, and compare."""
        name = rng.choice(self.ends)
        expected, seconds = self._unbroken(name)
        folder = self.folder / "broken"
        for _ in range(rng.randint(1, MOST_FAULTS)):
            if rng.random() < 0.7:
                after = rng.uniform(0.2, 1.0) * seconds
                story.tell(f"{name}: killed after {after:.2f} s")
                self._killed(name, folder, after)
            else:
                size = rng.choice((0, 1_000, 4_096, 20_000, 100_000))
                story.tell(f"{name}: no file may grow beyond {size} bytes")
                self._with_a_full_disk(name, folder, size)
        self._run(name, folder)
        found = contents(folder, WORKS[name].results)
        assert found.keys() == expected.keys()
        assert [key for key in found if found[key] != expected[key]] == []
        shutil.rmtree(folder)
        return name

    def _unbroken(self, name: str) -> tuple[dict[str, bytes], float]:
        """What a program comes to, and how long it takes."""
        if name not in self._whole:
            folder, start = self.folder / name, time.monotonic()
            self._run(name, folder)
            found = contents(folder, WORKS[name].results)
            assert found
            self._whole[name] = found, time.monotonic() - start
            shutil.rmtree(folder)
        return self._whole[name]

    def _command(self, name: str, folder: Path) -> list[str]:
        """What begins the work in a folder, or goes on with it."""
        work = WORKS[name]
        command = [sys.executable, *work.arguments, "--out", str(folder)]
        if not work.config:
            return command
        if (folder / "config.json").exists():
            return [*command, "--resume"]
        path = self.folder / f"{name}.yaml"
        path.write_text(work.config, encoding="utf-8")
        return [*command, "--config", str(path)]

    def _run(self, name: str, folder: Path) -> None:
        done = subprocess.run(self._command(name, folder), cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def _killed(self, name: str, folder: Path, after: float) -> None:
        with subprocess.Popen(
            self._command(name, folder), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                process.wait(after)
            except subprocess.TimeoutExpired:
                process.kill()

    def _with_a_full_disk(self, name: str, folder: Path, size: int) -> None:
        """A program whose files cannot grow ends with one line, if it needs more."""
        done = subprocess.run(
            self._command(name, folder), cwd=ROOT, capture_output=True, text=True, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        )  # fmt: skip
        assert done.returncode in (0, 2), done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == 0 or done.stderr.splitlines()[-1].startswith("error: "), done.stderr


def contents(folder: Path, patterns: Sequence[str]) -> dict[str, bytes]:
    """The files that fit some patterns."""
    found = (path for pattern in patterns for path in folder.glob(pattern))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}
