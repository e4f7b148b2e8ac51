"""A training run: its folder, its loop and its checkpoints.

<run>/config.json                the configuration as checked
<run>/evaluations.jsonl          one line per evaluation and opponent
<run>/curves.png                 the learning curves
<run>/tensorboard/               the same and the losses, for TensorBoard
<run>/policy/                    the policy as exported at each evaluation and at the end
<run>/checkpoints/step-<n>/      what `--resume` goes on from; private to the run
"""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecEnv

from agents.agent import Agent, make_agent
from agents.policy import PolicyAgent
from agents.ppo.config import TrainingConfig
from agents.ppo.model import make_model, policy_of, set_schedules
from agents.ppo.monitor import Monitor, TensorBoard, scalar_writer
from agents.ppo.snapshots import SnapshotAgent
from agents.runs import RunFolder
from edge_envs import OpponentMix, sb3_vec_env

_CHECKPOINTS_KEPT = 2


class Run(RunFolder[TrainingConfig]):
    """The folder of a run and what is in it."""

    kind = TrainingConfig

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.policy = folder / "policy"
        self.checkpoints = folder / "checkpoints"

    def save_checkpoint(self, model: MaskablePPO, opponents: Opponents) -> None:
        """Write a checkpoint, complete or not at all, and drop those before the last two."""
        name = f"step-{model.num_timesteps:012d}"
        partial = self.checkpoints / f"partial-{name}"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        model.save(partial / "model.zip")
        opponents.save(partial)
        shutil.rmtree(self.checkpoints / name, ignore_errors=True)
        os.replace(partial, self.checkpoints / name)
        for old in self._complete()[:-_CHECKPOINTS_KEPT]:
            shutil.rmtree(old)

    def load_checkpoint(self, env: VecEnv, opponents: Opponents) -> MaskablePPO | None:
        """The model of the last checkpoint, or None if there is none yet; ValueError if it cannot be read."""
        complete = self._complete()
        if not complete:
            return None
        try:
            model: MaskablePPO = MaskablePPO.load(complete[-1] / "model.zip", env=env, device="cpu")
            opponents.load(complete[-1], model.num_timesteps)
        except Exception as error:  # the readers of zip, JSON, pickle and tensors raise a dozen types
            first = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ValueError(
                f"{complete[-1]}: this checkpoint cannot be read ({first}); remove it to resume from the one before"
            ) from None
        return model

    def _complete(self) -> list[Path]:
        return sorted(self.checkpoints.glob("step-*"))


class Opponents:
    """The opponents of a configuration, snapshots of the learner among them."""

    def __init__(self, config: TrainingConfig) -> None:
        game, weights = config.load_game(), config.opponents
        choices: list[tuple[str | Agent, float]] = [("random", weights.random), ("heuristic", weights.heuristic)]
        if weights.perfect > 0:
            choices.append((make_agent("perfect", game), weights.perfect))
        self.snapshots: list[SnapshotAgent] = []
        if weights.snapshots > 0:
            untrained = PolicyAgent(config.network.make_network(game), game, config.network)
            self.snapshots = [SnapshotAgent(slot, untrained) for slot in range(config.snapshots.keep)]
            choices += [(snapshot, weights.snapshots / len(self.snapshots)) for snapshot in self.snapshots]
        self.mix = OpponentMix([(opponent, weight) for opponent, weight in choices if weight > 0])
        self._every = config.snapshots.every
        self._taken = 0

    def update(self, step: int, learner: PolicyAgent) -> None:
        """Exchange the oldest snapshot for the learner whenever another `every` steps are complete."""
        if self.snapshots and step // self._every > self._taken:
            self._taken = step // self._every
            self.snapshots[self._taken % len(self.snapshots)].freeze(learner)

    def save(self, folder: Path) -> None:
        """Write the snapshots' policies."""
        for slot, snapshot in enumerate(self.snapshots):
            snapshot.policy.save(folder / f"snapshot-{slot}")

    def load(self, folder: Path, step: int) -> None:
        """Read them back."""
        self._taken = step // self._every
        for slot, snapshot in enumerate(self.snapshots):
            snapshot.freeze(PolicyAgent.load(folder / f"snapshot-{slot}"))


class _BetweenRollouts(BaseCallback):
    """What happens between rollouts: schedules, snapshots, evaluations, checkpoints."""

    def __init__(self, config: TrainingConfig, run: Run, opponents: Opponents, monitor: Monitor, step: int) -> None:
        super().__init__()
        self._config, self._run, self._opponents, self._monitor = config, run, opponents, monitor
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
        learner = policy_of(self._learner, self._config, self._config.load_game())
        self._opponents.update(step, learner)
        if self._monitor.is_due(step, last):
            self._monitor.evaluate(step, learner)
            learner.save(self._run.policy)
        if last or step // self._config.checkpoint_every > self._saved // self._config.checkpoint_every:
            self._saved = step
            self._run.save_checkpoint(self._learner, self._opponents)


def train(config: TrainingConfig, run: Run, resume: bool = False) -> None:
    """Train from the start, or with `resume` on from the last checkpoint, to `total_steps`."""
    torch.set_num_threads(config.torch_threads)
    torch.manual_seed(config.seed)
    opponents = Opponents(config)
    env = sb3_vec_env(
        config.game,
        num_envs=config.num_envs,
        opponents=opponents.mix,
        random_opening=config.random_opening,
        **config.params,
    )
    model = (run.load_checkpoint(env, opponents) if resume else None) or make_model(config, env)
    done = model.num_timesteps
    env.seed(config.seed + done)  # after a resume other games than those at the start
    with (
        closing(scalar_writer(run.folder / "tensorboard", done)) as writer,
        Monitor(run.folder, config, done, writer) as monitor,
    ):
        model.set_logger(Logger(str(run.folder), [TensorBoard(writer)]))
        between = _BetweenRollouts(config, run, opponents, monitor, done)
        if done < config.total_steps:
            model.learn(config.total_steps - done, callback=between, reset_num_timesteps=False)
        else:
            between.init_callback(model)
        between.tidy_up(last=True)
