"""Features that every game has: the observation, each entry divided by its greatest value."""

from __future__ import annotations

import torch
from torch import nn

from edge_envs import Game


class Features(nn.Module):
    """Makes vectors of `size` numbers from the observations of a game."""

    size: int

    def __init__(self, game: Game) -> None:
        super().__init__()


class PlainFeatures(Features):
    """(B, *observation_shape) of any dtype to (B, size) float32."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        _, high = game.observation_bounds
        self.size = high.size
        scale = 1.0 / torch.as_tensor(high.reshape(-1).copy()).float().clamp(min=1.0)
        self.register_buffer("scale", scale, persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Flatten and scale."""
        scale: torch.Tensor = self.get_buffer("scale")
        return observations.flatten(1).float() * scale
