"""The policies that the web page offers in addition to the built-in agents."""

from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.common.extras import missing_module
from agents.common.files import read_json
from agents.players.agent import folder_of, make_agent
from edge_envs import Game
from edge_envs.ntuple.policy import is_tuples_folder
from edge_envs.players import Agent

SEARCH = "search:200"
TURN_SEARCH = "search:50"
"""The search with an n-tuple network, whose iterations are whole turns and take longer."""
MOST_POLICIES = 500


class PolicyRoster:
    """The policies below a folder, which has one folder per game, and further agents."""

    def __init__(self, folder: Path, further: Sequence[str] = ()) -> None:
        """List the policies, each also with a search; names in `further` that need no policy are ignored."""
        found = list(itertools.islice(folder.glob("*/*/policy.json"), MOST_POLICIES + 1))
        if len(found) > MOST_POLICIES:
            print(f"{folder}: more than {MOST_POLICIES} policies; the others are not listed", file=sys.stderr)
        folders = sorted(path.parent.as_posix() for path in found[:MOST_POLICIES])
        searches = [f"{TURN_SEARCH if is_tuples_folder(name) else SEARCH}:{name}" for name in folders]
        names = [*folders, *searches, *further]
        needed = {name: folder_of(name) for name in names}
        self._made_for = {name: _made_for(path) for name, path in needed.items() if path and Path(path).is_dir()}

    def agents_of(self, game: str) -> Mapping[str, Mapping[str, Any] | None]:
        """Return the policies for a game, and the parameters that each was made for."""
        return {name: made[1] for name, made in self._made_for.items() if made is not None and made[0] == game}

    def make(self, name: str, game: Game) -> Agent:
        """Make the agent of a policy; ValueError if it cannot play this game, or if a module is not installed."""
        try:
            return _policy(name, game)
        except ModuleNotFoundError as error:
            raise ValueError(missing_module(error) or str(error)) from None


def _made_for(folder: str) -> tuple[str, dict[str, Any]] | None:
    """Return the game of a policy and its parameters; None if they cannot be read."""
    try:
        file = read_json(Path(folder) / "policy.json")
        name, params = file["game"], file["params"]
    except (ValueError, KeyError, TypeError):
        return None
    return (name, params) if isinstance(name, str) and isinstance(params, dict) else None


@functools.lru_cache(maxsize=16)
def _policy(name: str, game: Game) -> Agent:
    """Make an agent, which several sessions may share."""
    return make_agent(name, game)
