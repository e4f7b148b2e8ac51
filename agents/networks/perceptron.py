"""Multilayer perceptrons for policy and value, with skip connections.

A skip connection feeds a feature of one action directly into its logit.
"""

from __future__ import annotations

from typing import Annotated, Literal

import torch
from pydantic import Field
from torch import nn

from agents.networks.features import FeatureName, to_game, vector_features
from agents.networks.network import (
    BODY_GAIN,
    POLICY_GAIN,
    VALUE_GAIN,
    Device,
    HintValues,
    HintWeight,
    NetworkArchitecture,
    PolicyNetwork,
    initialise,
)
from edge_envs import Game
from edge_envs.core.features import VectorFeatures, VectorView

Width = Annotated[int, Field(gt=0, le=4096)]

ACTIVATIONS: dict[str, type[nn.Module]] = {"tanh": nn.Tanh, "relu": nn.ReLU, "silu": nn.SiLU}


class Perceptron(NetworkArchitecture):
    """Hidden layers of these widths; policy and value have separate networks."""

    kind: Literal["perceptron"] = "perceptron"
    features: FeatureName = "plain"
    hidden: list[Width] = Field(default=[128, 128], min_length=1, max_length=16)
    activation: Literal["tanh", "relu", "silu"] = "tanh"
    hint_weight: HintWeight = 0.0
    heuristic_weights: dict[str, float] = Field(default_factory=dict)
    hint_values: HintValues = ""

    def make_features(self, game: Game) -> VectorFeatures:
        """Make vector features; with hints only if they have a weight."""
        hints = self.hint_weight > 0
        return vector_features(self.features, game, hints, self.heuristic_weights, self.hint_values)

    def make_network(self, game: Game, device: Device = None) -> PerceptronNetwork:
        """Make the actor."""
        return PerceptronNetwork(self, self.make_features(game), device)


class PerceptronNetwork(PolicyNetwork):
    """One logit per action from the features, directly and through a perceptron; then hints are added."""

    def __init__(self, architecture: Perceptron, features: VectorFeatures, device: Device = None) -> None:
        super().__init__(features, architecture.hint_weight, device)
        self._architecture, self._size = architecture, features.size
        self.body, width = _layers(features.size, architecture, device)
        self.head = nn.Linear(features.size + width, features.num_actions, device=device)
        initialise(self.body, BODY_GAIN)
        initialise(self.head, POLICY_GAIN)

    def encode_view(self, view: VectorView) -> VectorView:
        """Return the features unchanged."""
        return view

    def logits(self, encoding: VectorView) -> torch.Tensor:
        """Compute logits from the features, directly and through the perceptron, and from the hints."""
        logits = self.head(torch.cat([encoding.vectors, self.body(encoding.vectors)], dim=1))
        return self.with_hints(to_game(encoding, logits), encoding.hints, encoding.legal)

    def make_critic(self, outputs: int = 1) -> PerceptronCritic:
        """Make a perceptron of the same widths."""
        return PerceptronCritic(self._architecture, self._size, outputs, self.head.weight.device)


class PerceptronCritic(nn.Module):
    """The value from the features, directly and through a perceptron, without hints."""

    def __init__(self, architecture: Perceptron, size: int, outputs: int, device: Device = None) -> None:
        super().__init__()
        self.body, width = _layers(size, architecture, device)
        self.head = nn.Linear(size + width, outputs, device=device)
        initialise(self.body, BODY_GAIN)
        initialise(self.head, VALUE_GAIN)

    def forward(self, encoding: VectorView) -> torch.Tensor:
        """Return values (B,), or (B, outputs) if there are several."""
        values: torch.Tensor = self.head(torch.cat([encoding.vectors, self.body(encoding.vectors)], dim=1))
        return values.squeeze(1)


def _layers(size: int, architecture: Perceptron, device: Device) -> tuple[nn.Sequential, int]:
    """Make linear layers, each followed by the activation; return them and the width of the last."""
    layers: list[nn.Module] = []
    for width in architecture.hidden:
        layers += [nn.Linear(size, width, device=device), ACTIVATIONS[architecture.activation]()]
        size = width
    return nn.Sequential(*layers), size
