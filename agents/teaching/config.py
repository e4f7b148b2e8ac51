"""The configuration of expert iteration: a YAML file checked by pydantic."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from agents.common.configuration import Section
from agents.training.config import Ends, NetworkConfig
from edge_envs.ntuple.policy import read_tuples
from edge_envs.search.budgets import MOST_ITERATIONS

Share = Annotated[float, Field(ge=0, le=1)]


class Fit(Section):
    """The fit of the network after each round. The learning rate is a linear schedule."""

    rounds: int = Field(default=4, gt=0, le=10_000)
    epochs: int = Field(default=2, gt=0)
    batch_size: int = Field(default=256, gt=0)
    learning_rate: Ends = (1e-3, 0.0)
    value_weight: float = Field(default=1.0, ge=0)
    max_grad_norm: float = Field(default=1.0, gt=0)


class TeachingConfig(NetworkConfig):
    """The configuration of a run. A step is a searched decision; a round has `games` games, in `parts` for workers.

    `teacher`: the policy folder of an n-tuple network, whose search teaches instead; it does not ask the pupil.
    """

    games: int = Field(default=128, gt=0, le=65_536)
    parts: int = Field(default=1, gt=0)
    search: int = Field(default=50, gt=0, le=MOST_ITERATIONS)
    asks: Literal["nothing", "priors", "values"] = "priors"
    teacher: str = Field(default="", max_length=4096)
    drawn: Share = 0.25
    random_opening: int = Field(default=0, ge=0, le=1000)
    fit: Fit = Fit()

    @model_validator(mode="after")
    def _parts_are_alike(self) -> TeachingConfig:
        if self.games % self.parts:
            raise ValueError(f"parts: {self.games} games cannot be shared evenly among {self.parts}")
        return self

    def checked(self) -> Self:
        """Check that the teacher can play the game."""
        config = super().checked()
        if config.teacher:
            read_tuples(config.teacher, config.load_game())
        return config
