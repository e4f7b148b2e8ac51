"""The networks of trainers that have their own training loop, with their optimiser."""

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
from agents.training.torch_state import mixed_precision
from edge_envs import Game
from edge_envs.core.spec import Array


class ActorCritic:
    """A policy network and a value network, for the viewer or, with `all_players`, for all players.

    The initial weights do not depend on the device.
    """

    def __init__(
        self,
        architecture: Architecture,
        game: Game,
        learning_rate: float,
        all_players: bool = False,
        device: str = "cpu",
        bf16: bool = False,
    ) -> None:
        self.device, self.bf16 = torch.device(device), bf16
        actor = architecture.make_network(game)
        self.outputs = value_outputs(game) if all_players else 1
        self.critic = actor.make_critic(self.outputs).to(self.device)
        self.actor = actor.to(self.device)
        self.parameters = [*self.actor.parameters(), *self.critic.parameters()]
        self.optimizer = torch.optim.Adam(self.parameters, lr=learning_rate, eps=1e-5)
        guard(self.optimizer)
        made = ValuedPolicy if all_players else learning_policy
        self.policy = made(self.actor, self.critic, game, architecture)  # shares the weights

    def preprocess(self, observations: Array, action_masks: Array) -> Any:
        """Return the packed view of observations that the network receives, with only the legal actions."""
        return self.actor.layer.pack(torch.from_numpy(observations), action_masks)

    def preprocess_in_chunks(self, observations: Array, action_masks: Array, size: int) -> Any:
        """Preprocess many observations in chunks of about `size`."""
        pieces = np.array_split(np.arange(len(observations)), max(1, len(observations) // size))
        return together([self.preprocess(observations[piece], action_masks[piece]) for piece in pieces])

    def evaluate(self, view: Any) -> tuple[MaskedCategorical, torch.Tensor]:
        """Return the distribution over actions, and the values (B,), or (B, K) if there are several."""
        view = self.actor.layer.unpack(view)
        with mixed_precision(self.device, self.bf16):
            encoding: Any = self.actor.encode_view(view)
            logits, values = self.actor.logits(encoding), self.critic(encoding)
        return MaskedCategorical(logits.float(), view.legal), values.float()

    def set_learning_rate(self, rate: float) -> None:
        """Set the learning rate from now on."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate

    def optimizer_step(self, loss: torch.Tensor, max_grad_norm: float) -> None:
        """Take one optimiser step with a clipped gradient; DivergedError if the gradient is not finite."""
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # in torch
        nn.utils.clip_grad_norm_(self.parameters, max_grad_norm)
        self.optimizer.step()

    def weights(self) -> dict[str, Array]:
        """Return the weights of both networks as arrays, which share memory with networks on the CPU."""
        return {name: tensor.cpu().numpy() for name, tensor in self._networks.state_dict().items()}

    def take_weights(self, weights: Mapping[str, Array]) -> None:
        """Load the weights of other networks of the same architecture."""
        self._networks.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})

    @property
    def _networks(self) -> nn.ModuleDict:
        return nn.ModuleDict({"actor": self.actor, "critic": self.critic})

    def state(self) -> dict[str, Any]:
        """Return the state for a checkpoint."""
        parts = {"actor": self.actor, "critic": self.critic, "optimizer": self.optimizer}
        return {name: part.state_dict() for name, part in parts.items()}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a state from a checkpoint."""
        self.actor.load_state_dict(state["actor"])
        self.critic.load_state_dict(state["critic"])
        self.optimizer.load_state_dict(state["optimizer"])
