"""Run programs as a user does, in a new process, or faster within this one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import agents.train
from agents.common.console import run

ROOT = Path(__file__).resolve().parents[1]

TINY = """\
game: falling_off
total_steps: 4096
num_envs: 32
opponents: {random: 0.5, heuristic: 0.25, snapshots: 0.25}
snapshots: {every: 1000, keep: 2}
network: {features: plain, hidden: [16]}
ppo: {steps_per_rollout: 32, batch_size: 256, epochs: 1}
evaluation: {every: 1000, games: 20, against: [random, heuristic]}
checkpoint_every: 2000
"""
"""A run of four rollouts of 1,024 steps, with an evaluation after each and a checkpoint after every second one."""


def program(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python in the checkout with `text` as standard input."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, input=text, capture_output=True, text=True, check=False
    )


def tiny_config(folder: Path) -> Path:
    """Write the configuration of a tiny run into a folder, which is created if necessary, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "tiny.yaml"
    path.write_text(TINY, encoding="utf-8")
    return path


def train_tiny(out: Path, *arguments: str) -> None:
    """Train a tiny run within this process."""
    options = ("--config", str(tiny_config(out.parent)), "--out", str(out), *arguments)
    with pytest.raises(SystemExit) as stopped:
        run(agents.train.main, arguments=options)
    assert stopped.value.code == 0


@dataclass
class Outcome:
    """The exit code and output of a program that ran within this process."""

    code: Any
    out: str
    err: str


class Here:
    """Runs the main function of a program in this process, with command-line arguments."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, main: Callable[..., Any], *arguments: object) -> Outcome:
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            run(main, [str(argument) for argument in arguments])
        shown = self._capsys.readouterr()
        return Outcome(stopped.value.code, shown.out, shown.err)

    def fails(self, main: Callable[..., Any], *arguments: object) -> str:
        """Run a program that must fail with exit code 2 and a one-line error, and return the line."""
        outcome = self(main, *arguments)
        assert (outcome.code, outcome.out) == (2, ""), outcome
        (line,) = outcome.err.splitlines()
        assert line.startswith("error: ")
        return line

    def refuses(self, main: Callable[..., Any], config: Path, override: str, words: Sequence[str]) -> None:
        """Assert that an override fails with a one-line error that contains these words, and that no run is started."""
        out = config.parent / "run"
        line = self.fails(main, "--config", config, "--out", out, "--set", override)
        assert all(word in line for word in words), (words, line)
        assert not out.exists()
