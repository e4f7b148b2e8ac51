"""Train the runs of a plan by workers; a run that was interrupted continues from its last checkpoint."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.baselining.plan import BaselinePlan, Run
from agents.common.files import read_json, write_whole
from agents.workers.task import Heartbeat, Task
from agents.workers.workers import Workers

DONE, TRAINING = "done.json", "training"


@dataclass(frozen=True)
class TrainTask(Task):
    """Train runs; a job is a run. A finished run has a file `done.json` with its configuration."""

    plan: BaselinePlan
    folder: Path

    def prepare(self, heartbeat: Heartbeat) -> Callable[[Any], Any]:
        """Return the function that trains."""

        def train(run: Run) -> str:
            from agents.programs.training import run_training

            out, config = self.folder / run.name, self.plan.config_of(run)
            resume = (out / TRAINING / "config.json").exists()
            run_training(run.program, config, out / TRAINING, None, resume)
            write_whole(out / DONE, json.dumps(config, indent=2) + "\n")
            return run.name

        return train


def is_done(folder: Path, plan: BaselinePlan, run: Run) -> bool:
    """Return whether a run is finished.

    Raises:
        ValueError: if it was trained with another configuration.
    """
    file = folder / run.name / DONE
    if not file.exists():
        return False
    if read_json(file) != plan.config_of(run):
        raise ValueError(f"{folder / run.name}: trained with another configuration; remove it, or choose another --out")
    return True


def train_runs(
    plan: BaselinePlan, runs: Sequence[Run], folder: Path, workers: Workers, show: Callable[[str, int, int], None]
) -> None:
    """Train the runs that are not finished, one per worker."""
    missing = [run for run in runs if not is_done(folder, plan, run)]
    done = len(runs) - len(missing)
    show("training", done, len(runs))
    for _, name in workers.results(TrainTask(plan, folder), missing):
        done += 1
        show(f"trained {name}", done, len(runs))
