"""`policy.json`, the description of a policy: read without torch, which the network itself needs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

from pydantic import BaseModel

from agents.common.configuration import parse
from agents.common.files import read_json, write_whole
from agents.common.parameters import make_game
from edge_envs import Game
from edge_envs.core.untrusted import read_bytes
from edge_envs.games import named_game

MOST_NUMBER_BYTES = 8
MOST_HEADER_BYTES = 2**20
"""Of a file of weights: names, types, shapes and places of its tensors."""


class PolicyFile(BaseModel):
    """What every `policy.json` holds, the architecture as it stands there; those of a kind may hold more.

    `heuristic` is the version behind the hints that the policy was trained with; files that are older name none.
    """

    format: Literal["edge_envs policy 1"] = "edge_envs policy 1"
    game: str
    version: int
    heuristic: str = "v0"
    params: dict[str, Any]
    architecture: Any

    @classmethod
    def of(cls, game: Game, architecture: Any) -> Self:
        """The description of a policy for a game."""
        return cls(
            game=game.name,
            version=game.type.version,
            heuristic=game.type.heuristic,
            params=game.params_dict(),
            architecture=architecture,
        )

    def write(self, folder: str | Path, weights: bytes) -> None:
        """Write the two files of a policy into a folder, which is made if it is missing; this one last."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(policy_weights(folder), weights)
        write_whole(policy_json(folder), self.model_dump_json(indent=2) + "\n")

    def load_game(self) -> Game:
        """The game that the policy was made for, with the heuristic of its hints as the built-in player.

        ValueError if this version of the package does not have it.
        """
        named_game(self.game)[0].check_names_no_file(self.params)
        game = make_game(self.game, self.params)
        if self.version != game.type.version:
            raise ValueError(f"made for version {self.version} of {game.name}; this is version {game.type.version}")
        return game.with_heuristic(self.heuristic)


File = TypeVar("File", bound=PolicyFile)
Made = TypeVar("Made")


def policy_json(folder: str | Path) -> Path:
    """Where the description of a policy lies in its folder."""
    return Path(folder) / "policy.json"


def policy_weights(folder: str | Path) -> Path:
    """Where the weights of a policy lie in its folder."""
    return Path(folder) / "policy.safetensors"


def read_weights(path: Path, numbers: int) -> bytes:
    """Read a file of weights for a network of so many numbers; OSError for a larger file than these can take."""
    return read_bytes(path, MOST_NUMBER_BYTES * numbers + MOST_HEADER_BYTES)


def read_policy_file(folder: str | Path, kind: type[File]) -> File:
    """The contents of a policy folder's `policy.json`; ValueError names the file and what is wrong with it."""
    path = policy_json(folder)
    return parse(kind, read_json(path), str(path))


def read_policy(
    folder: str | Path, kind: type[File], game: Game | None, make: Callable[[File, Game], Made]
) -> tuple[File, Game, Made]:
    """A policy's description, the game that it plays, and what `make` makes of its description and its own game.

    The game is `game` if it is given, with the heuristic that the policy knows. ValueError says what is wrong with the
    file, or that it does not fit `game`.
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


def how_to_name(game: Game) -> str:
    """What to type for a game: the name of a variant, or the game's with the parameters that are not its defaults."""
    for name, variant in game.type.variants.items():
        if game.type.check_params(variant.params) == game.params:
            return f"--game {name}"
    defaults = game.type.check_params({})
    own = {key: value for key, value in game.params.items() if value != defaults[key]}
    return f"--game {game.name} --param {' '.join(game.type.format_params(own))}"


def check_fit(own: Game, game: Game) -> None:
    """ValueError unless a policy made for one game can play another: the same with equal sizes and meanings of ids."""
    if own.name != game.name:
        raise ValueError(f"made for the game {own.name!r}; it cannot play {game.name!r}")
    sizes = [(g.num_players, g.observation_shape, g.num_distinct_actions) for g in (own, game)]
    meanings = (p for p in game.type.parameters.values() if p.gives_meaning)
    if sizes[0] != sizes[1] or not all(p.same(own.params[p.name], game.params[p.name]) for p in meanings):
        raise ValueError(f"made for {game.params_difference(own.params)}; its game is {how_to_name(own)}")
