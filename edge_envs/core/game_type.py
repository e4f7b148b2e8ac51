"""`GameType`: the fact sheet of a game, and access to the modules of its folder."""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from edge_envs.core.errors import ParameterError, did_you_mean, in_short
from edge_envs.core.spec import Parameter, Records, Variant
from edge_envs.moved import MovedAttribute

if TYPE_CHECKING:
    from edge_envs.core.solver import Solver
    from edge_envs.core.values import Values

LEVELS = ("random", "noisy:0.5", "noisy:0.25", "noisy:0.1", "heuristic")
"""Agents that every game has, each stronger than the one before."""


class GameType:
    """The fact sheet of a game, and the way to the modules of its folder, which are imported on first use.

    The folder `package` holds, by these names:

    | module | what it defines |
    |---|---|
    | `state` | `STATE` dtype; `set_params(record, params)`, whose result, if any, a `Game` holds for its records |
    | `position` | `to_dict(record)`, `from_dict(record, d)` of a position without `game` and `params`, raising InvalidPositionError |
    | `draw` | `picture(record)`: what is public as text; with imperfect information `picture(record, viewer=None)`: what a player sees, and `private(record, viewer)`: the lines of it that no other sees |
    | `picture` | `size(params)`: width and height of the drawn picture, the same for all positions; `paint(record, canvas, viewer=None)`: what a player or the public sees, on a `Canvas`; `ways(record)`: for each legal action the keys of the places that are clicked for it, in order, so that no way begins another; `task(record)`: in one sentence, what the player to act is to do and where to click; `label(key)`: the text of a button for a key that has no place in the picture, else None; `caption(params)`: where a line of text has room: x, its base line y, and its width |
    | `actions` | `action_to_string(record, action)`: the text of a decision or, at a chance node, an outcome; with imperfect information also `action_as_seen(record, action, viewer)`: as a player, or the public (None), sees it |
    | `narration` | `result(record)`: at the end, who won, by how much and why, in one or two sentences; `events(before, action, after)`, with imperfect information `events(before, action, after, viewer)`: a list of full sentences for what happened in a transition beyond the text of its action, as far as `viewer` sees it (None: the public; `REVEALED`: everything); `subject(record)`: at a chance node the seat that rolls, draws or spins, or None; a game without the module has no events |
    | `rules`, `observation`, `heuristic` | the functions of `Kernels`; `rules` has `turn_of`, `observation` has `read_observation` |
    | `heuristic` | optional: `VALUES`, what the value kernels mean, a `Values` |
    | `heuristics.v0`, … | earlier versions of the module `heuristic`: all of `heuristics` but the last |
    | `features` | optional: what networks are shown in place of the plain observation, see `edge_envs.core.features` |
    | `solver` | optional: the exact solution, a `Solver` |
    | `short_rules` | optional: `text(params)`, the rules in at most 2,500 characters, as they are with these parameters; `NAMES`, the words in texts that may have other names in a disguise, see `edge_envs.text` |
    | `tutorial` | optional: `TUTORIAL`, a scripted game that teaches the rules, a `Tutorial` |
    | `editor` | optional: `EDITOR`, which makes positions, or values of a parameter, by clicks, an `Editor`; for positions, `position` has `sketch(record, d)` too, which writes what has the form of a position, legal or not |
    | `rules` | `spec(params)`: the sizes, a `Spec`; `MAX_CHANCE_OUTCOMES`: the most over all parameters |
    | `observation` | `layout(params)`: what an observation holds, a `Layout` |
    """  # noqa: E501  a table row is one line

    def __init__(
        self,
        package: str,
        *,
        version: int,
        title: str,
        parameters: Sequence[Parameter],
        perfect_information: bool,
        summary: str,
        heuristics: Sequence[str] = ("v0",),
        variants: Sequence[Variant] = (),
    ) -> None:
        self.package = package
        self.name = package.rpartition(".")[2]
        self.version = version
        self.title = title
        self.parameters: Mapping[str, Parameter] = MappingProxyType({p.name: p for p in parameters})
        self.perfect_information = perfect_information
        self.summary = summary
        self.heuristics = tuple(heuristics)
        self.heuristic = self.heuristics[-1]
        named = {"": Variant("", {}), **{variant.name: variant for variant in variants}}
        self.variants: Mapping[str, Variant] = MappingProxyType(
            {f"{self.name}_{name}" if name else self.name: variant for name, variant in named.items()}
        )
        """The named sets of parameters by their whole names, the defaults first."""

    def module(self, name: str) -> ModuleType:
        """A module of the game's folder."""
        if name == "heuristic" and self.earlier:
            name = f"heuristics.{self.earlier}"
        return importlib.import_module(f"{self.package}.{name}")

    @property
    def earlier(self) -> str:
        """The version of the built-in player if it is an earlier one, else empty."""
        return "" if self.heuristic == self.heuristics[-1] else self.heuristic

    @functools.cache  # noqa: B019  a game's type lives as long as the process
    def with_heuristic(self, version: str) -> GameType:
        """The same game with this version of its heuristic as the built-in player; ValueError if there is none."""
        if version not in self.heuristics:
            raise ValueError(f"{self.name} has no heuristic {version!r}; possible are {', '.join(self.heuristics)}")
        if version == self.heuristic:
            return self
        other = GameType(
            self.package,
            version=self.version,
            title=self.title,
            parameters=tuple(self.parameters.values()),
            perfect_information=self.perfect_information,
            summary=self.summary,
            heuristics=self.heuristics,
            variants=tuple(self.variants.values()),
        )
        other.heuristic = version
        return other

    @property
    def folder(self) -> Path:
        """Where the game's sources lie; its kernels are cached under a hash of them."""
        return Path(self.module("rules").__file__ or "").resolve().parent

    @property
    def state_dtype(self) -> np.dtype[Any]:
        """The dtype of a state record."""
        return self.module("state").STATE

    @functools.cached_property
    def values(self) -> Values | None:
        """What the game's value kernels mean; None if it has none."""
        return getattr(self.module("heuristic"), "VALUES", None)

    @property
    def has_score(self) -> bool:
        """Whether players have a number at any node that tells who is ahead, and turns are told apart."""
        rules = self.module("rules")
        return all(getattr(rules, name, None) is not None for name in ("score", "turn_of"))

    @functools.cached_property
    def solver(self) -> Solver | None:
        """The exact solver of the game; None if it is not solved."""
        if not self.has_module("solver"):
            return None
        solver: Any = self.module("solver")
        return solver

    @functools.cached_property
    def tutorial(self) -> Any:
        """The scripted game that teaches the rules; None if there is none."""
        return self.module("tutorial").TUTORIAL if self.has_module("tutorial") else None

    @functools.cached_property
    def editor(self) -> Any:
        """What makes positions, or values of a parameter, by clicks on a picture; None if the game has no editor."""
        if not self.has_module("editor"):
            return None
        return self.module("editor").EDITOR

    def has_module(self, name: str) -> bool:
        """Whether the game's folder has an optional module."""
        return importlib.util.find_spec(f"{self.package}.{name}") is not None

    kernels = MovedAttribute("edge_envs.core.compiled.compiled_game", "Game.compiled.declared")
    ruleset = MovedAttribute("edge_envs.core.compiled.compiled_game", "Game.compiled.kernels")
    loops = MovedAttribute("edge_envs.core.compiled.compiled_game", "Game.compiled.loops")
    seat_loops = MovedAttribute("edge_envs.core.compiled.compiled_game", "Game.compiled.seat_loops")
    value_loops = MovedAttribute("edge_envs.core.compiled.compiled_game", "Game.compiled.value_loops")

    def new_records(self, count: int) -> Records:
        """Return `count` zeroed state records."""
        return np.zeros(count, self.state_dtype)

    def check_params(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters with their values; ParameterError names an unknown one, or a value that is not possible."""
        unknown = sorted(set(params) - set(self.parameters))
        if unknown:
            # "unexpected keyword argument" are Python's own words, by which libraries know what to leave out
            raise ParameterError(
                f"{self.name} has no parameter {unknown[0]!r} and got an unexpected keyword argument {unknown[0]!r}; "
                f"possible are: {', '.join(self.parameters)}{did_you_mean(unknown[0], self.parameters)}"
            )
        return {name: p.check(self.name, params.get(name, p.default)) for name, p in self.parameters.items()}

    def check_names_no_file(self, params: Mapping[str, Any]) -> None:
        """ParameterError if a parameter is the path of a file: what others have written opens no files here."""
        for name, parameter in self.parameters.items():
            value = params.get(name)
            if parameter.shipped is not None and isinstance(value, str) and value not in parameter.shipped:
                possible = ", ".join(parameter.shipped)
                raise ParameterError(
                    f"{name}: {in_short(value)} does not come with the game, and no file is opened for it; "
                    f"possible are {possible}, or what is in the file"
                )

    def format_params(self, params: Mapping[str, Any]) -> list[str]:
        """Parameters, known or not, as texts like `num_players=2`."""
        known = self.parameters
        return [
            f"{name}={known[name].format_value(value) if name in known else in_short(value)}"
            for name, value in params.items()
        ]

    def __repr__(self) -> str:
        return f"<GameType {self.name}-v{self.version}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _game_type, (self.package, self.heuristic)


def _game_type(package: str, heuristic: str) -> GameType:
    game_type: GameType = importlib.import_module(package).GAME
    return game_type.with_heuristic(heuristic)
