"""A run of learning with an n-tuple network."""

from __future__ import annotations

from agents.training.folder import TrainingFolder
from agents.training.steps import learn_in_steps
from agents.training.torch_state import with_torch_settings
from agents.tuple_learning.config import TuplesConfig
from agents.tuple_learning.learner import TupleLearner
from agents.tuple_learning.policy import TuplesAgent, TupleTables


class TuplesRun(TrainingFolder[TuplesConfig]):
    """The folder of a run and what is in it."""

    kind = TuplesConfig


@with_torch_settings
def train(config: TuplesConfig, run: TuplesRun, resume: bool = False) -> None:
    """Learn the weights of an n-tuple network, see `learn_in_steps`."""
    game = config.load_game()
    learner, tables = TupleLearner(config, game), TupleTables(tuples=config.tuples, play=config.play)

    def agent() -> TuplesAgent:
        return TuplesAgent(game, tables, learner.network, learner.playing)

    learn_in_steps(config, run, learner, agent, "tuples", resume)
