"""What is due now and then while a policy learns: snapshots, evaluations, checkpoints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from agents.policy import PolicyAgent
from agents.training.config import PolicyConfig
from agents.training.folder import TrainingFolder
from agents.training.monitor import Monitor
from agents.training.opponents import OpponentPool

Config = TypeVar("Config", bound=PolicyConfig)


class Upkeep(Generic[Config]):
    """Takes a snapshot, evaluates and saves where that is due."""

    def __init__(
        self,
        config: Config,
        run: TrainingFolder[Config],
        opponents: OpponentPool,
        monitor: Monitor,
        step: int,
    ) -> None:
        self._config, self._run, self._opponents, self._monitor = config, run, opponents, monitor
        self._saved = step

    def __call__(self, step: int, learner: PolicyAgent, save: Callable[[Path], None], last: bool = False) -> None:
        """At a step, or at the last one; `save` writes the learner into the folder of a checkpoint."""
        if self._opponents.is_due(step):
            self._opponents.update(step, learner)
        if self._monitor.is_due(step, last):
            self._monitor.evaluate(step, learner, self._opponents.report(step))
            learner.save(self._run.policy)
        every = self._config.checkpoint_every
        if last or step // every > self._saved // every:
            self._saved = step

            def write(folder: Path) -> None:
                save(folder)
                self._opponents.save(folder)

            self._run.write_checkpoint(self._config, step, write)
