"""The interface of policy networks, and of the architectures that make them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Any

import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import nn

from agents.networks.features import FeatureLayer
from edge_envs import Game
from edge_envs.core.features import Features

BODY_GAIN, POLICY_GAIN, VALUE_GAIN = 2**0.5, 0.01, 1.0

HintWeight = Annotated[float, Field(ge=0, le=100)]
HintValues = Annotated[str, Field(max_length=4096)]
"""The policy folder of an n-tuple network, whose values make the hints; "" for those of the heuristic."""

Device = str | torch.device | None
"""The device of weights; None for PyTorch's default."""


class PolicyNetwork(nn.Module, ABC):
    """The actor, from observations to a logit for each action. Agents play it, and policy files store it.

    The encoding of observations serves the logits and, during training, the critic. Hints are added to the logits with
    learned weights, one for each group of actions.
    """

    def __init__(self, features: Features, hint_weight: float, device: Device = None) -> None:
        super().__init__()
        self.layer = FeatureLayer(features)
        self.hint_weights: nn.Parameter | None = None
        if features.hints:
            groups = int(features.action_groups.max()) + 1
            self.hint_weights = nn.Parameter(torch.full((groups,), hint_weight, device=device))

    @abstractmethod
    def encode_view(self, view: Any) -> Any:
        """Encode a view that `layer` made, for logits and values."""

    @abstractmethod
    def logits(self, encoding: Any) -> torch.Tensor:
        """Return logits (B, num_distinct_actions), or (B, K) of the actions that the view lists."""

    @abstractmethod
    def make_critic(self, outputs: int = 1) -> nn.Module:
        """Make a network from encodings to values (B,), or (B, outputs) if there are several.

        Its weights are on the device of the actor.
        """

    def encode(self, observations: torch.Tensor) -> Any:
        """Encode observations (B, *observation_shape) of any dtype."""
        return self.encode_view(self.layer(observations))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return logits (B, num_distinct_actions) for observations (B, *observation_shape)."""
        return self.logits(self.encode(observations))

    def with_hints(
        self, logits: torch.Tensor, hints: torch.Tensor | None, legal: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Add weighted hints (B, K) to logits (B, K), of all or the listed actions, if there are hints."""
        if self.hint_weights is None or hints is None:
            return logits
        groups = self.layer.action_groups
        weights = self.hint_weights.index_select(0, groups if legal is None else groups[legal].flatten())
        return logits + weights.view(-1, hints.shape[1]) * hints


class NetworkArchitecture(BaseModel, ABC):
    """The kind and size of a network, independent of the game."""

    model_config = ConfigDict(extra="forbid")

    @abstractmethod
    def make_features(self, game: Game) -> Features:
        """Make the features that the network receives; ValueError if they do not fit the game."""

    @abstractmethod
    def make_network(self, game: Game, device: Device = None) -> PolicyNetwork:
        """Make a network with new weights; ValueError if it does not fit the game.

        With the device "meta" the weights have only shapes, which is fast for any size.
        """


def initialise(module: nn.Module, gain: float) -> None:
    """Initialise all layers of a module with orthogonal weights and zero bias."""
    for layer in module.modules():
        if isinstance(layer, nn.Linear | nn.Conv2d):
            nn.init.orthogonal_(layer.weight, gain)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)
