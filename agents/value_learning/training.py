"""A run that learns values."""

from __future__ import annotations

from agents.training.folder import TrainingFolder
from agents.training.steps import learn_in_steps
from agents.training.torch_state import with_torch_settings
from agents.value_learning.config import ValuesConfig
from agents.value_learning.learner import ValueLearner
from agents.value_learning.policy import ValuesAgent


class ValuesRun(TrainingFolder[ValuesConfig]):
    """The folder of a run and what is in it."""

    kind = ValuesConfig


@with_torch_settings
def train(config: ValuesConfig, run: ValuesRun, resume: bool = False) -> None:
    """Learn values, see `learn_in_steps`."""
    game = config.load_game()
    learner = ValueLearner(config, game)
    learn_in_steps(config, run, learner, lambda: ValuesAgent(game, learner.net), "values", resume)
