"""The configuration of a training: a YAML file checked by pydantic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field, field_validator, model_validator

from agents.agent import make_agent
from agents.configuration import GameConfig, Section, parse, read_mapping
from agents.games import check_folder
from agents.networks import Architecture, Perceptron


class OpponentWeights(Section):
    """The weights with which opponents are drawn, one for each game and seat."""

    random: float = Field(default=0.0, ge=0)
    heuristic: float = Field(default=0.0, ge=0)
    perfect: float = Field(default=0.0, ge=0)
    snapshots: float = Field(default=0.0, ge=0)

    @model_validator(mode="after")
    def _some_weight(self) -> OpponentWeights:
        if sum(self.model_dump().values()) <= 0:
            raise ValueError("some opponent needs a positive weight")
        return self


class SnapshotPlan(Section):
    """Earlier versions of the policy as opponents: `keep` of them, one replaced every `every` steps."""

    every: int = Field(default=500_000, gt=0)
    keep: int = Field(default=4, gt=0, le=32)


class PPO(Section):
    """Hyperparameters. A pair [a, b] goes linearly from a at the first step to b at the last."""

    steps_per_rollout: int = Field(default=64, gt=0)
    batch_size: int = Field(default=8192, gt=1)
    epochs: int = Field(default=4, gt=0)
    learning_rate: tuple[float, float] = (1e-3, 0.0)
    gae_lambda: tuple[float, float] = (0.95, 0.95)
    entropy: tuple[float, float] = (0.01, 0.01)
    gamma: float = Field(default=1.0, gt=0, le=1)
    clip_range: float = Field(default=0.2, gt=0)
    value_weight: float = Field(default=0.5, ge=0)
    max_grad_norm: float = Field(default=0.5, gt=0)

    @field_validator("learning_rate", "gae_lambda", "entropy", mode="before")
    @classmethod
    def _constant(cls, value: Any) -> Any:
        if isinstance(value, list):
            return tuple(value)
        return (value, value) if isinstance(value, int | float) and not isinstance(value, bool) else value

    @field_validator("learning_rate", "gae_lambda", "entropy")
    @classmethod
    def _not_negative(cls, value: tuple[float, float]) -> tuple[float, float]:
        if min(value) < 0:
            raise ValueError("must not be negative")
        return value

    @field_validator("gae_lambda")
    @classmethod
    def _at_most_one(cls, value: tuple[float, float]) -> tuple[float, float]:
        if max(value) > 1:
            raise ValueError("must be at most 1")
        return value


class EvaluationPlan(Section):
    """Games played while training: `games` against each opponent, at the start, every `every` steps and at the end.

    Of `record` more against each a replay is written.
    """

    every: int = Field(default=1_000_000, gt=0)
    games: int = Field(default=1000, gt=0)
    against: list[str] = Field(default=["random", "heuristic"], min_length=1)
    record: int = Field(default=0, ge=0, le=1000)


class TrainingConfig(GameConfig):
    """A whole run."""

    total_steps: int = Field(gt=0, le=10**12)
    num_envs: int = Field(default=512, gt=0, le=65_536)
    random_opening: int = Field(default=0, ge=0, le=1000)
    torch_threads: int = Field(default=1, gt=0, le=256)
    checkpoint_every: int = Field(default=500_000, gt=0)
    opponents: OpponentWeights
    snapshots: SnapshotPlan = SnapshotPlan()
    network: Architecture = Perceptron()
    ppo: PPO = PPO()
    evaluation: EvaluationPlan = EvaluationPlan()

    @model_validator(mode="after")
    def _fits_together(self) -> TrainingConfig:
        game = self.load_game()
        self.network.make_features(game)  # which fails if they do not fit
        if self.opponents.perfect > 0 or "perfect" in self.evaluation.against:
            from edge_envs.agents.perfect import solver_of

            solver_of(game)
        for name in self.evaluation.against:
            check_folder(name)
            if name != "perfect":  # which takes its time
                make_agent(name, game)
        if self.ppo.batch_size > self.num_envs * self.ppo.steps_per_rollout:
            raise ValueError(
                f"ppo.batch_size {self.ppo.batch_size} is more than a rollout, num_envs × ppo.steps_per_rollout = "
                f"{self.num_envs * self.ppo.steps_per_rollout}"
            )
        own = game.params_dict()
        self.params.update({name: own[name] for name in self.params})  # a file's contents in place of its path
        return self

    def check_machine(self) -> None:
        """ValueError if this machine has not the memory."""
        from agents.ppo.memory import check_memory

        check_memory(self)


def read_config(path: str | Path, overrides: list[str] | None = None) -> TrainingConfig:
    """Read a YAML file and apply overrides like `ppo.epochs=4`; ConfigError says in one line what is wrong."""
    return parse_config(read_mapping(path, overrides), str(path))


def parse_config(data: Any, where: str) -> TrainingConfig:
    """A configuration from plain data; ConfigError says in one line what is wrong."""
    return parse(TrainingConfig, data, where)
