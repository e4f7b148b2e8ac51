"""The games, agents and parameters that a page may request, and whether a game is compiled.

A page cannot name files: agents are those listed at the start, and parameters are values, or names that the game ships.
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
from edge_envs.web.responses import Wait

HUMAN = "human"
"""The name of a human player in requests."""
LINKED = "linked"
"""The name of a human player who follows a link, in requests that fill a seat."""


class Roster(Protocol):
    """Agents that a page may request, in addition to the built-in ones."""

    def agents_of(self, game: str) -> Mapping[str, Mapping[str, Any] | None]:
        """Return the agents for a game by name, each with the parameters that it was made for; None if it plays all."""

    def make(self, name: str, game: Game) -> Agent:
        """Make an agent.

        Raises:
            ValueError: if it cannot play this game.
        """


class Catalog:
    """The games and agents of a server."""

    def __init__(self, roster: Roster | None = None) -> None:
        """Offer the built-in agents, and those of a roster."""
        self._roster = roster
        self._began: dict[str, float] = {}
        self._ready: dict[str, asyncio.Future[None]] = {}
        self._compiler = ThreadPoolExecutor(1, "compile")

    def agents_of(self, name: str) -> dict[str, Mapping[str, Any] | None]:
        """Return the agents for a game by name, each with the parameters that it was made for; None if it plays all."""
        return {**dict.fromkeys(offered(GAMES[name])), **(self._roster.agents_of(name) if self._roster else {})}

    def agent(self, name: Any, game: Game) -> Agent | None:
        """Make an agent by its name, or return None for a human player.

        Raises:
            Refusal: if the agent is not listed or cannot play the game.
        """
        if name in (HUMAN, LINKED):
            return None
        known = self.agents_of(game.name)
        if not isinstance(name, str) or name not in known:
            raise Refusal(422, f"unknown agent {in_short(name)} (choose from {', '.join([HUMAN, *known])})")
        try:
            if self._roster is None or name in offered(GAMES[game.name]):
                return built_in_agent(name, game)
            return self._roster.make(name, game)
        except ValueError as error:
            raise Refusal(422, str(error)) from None

    def close(self) -> None:
        """Wait until nothing is compiled any more."""
        self._compiler.shutdown(cancel_futures=True)

    # Compiling

    def readiness(self, name: str) -> dict[str, Any]:
        """Return whether a game is `cold`, `compiling` (and for how long), `ready`, or `failed` (and why)."""
        future = self._ready.get(name)
        if future is None:
            return {"state": "cold"}
        if not future.done():
            return {"state": "compiling", "seconds": round(time.monotonic() - self._began[name], 1)}
        error = future.exception()
        return {"state": "ready"} if error is None else {"state": "failed", "error": f"{type(error).__name__}: {error}"}

    async def prepare(self, name: str, patience: float = 1.5) -> bool:
        """Start to compile a game in a thread, and return whether it is ready after `patience` seconds."""
        future = self._ready.get(name)
        if future is None or (future.done() and future.exception() is not None):
            future = asyncio.get_running_loop().run_in_executor(self._compiler, _use, name)
            self._began[name], self._ready[name] = time.monotonic(), future
        await asyncio.wait([future], timeout=patience)
        return future.done() and future.exception() is None


async def prepare(catalog: Catalog, kind: GameType) -> None:
    """Wait a short time until a game is compiled.

    Raises:
        Wait: if it takes longer.
        Refusal: if the game cannot be compiled.
    """
    if await catalog.prepare(kind.name):
        return
    readiness = catalog.readiness(kind.name)
    if readiness["state"] == "failed":
        raise Refusal(422, f"{kind.name} cannot be compiled: {readiness['error']}")
    raise Wait(f"{kind.name} is being compiled, which takes up to a minute the first time")


def _use(name: str) -> None:
    """Use a game briefly, so that it is compiled."""
    from edge_envs.warming import use_state

    use_state(name)
    GAMES[name].module("picture")


def game_type(name: Any) -> GameType:
    """Return a game by its name.

    Raises:
        Refusal: if the game does not exist.
    """
    if not isinstance(name, str) or name not in GAMES:
        raise Refusal(422, f"unknown game {in_short(name)} (choose from {', '.join(GAMES)})")
    return GAMES[name]


def make_game(kind: GameType, params: Any) -> Game:
    """Make a game with parameters that do not name a file.

    Raises:
        Refusal: if the parameters are invalid.
    """
    check_names_no_file(kind, params)
    try:
        return Game(kind, params)
    except ValueError as error:
        raise Refusal(422, str(error)) from None


def check_names_no_file(kind: GameType, params: Any) -> None:
    """Reject parameters that would make the server read a file."""
    if not isinstance(params, dict):
        raise Refusal(422, f"params: {in_short(params)} is not a JSON object")
    try:
        kind.check_names_no_file(params)
    except ParameterError as error:
        raise Refusal(422, str(error)) from None


def describe_game(kind: GameType) -> dict[str, Any]:
    """Describe a game for the page, before it is played."""
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
    """Return the file of a game's cover picture, which may not exist."""
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
