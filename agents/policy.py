"""The agent that plays a policy network, and its files.

A policy is a folder of two files, read without pickle: `policy.json` (format, game, version, parameters,
architecture) and `policy.safetensors` (weights).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, ValidationError
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from agents.files import read_json
from agents.games import make_game
from agents.networks import KINDS, Architecture, PolicyNetwork
from edge_envs import Game
from edge_envs.core.game import Array, Records


class PolicyFile(BaseModel):
    """The contents of `policy.json`."""

    model_config = ConfigDict(extra="forbid")

    format: Literal["edge_envs policy 1"] = "edge_envs policy 1"
    game: str
    version: int
    params: dict[str, Any]
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
        self,
        observations: Array,
        action_masks: Array,
        states: Records | None,
        players: Array,
        rng: np.random.Generator,
    ) -> Array:
        """Legal actions (k,); see `agents.agent.Agent`."""
        with torch.inference_mode():
            logits = self.network(torch.from_numpy(np.ascontiguousarray(observations))).numpy()
        logits = np.where(action_masks, logits, -np.inf)
        if not self.greedy:
            logits = logits + rng.gumbel(size=logits.shape)
        return logits.argmax(axis=1)

    def save(self, folder: str | Path) -> None:
        """Write `policy.json` and `policy.safetensors` into a folder, which is made if it is missing."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        file = PolicyFile(
            game=self.game.name,
            version=self.game.type.version,
            params=self.game.params_dict(),
            architecture=self.architecture,
        )
        save_file(
            {name: tensor.contiguous() for name, tensor in self.network.state_dict().items()},
            folder / "policy.safetensors.new",
        )
        (folder / "policy.json.new").write_text(file.model_dump_json(indent=2) + "\n", encoding="utf-8")
        os.replace(folder / "policy.safetensors.new", folder / "policy.safetensors")
        os.replace(folder / "policy.json.new", folder / "policy.json")

    @classmethod
    def load(cls, folder: str | Path, game: Game | None = None) -> PolicyAgent:
        """Read a policy folder; ValueError says what is wrong with it, or that it does not fit `game`."""
        folder = Path(folder)
        file = read_policy_file(folder)
        try:
            own = make_game(file.game, file.params)
            if file.version != own.type.version:
                raise ValueError(f"made for version {file.version} of {own.name}; this is version {own.type.version}")
            if game is not None:
                _check_fit(own, game)
            network = file.architecture.make_network(own)
        except ValueError as error:
            raise ValueError(f"{folder / 'policy.json'}: {error}") from None
        _load_weights(network, folder / "policy.safetensors")
        return cls(network, game or own, file.architecture, name=folder.as_posix())


def _check_fit(own: Game, game: Game) -> None:
    """ValueError unless a policy made for one game can play another: the same with equal sizes and meanings of ids."""
    if own.name != game.name:
        raise ValueError(f"made for the game {own.name!r}; it cannot play {game.name!r}")
    sizes = [(g.num_players, g.observation_shape, g.num_distinct_actions) for g in (own, game)]
    meanings = (p for p in game.type.parameters.values() if p.gives_meaning)
    if sizes[0] != sizes[1] or not all(p.same(own.params[p.name], game.params[p.name]) for p in meanings):
        raise ValueError(f"made for {game.contrast(own.params)}")


def _load_weights(network: PolicyNetwork, path: Path) -> None:
    try:
        network.load_state_dict(load_file(path))
    except (OSError, SafetensorError, RuntimeError) as error:
        raise ValueError(f"{path}: cannot be read as this policy's weights ({' '.join(str(error).split())})") from None
    if not all(bool(torch.isfinite(weights).all()) for weights in network.state_dict().values()):
        raise ValueError(f"{path}: not all weights are finite numbers")


def read_policy_file(folder: str | Path) -> PolicyFile:
    """The contents of a policy folder's `policy.json`; ValueError names the file and what is wrong with it."""
    path = Path(folder) / "policy.json"
    data = read_json(path)
    try:
        return PolicyFile.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(key) for key in first["loc"] if key not in KINDS) or "the whole"
        raise ValueError(f"{path}: {key}: {first['msg']}") from None
