"""Agents that are models of Stable-Baselines3 or sb3-contrib: `sb3:FILE`, where FILE is what `model.save` wrote.

The algorithm is read from the file, or given as `sb3:ALGORITHM:FILE`. MaskablePPO gets the action mask. The other
algorithms do not support masks: an illegal action forfeits the game, as for every external agent.
Actions are deterministic: those of greatest probability or value.

A model file contains pickles, which can run any code when they are loaded. So a warning is printed on stderr.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import os
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from agents.common.generators import unchanged_generators
from agents.external.reasons import reason_of
from edge_envs import Game
from edge_envs.core.checks.files import open_regular
from edge_envs.core.errors import did_you_mean, printable
from edge_envs.core.spec import Array, Records

PREFIX = "sb3:"
ALGORITHMS = {
    "MaskablePPO": "sb3_contrib",
    "PPO": "stable_baselines3",
    "A2C": "stable_baselines3",
    "DQN": "stable_baselines3",
    "QRDQN": "sb3_contrib",
    "TRPO": "sb3_contrib",
}
"""Algorithms with discrete actions, and the package of each."""

MASKED = ("MaskablePPO",)
"""Algorithms that support action masks."""

MOST_DATA_BYTES = 2**26
"""The largest description of a model, which is read to find its algorithm."""

_NOT_NEEDED = {
    "learning_rate": 0.0,
    "lr_schedule": 0.0,
    "clip_range": 0.0,
    "exploration_schedule": 0.0,
    "buffer_size": 1,
}
"""Replacements for what only training needs: pickled functions, which may not load in another version of Python, and
the size of a replay buffer."""


class SB3Agent:
    """Plays a model of Stable-Baselines3."""

    needs_states = False
    external = True

    def __init__(self, name: str, model: Any, masked: bool) -> None:
        self.name = name
        self._model, self._masked = model, masked
        self._is_dict = hasattr(model.observation_space, "spaces")  # made with mask_in_observation=True

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Return the model's actions (k,), which may be illegal if its algorithm does not support masks."""
        masks = {"action_masks": action_masks != 0} if self._masked else {}
        seen = {"observation": observations, "action_mask": action_masks} if self._is_dict else observations
        actions, _ = self._model.predict(seen, deterministic=True, **masks)
        return np.asarray(actions)


def parse_name(name: str) -> tuple[str, Path]:
    """Return the algorithm in a name, or "" if it is to be read from the file, and the file.

    Raises:
        ValueError: if the algorithm is unknown.
    """
    rest = name.removeprefix(PREFIX)
    algorithm, colon, file = rest.partition(":")
    if not colon or Path(rest).exists():
        return "", Path(rest)
    if algorithm not in ALGORITHMS:
        known = ", ".join(ALGORITHMS)
        raise ValueError(
            f"{name}: unknown algorithm {algorithm!r} (choose from {known}){did_you_mean(algorithm, ALGORITHMS)}"
        )
    return algorithm, Path(file)


def check_sb3(name: str) -> None:
    """Check that the file is a model of a known algorithm, without loading it, and print the warning.

    Raises:
        ValueError: if it is not.
    """
    algorithm, file = parse_name(name)
    _algorithm_of(name, algorithm, file)
    _warn(str(file))


def load_sb3(name: str, game: Game) -> SB3Agent:
    """Load a model as an agent.

    Raises:
        ValueError: if the file cannot be loaded, or if its observations or actions are not those of the game.
    """
    given, file = parse_name(name)
    algorithm = _algorithm_of(name, given, file)
    model_class = getattr(importlib.import_module(ALGORITHMS[algorithm]), algorithm)
    with unchanged_generators():  # loading a model seeds them
        try:
            with open_regular(file) as opened:
                model = model_class.load(opened, device="cpu", custom_objects=_NOT_NEEDED)
        except Exception as error:  # unpickling raises any type
            raise ValueError(f"{name}: cannot be loaded as {algorithm} ({reason_of(error)})") from error
    _check_spaces(name, model, game)
    return SB3Agent(name, model, algorithm in MASKED)


def _check_spaces(name: str, model: Any, game: Game) -> None:
    """Raise ValueError unless the model's observations and actions are those of the game."""
    boxes = getattr(model.observation_space, "spaces", {"observation": model.observation_space})
    shape, actions = getattr(boxes.get("observation"), "shape", None), getattr(model.action_space, "n", None)
    if shape != game.observation_shape or actions != game.num_distinct_actions:
        raise ValueError(
            f"{name}: made for observations {type(model.observation_space).__name__}{shape or ''} and actions "
            f"{type(model.action_space).__name__}({actions}), but {game!r} has observations "
            f"Box{game.observation_shape} and actions Discrete({game.num_distinct_actions})"
        )


def _algorithm_of(name: str, given: str, file: Path) -> str:
    """Return the algorithm of a model file; ValueError if it is not one, or if the algorithm is not known."""
    data = _read_description(name, file)
    algorithm = given or _detect(data)
    if not algorithm:
        raise ValueError(f"{name}: cannot detect the algorithm; write {PREFIX}ALGORITHM:FILE ({', '.join(ALGORITHMS)})")
    return algorithm


def _read_description(name: str, file: Path) -> dict[str, Any]:
    """Read the JSON description in a model file, without any pickle."""
    if not file.is_file() and not file.exists():
        raise ValueError(f"{name}: no such file")
    try:
        with open_regular(file) as opened, zipfile.ZipFile(opened) as archive:
            if archive.getinfo("data").file_size > MOST_DATA_BYTES:
                raise ValueError(f"its description is larger than {MOST_DATA_BYTES:,} bytes")
            data = json.loads(archive.read("data"))
    except Exception as error:  # zipfile raises several types for damaged files
        raise ValueError(f"{name}: not a model of Stable-Baselines3 ({reason_of(error)})") from None
    if not isinstance(data, dict):
        raise ValueError(f"{name}: not a model of Stable-Baselines3 (its description is not a mapping)")
    return data


def _detect(data: dict[str, Any]) -> str:
    """Return the algorithm that a description is of; "" if it cannot be told.

    Saved models do not name their algorithm. The module of the policy class tells it, and the hyperparameters.
    """
    policy = data.get("policy_class")
    module = str(policy.get("__module__", "")) if isinstance(policy, dict) else ""
    for prefix, algorithm in (
        ("sb3_contrib.common.maskable.", "MaskablePPO"),
        ("sb3_contrib.qrdqn.", "QRDQN"),
        ("stable_baselines3.dqn.", "DQN"),
    ):
        if module.startswith(prefix):
            return algorithm
    if module != "stable_baselines3.common.policies":
        return ""
    return "PPO" if "clip_range" in data else "TRPO" if "cg_max_steps" in data else "A2C"


@functools.cache
def _warn(file: str) -> None:
    """Print once per process that a file is a pickle; workers stay quiet, because the main process has said it."""
    if os.environ.get("EDGE_ENVS_QUIET"):
        return
    with contextlib.suppress(OSError):
        print(
            f"warning: {printable(file)} contains pickles, which can run code: load only trusted files", file=sys.stderr
        )
