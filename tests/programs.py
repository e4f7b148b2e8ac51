"""Runs programs as a user does, in a process of their own, or quickly within this one."""

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
"""A run of four rollouts of 1,024 steps, with an evaluation after each and a checkpoint after every other."""


def program(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python in the checkout with the text as standard input."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, input=text, capture_output=True, text=True, check=False
    )


def tiny_config(folder: Path) -> Path:
    """The file of a tiny run's configuration, in a folder that is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "tiny.yaml"
    path.write_text(TINY, encoding="utf-8")
    return path


def train_tiny(out: Path, *arguments: str) -> None:
    """Train a tiny run from the start, within this process."""
    asked = ("--config", str(tiny_config(out.parent)), "--out", str(out), *arguments)
    with pytest.raises(SystemExit) as stopped:
        run(agents.train.main, arguments=asked)
    assert stopped.value.code == 0


@dataclass
class Outcome:
    """How a program within this process ended."""

    code: Any
    out: str
    err: str


class Here:
    """Runs a program's main function in this process, as its command line would."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, main: Callable[..., Any], *arguments: object) -> Outcome:
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            run(main, [str(argument) for argument in arguments])
        shown = self._capsys.readouterr()
        return Outcome(stopped.value.code, shown.out, shown.err)

    def fails(self, main: Callable[..., Any], *arguments: object) -> str:
        """The one line that says why a program ended with exit code 2 and without output."""
        outcome = self(main, *arguments)
        assert (outcome.code, outcome.out) == (2, ""), outcome
        (line,) = outcome.err.splitlines()
        assert line.startswith("error: ")
        return line

    def refuses(self, main: Callable[..., Any], config: Path, override: str, words: Sequence[str]) -> None:
        """An overridden value of a configuration is one line with these words, and no run is begun."""
        out = config.parent / "run"
        line = self.fails(main, "--config", config, "--out", out, "--set", override)
        assert all(word in line for word in words), (words, line)
        assert not out.exists()
