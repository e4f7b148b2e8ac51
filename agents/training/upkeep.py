"""Take snapshots, evaluate and save checkpoints at intervals during training."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

from pydantic import Field

from agents.common.configuration import Section, parse
from agents.common.console import note_interruption
from agents.common.files import read_json, write_whole
from agents.players.policy import PolicyAgent
from agents.training.checkpoint import Write
from agents.training.config import RunConfig
from agents.training.folder import TrainingFolder
from agents.training.monitor import TIME, Count, Monitor
from agents.training.opponents import OpponentPool
from edge_envs.players import Agent

Config = TypeVar("Config", bound=RunConfig)


class SavableAgent(Agent, Protocol):
    """The agent that a training exports."""

    def save(self, folder: str | Path) -> None:
        """Write the policy folder."""


KEPT = "kept.json"
"""The file with the step and the processor time of a kept policy."""


class KeptPolicy(Section):
    """The content of `kept.json`."""

    step: Count
    cpu_seconds: float = Field(ge=0.0)

    @classmethod
    def read(cls, policy: Path) -> KeptPolicy:
        """Read the file in the folder of a policy; ValueError if it is invalid."""
        return parse(cls, read_json(policy / KEPT), str(policy / KEPT))


SAVED_EVERY = 60.0
"""The seconds between checkpoints of a training with a time limit; a tenth of its time if that is less."""
RARELY = 50
"""Copying the learner, so that a signal can save it, takes at most one part in this many of the time."""


class Upkeep(Generic[Config]):
    """Takes snapshots, evaluates and saves checkpoints when they are due. Without opponents, none are taken.

    Use it as a context manager around the training: if a signal interrupts it, the last copy of the learner is saved.
    Copies are made between rollouts, where a run can be resumed exactly.
    """

    def __init__(
        self,
        config: Config,
        run: TrainingFolder[Config],
        opponents: OpponentPool | None,
        monitor: Monitor,
        step: int,
        resumed: bool,
    ) -> None:
        self._config, self._run, self._opponents, self._monitor = config, run, opponents, monitor
        self._saved, self._resumed = step, resumed
        self._copied: tuple[int, Write] | None = None  # the step, and a function that writes the copy
        self._copied_at, self._cost = 0.0, 0.0  # seconds
        self._saved_at = monitor.seconds
        self._kept = int(monitor.done(step) * config.keep_policies)
        for file in (run.folder / "policies").glob(f"*/{KEPT}"):  # of a run that was killed after its last checkpoint
            if KeptPolicy.read(file.parent).step > step:
                shutil.rmtree(file.parent)

    def __enter__(self) -> Self:
        if self._resumed and self._saved:
            self._monitor.say(f"resumed at step {self._saved:,} of {self._config.total_steps:,}")
        elif self._resumed:
            self._monitor.say(f"{self._run.folder}: no checkpoint to resume from; the run starts again at step 0")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        note_interruption(error, self._save_copy)

    def __call__(self, step: int, policy: SavableAgent, copy: Callable[[], Write], last: bool = False) -> None:
        """Do what is due at a step.

        Args:
            step: the step.
            policy: the agent at this step, to evaluate and export.
            copy: copies what a checkpoint contains, and returns a function that writes the copy.
            last: whether this is the last step.
        """
        opponents = self._opponents
        if opponents and opponents.is_due(step):
            assert isinstance(policy, PolicyAgent)
            opponents.update(step, policy)
        if self._monitor.is_due(step, last):
            self._monitor.evaluate(step, policy, opponents.report(step) if opponents else [])
            policy.save(self._run.policy)
        self._keep(step, policy, last)
        every = self._config.checkpoint_every
        due = last or step // every > self._saved // every or self._is_time_to_save()
        if due or (step > self._saved and time.perf_counter() - self._copied_at >= RARELY * self._cost):
            self._copy(step, copy)
        if due:
            self._save()

    def saves_policy(self, step: int) -> bool:
        """Return whether the policy of a step before the last is evaluated or kept."""
        return self._monitor.is_due(step, last=False) or self._is_kept(step)

    def _is_kept(self, step: int) -> bool:
        kept = int(self._monitor.done(step) * self._config.keep_policies)
        return bool(self._config.keep_policies) and (kept > self._kept or step == 0)

    def _keep(self, step: int, policy: SavableAgent, last: bool) -> None:
        """Keep the policy, with its step and the processor time so far, if it is time to."""
        if self._is_kept(step) or (last and self._config.keep_policies):
            kept = int(self._monitor.done(step) * self._config.keep_policies)
            folder = self._run.folder / "policies" / f"step-{step:012d}"
            policy.save(folder)
            about = KeptPolicy(step=step, cpu_seconds=round(self._monitor.seconds, 2))
            write_whole(folder / KEPT, about.model_dump_json() + "\n")
            self._kept = kept

    def _is_time_to_save(self) -> bool:
        """Return whether a training with a time limit has not saved a checkpoint for long."""
        most = self._config.max_seconds
        return most is not None and self._monitor.seconds - self._saved_at >= min(SAVED_EVERY, most / 10)

    def _copy(self, step: int, copy: Callable[[], Write]) -> None:
        started = time.perf_counter()
        parts = [copy(), *([self._opponents.copy()] if self._opponents else [])]

        def write(folder: Path) -> None:
            for part in parts:
                part(folder)

        seconds = {"cpu_seconds": self._monitor.seconds}
        parts.append(lambda folder: write_whole(folder / TIME, json.dumps(seconds) + "\n"))
        self._copied = step, write
        self._copied_at = time.perf_counter()
        self._cost = self._copied_at - started

    def _save(self) -> None:
        assert self._copied
        step, write = self._copied
        self._run.write_checkpoint(self._config, step, write)
        self._saved, self._saved_at = step, self._monitor.seconds

    def _save_copy(self) -> str:
        """Save the last copy if it is newer than the last checkpoint, and return a note."""
        if self._copied and self._copied[0] > self._saved:
            self._save()
        if not self._saved:
            return "nothing was saved, since no rollout is complete"
        return f"saved at step {self._saved:,}"
