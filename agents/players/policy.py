"""The agent that plays a policy network, and its files.

A policy is a folder of two files, read without pickle: `policy.json` (format, game, version, heuristic,
parameters, architecture, whether there are values) and `policy.safetensors` (weights).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from pydantic import ConfigDict
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import nn

from agents.networks import Architecture, PolicyNetwork
from agents.players.policy_file import PolicyFile, policy_weights, read_policy, read_weights
from edge_envs import Game
from edge_envs.core.asking import Generator
from edge_envs.core.game import Array, Records

CRITIC = "critic."
"""Before the names of a critic's weights in a file."""


class FullPolicyFile(PolicyFile):
    """The contents of `policy.json` with the network's architecture, and whether the weights are a critic's, too.

    It may have `learned_alone`: from one player's decisions among others of another kind.
    """

    model_config = ConfigDict(extra="forbid")

    architecture: Architecture
    values: bool = False
    learned_alone: bool = False


class PolicyAgent:
    """Plays a policy network: the best action, or with `greedy=False` one drawn from its distribution."""

    needs_states = False

    def __init__(self, network: PolicyNetwork, game: Game, architecture: Architecture, name: str = "policy") -> None:
        self.network = network.eval()
        self.game = game
        self.architecture = architecture
        self.name = name
        self.greedy = True

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Legal actions (k,) of the players to act."""
        _, logits, legal = self._look(observations, action_masks)
        if not self.greedy:
            logits = logits + rng.gumbel(size=logits.shape)
        return legal[np.arange(len(legal)), logits.argmax(axis=1)]

    def probabilities(self, observations: Array, action_masks: Array) -> Array:
        """How often the policy would choose each action (k, num_distinct_actions), 0 where it is not legal."""
        _, logits, legal = self._look(observations, action_masks)
        return _probabilities(logits, legal, action_masks)

    def _look(self, observations: Array, action_masks: Array) -> tuple[Any, Array, Array]:
        """An encoding, the logits (k, K) of the legal actions, and these (k, K); -inf and -1 where a list is over."""
        with torch.inference_mode():
            view = self.network.layer(torch.from_numpy(np.ascontiguousarray(observations)), action_masks)
            encoding = self.network.encode_view(view)
            logits = self.network.logits(encoding).numpy()
        legal = view.legal.numpy()
        return encoding, np.where(legal >= 0, logits, -np.inf), legal

    def moved_to(self, game: Game) -> PolicyAgent:
        """The policy with the same weights for its game with other parameters, without values.

        Convolutions take a board of any size. ValueError for another game, or where weights have other shapes.
        """
        if game.name != self.game.name:
            raise ValueError(f"made for the game {self.game.name!r}; it cannot play {game.name!r}")
        game, weights = game.with_heuristic(self.game.type.heuristic), self.network.state_dict()
        network = self.architecture.make_network(game, device="meta")
        for name, tensor in network.state_dict().items():
            if tensor.shape != weights[name].shape:
                raise ValueError(f"made for {game.params_difference(self.game.params)}: {name} has another shape")
        network.load_state_dict(weights, assign=True)
        return PolicyAgent(network, game, self.architecture, self.name)

    def save(self, folder: str | Path) -> None:
        """Write `policy.json` and `policy.safetensors` into a folder, which is made if it is missing."""
        file = FullPolicyFile.of(self.game, self.architecture)
        self._write(folder, file, self.network.state_dict())

    def _write(self, folder: str | Path, file: FullPolicyFile, weights: dict[str, torch.Tensor]) -> None:
        weights = {name: tensor.contiguous() for name, tensor in weights.items()}
        file.write(folder, save(weights))

    @classmethod
    def load(cls, folder: str | Path, game: Game | None = None) -> PolicyAgent:
        """Read a policy folder, with values if it has some; ValueError says what is wrong with it or does not fit."""
        file, played, (network, critic) = read_policy(folder, FullPolicyFile, game, _blank)
        parts = (network,) if critic is None else (network, critic)
        numbers = sum(tensor.numel() for part in parts for tensor in part.state_dict().values())
        weights = _read_weights(policy_weights(folder), numbers)
        own = {name: tensor for name, tensor in weights.items() if not (critic and name.startswith(CRITIC))}
        _load_weights(network, own, policy_weights(folder))
        name = Path(folder).as_posix()
        if critic is None:
            return PolicyAgent(network, played, file.architecture, name)
        others = {name.removeprefix(CRITIC): tensor for name, tensor in weights.items() if name not in own}
        _load_weights(critic, others, policy_weights(folder))
        return ValuedPolicy(network, critic, played, file.architecture, name, file.learned_alone)


class ValuedPolicy(PolicyAgent):
    """A policy whose critic tells what every player is to get, `value_outputs` numbers: a search asks both.

    The numbers are returns from here on, in turn order from the player who sees the observation. With `learned_alone`
    they are what the policy gets from others who play otherwise, not what it gets from itself.
    """

    def __init__(
        self,
        network: PolicyNetwork,
        critic: nn.Module,
        game: Game,
        architecture: Architecture,
        name: str = "policy",
        learned_alone: bool = False,
    ) -> None:
        super().__init__(network, game, architecture, name)
        self.critic = critic.eval()
        self.learned_alone = learned_alone

    def answers(self, observations: Array, action_masks: Array) -> tuple[Array, Array]:
        """The `probabilities`, and what each player is to get (k, num_players)."""
        encoding, logits, legal = self._look(observations, action_masks)
        with torch.inference_mode():
            values = self.critic(encoding).numpy().reshape(len(observations), -1)
        if values.shape[1] < self.game.num_players:
            values = np.concatenate([values, self.game.utility_sum - values], axis=1)
        return _probabilities(logits, legal, action_masks), values

    def save(self, folder: str | Path) -> None:
        """Write the files with the critic's weights, too."""
        about_values = {"values": True, "learned_alone": self.learned_alone}
        file = FullPolicyFile.of(self.game, self.architecture).model_copy(update=about_values)
        critic = {f"{CRITIC}{name}": tensor for name, tensor in self.critic.state_dict().items()}
        self._write(folder, file, {**self.network.state_dict(), **critic})


def value_outputs(game: Game) -> int:
    """How many numbers tell what each player gets: one where two share a fixed sum, else one for each."""
    return 1 if game.num_players == 2 and game.utility_sum is not None else game.num_players


def learning_policy(
    network: PolicyNetwork, critic: nn.Module, game: Game, architecture: Architecture, alone: bool = False
) -> PolicyAgent:
    """The agent of networks that learn, `alone` or in every seat, where the critic has one number for the viewer.

    It shares their weights. The critic is part of it where that number tells what every player gets.
    """
    if value_outputs(game) == 1:
        return ValuedPolicy(network, critic, game, architecture, learned_alone=alone)
    return PolicyAgent(network, game, architecture)


def _probabilities(logits: Array, legal: Array, action_masks: Array) -> Array:
    """From logits (k, K) of legal actions (k, K) to shares (k, num_distinct_actions)."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares = np.zeros(action_masks.shape, weights.dtype)  # added up in one order, however long the lists are
    shares[action_masks != 0] = weights[legal >= 0]
    probabilities: Array = shares / shares.sum(axis=1, keepdims=True)
    return probabilities


def _blank(file: FullPolicyFile, game: Game) -> tuple[PolicyNetwork, nn.Module | None]:
    """The network that a file describes, and its critic if it has one; their weights have shapes and no values."""
    network = file.architecture.make_network(game, device="meta")
    return network, network.make_critic(value_outputs(game)) if file.values else None


def _read_weights(path: Path, numbers: int) -> dict[str, torch.Tensor]:
    """Read the weights of networks of so many numbers; ValueError if the file has none, or is far too large."""
    with _as_weights(path):
        return load(read_weights(path, numbers))


def _load_weights(network: nn.Module, weights: dict[str, torch.Tensor], path: Path) -> None:
    """Give a blank network weights of a file; ValueError if they are of another network, or no finite numbers."""
    shapes = network.state_dict()
    with _as_weights(path):
        network.load_state_dict(weights, assign=True)
    for name, tensor in weights.items():
        if tensor.dtype != shapes[name].dtype:
            raise ValueError(f"{path}: {name} must be of type {shapes[name].dtype}, not {tensor.dtype}")
        if not torch.isfinite(tensor).all():
            raise ValueError(f"{path}: not all weights are finite numbers")


@contextlib.contextmanager
def _as_weights(path: Path) -> Iterator[None]:
    """Say in one line that a file does not hold the weights of a policy."""
    try:
        yield
    except (
        *(OSError, SafetensorError, RuntimeError),
        *(AssertionError, AttributeError, LookupError, TypeError, ValueError),  # for types that PyTorch does not have
    ) as error:
        why = error.strerror if isinstance(error, OSError) else " ".join(str(error).split())
        raise ValueError(f"{path}: cannot be read as this policy's weights ({why})") from None
