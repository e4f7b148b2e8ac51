"""The networks that learn in a loop of our own, with their optimiser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from agents.networks import Architecture
from agents.networks.features import together
from agents.players.policy import ValuedPolicy, learning_policy, value_outputs
from agents.training.divergence import guard
from agents.training.masked_categorical import MaskedCategorical
from edge_envs import Game
from edge_envs.core.game import Array


class ActorCritic:
    """The network that plays and the one that judges positions, for the viewer alone or for `everybody`."""

    def __init__(self, architecture: Architecture, game: Game, learning_rate: float, everybody: bool = False) -> None:
        self.actor = architecture.make_network(game)
        self.outputs = value_outputs(game) if everybody else 1
        self.critic = self.actor.make_critic(self.outputs)
        self.parameters = [*self.actor.parameters(), *self.critic.parameters()]
        self.optimizer = torch.optim.Adam(self.parameters, lr=learning_rate, eps=1e-5)
        guard(self.optimizer)
        made = ValuedPolicy if everybody else learning_policy
        self.policy = made(self.actor, self.critic, game, architecture)  # shares the weights

    def preprocess(self, observations: Array, action_masks: Array) -> Any:
        """What the network is shown, with the legal actions alone."""
        return self.actor.layer(torch.from_numpy(observations), action_masks)

    def preprocess_in_chunks(self, observations: Array, action_masks: Array, size: int) -> Any:
        """The same of many observations, about so many at once."""
        pieces = np.array_split(np.arange(len(observations)), max(1, len(observations) // size))
        return together([self.preprocess(observations[piece], action_masks[piece]) for piece in pieces])

    def choices(self, view: Any) -> tuple[MaskedCategorical, torch.Tensor]:
        """How likely the policy takes each action, and the values (B,), or (B, K) where there are several."""
        encoding: Any = self.actor.encode_view(view)
        return MaskedCategorical(self.actor.logits(encoding), view.legal), self.critic(encoding)

    def set_learning_rate(self, rate: float) -> None:
        """Of all steps from now on."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate

    def step_down(self, loss: torch.Tensor, max_grad_norm: float) -> None:
        """One step of the optimiser, along a gradient cut to this length; DivergedError if it is not finite."""
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # in torch
        nn.utils.clip_grad_norm_(self.parameters, max_grad_norm)
        self.optimizer.step()

    def weights(self) -> dict[str, Array]:
        """Those of both networks, as arrays that can be sent; they change when something is learned."""
        return {name: tensor.numpy() for name, tensor in self._networks.state_dict().items()}

    def take_weights(self, weights: Mapping[str, Array]) -> None:
        """Put those of other networks of the same kind in place of the own."""
        self._networks.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})

    @property
    def _networks(self) -> nn.ModuleDict:
        return nn.ModuleDict({"actor": self.actor, "critic": self.critic})

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        parts = {"actor": self.actor, "critic": self.critic, "optimizer": self.optimizer}
        return {name: part.state_dict() for name, part in parts.items()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.actor.load_state_dict(state["actor"])
        self.critic.load_state_dict(state["critic"])
        self.optimizer.load_state_dict(state["optimizer"])
