"""Games, agents and parameters that a page may ask for, and whether a game is compiled.

A page names no files: agents are those that were listed at the start, parameters those that come with a game, or are
written out.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from agents.agent import AGENTS, Agent, is_policy_folder, make_agent
from agents.extras import missing_module
from agents.files import read_json
from agents.web.guard import Refusal
from edge_envs import GAMES, Game
from edge_envs.core.errors import in_short
from edge_envs.core.game import GameType, Parameter

HUMAN = "human"
"""What a page calls a person."""


class Shelf:
    """What there is to play."""

    def __init__(self, policies: Path, agents: Sequence[str] = ()) -> None:
        """List the policies in the folders of a folder, one folder of policies for each game, and further agents."""
        folders = sorted(path.parent.as_posix() for path in policies.glob("*/*/policy.json"))
        self._policies = {name: _made_for(name) for name in [*folders, *agents] if is_policy_folder(name)}
        self._began: dict[str, float] = {}
        self._ready: dict[str, asyncio.Future[None]] = {}
        self._compiler = ThreadPoolExecutor(1, "compile")

    def agents_of(self, name: str) -> dict[str, dict[str, Any] | None]:
        """The agents for a game, and for policies the parameters that they were made with."""
        built_in = [agent for agent in AGENTS if agent != "perfect" or GAMES[name].has_module("solver")]
        own = {agent: made[1] for agent, made in self._policies.items() if made is not None and made[0] == name}
        return {**dict.fromkeys(built_in), **own}

    def agent(self, name: Any, game: Game) -> Agent | None:
        """An agent by its name, None for a person; Refusal if it is not listed or cannot play the game."""
        if name == HUMAN:
            return None
        known = self.agents_of(game.name)
        if not isinstance(name, str) or name not in known:
            raise Refusal(422, f"{in_short(name)} is no agent here; possible are {', '.join([HUMAN, *known])}")
        try:
            return _policy(name, game) if name in self._policies else make_agent(name, game)
        except ModuleNotFoundError as error:
            raise Refusal(422, missing_module(error) or str(error)) from None
        except ValueError as error:
            raise Refusal(422, str(error)) from None

    # Compiling

    def readiness(self, name: str) -> dict[str, Any]:
        """Whether a game is `cold`, `compiling` (for how many seconds), `ready`, or `failed` (and why)."""
        future = self._ready.get(name)
        if future is None:
            return {"state": "cold"}
        if not future.done():
            return {"state": "compiling", "seconds": round(time.monotonic() - self._began[name], 1)}
        error = future.exception()
        return {"state": "ready"} if error is None else {"state": "failed", "error": f"{type(error).__name__}: {error}"}

    async def prepare(self, name: str, patience: float = 1.5) -> bool:
        """Compile a game in a thread, if that has not begun; whether it is ready after so many seconds."""
        future = self._ready.get(name)
        if future is None or (future.done() and future.exception() is not None):
            future = asyncio.get_running_loop().run_in_executor(self._compiler, _use, name)
            self._began[name], self._ready[name] = time.monotonic(), future
        await asyncio.wait([future], timeout=patience)
        return future.done() and future.exception() is None


def _use(name: str) -> None:
    """Use a game for a moment, so that it is compiled."""
    from edge_envs.warming import use_state

    use_state(name)
    GAMES[name].module("picture")


def _made_for(folder: str) -> tuple[str, dict[str, Any]] | None:
    """The game of a policy and its parameters; None if the folder does not tell them."""
    try:
        file = read_json(Path(folder) / "policy.json")
        name, params = file["game"], file["params"]
    except (ValueError, KeyError, TypeError):
        return None
    return (name, params) if isinstance(name, str) and isinstance(params, dict) else None


@functools.lru_cache(maxsize=16)
def _policy(name: str, game: Game) -> Agent:
    """A policy, which several sittings may share."""
    return make_agent(name, game)


def game_type(name: Any) -> GameType:
    """A game by its name; Refusal if there is none."""
    if not isinstance(name, str) or name not in GAMES:
        raise Refusal(422, f"game: there is no game {in_short(name)}; possible are {', '.join(GAMES)}")
    return GAMES[name]


def make_game(kind: GameType, params: Any) -> Game:
    """A game with parameters that name no file; Refusal says what is not possible."""
    check_names_no_file(kind, params)
    try:
        return Game(kind, params)
    except ValueError as error:
        raise Refusal(422, str(error)) from None


def check_names_no_file(kind: GameType, params: Any) -> None:
    """Refuse parameters that would make the server read a file."""
    if not isinstance(params, dict):
        raise Refusal(422, f"params: {in_short(params)} is not a JSON object")
    for name, parameter in kind.parameters.items():
        value = params.get(name)
        if parameter.shipped is not None and isinstance(value, str) and value not in parameter.shipped:
            possible = ", ".join(parameter.shipped)
            raise Refusal(422, f"{name}: {in_short(value)} does not come with the game; there are {possible}, or a map")


def told(kind: GameType) -> dict[str, Any]:
    """What a page shows of a game before it is played."""
    return {
        "name": kind.name,
        "title": kind.title,
        "summary": kind.summary,
        "hidden": not kind.perfect_information,
        "parameters": [_parameter(parameter) for parameter in kind.parameters.values()],
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    entries: Mapping[str, Any] = {
        "name": parameter.name,
        "type": parameter.type.__name__,
        "default": parameter.default,
        "description": parameter.description,
        "low": parameter.low,
        "high": parameter.high,
        "choices": list(parameter.choices),
        "shipped": parameter.shipped,
    }
    return {name: value for name, value in entries.items() if value is not None and value != []}
