"""MaskablePPO for a configuration, and the policy taken out of it."""

from __future__ import annotations

from typing import Any

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from agents.networks import Architecture, PolicyNetwork
from agents.policy import PolicyAgent
from agents.ppo.config import TrainingConfig
from agents.ppo.schedule import Linear
from edge_envs import Game


class GamePolicy(MaskableActorCriticPolicy):
    """Stable-Baselines3's masked policy with an actor and a critic of our own, which share what the actor encodes.

    Observations reach the actor as the environment gives them.
    """

    actor: PolicyNetwork
    critic: nn.Module

    def __init__(self, *args: Any, game: Game, architecture: Architecture, **kwargs: Any) -> None:
        self.game, self.architecture = game, architecture
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        self.actor = self.architecture.make_network(self.game)
        self.critic = self.actor.make_critic()
        make_optimizer: Any = self.optimizer_class  # its type does not have the learning rate
        self.optimizer = make_optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def _distribution(self, encoding: Any, action_masks: Any) -> MaskableDistribution:
        distribution = self.action_dist.proba_distribution(action_logits=self.actor.logits(encoding))
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions, values and the actions' log-probabilities, each (B,)."""
        encoding = self.actor.encode(obs)
        distribution = self._distribution(encoding, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, self.critic(encoding), distribution.log_prob(actions)

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Values, the actions' log-probabilities and the entropies, each (B,)."""
        encoding = self.actor.encode(obs)
        distribution = self._distribution(encoding, action_masks)
        entropies = distribution.entropy()
        assert entropies is not None  # as some distributions have it
        return self.critic(encoding), distribution.log_prob(actions), entropies

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableDistribution:
        """Over the actions."""
        return self._distribution(self.actor.encode(obs), action_masks)

    def predict_values(self, obs: Any) -> torch.Tensor:
        """Values (B,)."""
        values: torch.Tensor = self.critic(self.actor.encode(obs))
        return values


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
        policy_kwargs={"game": env.game, "architecture": config.network},
    )


def set_schedules(model: MaskablePPO, config: TrainingConfig) -> None:
    """Set λ and the entropy weight to their values at the model's progress; Stable-Baselines3 holds them constant."""
    remaining = 1.0 - model.num_timesteps / config.total_steps
    model.gae_lambda = model.rollout_buffer.gae_lambda = Linear(*config.ppo.gae_lambda)(remaining)
    model.ent_coef = Linear(*config.ppo.entropy)(remaining)


def policy_of(model: MaskablePPO, config: TrainingConfig, game: Game) -> PolicyAgent:
    """An agent that plays the model's actor as it is at any time: it shares the weights."""
    assert isinstance(model.policy, GamePolicy)
    return PolicyAgent(model.policy.actor, game, config.network)
