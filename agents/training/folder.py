"""The run folder of a training.

<run>/config.json                the checked configuration
<run>/evaluations.jsonl          one line per evaluation and opponent
<run>/curves.png                 the learning curves
<run>/opponents.jsonl            one line per evaluation and opponent of the training; plotted in opponents.png
<run>/index.html                 a page with all of these
<run>/tensorboard/               the same data and the losses, for TensorBoard
<run>/policy/                    the policy, exported at each evaluation and at the end
<run>/policies/step-<n>/         policies kept during the training, with `keep_policies`
<run>/checkpoints/step-<n>/      checkpoints for `--resume`; private to the run
<run>/lock                       held by the process that trains
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from agents.common.configuration import parse
from agents.common.files import read_json, write_whole
from agents.common.runs import RunFolder
from agents.training.checkpoint import Write
from agents.training.config import RunConfig

_CHECKPOINTS_KEPT = 2

Config = TypeVar("Config", bound=RunConfig)
Learner = TypeVar("Learner")


class TrainingFolder(RunFolder[Config]):
    """The run folder of a training."""

    files = (
        "evaluations.jsonl", "curves.png", "opponents.jsonl", "opponents.png", "index.html", "replays", "tensorboard",
        "policy", "policies", "checkpoints",
    )  # fmt: skip

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.policy = folder / "policy"
        self.checkpoints = folder / "checkpoints"

    def write_checkpoint(self, config: Config, step: int, write: Write) -> None:
        """Write a checkpoint atomically, and remove all but the last two."""
        name = f"step-{step:012d}"
        partial = self.checkpoints / f"partial-{name}"
        for stale in self.checkpoints.glob("partial-step-*"):  # of a killed run
            shutil.rmtree(stale, ignore_errors=True)
        partial.mkdir(parents=True)
        try:
            write_whole(partial / "config.json", config.model_dump_json(indent=2) + "\n")
            write(partial)
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise
        shutil.rmtree(self.checkpoints / name, ignore_errors=True)
        os.replace(partial, self.checkpoints / name)
        for old in self._complete()[:-_CHECKPOINTS_KEPT]:
            shutil.rmtree(old)

    def read_checkpoint(self, config: Config, read: Callable[[Path], Learner]) -> Learner | None:
        """Read the last checkpoint with `read`; None if there is none yet.

        ValueError if the checkpoint cannot be read, or was made with another configuration.
        """
        complete = self._complete()
        if not complete:
            return None
        last = complete[-1]
        with _reading(last):
            made_with = parse(self.kind, read_json(last / "config.json"), "config.json")
        self.check_unchanged(config, made_with, last.name)
        with _reading(last):
            return read(last)

    def _complete(self) -> list[Path]:
        return sorted(self.checkpoints.glob("step-*"))


@contextlib.contextmanager
def _reading(checkpoint: Path) -> Iterator[None]:
    """Report in one line that a checkpoint cannot be read; readers of zip, pickle and tensors raise many types."""
    try:
        yield
    except Exception as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueError(
            f"{checkpoint}: this checkpoint cannot be read ({first}); remove it to resume from the one before"
        ) from None
