"""Train with MaskablePPO: one seat of each game learns, and opponents play the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter, Logger
from stable_baselines3.common.vec_env import VecEnv
from torch.utils.tensorboard import SummaryWriter

from agents.common.devices import resolve
from agents.ppo.config import TrainingConfig
from agents.ppo.model import GamePolicy, Learner, make_model, policy_of, set_schedules
from agents.training.checkpoint import Write, file_of
from agents.training.folder import TrainingFolder
from agents.training.monitor import Monitor
from agents.training.opponents import GameScores, OpponentPool
from agents.training.torch_state import with_torch_settings
from agents.training.upkeep import Upkeep
from edge_envs.core.checks.files import open_regular
from edge_envs.envs.sb3 import SeatVecEnv


class TrainingRun(TrainingFolder[TrainingConfig]):
    """The run folder."""

    kind = TrainingConfig

    def load_checkpoint(self, config: TrainingConfig, env: VecEnv, opponents: OpponentPool) -> MaskablePPO | None:
        """Load the model of the last checkpoint; None if there is none yet.

        ValueError if the checkpoint cannot be read, or was made with another configuration.
        """

        def read(folder: Path) -> MaskablePPO:
            with open_regular(folder / "model.zip") as file:
                model: Learner = Learner.load(file, env=env, device=resolve(config.device))
            opponents.load(folder, model.num_timesteps)
            return model

        return self.read_checkpoint(config, read)


class TensorBoard(KVWriter):
    """Writes the log of Stable-Baselines3 as scalars for TensorBoard."""

    def __init__(self, writer: SummaryWriter) -> None:
        self.writer = writer

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, Any], step: int = 0) -> None:
        """Write the scalars of a step."""
        for key, value in key_values.items():
            if isinstance(value, int | float | np.number):
                self.writer.add_scalar(key, value, step)
        self.writer.flush()

    def close(self) -> None:
        """Do nothing: the creator of the writer closes it."""


class _BetweenRollouts(BaseCallback):
    """Counts results against opponents, and does what is due between rollouts."""

    def __init__(
        self,
        config: TrainingConfig,
        env: SeatVecEnv,
        opponents: OpponentPool,
        monitor: Monitor,
        upkeep: Upkeep[TrainingConfig],
    ) -> None:
        super().__init__()
        self._config, self._env, self._opponents = config, env, opponents
        self._monitor, self._upkeep = monitor, upkeep
        self._scores = GameScores(env.lanes, opponents)
        self._steps = 0

    @property
    def _learner(self) -> Learner:
        assert isinstance(self.model, Learner)
        return self.model

    def _on_rollout_start(self) -> None:
        self.tidy_up(last=False)
        if self._config.max_seconds:
            self._learner.remaining = 1.0 - self._monitor.done(self.num_timesteps)
        set_schedules(self._learner, self._config)

    def _on_training_start(self) -> None:
        self._scores.begin()

    def _on_step(self) -> bool:
        self._scores.count()
        self._monitor.advance(self.num_timesteps)
        first = self._steps % self._config.ppo.steps_per_rollout == 0
        self._steps += 1
        return not (first and self._config.max_seconds and self._monitor.done(self.num_timesteps) >= 1.0)

    def tidy_up(self, last: bool) -> None:
        """Do what is due, and update the weights of opponents."""
        learner = self._learner
        self._upkeep(learner.num_timesteps, policy_of(learner, self._config, learner.policy.game), self._copy, last)
        self._env.lanes.set_opponent_weights(self._opponents.mix)

    def _copy(self) -> Write:
        return file_of("model.zip", self._learner.save)


@with_torch_settings
def train(config: TrainingConfig, run: TrainingRun, resume: bool = False) -> None:
    """Train to `total_steps` or `max_seconds`, from the start, or with `resume` from the last checkpoint."""
    game = config.load_game()
    opponents = OpponentPool(config, game)
    env = SeatVecEnv(game, config.num_envs, opponents.mix, random_opening=config.random_opening)
    model = (run.load_checkpoint(config, env, opponents) if resume else None) or make_model(config, env)
    assert isinstance(model.policy, GamePolicy)
    model.policy.actor.layer.threads = config.feature_threads
    done = model.num_timesteps
    env.seed(config.seed + done)  # new games after a resume
    with (
        Monitor(run.folder, config, game, done) as monitor,
        Upkeep(config, run, opponents, monitor, done, resume) as upkeep,
    ):
        model.set_logger(Logger(str(run.folder), [TensorBoard(monitor.writer)]))
        between = _BetweenRollouts(config, env, opponents, monitor, upkeep)
        if monitor.done(done) < 1.0:
            model.learn(config.total_steps - done, callback=between, reset_num_timesteps=False)
        else:
            between.init_callback(model)
        between.tidy_up(last=True)
