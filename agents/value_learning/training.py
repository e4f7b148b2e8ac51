"""A run that learns values: its loop and its checkpoints."""

from __future__ import annotations

from pathlib import Path

from agents.training.checkpoint import load_tensors, save_tensors
from agents.training.folder import TrainingFolder
from agents.training.monitor import Monitor
from agents.training.torch_state import with_torch_settings
from agents.value_learning.config import ValuesConfig
from agents.value_learning.learner import ValueLearner
from agents.value_learning.policy import ValuesAgent

_STATE = "learner.pt"


class ValuesRun(TrainingFolder[ValuesConfig]):
    """The folder of a run and what is in it."""

    kind = ValuesConfig

    def load_checkpoint(self, config: ValuesConfig, learner: ValueLearner) -> None:
        """Let a learner go on from the last checkpoint, if there is one.

        ValueError if the checkpoint cannot be read, or was made with another configuration.
        """

        def read(folder: Path) -> ValueLearner:
            learner.load(load_tensors(folder / _STATE, weights_only=True))
            return learner

        self.read_checkpoint(config, read)

    def save_checkpoint(self, config: ValuesConfig, learner: ValueLearner) -> None:
        """Write all that is needed to go on."""
        self.write_checkpoint(config, learner.step, lambda folder: save_tensors(learner.state(), folder / _STATE))


@with_torch_settings
def train(config: ValuesConfig, run: ValuesRun, resume: bool = False) -> None:
    """Learn from the start, or with `resume` on from the last checkpoint, to `total_steps`.

    A resumed run comes to the same values as one that was never interrupted.
    """
    game = config.load_game()
    learner = ValueLearner(config, game)
    if resume:
        run.load_checkpoint(config, learner)
    saved = learner.step
    with Monitor(run.folder, config, game, learner.step) as monitor:
        while True:
            last = learner.step >= config.total_steps
            if monitor.is_due(learner.step, last):
                agent = ValuesAgent(game, learner.net)
                monitor.evaluate(learner.step, agent, [])
                agent.save(run.policy)
            if last or learner.step // config.checkpoint_every > saved // config.checkpoint_every:
                saved = learner.step
                run.save_checkpoint(config, learner)
            if last:
                break
            for name, number in learner.learn().items():
                monitor.writer.add_scalar(f"values/{name}", number, learner.step)
            monitor.advance(learner.step)
