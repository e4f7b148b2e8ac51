"""A training run: its folder, its loop and its checkpoints.

<run>/config.json                the configuration as checked
<run>/evaluations.jsonl          one line per evaluation and opponent
<run>/curves.png                 the learning curves
<run>/tensorboard/               the same and the losses, for TensorBoard
<run>/policy/                    the policy as exported at each evaluation and at the end
<run>/checkpoints/step-<n>/      what `--resume` goes on from; private to the run
<run>/lock                       held by the process that is at work
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecEnv

from agents.configuration import parse
from agents.files import read_json
from agents.ppo.config import TrainingConfig
from agents.ppo.model import Learner, make_model, policy_of, set_schedules
from agents.ppo.monitor import Monitor, TensorBoard
from agents.ppo.opponents import OpponentPool
from agents.runs import RunFolder
from edge_envs import Game
from edge_envs.envs.sb3 import SeatVecEnv

_CHECKPOINTS_KEPT = 2


class TrainingRun(RunFolder[TrainingConfig]):
    """The folder of a training and what is in it."""

    kind = TrainingConfig

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.policy = folder / "policy"
        self.checkpoints = folder / "checkpoints"

    def save_checkpoint(self, config: TrainingConfig, model: MaskablePPO, opponents: OpponentPool) -> None:
        """Write a checkpoint, complete or not at all, and drop those before the last two."""
        name = f"step-{model.num_timesteps:012d}"
        partial = self.checkpoints / f"partial-{name}"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        (partial / "config.json").write_text(config.model_dump_json(indent=2) + "\n", encoding="utf-8")
        model.save(partial / "model.zip")
        opponents.save(partial)
        shutil.rmtree(self.checkpoints / name, ignore_errors=True)
        os.replace(partial, self.checkpoints / name)
        for old in self._complete()[:-_CHECKPOINTS_KEPT]:
            shutil.rmtree(old)

    def load_checkpoint(self, config: TrainingConfig, env: VecEnv, opponents: OpponentPool) -> MaskablePPO | None:
        """The model of the last checkpoint, or None if there is none yet.

        ValueError if the checkpoint cannot be read, or was made with another configuration.
        """
        complete = self._complete()
        if not complete:
            return None
        last = complete[-1]
        with _reading(last):
            made_with = parse(self.kind, read_json(last / "config.json"), "config.json")
        self.check_unchanged(config, made_with, last.name)
        with _reading(last):
            model: Learner = Learner.load(last / "model.zip", env=env, device="cpu")
            opponents.load(last, model.num_timesteps)
        return model

    def _complete(self) -> list[Path]:
        return sorted(self.checkpoints.glob("step-*"))


@contextlib.contextmanager
def _reading(checkpoint: Path) -> Iterator[None]:
    """Say in one line that a checkpoint cannot be read: the readers of zip, pickle and tensors raise a dozen types."""
    try:
        yield
    except Exception as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueError(
            f"{checkpoint}: this checkpoint cannot be read ({first}); remove it to resume from the one before"
        ) from None


class _BetweenRollouts(BaseCallback):
    """Does what is due between rollouts: snapshots, evaluations, checkpoints, schedules."""

    def __init__(
        self, config: TrainingConfig, game: Game, run: TrainingRun, opponents: OpponentPool, monitor: Monitor, step: int
    ) -> None:
        super().__init__()
        self._config, self._game = config, game
        self._run, self._opponents, self._monitor = run, opponents, monitor
        self._saved = step

    @property
    def _learner(self) -> MaskablePPO:
        assert isinstance(self.model, MaskablePPO)
        return self.model

    def _on_rollout_start(self) -> None:
        self.tidy_up(last=False)
        set_schedules(self._learner, self._config)

    def _on_step(self) -> bool:
        self._monitor.advance(self.num_timesteps)
        return True

    def tidy_up(self, last: bool) -> None:
        """Take a snapshot, evaluate and save where that is due."""
        step = self._learner.num_timesteps
        learner = policy_of(self._learner, self._config, self._game)
        if self._opponents.is_due(step):
            self._opponents.update(step, learner)
        if self._monitor.is_due(step, last):
            self._monitor.evaluate(step, learner)
            learner.save(self._run.policy)
        if last or step // self._config.checkpoint_every > self._saved // self._config.checkpoint_every:
            self._saved = step
            self._run.save_checkpoint(self._config, self._learner, self._opponents)


def train(config: TrainingConfig, run: TrainingRun, resume: bool = False) -> None:
    """Train from the start, or with `resume` on from the last checkpoint, to `total_steps`."""
    torch.set_num_threads(config.torch_threads)
    torch.manual_seed(config.seed)
    game = config.load_game()
    opponents = OpponentPool(config, game)
    env = SeatVecEnv(game, config.num_envs, opponents.mix, random_opening=config.random_opening)
    model = (run.load_checkpoint(config, env, opponents) if resume else None) or make_model(config, env)
    done = model.num_timesteps
    env.seed(config.seed + done)  # after a resume other games than those at the start
    with Monitor(run.folder, config, game, done) as monitor:
        model.set_logger(Logger(str(run.folder), [TensorBoard(monitor.writer)]))
        between = _BetweenRollouts(config, game, run, opponents, monitor, done)
        if done < config.total_steps:
            model.learn(config.total_steps - done, callback=between, reset_num_timesteps=False)
        else:
            between.init_callback(model)
        between.tidy_up(last=True)
