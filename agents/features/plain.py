"""Features that every game has: the observation, each entry divided by its greatest value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch

from agents.features.hints import HintingFeatures
from edge_envs import Game


class VectorView(NamedTuple):
    """A batch of observations as a perceptron looks at them, and the way back to the game's actions."""

    vectors: torch.Tensor  # (B, size) float32
    hints: torch.Tensor | None = None  # (B, num_distinct_actions) float32
    actions: torch.Tensor | None = None  # (B, num_distinct_actions): which of the view's each is; None: the same

    def to_game(self, logits: torch.Tensor) -> torch.Tensor:
        """From logits (B, num_actions) of the view's actions to logits of the game's."""
        return logits if self.actions is None else logits.gather(1, self.actions)


class Features(HintingFeatures):
    """Makes vectors of `size` numbers from the observations of a game, and hints if it is told to and can.

    `num_actions` are told apart by the view, here all of the game's.
    """

    size: int
    num_actions: int

    def __init__(self, game: Game, hints: bool, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(game, hints, weights)
        self.num_actions = game.num_distinct_actions


class PlainFeatures(Features):
    """(B, *observation_shape) of any dtype, flat and scaled."""

    name = "plain"

    def __init__(self, game: Game, hints: bool, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(game, hints, weights)
        _, high = game.observation_bounds
        self.size = high.size
        scale = 1.0 / torch.as_tensor(high.reshape(-1).copy()).float().clamp(min=1.0)
        self.register_buffer("scale", scale, persistent=False)

    def forward(self, observations: torch.Tensor) -> VectorView:
        """Flatten and scale."""
        scale: torch.Tensor = self.get_buffer("scale")
        return VectorView(observations.flatten(1).float() * scale)
