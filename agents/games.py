"""Which game agents play: by its name and parameters, as a policy among them was trained, from a position in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.agent import is_policy_folder
from agents.files import read_json
from edge_envs import Game, load_game

if TYPE_CHECKING:
    from edge_envs import State


def make_game(name: str, params: Mapping[str, Any]) -> Game:
    """A game with parameters of any origin; ValueError names what is unknown or not possible."""
    return load_game(name, **load_game(name).type.check_params(params))


def game_for(agents: Sequence[str], name: str | None = None, params: Mapping[str, Any] | None = None) -> Game:
    """The game that these agents are to play.

    `name` and `params` go first. What they leave open is as in the first policy folder among the agents, or else the
    game's default. ValueError if there is no such game, or if that policy plays another.
    """
    folder = next((agent for agent in agents if is_policy_folder(agent)), None)
    known: Mapping[str, Any] = {}
    if folder is not None:
        from agents.policy import read_policy_file

        file = read_policy_file(folder)
        if name not in (None, file.game):
            raise ValueError(f"{folder}: made for the game {file.game!r}; it cannot play {name!r}")
        name, known = file.game, file.params
    if name is None:
        raise ValueError("which game? It is not said, nor is there a policy folder that would say it")
    return make_game(name, {**known, **(params or {})})


def position_for(path: str | Path, agents: Sequence[str], name: str, params: Mapping[str, Any], seed: int) -> State:
    """The position in a JSON file, of the game that these agents are to play; what `params` leave open it says itself.

    ValueError names the file and what is wrong with it, or says that the game is over in it.
    """
    d = read_json(path)
    own = d.get("params") if isinstance(d, dict) else None
    game = game_for(agents, name, {**(own if isinstance(own, dict) else {}), **params})
    try:
        state = game.state_from_dict(d, seed)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if state.is_terminal():
        raise ValueError(f"{path}: the game is over in this position")
    return state
