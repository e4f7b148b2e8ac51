"""What is due now and then while somebody learns: snapshots, evaluations, checkpoints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from agents.policy import PolicyAgent
from agents.training.config import RunConfig
from agents.training.folder import TrainingFolder
from agents.training.monitor import Monitor
from agents.training.opponents import OpponentPool

Config = TypeVar("Config", bound=RunConfig)


class Upkeep(Generic[Config]):
    """Takes a snapshot, evaluates and saves where that is due; without opponents there are no snapshots."""

    def __init__(
        self,
        config: Config,
        run: TrainingFolder[Config],
        opponents: OpponentPool | None,
        monitor: Monitor,
        step: int,
    ) -> None:
        self._config, self._run, self._opponents, self._monitor = config, run, opponents, monitor
        self._saved = step

    def __call__(self, step: int, learner: PolicyAgent, save: Callable[[Path], None], last: bool = False) -> None:
        """At a step, or at the last one; `save` writes the learner into the folder of a checkpoint."""
        opponents = self._opponents
        if opponents and opponents.is_due(step):
            opponents.update(step, learner)
        if self._monitor.is_due(step, last):
            self._monitor.evaluate(step, learner, opponents.report(step) if opponents else [])
            learner.save(self._run.policy)
        every = self._config.checkpoint_every
        if last or step // every > self._saved // every:
            self._saved = step

            def write(folder: Path) -> None:
                save(folder)
                if opponents:
                    opponents.save(folder)

            self._run.write_checkpoint(self._config, step, write)
