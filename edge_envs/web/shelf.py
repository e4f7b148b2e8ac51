"""Games, agents and parameters that a page may ask for, and whether a game is compiled.

A page names no files: agents are those that were listed at the start, parameters those that come with a game, or are
written out.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Protocol

from edge_envs import GAMES, Game
from edge_envs.core.errors import ParameterError, in_short
from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Parameter
from edge_envs.players import Agent, built_in_agent, offered
from edge_envs.web.guard import Refusal

HUMAN = "human"
"""What a page calls a person."""


class Roster(Protocol):
    """Agents that a page may ask for, beside those that come with the package."""

    def agents_of(self, game: str) -> Mapping[str, Mapping[str, Any] | None]:
        """The names of agents for a game, and the parameters that each was made for; None if it plays all."""

    def make(self, name: str, game: Game) -> Agent:
        """One of them; ValueError if it cannot play this game."""


class Shelf:
    """What there is to play."""

    def __init__(self, roster: Roster | None = None) -> None:
        """Offer the agents that come with the package, and those of a roster."""
        self._roster = roster
        self._began: dict[str, float] = {}
        self._ready: dict[str, asyncio.Future[None]] = {}
        self._compiler = ThreadPoolExecutor(1, "compile")

    def agents_of(self, name: str) -> dict[str, Mapping[str, Any] | None]:
        """The agents for a game, and the parameters that each was made for; None if it plays all."""
        return {**dict.fromkeys(offered(GAMES[name])), **(self._roster.agents_of(name) if self._roster else {})}

    def agent(self, name: Any, game: Game) -> Agent | None:
        """An agent by its name, None for a person; Refusal if it is not listed or cannot play the game."""
        if name == HUMAN:
            return None
        known = self.agents_of(game.name)
        if not isinstance(name, str) or name not in known:
            raise Refusal(422, f"{in_short(name)} is no agent here; possible are {', '.join([HUMAN, *known])}")
        try:
            if self._roster is None or name in offered(GAMES[game.name]):
                return built_in_agent(name, game)
            return self._roster.make(name, game)
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
    try:
        kind.check_names_no_file(params)
    except ParameterError as error:
        raise Refusal(422, str(error)) from None


def told(kind: GameType) -> dict[str, Any]:
    """What a page shows of a game before it is played."""
    return {
        "name": kind.name,
        "title": kind.title,
        "summary": kind.summary,
        "hidden": not kind.perfect_information,
        "teaches": kind.has_module("tutorial"),
        "cover": f"/covers/{kind.name}.svg" if cover_of(kind).is_file() else None,
        "parameters": [_parameter(parameter) for parameter in kind.parameters.values()],
    }


def cover_of(kind: GameType) -> Traversable:
    """The file of a game's picture, which need not exist."""
    return files(kind.package) / "cover.svg"


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
