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

from edge_envs.core.cells import NO_MEMORY
from edge_envs.core.errors import ParameterError, did_you_mean, in_short
from edge_envs.core.spec import Parameter, Records, Variant
from edge_envs.moved import MovedAttribute

if TYPE_CHECKING:
    from edge_envs.core.cells import CellLayout
    from edge_envs.core.solver import Solver
    from edge_envs.core.values import Values

LEVELS = ("random", "noisy:0.5", "noisy:0.25", "noisy:0.1", "heuristic")
"""Agents of every game, in rising strength."""


class GameType:
    """The fact sheet of a game, and access to the modules of its folder, which are imported on first use.

    The folder `package` has these modules:

    | module | defines |
    |---|---|
    | `state` | the dtype `STATE`; `set_params(record, params)`, whose result, if any, a `Game` keeps alive for its records |
    | `position` | `to_dict(record)`, `from_dict(record, d)` of a position without `game` and `params`; raises InvalidPositionError; optional: `RESET_OPTIONS`, for each further key of the options of `reset` the function `(record, value)` that writes it into a new game |
    | `draw` | `picture(record)`: the public position as a string; with imperfect information `picture(record, viewer=None)`: the viewer's view, and `private(record, viewer)`: the lines that only the viewer sees |
    | `picture` | `size(params)`: width and height of the drawn picture, the same for all positions; `paint(record, canvas, viewer=None)`: draw the view of a player or of the public on a `Canvas`; `ways(record)`: for each legal action the keys of the places to click for it, in order, none being the beginning of another; `task(record)`: one sentence that says what to do and where to click; `label(key)`: the text of the button for a key without a place in the picture, else None; `caption(params)`: the place for a line of text: x, base line y, and width |
    | `actions` | `action_to_string(record, action)`: the string of a decision or, at a chance node, of an outcome; with imperfect information also `action_as_seen(record, action, viewer)`: the same as a player, or the public (None), sees it |
    | `narration` | optional: `result(record)`: at the end, one or two sentences on the winner, the margin and the reason; `events(before, action, after)`, with imperfect information `events(before, action, after, viewer)`: a list of full sentences about the consequences of a transition, as far as `viewer` sees them (None: the public; `REVEALED`: everything); `scores(record)` (optional): at the end, the score table: for each heading a list with a string for each player; `subject(record)`: at a chance node the seat that rolls, draws or spins, or None |
    | `rules` | the functions of `Kernels` that follow the rules, with `turn_of`; `spec(params)`: the sizes, a `Spec`; `MAX_CHANCE_OUTCOMES`: the maximum over all parameters |
    | `observation` | the functions of `Kernels` that write and read observations; `layout(params)`: the layout of an observation, a `Layout` |
    | `heuristic` | the kernel `heuristic`; optional: the value kernels, and `VALUES`, their meaning, a `Values` |
    | `heuristics.v0`, … | earlier versions of the module `heuristic`: all of `heuristics` except the last |
    | `cells` | optional: `cell_layout(params)` and the kernel `cells`, for n-tuple networks; also the kernel `cells_with` and the dtype `MEMORY` of a record, see `edge_envs.core.cells` |
    | `turns` | optional: the kernel `turns`, which lists whole turns, see `edge_envs.core.turn_tree` |
    | `features` | optional: features for networks in place of the plain observation, see `edge_envs.core.features` |
    | `solver` | optional: the exact solution, a `Solver` |
    | `short_rules` | optional: `text(params)`, the rules with these parameters in at most 2,500 characters; `NAMES`, the words that a disguise replaces, see `edge_envs.text` |
    | `tutorial` | optional: `TUTORIAL`, a scripted game that teaches the rules, a `Tutorial` |
    | `editor` | optional: `EDITOR`, an `Editor` for positions or for values of a parameter; for positions, `position` also has `sketch(record, d)`, which writes anything in the form of a position, legal or not |

    Args:
        package: The name of the game's package; its last part is the game's name.
        version: The N of the id `edge_envs/<game>-vN`.
        title: The name that is shown to users.
        parameters: The parameters, in the order in which they are shown.
        perfect_information: Whether players see the whole position.
        summary: A phrase about the game, for lists.
        heuristics: The versions of the heuristic, the current one last.
        variants: Named sets of parameters.
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
        """The named sets of parameters by their full names, the defaults first."""

    def module(self, name: str) -> ModuleType:
        """Import a module of the game's folder."""
        if name == "heuristic" and self.earlier:
            name = f"heuristics.{self.earlier}"
        return importlib.import_module(f"{self.package}.{name}")

    @property
    def earlier(self) -> str:
        """The version of the heuristic if it is an earlier one, else empty."""
        return "" if self.heuristic == self.heuristics[-1] else self.heuristic

    @functools.cache  # noqa: B019  a game's type lives as long as the process
    def with_heuristic(self, version: str) -> GameType:
        """Return the same game with another version of its heuristic.

        Raises:
            ValueError: if the game does not have this version.
        """
        if version not in self.heuristics:
            raise ValueError(f"unknown heuristic {version!r} of {self.name} (choose from {', '.join(self.heuristics)})")
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
        """The folder of the game's sources; its kernels are cached under a hash of them."""
        return Path(self.module("rules").__file__ or "").resolve().parent

    @property
    def state_dtype(self) -> np.dtype[Any]:
        """The dtype of a state record."""
        return self.module("state").STATE

    def layout_of(self, records: Records) -> Mapping[str, Any]:
        """Return by name the parameters (k,) of state records (k,) on which the sizes of arrays depend."""
        own = getattr(self.module("state"), "layout_of", None)
        if own is None:
            return {name: records[name] for name in ("num_players",) if name in (records.dtype.names or ())}
        layout: Mapping[str, Any] = own(records)
        return layout

    @property
    def most_chance_outcomes(self) -> int:
        """The largest number of chance outcomes over all parameters."""
        most: int = self.module("rules").MAX_CHANCE_OUTCOMES
        return most

    @functools.cached_property
    def values(self) -> Values | None:
        """The meaning of the game's value kernels; None if it does not have any."""
        return getattr(self.module("heuristic"), "VALUES", None)

    @property
    def has_score(self) -> bool:
        """Whether the game declares the kernels `score` and `turn_of`."""
        rules = self.module("rules")
        return all(getattr(rules, name, None) is not None for name in ("score", "turn_of"))

    @functools.cached_property
    def solver(self) -> Solver | None:
        """The game's exact solver; None if the game is not solved."""
        if not self.has_module("solver"):
            return None
        solver: Any = self.module("solver")
        return solver

    @functools.cached_property
    def tutorial(self) -> Any:
        """The scripted game that teaches the rules, an `edge_envs.core.interactive.tutorials.Tutorial`, or None."""
        return self.module("tutorial").TUTORIAL if self.has_module("tutorial") else None

    @functools.cached_property
    def editor(self) -> Any:
        """The editor of positions or parameter values, an `edge_envs.core.interactive.editor.Editor`, or None."""
        if not self.has_module("editor"):
            return None
        return self.module("editor").EDITOR

    def cell_layout(self, params: Mapping[str, Any]) -> CellLayout | None:
        """Return the layout of the cells with these parameters, or None if the game has no cells."""
        if not self.has_module("cells"):
            return None
        layout: CellLayout = self.module("cells").cell_layout(params)
        return layout

    def new_cell_memory(self) -> Records:
        """Return the memory (1,) of the kernel `cells_with`, or of nothing if the game omits it."""
        module = self.module("cells") if self.has_module("cells") else None
        return np.zeros(1, getattr(module, "MEMORY", NO_MEMORY))

    def has_module(self, name: str) -> bool:
        """Return whether the game's folder has an optional module."""
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
        """Return all parameters with their values, defaults included.

        Raises:
            ParameterError: if a name is unknown or a value is invalid.
        """
        unknown = sorted(set(params) - set(self.parameters), key=str)
        if unknown:
            # libraries look for "unexpected keyword argument", Python's own words, to find out what to leave out
            raise ParameterError(
                f"{self.name}: unknown parameter {unknown[0]!r} (an unexpected keyword argument {unknown[0]!r}; "
                f"choose from {', '.join(self.parameters)}){did_you_mean(unknown[0], self.parameters)}"
            )
        return {name: p.check(self.name, params.get(name, p.default)) for name, p in self.parameters.items()}

    def check_names_no_file(self, params: Mapping[str, Any]) -> None:
        """Check that no parameter is a file path, because input from untrusted sources must not open files.

        Raises:
            ParameterError: if a parameter is a file path.
        """
        for name, parameter in self.parameters.items():
            value = params.get(name)
            if parameter.is_file(value):
                possible = ", ".join(parameter.shipped or ())
                raise ParameterError(
                    f"{name}: {in_short(value)} does not ship with the game, and files are not opened here; "
                    f"choose from {possible}, or pass the content of the file"
                )

    def format_params(self, params: Mapping[str, Any]) -> list[str]:
        """Return parameters, known or not, as strings such as `num_players=2`."""
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
