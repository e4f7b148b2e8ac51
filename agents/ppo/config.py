"""The configuration of PPO: a YAML file checked by pydantic."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from pydantic import Field, field_validator, model_validator

from agents.common.configuration import Section, parse, read_mapping
from agents.common.devices import resolve
from agents.players.games import check_folder
from agents.training.config import MOST, Ends, PolicyConfig
from agents.training.memory_estimate import check_memory


class PPO(Section):
    """Hyperparameters of PPO. A pair [a, b] is a linear schedule from a to b."""

    steps_per_rollout: int = Field(default=64, gt=0)
    batch_size: int = Field(default=8192, gt=1)
    epochs: int = Field(default=4, gt=0)
    learning_rate: Ends = (1e-3, 0.0)
    gae_lambda: Ends = (0.95, 0.95)
    entropy: Ends = (0.01, 0.01)
    gamma: float = Field(default=1.0, gt=0, le=1)
    clip_range: float = Field(default=0.2, gt=0, le=MOST)
    value_weight: float = Field(default=0.5, ge=0)
    max_grad_norm: float = Field(default=0.5, gt=0)

    @field_validator("gae_lambda")
    @classmethod
    def _at_most_one(cls, value: tuple[float, float]) -> tuple[float, float]:
        if max(value) > 1:
            raise ValueError("must be at most 1")
        return value


class PPOConfig(PolicyConfig):
    """The configuration of a training with PPO."""

    ppo: PPO = PPO()

    @model_validator(mode="after")
    def _fits_together(self) -> PPOConfig:
        if self.ppo.batch_size > self.rollout_size:
            raise ValueError(
                f"ppo.batch_size {self.ppo.batch_size} is more than a rollout, num_envs × ppo.steps_per_rollout = "
                f"{self.rollout_size}"
            )
        return self

    @property
    def rollout_size(self) -> int:
        """The number of decisions in a rollout."""
        return self.num_envs * self.ppo.steps_per_rollout

    def check_machine(self) -> None:
        """Raise ValueError if the training needs more memory than this machine has."""
        super().check_machine()
        snapshots = self.snapshots.keep if self.opponents.snapshots > 0 else 0
        check_memory(self.load_game(), self.network, self.rollout_size, snapshots, resolve(self.device))


class TrainingConfig(PPOConfig):
    """The configuration of a training with MaskablePPO, in which one seat of each game learns."""

    random_opening: int = Field(default=0, ge=0, le=1000)
    start: str = ""

    def checked(self) -> Self:
        """Check that the policy for a warm start has the same network and fits the game."""
        config = super().checked()
        if config.start:
            from agents.players.policy import PolicyAgent

            check_folder(config.start)
            started = PolicyAgent.load(config.start)
            started_from = started.architecture.model_copy(update={"hint_values": config.network.hint_values})
            if started_from != config.network:
                raise ValueError(f"start: {config.start} has a different network")
            try:
                started.moved_to(config.load_game())
            except ValueError as error:
                raise ValueError(f"start: {config.start}: {error}") from None
        return config


def read_config(path: str | Path, overrides: list[str] | None = None) -> TrainingConfig:
    """Read a YAML file and apply overrides such as `ppo.epochs=4`; ConfigError names the problem in one line."""
    return parse_config(read_mapping(path, overrides), str(path))


def parse_config(data: Any, where: str) -> TrainingConfig:
    """Make a configuration from plain data; ConfigError names the problem in one line."""
    return parse(TrainingConfig, data, where)
