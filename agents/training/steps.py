"""The loop of a trainer that learns alone: no opponents, one learner, checkpoints of tensors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from agents.training.checkpoint import Write, load_tensors, tensors
from agents.training.config import RunConfig
from agents.training.folder import TrainingFolder
from agents.training.monitor import Monitor
from agents.training.upkeep import SavableAgent, Upkeep

_STATE = "learner.pt"

Config = TypeVar("Config", bound=RunConfig)


class Learner(Protocol):
    """A learner that trains in steps; `state` and `load` save it as tensors and plain values, and restore it."""

    step: int
    by_time: float
    """With a time limit, the fraction of the time that has passed, for schedules; otherwise 0."""

    def learn(self) -> dict[str, float]:
        """Learn from some steps and return statistics."""

    def update_player(self) -> None:
        """Prepare the agent for an evaluation or a file, if it does not follow the learner by itself."""

    def state(self) -> dict[str, Any]:
        """Return the state for a checkpoint."""

    def load(self, state: dict[str, Any]) -> None:
        """Restore a state from a checkpoint."""


def learn_in_steps(
    config: Config,
    run: TrainingFolder[Config],
    learner: Learner,
    make_agent: Callable[[], SavableAgent],
    name: str,
    resume: bool,
) -> None:
    """Learn from the start, or with `resume` on from the last checkpoint, to `total_steps` or `max_seconds`.

    A resumed run comes to the same result as one that was never interrupted.

    Args:
        config: the configuration.
        run: the folder of the run.
        learner: what learns.
        make_agent: makes the agent to evaluate and export, which follows the learner, or its `update_player`.
        name: the group of the statistics in TensorBoard.
        resume: whether to continue from the last checkpoint.

    Raises:
        ValueError: if the checkpoint cannot be read, or was made with another configuration.
    """

    def read(folder: Path) -> Learner:
        learner.load(load_tensors(folder / _STATE, weights_only=True))
        return learner

    def copy() -> Write:
        return tensors(learner.state(), _STATE)

    if resume:
        run.read_checkpoint(config, read)
    agent = make_agent()
    with (
        Monitor(run.folder, config, config.load_game(), learner.step) as monitor,
        Upkeep(config, run, None, monitor, learner.step, resume) as upkeep,
    ):
        while (done := monitor.done(learner.step)) < 1.0:
            learner.by_time = done if config.max_seconds else 0.0
            if upkeep.saves_policy(learner.step):
                learner.update_player()
            upkeep(learner.step, agent, copy)
            for key, number in learner.learn().items():
                monitor.writer.add_scalar(f"{name}/{key}", number, learner.step)
            monitor.advance(learner.step)
        learner.update_player()
        upkeep(learner.step, agent, copy, last=True)
