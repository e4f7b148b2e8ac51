"""Read and write `policy.json`, the description of a policy, without torch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

from pydantic import BaseModel

from agents.common.configuration import parse
from agents.common.files import read_json, write_whole
from edge_envs import Game
from edge_envs.core.checks.files import MOST_HEADER_BYTES, read_bytes
from edge_envs.policies import check_fit, game_of_policy, how_to_name

__all__ = [
    "HINT_VALUES",
    "PolicyFile",
    "check_fit",
    "how_to_name",
    "policy_json",
    "policy_weights",
    "read_policy",
    "read_policy_file",
    "read_weights",
]

MOST_NUMBER_BYTES = 8
HINT_VALUES = "hint_values"
"""The folder, inside that of a policy, of the n-tuple network whose values make its hints."""


class PolicyFile(BaseModel):
    """The keys of every `policy.json`, with the architecture as plain data; subclasses add keys.

    `heuristic` is the version of the heuristic whose hints the policy was trained with; older files do not name it.
    """

    format: Literal["edge_envs policy 1"] = "edge_envs policy 1"
    game: str
    version: int
    heuristic: str = "v0"
    params: dict[str, Any]
    architecture: Any

    @classmethod
    def of(cls, game: Game, architecture: Any) -> Self:
        """Describe a policy for a game."""
        return cls(
            game=game.name,
            version=game.type.version,
            heuristic=game.type.heuristic,
            params=game.params_dict(),
            architecture=architecture,
        )

    def write(self, folder: str | Path, weights: bytes) -> None:
        """Write the two files of a policy, this one last; the folder is made if necessary."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(policy_weights(folder), weights)
        write_whole(policy_json(folder), self.model_dump_json(indent=2) + "\n")

    def load_game(self) -> Game:
        """Return the game that the policy was made for, with the heuristic of its hints.

        ValueError if this version of the package does not have it.
        """
        return game_of_policy(self.game, self.params, self.version, self.heuristic)


File = TypeVar("File", bound=PolicyFile)
Made = TypeVar("Made")


def policy_json(folder: str | Path) -> Path:
    """Return the path of the description in a policy folder."""
    return Path(folder) / "policy.json"


def policy_weights(folder: str | Path) -> Path:
    """Return the path of the weights in a policy folder."""
    return Path(folder) / "policy.safetensors"


def read_weights(path: Path, numbers: int) -> bytes:
    """Read a weights file of a network with `numbers` parameters; OSError if the file is too large for them."""
    return read_bytes(path, MOST_NUMBER_BYTES * numbers + MOST_HEADER_BYTES)


def read_policy_file(folder: str | Path, kind: type[File]) -> File:
    """Read `policy.json` from a policy folder; ValueError names the file and the problem."""
    path = policy_json(folder)
    return parse(kind, read_json(path), str(path))


def read_policy(
    folder: str | Path, kind: type[File], game: Game | None, make: Callable[[File, Game], Made]
) -> tuple[File, Game, Made]:
    """Read the description of a policy, and make something from it.

    Args:
        folder: the policy folder.
        kind: the model of `policy.json`.
        game: the game to play; None for the one that the policy was made for.
        make: called with the description and the game that the policy was made for.

    Returns:
        The description, the game to play with the heuristic of the policy's hints, and the result of `make`.

    Raises:
        ValueError: if the file is invalid, or does not fit `game`.
    """
    file = read_policy_file(folder, kind)
    try:
        own = file.load_game()
        if game is not None:
            check_fit(own, game)
        made = make(file, own)
    except ValueError as error:
        raise ValueError(f"{policy_json(folder)}: {error}") from None
    return file, (game or own).with_heuristic(file.heuristic), made
