"""Agents that a Python function returns: `module:function`, called with the game.

Their output goes to stderr, because stdout belongs to the main program. If one changes the working directory, the
change lasts for its own code only, because the main program writes files there.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

import numpy as np

from agents.external.reasons import AgentError, Late, reason_of
from edge_envs import Game
from edge_envs.core.opponent import Opponent, action_numbers, check_made_for
from edge_envs.core.spec import Array, Records

_NAME = re.compile(r"(?!\d)\w+(\.(?!\d)\w+)*:(?!\d)\w+")
_FOLDERS: dict[str, str] = {}
"""Working directories of agents that changed theirs, by module."""


class ObjectAgent:
    """Wraps the object that a function returned, which has the method `act` of `edge_envs.Opponent`."""

    external = True

    def __init__(self, name: str, made: Opponent) -> None:
        self.name = name
        self.needs_states = bool(getattr(made, "needs_states", False))
        self._made = made

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Return the object's answer. AgentError if it fails."""
        try:
            with _code_of(self.name, loading=False):
                answer = self._made.act(observations, action_masks, states, players, rng)
                return action_numbers(answer, len(players), f"actions of agent {self.name}")  # runs code of its objects
        except (KeyboardInterrupt, Late):
            raise
        except BaseException as error:  # also asyncio.CancelledError and others that are not an Exception
            raise AgentError(self.name, reason_of(error)) from error


def is_object(name: str) -> bool:
    """Return whether a name has the form `module:function`."""
    return _NAME.fullmatch(name) is not None


def check_object(name: str) -> None:
    """Raise ValueError if the module or the function does not exist."""
    _function(name)


def make_object(name: str, game: Game) -> ObjectAgent:
    """Call a function with the game and wrap the agent that it returns; ValueError if it is invalid."""
    function = _function(name)
    try:
        with _code_of(name):
            made = function(game)
            agent = ObjectAgent(name, made) if isinstance(made, Opponent) else None  # both read its attributes
            check_made_for(made, game)
    except (Exception, SystemExit) as error:
        raise AgentError(name, reason_of(error)) from error
    if agent is None:
        raise ValueError(f"{name}: returned a {type(made).__name__}, which has no method act")
    return agent


def module_files(name: str) -> list[Path]:
    """Return the file of the function's module, without importing it; an empty list if it has no file."""
    within, spec = None, None
    module = name.partition(":")[0].split(".")
    for depth in range(len(module)):
        spec = PathFinder.find_spec(".".join(module[: depth + 1]), within)
        within = spec.submodule_search_locations if spec else []
    return [Path(spec.origin)] if spec and spec.origin and Path(spec.origin).is_file() else []


@contextmanager
def _code_of(name: str, loading: bool = True) -> Iterator[None]:
    """Run code of an agent, with its output on stderr, and in the working directory that its module had last.

    After `loading`, only modules that have changed theirs get their own, because other agents may run in other threads,
    and the directory is that of the process.
    """
    module = name.partition(":")[0]
    if not (loading or module in _FOLDERS):
        with redirect_stdout(sys.stderr):
            yield
        return
    ours = _working_directory()
    try:
        if module in _FOLDERS:
            with suppress(OSError):  # it may have been removed
                os.chdir(_FOLDERS[module])
        with redirect_stdout(sys.stderr):
            yield
    finally:
        theirs = _working_directory()
        _FOLDERS.pop(module, None)
        if ours is not None and theirs != ours:
            os.chdir(ours)
            if theirs is not None:
                _FOLDERS[module] = theirs


def _working_directory() -> str | None:
    """Return the working directory; None if it was removed."""
    with suppress(OSError):
        return os.getcwd()
    return None


def _function(name: str) -> Any:
    module, _, entry = name.partition(":")
    try:
        with _code_of(name):
            found = getattr(importlib.import_module(module), entry, None)
    except (Exception, SystemExit) as error:  # the module may raise anything
        raise ValueError(f"unknown agent {name!r}: {reason_of(error)}") from error
    if not callable(found):
        raise ValueError(f"unknown agent {name!r}: the module {module} has no function {entry}")
    return found
