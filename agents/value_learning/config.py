"""The configuration of value learning: a YAML file checked by pydantic."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field

from agents.training.config import CONSTANT, Ends, TorchConfig
from agents.value_learning.policy import Inputs, Widths
from edge_envs.core.game import shared_utility
from edge_envs.search.perceptron import cells_of

Share = Annotated[float, Field(ge=0, le=1)]


class ValuesConfig(TorchConfig):
    """The configuration of a run. A step is a turn; a pair [a, b] is a linear schedule from a to b."""

    games: int = Field(default=64, gt=0, le=65_536)
    turns: int = Field(default=64, gt=0, le=4096)
    inputs: Inputs = "features"
    hidden: Widths = Field(default=[64, 64])
    batch_size: int = Field(default=512, gt=0, le=10**9)
    epochs: int = Field(default=6, gt=0, le=10_000)
    learning_rate: Ends = (2e-3, 0.0)
    trace: Annotated[tuple[Share, Share], CONSTANT] = (1.0, 0.8)
    averaging: float = Field(default=0.999, ge=0, lt=1)
    random_moves: Share = 0.1
    random_starts: Share = 0.5
    random_turns: int = Field(default=16, ge=0, le=10_000)
    most_turns: int = Field(default=1000, gt=0, le=100_000)

    def checked(self) -> Self:
        """Check that values can be learned for this game."""
        config, game = super().checked(), self.load_game()
        if game.type.values is None:
            raise ValueError(f"{game.name} declares no VALUES, which define the turns that values are learned from")
        if self.inputs == "cells":
            cells_of(game)
        shared_utility(game)
        return config
