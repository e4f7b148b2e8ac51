"""The configuration of deep Q-learning."""

from __future__ import annotations

from pydantic import Field, model_validator

from agents.common.configuration import Section
from agents.training.config import MOST, PolicyConfig


class DeepQ(Section):
    """Hyperparameters. `exploration` is a linear schedule over the first `explore_for` of the training."""

    buffer: int = Field(default=100_000, gt=0, le=10_000_000)
    batch_size: int = Field(default=256, gt=1, le=1_000_000)
    learning_rate: float = Field(default=5e-4, gt=0, le=MOST)
    gamma: float = Field(default=1.0, gt=0, le=1)
    n_steps: int = Field(default=1, gt=0, le=1000)
    exploration: tuple[float, float] = (1.0, 0.05)
    explore_for: float = Field(default=0.5, gt=0, le=1)
    steps_per_update: int = Field(default=4, gt=0, le=10_000)
    updates: int = Field(default=1, gt=0, le=1000)
    target_every: int = Field(default=250, gt=0)
    learn_from: int = Field(default=5_000, gt=0)
    max_grad_norm: float = Field(default=10.0, gt=0)

    @model_validator(mode="after")
    def _are_shares(self) -> DeepQ:
        if not all(0.0 <= share <= 1.0 for share in self.exploration):
            raise ValueError("exploration: expected numbers from 0 to 1")
        return self


class DeepQConfig(PolicyConfig):
    """The configuration of a training with deep Q-learning.

    `dqn.buffer` and `dqn.learn_from` count decisions. Each of the `num_envs` games takes `dqn.steps_per_update` steps;
    then `dqn.updates` minibatches are learned.
    """

    dqn: DeepQ = DeepQ()
    num_envs: int = Field(default=64, gt=0, le=65_536)
    random_opening: int = Field(default=0, ge=0, le=1000)

    @model_validator(mode="after")
    def _learning_begins(self) -> DeepQConfig:
        """Check that enough decisions can be drawn: not the newest row, nor the last one before a resumption."""
        if self.dqn.buffer < 3 * self.num_envs:
            raise ValueError("dqn.buffer: must be at least 3 × num_envs")
        most = (self.dqn.buffer // self.num_envs - 2) * self.num_envs
        if self.dqn.learn_from > most:
            raise ValueError(f"dqn.learn_from: must be at most {most}, (dqn.buffer // num_envs - 2) × num_envs")
        return self
