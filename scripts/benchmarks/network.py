"""The network of Stable-Baselines3's "MlpPolicy", for the learner of `agents.train`."""

from __future__ import annotations

import itertools

import torch
from torch import nn

from agents.networks.features import to_game, vector_features
from agents.networks.network import (
    BODY_GAIN,
    POLICY_GAIN,
    VALUE_GAIN,
    Device,
    NetworkArchitecture,
    PolicyNetwork,
    initialise,
)
from edge_envs import Game
from edge_envs.core.features import VectorFeatures, VectorView


class TwoPerceptrons(NetworkArchitecture):
    """Separate multilayer perceptrons for policy and value, with hidden layers of these widths."""

    hidden: list[int]

    def make_features(self, game: Game) -> VectorFeatures:
        """Return the scaled observation as features."""
        return vector_features("plain", game, hints=False, weights={})

    def make_network(self, game: Game, device: Device = None) -> _Policy:
        """Return the actor."""
        return _Policy(self, self.make_features(game)).to(device)


class _Policy(PolicyNetwork):
    def __init__(self, architecture: TwoPerceptrons, features: VectorFeatures) -> None:
        super().__init__(features, hint_weight=0.0)
        self.sizes = [features.size, *architecture.hidden]
        self.logits_of = _layers([*self.sizes, features.num_actions], POLICY_GAIN)

    def encode_view(self, view: VectorView) -> VectorView:
        return view

    def logits(self, encoding: VectorView) -> torch.Tensor:
        return to_game(encoding, self.logits_of(encoding.vectors))

    def make_critic(self, outputs: int = 1) -> nn.Module:
        return _Critic(self.sizes, outputs).to(self.layer.action_groups.device)


class _Critic(nn.Module):
    def __init__(self, sizes: list[int], outputs: int) -> None:
        super().__init__()
        self.value_of = _layers([*sizes, outputs], VALUE_GAIN)

    def forward(self, encoding: VectorView) -> torch.Tensor:
        values: torch.Tensor = self.value_of(encoding.vectors)
        return values.squeeze(1)


def _layers(sizes: list[int], gain: float) -> nn.Sequential:
    layers: list[nn.Module] = []
    for before, after in itertools.pairwise(sizes):
        layers += [nn.Linear(before, after), nn.Tanh()]
    layers.pop()  # after the last layer
    initialise(nn.Sequential(*layers[:-1]), BODY_GAIN)
    initialise(layers[-1], gain)
    return nn.Sequential(*layers)
