"""`policy.json`, the description of a policy: read without torch, which the network itself needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

from agents.configuration import parse
from agents.files import read_json
from agents.parameters import make_game
from edge_envs import Game


class PolicyFile(BaseModel):
    """The contents of `policy.json`, the architecture as it stands there.

    `heuristic` is the version behind the hints that the policy was trained with; files that are older name none.
    """

    model_config = ConfigDict(extra="forbid")

    format: Literal["edge_envs policy 1"] = "edge_envs policy 1"
    game: str
    version: int
    heuristic: str = "v0"
    params: dict[str, Any]
    architecture: Any

    def load_game(self) -> Game:
        """The game that the policy was made for, with the heuristic of its hints as the built-in player.

        ValueError if this version of the package does not have it.
        """
        game = make_game(self.game, self.params)
        if self.version != game.type.version:
            raise ValueError(f"made for version {self.version} of {game.name}; this is version {game.type.version}")
        return game.with_heuristic(self.heuristic)


File = TypeVar("File", bound=PolicyFile)


def policy_json(folder: str | Path) -> Path:
    """Where the description of a policy lies in its folder."""
    return Path(folder) / "policy.json"


def read_policy_file(folder: str | Path, kind: type[File]) -> File:
    """The contents of a policy folder's `policy.json`; ValueError names the file and what is wrong with it."""
    path = policy_json(folder)
    return parse(kind, read_json(path), str(path))


def check_fit(own: Game, game: Game) -> None:
    """ValueError unless a policy made for one game can play another: the same with equal sizes and meanings of ids."""
    if own.name != game.name:
        raise ValueError(f"made for the game {own.name!r}; it cannot play {game.name!r}")
    sizes = [(g.num_players, g.observation_shape, g.num_distinct_actions) for g in (own, game)]
    meanings = (p for p in game.type.parameters.values() if p.gives_meaning)
    if sizes[0] != sizes[1] or not all(p.same(own.params[p.name], game.params[p.name]) for p in meanings):
        raise ValueError(f"made for {game.params_difference(own.params)}")
