"""A run of learning with an n-tuple network: its loop and its checkpoints."""

from __future__ import annotations

from pathlib import Path

from agents.training.checkpoint import Write, load_tensors, tensors
from agents.training.folder import TrainingFolder
from agents.training.monitor import Monitor
from agents.training.torch_state import with_torch_settings
from agents.training.upkeep import Upkeep
from agents.tuple_learning.config import TuplesConfig
from agents.tuple_learning.learner import TupleLearner
from agents.tuple_learning.policy import TuplesAgent, TupleTables

_STATE = "learner.pt"


class TuplesRun(TrainingFolder[TuplesConfig]):
    """The folder of a run and what is in it."""

    kind = TuplesConfig

    def load_checkpoint(self, config: TuplesConfig, learner: TupleLearner) -> None:
        """Restore a learner from the last checkpoint, if one exists.

        ValueError if the checkpoint cannot be read, or was made with another configuration.
        """

        def read(folder: Path) -> TupleLearner:
            learner.load(load_tensors(folder / _STATE, weights_only=True))
            return learner

        self.read_checkpoint(config, read)


@with_torch_settings
def train(config: TuplesConfig, run: TuplesRun, resume: bool = False) -> None:
    """Learn from the start, or with `resume` on from the last checkpoint, to `total_steps`.

    A resumed run comes to the same weights as one that was never interrupted.
    """
    game = config.load_game()
    learner = TupleLearner(config, game)
    if resume:
        run.load_checkpoint(config, learner)
    agent = TuplesAgent(game, TupleTables(tuples=config.tuples, play=config.play), learner.network, learner.current())

    def copy() -> Write:
        return tensors(learner.state(), _STATE)

    with (
        Monitor(run.folder, config, game, learner.step) as monitor,
        Upkeep(config, run, None, monitor, learner.step, resume) as upkeep,
    ):
        while learner.step < config.total_steps:
            upkeep(learner.step, agent, copy)
            for name, number in learner.learn().items():
                monitor.writer.add_scalar(f"tuples/{name}", number, learner.step)
            agent.weights = learner.current()
            monitor.advance(learner.step)
        upkeep(learner.step, agent, copy, last=True)
