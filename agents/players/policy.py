"""The agent that plays a policy network, and its files.

A policy folder has two files, which are read without pickle: `policy.json` (format, game, version, heuristic,
parameters, architecture, whether there are values) and `policy.safetensors` (weights). If its hints are made of learned
values, it also contains their policy folder, `hint_values`.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from pydantic import ConfigDict
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import nn

from agents.common.devices import playing_device, resolve
from agents.common.files import write_whole
from agents.networks import Architecture, PolicyNetwork
from agents.networks.learned_hints import LearnedHints
from agents.players.policy_file import HINT_VALUES, PolicyFile, policy_weights, read_policy, read_weights
from edge_envs import Game
from edge_envs.core.opponent import Generator
from edge_envs.core.spec import Array, Records

CRITIC = "critic."
"""The prefix of the critic's weights in a file."""


class FullPolicyFile(PolicyFile):
    """The contents of `policy.json` with the network's architecture, and whether the file has a critic's weights.

    `learned_alone` is true if only one seat learned, against opponents of other kinds.
    """

    model_config = ConfigDict(extra="forbid")

    architecture: Architecture
    values: bool = False
    learned_alone: bool = False


class PolicyAgent:
    """Plays a policy network: the most probable action, or with `greedy=False` one sampled from its distribution."""

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
        """Return legal actions (k,) of the seats to act."""
        _, logits, legal = self._look(observations, action_masks)
        if not self.greedy:
            logits = logits + rng.gumbel(size=logits.shape)
        return legal[np.arange(len(legal)), logits.argmax(axis=1)]

    def probabilities(self, observations: Array, action_masks: Array) -> Array:
        """Return the probability of each action (k, num_distinct_actions), 0 for illegal ones."""
        _, logits, legal = self._look(observations, action_masks)
        return _probabilities(logits, legal, action_masks)

    def _look(self, observations: Array, action_masks: Array) -> tuple[Any, Array, Array]:
        """Return an encoding, the logits (k, K) of the legal actions, and their ids (k, K), padded with -inf and -1."""
        with torch.inference_mode():
            view = self.network.layer(torch.from_numpy(np.ascontiguousarray(observations)), action_masks)
            encoding = self.network.encode_view(view)
            logits = self.network.logits(encoding).cpu().numpy()
        legal = view.legal.cpu().numpy()
        return encoding, np.where(legal >= 0, logits, -np.inf), legal

    def moved_to(self, game: Game) -> PolicyAgent:
        """Return the policy with the same weights for other parameters of its game, without a critic.

        Convolutions accept a board of any size. ValueError for another game, or if weights have other shapes.
        """
        if game.name != self.game.name:
            raise ValueError(f"made for the game {self.game.name!r}; it cannot play {game.name!r}")
        game, weights = game.with_heuristic(self.game.type.heuristic), self.network.state_dict()
        network = self.architecture.make_network(game, device="meta")
        for name, tensor in network.state_dict().items():
            if tensor.shape != weights[name].shape:
                raise ValueError(f"made for {game.params_difference(self.game.params)}: {name} has another shape")
        network.load_state_dict(weights, assign=True)
        return PolicyAgent(network.to(self.device), game, self.architecture, self.name)

    @property
    def device(self) -> torch.device:
        """The device of the network."""
        return self.network.layer.action_groups.device

    def save(self, folder: str | Path) -> None:
        """Write `policy.json` and `policy.safetensors`; the folder is made if necessary."""
        file = FullPolicyFile.of(self.game, self.architecture)
        self._write(folder, file, self.network.state_dict())

    def _write(self, folder: str | Path, file: FullPolicyFile, weights: dict[str, torch.Tensor]) -> None:
        hints = self.network.layer.features.observed
        if isinstance(hints, LearnedHints):
            (Path(folder) / HINT_VALUES).mkdir(parents=True, exist_ok=True)
            for name, content in hints.files.items():
                write_whole(Path(folder) / HINT_VALUES / name, content)
            file.architecture = file.architecture.model_copy(update={"hint_values": HINT_VALUES})
        weights = {name: tensor.cpu().contiguous() for name, tensor in weights.items()}
        file.write(folder, save(weights))

    @classmethod
    def load(cls, folder: str | Path, game: Game | None = None, device: str | None = None) -> PolicyAgent:
        """Load a policy folder, with its critic if it has one.

        Args:
            folder: the policy folder. It may have been written on another device.
            game: the game to play; None for the one that the policy was made for.
            device: where the network runs, `auto`, `cpu` or `cuda`; None for the device of all agents in this process,
                which is the CPU unless a program has the option `--device`.

        Raises:
            ValueError: if the folder is invalid or does not fit `game`, or if there is no such device.
        """
        where = playing_device() if device is None else resolve(device)
        file, played, (network, critic) = read_policy(folder, FullPolicyFile, game, functools.partial(_blank, folder))
        parts = (network,) if critic is None else (network, critic)
        numbers = sum(tensor.numel() for part in parts for tensor in part.state_dict().values())
        weights = _read_weights(policy_weights(folder), numbers)
        own = {name: tensor for name, tensor in weights.items() if not (critic and name.startswith(CRITIC))}
        _load_weights(network, own, policy_weights(folder))
        name = Path(folder).as_posix()
        if critic is None:
            return PolicyAgent(network.to(where), played, file.architecture, name)
        others = {name.removeprefix(CRITIC): tensor for name, tensor in weights.items() if name not in own}
        _load_weights(critic, others, policy_weights(folder))
        parts = network.to(where), critic.to(where)
        return ValuedPolicy(*parts, played, file.architecture, name, file.learned_alone)


class ValuedPolicy(PolicyAgent):
    """A policy with a critic that predicts the returns of all seats, in `value_outputs` numbers: a search uses both.

    The returns are those from here on, in turn order from the seat that sees the observation. With `learned_alone` they
    hold against other opponents, not in self-play.
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
        """Return the `probabilities` and the predicted returns (k, num_players)."""
        encoding, logits, legal = self._look(observations, action_masks)
        with torch.inference_mode():
            values = self.critic(encoding).cpu().numpy().reshape(len(observations), -1)
        if values.shape[1] < self.game.num_players:
            values = np.concatenate([values, self.game.utility_sum - values], axis=1)
        return _probabilities(logits, legal, action_masks), values

    def save(self, folder: str | Path) -> None:
        """Write the files, with the weights of the critic."""
        about_values = {"values": True, "learned_alone": self.learned_alone}
        file = FullPolicyFile.of(self.game, self.architecture).model_copy(update=about_values)
        critic = {f"{CRITIC}{name}": tensor for name, tensor in self.critic.state_dict().items()}
        self._write(folder, file, {**self.network.state_dict(), **critic})


def value_outputs(game: Game) -> int:
    """Return how many numbers predict all returns: one for two players with a fixed sum, else one per player."""
    return 1 if game.num_players == 2 and game.utility_sum is not None else game.num_players


def learning_policy(
    network: PolicyNetwork, critic: nn.Module, game: Game, architecture: Architecture, alone: bool = False
) -> PolicyAgent:
    """Return an agent that shares the weights of networks that learn, in one seat (`alone`) or in every seat.

    The critic has one output, for the viewer. It is part of the agent if that output determines all returns.
    """
    if value_outputs(game) == 1:
        return ValuedPolicy(network, critic, game, architecture, learned_alone=alone)
    return PolicyAgent(network, game, architecture)


def _probabilities(logits: Array, legal: Array, action_masks: Array) -> Array:
    """Turn logits (k, K) of legal actions (k, K) into probabilities (k, num_distinct_actions)."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares = np.zeros(action_masks.shape, weights.dtype)  # the order of summation must not depend on the padding
    shares[action_masks != 0] = weights[legal >= 0]
    probabilities: Array = shares / shares.sum(axis=1, keepdims=True)
    return probabilities


def _blank(folder: str | Path, file: FullPolicyFile, game: Game) -> tuple[PolicyNetwork, nn.Module | None]:
    """Make the network that a file describes, and its critic if it has one; the weights have only shapes."""
    if file.architecture.hint_values:  # whatever the file says, these are in its folder
        hints = (Path(folder) / HINT_VALUES).as_posix()
        file.architecture = file.architecture.model_copy(update={"hint_values": hints})
    network = file.architecture.make_network(game, device="meta")
    return network, network.make_critic(value_outputs(game)) if file.values else None


def _read_weights(path: Path, numbers: int) -> dict[str, torch.Tensor]:
    """Read the weights of networks with `numbers` parameters; ValueError if the file is invalid or far too large."""
    with _as_weights(path):
        return load(read_weights(path, numbers))


def _load_weights(network: nn.Module, weights: dict[str, torch.Tensor], path: Path) -> None:
    """Load weights into a network; ValueError if they are those of another network, or not finite."""
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
    """Turn the errors of readers into one line that says that a file does not hold the weights of this policy."""
    try:
        yield
    except (
        *(OSError, SafetensorError, RuntimeError),
        *(AssertionError, AttributeError, LookupError, TypeError, ValueError),  # for dtypes that PyTorch does not have
    ) as error:
        why = error.strerror if isinstance(error, OSError) else " ".join(str(error).split())
        raise ValueError(f"{path}: cannot be read as this policy's weights ({why})") from None
