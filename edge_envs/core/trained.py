"""Trained policies that are part of the package, in the folder `trained` of a game.

Each is a policy folder with a third file, `trained.json`: `format`; `summary`, one line; `level`, whether it is also
the next level of its board (`Game.levels`); and `measured`, results of games against other agents.
`scripts/ship_policy.py` writes these folders.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edge_envs.core.checks.files import read_object
from edge_envs.core.errors import ParameterError, in_short
from edge_envs.core.game_type import GameType

FOLDER, FILE, FORMAT = "trained", "trained.json", "edge_envs trained 1"
_KEYS = {"format": str, "summary": str, "level": bool, "measured": list}


@dataclass(frozen=True)
class TrainedPolicy:
    """A trained policy of the package.

    Attributes:
        name: Its name, as in `trained:NAME`.
        folder: The policy folder.
        params: The parameters of its game.
        summary: One line about it.
        is_level: Whether it is also a level of its board.
    """

    name: str
    folder: Path
    params: Mapping[str, Any]
    summary: str
    is_level: bool

    def is_for(self, game_type: GameType, params: Mapping[str, Any]) -> bool:
        """Return whether its game has exactly these parameters."""
        try:
            return game_type.check_params(self.params) == params
        except ParameterError:
            return False


def trained_folder(game_type: GameType) -> Path:
    """Return the folder of the trained policies of a game; it need not exist."""
    return game_type.folder / FOLDER


def trained_policies(game_type: GameType) -> list[TrainedPolicy]:
    """Return the trained policies of a game, sorted by name.

    Raises:
        ValueError: if a file of theirs is missing or damaged.
    """
    return [_read(file.parent) for file in sorted(trained_folder(game_type).glob(f"*/{FILE}"))]


def fitting(game_type: GameType, params: Mapping[str, Any]) -> list[TrainedPolicy]:
    """Return the trained policies for a game with exactly these parameters, levels first."""
    found = [policy for policy in trained_policies(game_type) if policy.is_for(game_type, params)]
    return sorted(found, key=lambda policy: not policy.is_level)


def trained_levels(game_type: GameType, params: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the trained policies that are levels of a game, such as `trained:8x8`."""
    return tuple(f"trained:{policy.name}" for policy in fitting(game_type, params) if policy.is_level)


def _read(folder: Path) -> TrainedPolicy:
    about, policy = read_object(folder / FILE), read_object(folder / "policy.json")
    for key, kind in _KEYS.items():
        if not isinstance(about.get(key), kind):
            raise ValueError(f"{folder / FILE}: {key}: missing or not of type {kind.__name__}")
    if about["format"] != FORMAT:
        raise ValueError(f"{folder / FILE}: format: expected {FORMAT!r}, not {in_short(about['format'])}")
    if not isinstance(policy.get("params"), dict):
        raise ValueError(f"{folder / 'policy.json'}: params: expected an object")
    return TrainedPolicy(folder.name, folder, policy["params"], about["summary"], about["level"])
