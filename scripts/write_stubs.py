"""Write `edge_envs/makers.pyi`, from which type checkers and editors know the games and the parameters of each.

    python scripts/write_stubs.py

Names may be computed, and there may be games from elsewhere, so any name is taken with any parameters. But where code
names a game and gives it what it does not take, the call counts as deprecated: editors strike it out and say why, and
`mypy --enable-error-code deprecated` refuses it.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import edge_envs
from agents.common.console import run
from edge_envs import GameType, makers
from edge_envs.core.spec import Parameter

STUBS = Path(makers.__file__).with_suffix(".pyi")
HEAD = '''\
"""What `makers.py` makes, game by game. Written by `scripts/write_stubs.py`."""

import os
from collections.abc import Mapping
from typing import Any, Literal, overload

from typing_extensions import deprecated

from edge_envs.core.game import Game
from edge_envs.envs.aec import GameAECEnv
from edge_envs.envs.opponents import Opponents
from edge_envs.envs.parallel import GameParallelEnv
from edge_envs.envs.sb3 import SeatVecEnv
from edge_envs.envs.seat import SeatEnv, SeatVectorEnv
from edge_envs.envs.vector import GameVectorEnv

GameName = Literal[{names}]
'''
WRONG = "the game has no such parameters, or they have other types"


def main() -> None:
    """Write `edge_envs/makers.pyi`, from which type checkers and editors know the games and the parameters of each."""
    from agents.common.files import write_whole

    write_whole(STUBS, stubs(shipped()))


def shipped() -> list[GameType]:
    """The games of this package, without those that were enrolled from elsewhere."""
    return [game_type for game_type in edge_envs.GAMES.values() if game_type.package.startswith("edge_envs.")]


def stubs(games: Sequence[GameType]) -> str:
    """The text of the file for these games, in ruff's format."""
    names = ", ".join(repr(name) for game_type in games for name in game_type.variants)
    functions = [f for f in vars(makers).values() if inspect.isfunction(f) and f.__module__ == makers.__name__]
    lines = [HEAD.format(names=names), *(line for function in functions for line in _overloads(function, games))]
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(STUBS), "-"]
    return subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True).stdout


def _overloads(function: Callable[..., Any], games: Sequence[GameType]) -> Iterator[str]:
    """The signatures of a function: each game and variant, any of these without parameters or with wrong ones, any.

    Without parameters it is for a name in a variable.
    """
    arguments = inspect.signature(function).parameters.values()
    shared = [_argument(one) for one in arguments if one.kind is one.KEYWORD_ONLY]
    for game_type in games:
        for name, variant in game_type.variants.items():
            own = [_parameter(parameter, variant.params) for parameter in game_type.parameters.values()]
            yield _overload(function, f"Literal[{name!r}]", ["*", *shared, *own])
    rest = ["*", *shared, "**params: Any"] if shared else ["**params: Any"]
    yield _overload(function, "GameName", ["*", *shared] if shared else [])
    yield _overload(function, "GameName", rest, f"@deprecated({WRONG!r})\n")
    yield _overload(function, "str", rest)


def _overload(function: Callable[..., Any], names: str, arguments: Sequence[str], mark: str = "") -> str:
    made = inspect.signature(function).return_annotation
    return f"@overload\n{mark}def {function.__name__}({', '.join([f'name: {names}', *arguments])}) -> {made}: ..."


def _argument(argument: inspect.Parameter) -> str:
    """An argument that all games share."""
    default = "" if argument.default is argument.empty else f" = {argument.default!r}"
    return f"{argument.name}: {argument.annotation}{default}"


def _parameter(parameter: Parameter, settled: Mapping[str, Any]) -> str:
    """A parameter of a game; one that the name settles has this value alone."""
    if parameter.name in settled:
        value = settled[parameter.name]
        return f"{parameter.name}: Literal[{value!r}] = {value!r}"
    default = "..." if parameter.type is dict else repr(parameter.default)
    return f"{parameter.name}: {parameter.annotation} = {default}"


if __name__ == "__main__":
    run(main)
