"""A run that learns values: its loop and its checkpoints."""

from __future__ import annotations

from pathlib import Path

from agents.training.checkpoint import Write, load_tensors, tensors
from agents.training.folder import TrainingFolder
from agents.training.monitor import Monitor
from agents.training.torch_state import with_torch_settings
from agents.training.upkeep import Upkeep
from agents.value_learning.config import ValuesConfig
from agents.value_learning.learner import ValueLearner
from agents.value_learning.policy import ValuesAgent

_STATE = "learner.pt"


class ValuesRun(TrainingFolder[ValuesConfig]):
    """The folder of a run and what is in it."""

    kind = ValuesConfig

    def load_checkpoint(self, config: ValuesConfig, learner: ValueLearner) -> None:
        """Restore a learner from the last checkpoint, if one exists.

        ValueError if the checkpoint cannot be read, or was made with another configuration.
        """

        def read(folder: Path) -> ValueLearner:
            learner.load(load_tensors(folder / _STATE, weights_only=True))
            return learner

        self.read_checkpoint(config, read)


@with_torch_settings
def train(config: ValuesConfig, run: ValuesRun, resume: bool = False) -> None:
    """Learn from the start, or with `resume` on from the last checkpoint, to `total_steps`.

    A resumed run comes to the same values as one that was never interrupted.
    """
    game = config.load_game()
    learner = ValueLearner(config, game)
    if resume:
        run.load_checkpoint(config, learner)
    agent = ValuesAgent(game, learner.net)

    def copy() -> Write:
        return tensors(learner.state(), _STATE)

    with (
        Monitor(run.folder, config, game, learner.step) as monitor,
        Upkeep(config, run, None, monitor, learner.step, resume) as upkeep,
    ):
        while learner.step < config.total_steps:
            upkeep(learner.step, agent, copy)
            for name, number in learner.learn().items():
                monitor.writer.add_scalar(f"values/{name}", number, learner.step)
            monitor.advance(learner.step)
        upkeep(learner.step, agent, copy, last=True)
