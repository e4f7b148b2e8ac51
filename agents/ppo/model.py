"""MaskablePPO (Huang and Ontañón, 2022) for a configuration, and its policy as an agent."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from agents.common.devices import resolve
from agents.networks import Architecture, PolicyNetwork
from agents.players.policy import PolicyAgent, learning_policy
from agents.ppo.config import TrainingConfig
from agents.ppo.rollout import Rollout
from agents.training.divergence import check_weights, guard
from agents.training.masked_categorical import MaskedCategorical
from agents.training.schedule import LinearSchedule
from agents.training.torch_state import mixed_precision
from edge_envs import Game


class GamePolicy(MaskableActorCriticPolicy):
    """A masked policy for Stable-Baselines3 with our actor and critic, which share the actor's encoding.

    Its methods accept raw observations, or the view that `preprocess` makes of them, which avoids repeated work.
    """

    actor: PolicyNetwork
    critic: nn.Module

    def __init__(self, *args: Any, game: Game, architecture: Architecture, bf16: bool = False, **kwargs: Any) -> None:
        self.game, self.architecture, self.bf16 = game, architecture, bf16
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        self.actor = self.architecture.make_network(self.game)
        self.critic = self.actor.make_critic()
        make_optimizer: Any = self.optimizer_class  # the type of optimisers has no learning rate
        self.optimizer = make_optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)
        guard(self.optimizer)

    def preprocess(self, obs: torch.Tensor, action_masks: Any = None) -> Any:
        """Return the packed view of observations (B, *observation_shape) with legal actions; without masks, all are."""
        if action_masks is None:
            action_masks = np.ones((len(obs), self.game.num_distinct_actions), np.int8)
        return self.actor.layer.pack(obs, np.asarray(action_masks).reshape(len(obs), -1))

    def _evaluate(self, obs: Any, action_masks: Any) -> tuple[MaskedCategorical, torch.Tensor]:
        """Return the distribution over actions, and the values (B,)."""
        view = self.preprocess(obs, action_masks) if isinstance(obs, torch.Tensor) else obs
        view = self.actor.layer.unpack(view)
        with mixed_precision(self.device, self.bf16):
            encoding = self.actor.encode_view(view)
            logits, values = self.actor.logits(encoding), self.critic(encoding)
        return MaskedCategorical(logits.float(), view.legal), values.float()

    def forward(
        self, obs: Any, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return actions, values and log-probabilities of the actions, each (B,)."""
        distribution, values = self._evaluate(obs, action_masks)
        actions = distribution.get_actions(deterministic)
        return actions, values, distribution.log_prob(actions)

    def evaluate_actions(
        self, obs: Any, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return values, log-probabilities of the actions and entropies, each (B,)."""
        distribution, values = self._evaluate(obs, action_masks)
        return values, distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Any, action_masks: Any = None) -> Any:
        """Return the distribution over actions."""
        return self._evaluate(obs, action_masks)[0]

    def predict_values(self, obs: Any) -> torch.Tensor:
        """Return values (B,)."""
        values: torch.Tensor = self.critic(self.actor.encode(obs))
        return values


class Learner(MaskablePPO):
    """MaskablePPO that preprocesses each observation once, and keeps the result in its rollouts."""

    policy: GamePolicy
    remaining = 1.0
    """The fraction of the training that is left by processor time, if that limits it."""

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        super()._update_current_progress_remaining(num_timesteps, total_timesteps)
        self._current_progress_remaining = min(self._current_progress_remaining, self.remaining)

    def _setup_model(self) -> None:
        self.rollout_buffer_class = Rollout
        super()._setup_model()

    def collect_rollouts(
        self, env: Any, callback: Any, rollout_buffer: Any, n_rollout_steps: int, use_masking: bool = True
    ) -> bool:
        """Play `n_rollout_steps` decisions in each game; return False if the callback ends it early."""
        self.policy.set_training_mode(False)
        rollout_buffer.reset()
        callback.on_rollout_start()
        for _ in range(n_rollout_steps):
            with torch.no_grad():
                view = self.policy.preprocess(torch.from_numpy(self._last_obs), env.action_masks())
                actions, values, log_probs = self.policy(view)
            observations, rewards, ends, _ = env.step(actions.cpu().numpy())
            rollout_buffer.add(view, actions, rewards, self._last_episode_starts, values, log_probs)
            self._last_obs, self._last_episode_starts = observations, ends
            self.num_timesteps += env.num_envs
            callback.update_locals(locals())
            if not callback.on_step():
                return False
        with torch.no_grad():
            values = self.policy.predict_values(torch.from_numpy(self._last_obs))
        rollout_buffer.compute_returns_and_advantage(values, self._last_episode_starts)
        callback.on_rollout_end()
        return True

    def train(self) -> None:
        """Learn from the rollout; DivergedError if gradients are not finite, or weights exceed their bound."""
        super().train()
        check_weights(self.policy.parameters())


def make_model(config: TrainingConfig, env: Any) -> Learner:
    """Make a new model, with a warm start of the actor from the policy `config.start` if there is one.

    `set_schedules` applies the schedules of λ and the entropy weight.
    """
    started = PolicyAgent.load(config.start).moved_to(env.game) if config.start else None
    model = Learner(
        GamePolicy,
        env,
        n_steps=config.ppo.steps_per_rollout,
        batch_size=config.ppo.batch_size,
        n_epochs=config.ppo.epochs,
        gamma=config.ppo.gamma,
        clip_range=config.ppo.clip_range,
        vf_coef=config.ppo.value_weight,
        max_grad_norm=config.ppo.max_grad_norm,
        learning_rate=LinearSchedule(*config.ppo.learning_rate),
        gae_lambda=config.ppo.gae_lambda[0],
        ent_coef=config.ppo.entropy[0],
        seed=config.seed,
        device=resolve(config.device),
        policy_kwargs={
            "game": started.game if started else env.game,
            "architecture": config.network,
            **({"bf16": True} if config.bf16 else {}),
        },
    )
    if started:
        model.policy.actor.load_state_dict(started.network.state_dict())
    return model


def set_schedules(model: MaskablePPO, config: TrainingConfig) -> None:
    """Set λ and the entropy weight for the model's progress; Stable-Baselines3 has no schedules for them."""
    remaining = 1.0 - model.num_timesteps / config.total_steps
    if isinstance(model, Learner):
        remaining = min(remaining, model.remaining)
    model.gae_lambda = model.rollout_buffer.gae_lambda = LinearSchedule(*config.ppo.gae_lambda)(remaining)
    model.ent_coef = LinearSchedule(*config.ppo.entropy)(remaining)


def policy_of(model: MaskablePPO, config: TrainingConfig, game: Game) -> PolicyAgent:
    """Return an agent that plays the model's actor and shares its weights."""
    assert isinstance(model.policy, GamePolicy)
    return learning_policy(model.policy.actor, model.policy.critic, game, config.network, alone=True)
