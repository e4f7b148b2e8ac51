"""Find the game that agents play: from its name, from a policy among them, or from a position file."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.common.files import read_json
from agents.common.parameters import make_game
from agents.players.agent import folder_of
from agents.players.policy_places import policy_fault, several_in_one
from edge_envs import Game
from edge_envs.games import named_game
from edge_envs.players import AGENTS

if TYPE_CHECKING:
    from edge_envs import State


def check_folder(name: str) -> None:
    """Raise ValueError if the name of an agent is or ends with a path that is not a policy folder."""
    path = folder_of(name)
    if not path:
        return
    if advice := several_in_one(path, list(AGENTS)):
        raise ValueError(advice)
    is_path = os.sep in path or path.startswith(".") or path.endswith(".zip") or Path(path).exists()
    if is_path and (fault := policy_fault(path)):
        raise ValueError(fault)


def game_for(agents: Sequence[str], name: str | None = None, params: Mapping[str, Any] | None = None) -> Game:
    """Return the game that agents play.

    Args:
        agents: the names of the agents.
        name: the name of the game; None for the game of the first policy folder among the agents.
        params: game parameters. Others are those of that policy, or else the defaults.

    Raises:
        ValueError: if the game or folder does not exist, or if the policy was made for another game.
    """
    for agent in agents:
        check_folder(agent)
    folder = next((folder for folder in map(folder_of, agents) if folder and Path(folder).is_dir()), None)
    known: Mapping[str, Any] = {}
    named, given = name, params or {}
    if folder is not None:
        from agents.players.policy_file import PolicyFile, read_policy_file

        file = read_policy_file(folder, PolicyFile)
        name = name or file.game
        game_type, settled = named_game(name)
        if game_type.name != file.game:
            raise ValueError(f"{folder}: made for the game {file.game!r}; it cannot play {name!r}")
        known = {key: value for key, value in file.params.items() if key not in settled}
    if name is None:
        raise ValueError("no game: name one with --game, or an agent that is a policy folder")
    game = make_game(name, {**known, **given})
    if folder is not None and named is not None:
        _tell_of_params(folder, named, game, known.keys() - given.keys())
    return game


def _tell_of_params(folder: str, name: str, game: Game, known: Collection[str]) -> None:
    """Print a note if some parameters of a policy, those in `known`, replace the defaults of a game that was named."""
    from agents.players.policy_file import how_to_name

    defaults = make_game(name, {}).params
    other = {key: v for key, v in game.params.items() if v != defaults[key] and key in known}
    if other:
        played = ", ".join(game.type.format_params(other))
        print(f"note: {name} is played with {played}, like {folder}: {how_to_name(game)}", file=sys.stderr)


def position_for(path: str | Path, agents: Sequence[str], name: str, params: Mapping[str, Any], seed: int) -> State:
    """Read a position in which the game is not over; see `read_position`."""
    state = read_position(path, agents, name, params, seed)
    if state.is_terminal():
        raise ValueError(f"{path}: the game is over in this position")
    return state


def read_position(path: str | Path, agents: Sequence[str], name: str, params: Mapping[str, Any], seed: int) -> State:
    """Read a position from a JSON file for the game that agents play.

    Parameters that `params` does not name are taken from the file. ValueError names the file and the problem.
    """
    d = read_json(path)
    own = d.get("params") if isinstance(d, dict) else None
    game = game_for(agents, name, {**(own if isinstance(own, dict) else {}), **params})
    try:
        return game.state_from_dict(d, seed)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
