"""The agent that plays a policy network, and its files.

A policy is a folder of two files, read without pickle: `policy.json` (format, game, version, heuristic,
parameters, architecture) and `policy.safetensors` (weights).
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn.modules.module import register_module_parameter_registration_hook

from agents.networks import Architecture, PolicyNetwork
from agents.policy_file import PolicyFile, policy_weights, read_policy
from edge_envs import Game
from edge_envs.core.game import Array, Records
from edge_envs.envs.opponents import Generator


class FullPolicyFile(PolicyFile):
    """The contents of `policy.json` with the network's architecture."""

    architecture: Architecture


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
        logits, legal = self._logits(observations, action_masks)
        if not self.greedy:
            logits = logits + rng.gumbel(size=logits.shape)
        return legal[np.arange(len(legal)), logits.argmax(axis=1)]

    def probabilities(self, observations: Array, action_masks: Array) -> Array:
        """How often the policy would choose each action (k, num_distinct_actions), 0 where it is not legal."""
        logits, legal = self._logits(observations, action_masks)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = np.zeros(action_masks.shape, weights.dtype)  # added up in one order, however long the lists are
        shares[action_masks != 0] = weights[legal >= 0]
        probabilities: Array = shares / shares.sum(axis=1, keepdims=True)
        return probabilities

    def _logits(self, observations: Array, action_masks: Array) -> tuple[Array, Array]:
        """Logits (k, K) of the legal actions, and these (k, K); -inf and -1 where a list of them is over."""
        with torch.inference_mode():
            view = self.network.layer(torch.from_numpy(np.ascontiguousarray(observations)), action_masks)
            logits = self.network.logits(self.network.encode_view(view)).numpy()
        legal = view.legal.numpy()
        return np.where(legal >= 0, logits, -np.inf), legal

    def save(self, folder: str | Path) -> None:
        """Write `policy.json` and `policy.safetensors` into a folder, which is made if it is missing."""
        weights = {name: tensor.contiguous() for name, tensor in self.network.state_dict().items()}
        FullPolicyFile.of(self.game, self.architecture).write(folder, functools.partial(save_file, weights))

    @classmethod
    def load(cls, folder: str | Path, game: Game | None = None) -> PolicyAgent:
        """Read a policy folder; ValueError says what is wrong with it, or that it does not fit `game`."""
        file, played, network = read_policy(
            folder, FullPolicyFile, game, lambda file, own: blank_network(file.architecture, own)
        )
        _load_weights(network, policy_weights(folder))
        return cls(network, played, file.architecture, name=Path(folder).as_posix())


def blank_network(architecture: Architecture, game: Game) -> PolicyNetwork:
    """A network whose weights have shapes and no values: made at once, whatever its size."""
    with blank_weights():
        return architecture.make_network(game)


@contextlib.contextmanager
def blank_weights() -> Iterator[None]:
    """Give networks that are made meanwhile weights without values, on torch's meta device; buffers have theirs."""

    def move(module: nn.Module, name: str, weights: nn.Parameter | None) -> nn.Parameter | None:
        return None if weights is None else nn.Parameter(weights.to("meta"), weights.requires_grad)

    hook = register_module_parameter_registration_hook(move)  # type: ignore[arg-type]  # which allows an answer
    try:
        yield
    finally:
        hook.remove()


def _load_weights(network: PolicyNetwork, path: Path) -> None:
    """Give a blank network the weights of a file; ValueError if they are of another network, or no finite numbers."""
    shapes = network.state_dict()
    try:
        weights = load_file(path)
        network.load_state_dict(weights, assign=True)
    except (OSError, SafetensorError, RuntimeError) as error:
        raise ValueError(f"{path}: cannot be read as this policy's weights ({' '.join(str(error).split())})") from None
    for name, tensor in weights.items():
        if tensor.dtype != shapes[name].dtype:
            raise ValueError(f"{path}: {name} must be of type {shapes[name].dtype}, not {tensor.dtype}")
        if not torch.isfinite(tensor).all():
            raise ValueError(f"{path}: not all weights are finite numbers")
