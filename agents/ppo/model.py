"""MaskablePPO for a configuration, and the policy taken out of it."""

from __future__ import annotations

from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from agents.features import make_features
from agents.policy import Architecture, PolicyAgent, PolicyNetwork, perceptron
from agents.ppo.config import TrainingConfig
from edge_envs import Game


class GameFeatures(BaseFeaturesExtractor):
    """A game's features module where Stable-Baselines3 wants its features extractor."""

    def __init__(self, observation_space: spaces.Space[Any], game: Game, features: str) -> None:
        module = make_features(features, game)
        super().__init__(observation_space, module.size)
        self.module = module

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(B, *observation_shape) to (B, size)."""
        result: torch.Tensor = self.module(observations)
        return result


class BesideFeatures(nn.Module):
    """Perceptrons for policy and value whose outputs stand beside the features themselves.

    What a feature says of one action then reaches its logit on a straight way.
    """

    def __init__(self, size: int, hidden: list[int], activation: str) -> None:
        super().__init__()
        self.policy_net, width = perceptron(size, hidden, activation)
        self.value_net, _ = perceptron(size, hidden, activation)
        self.latent_dim_pi = self.latent_dim_vf = size + width

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """What the heads for policy and value take."""
        return self.forward_actor(features), self.forward_critic(features)

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        """What the policy's head takes."""
        return torch.cat([features, self.policy_net(features)], dim=1)

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        """What the value's head takes."""
        return torch.cat([features, self.value_net(features)], dim=1)


class GamePolicy(MaskableActorCriticPolicy):
    """Stable-Baselines3's masked policy in the shape of `agents.policy.PolicyNetwork`."""

    def __init__(self, *args: Any, architecture: Architecture, **kwargs: Any) -> None:
        self.architecture = architecture
        super().__init__(*args, **kwargs)

    def _build_mlp_extractor(self) -> None:
        hidden, activation = self.architecture.hidden, self.architecture.activation
        self.mlp_extractor: Any = BesideFeatures(self.features_dim, hidden, activation)


def make_model(config: TrainingConfig, env: Any) -> MaskablePPO:
    """A fresh model; learning rate, λ and entropy follow the schedules through `set_schedules`."""
    torch.distributions.Distribution.set_default_validate_args(False)  # a large part of SB3's time
    return MaskablePPO(
        GamePolicy,
        env,
        n_steps=config.ppo.steps_per_rollout,
        batch_size=config.ppo.batch_size,
        n_epochs=config.ppo.epochs,
        gamma=config.ppo.gamma,
        clip_range=config.ppo.clip_range,
        vf_coef=config.ppo.value_weight,
        max_grad_norm=config.ppo.max_grad_norm,
        learning_rate=Linear(*config.ppo.learning_rate),
        gae_lambda=config.ppo.gae_lambda[0],
        ent_coef=config.ppo.entropy[0],
        seed=config.seed,
        device="cpu",
        policy_kwargs={
            "features_extractor_class": GameFeatures,
            "features_extractor_kwargs": {"game": env.game, "features": config.network.features},
            "architecture": config.network,
        },
    )


class Linear:
    """A value that goes linearly from `start` to `end`, as Stable-Baselines3's schedules of the progress remaining."""

    def __init__(self, start: float, end: float) -> None:
        self.start, self.end = start, end

    def __call__(self, progress_remaining: float) -> float:
        """The value when this fraction of the training is left."""
        return self.end + (self.start - self.end) * max(progress_remaining, 0.0)


def set_schedules(model: MaskablePPO, config: TrainingConfig) -> None:
    """Set λ and the entropy weight to their values at the model's progress; Stable-Baselines3 holds them constant."""
    remaining = 1.0 - model.num_timesteps / config.total_steps
    model.gae_lambda = model.rollout_buffer.gae_lambda = Linear(*config.ppo.gae_lambda)(remaining)
    model.ent_coef = Linear(*config.ppo.entropy)(remaining)


def policy_of(model: MaskablePPO, config: TrainingConfig, game: Game, name: str = "policy") -> PolicyAgent:
    """An agent with a copy of the model's policy weights."""
    network = PolicyNetwork(game, config.network)
    policy = model.policy
    network.body.load_state_dict(policy.mlp_extractor.policy_net.state_dict())
    network.head.load_state_dict(policy.action_net.state_dict())
    return PolicyAgent(network, game, config.network, name)
