"""Features that every game has: the observation, each entry divided by its greatest value."""

from __future__ import annotations

from typing import NamedTuple

import torch

from agents.features.hints import HintingFeatures
from edge_envs import Game


class VectorView(NamedTuple):
    """A batch of observations as a perceptron looks at them."""

    vectors: torch.Tensor  # (B, size) float32
    hints: torch.Tensor | None = None  # (B, num_distinct_actions) float32


class Features(HintingFeatures):
    """Makes vectors of `size` numbers from the observations of a game, and hints if it is told to and can."""

    size: int


class PlainFeatures(Features):
    """(B, *observation_shape) of any dtype, flat and scaled."""

    name = "plain"

    def __init__(self, game: Game, hints: bool) -> None:
        super().__init__(game, hints)
        _, high = game.observation_bounds
        self.size = high.size
        scale = 1.0 / torch.as_tensor(high.reshape(-1).copy()).float().clamp(min=1.0)
        self.register_buffer("scale", scale, persistent=False)

    def forward(self, observations: torch.Tensor) -> VectorView:
        """Flatten and scale."""
        scale: torch.Tensor = self.get_buffer("scale")
        return VectorView(observations.flatten(1).float() * scale)
