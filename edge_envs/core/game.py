"""What a game declares (`GameType`) and a game with its parameters chosen (`Game`)."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from edge_envs.core.errors import InvalidPositionError, ParameterError, did_you_mean, in_short
from edge_envs.core.nodes import REVEALED
from edge_envs.core.numbers import integer_of
from edge_envs.core.position import check_values
from edge_envs.pictures.canvas import Canvas

if TYPE_CHECKING:
    from edge_envs.core.batch import Loops
    from edge_envs.core.editing import Editor
    from edge_envs.core.proofs import Hints
    from edge_envs.core.ruleset import Ruleset
    from edge_envs.core.seat_loops import SeatLoops
    from edge_envs.core.solve import Solver
    from edge_envs.core.state import State
    from edge_envs.core.tutorials import Tutorial
    from edge_envs.core.value_loops import ValueLoops
    from edge_envs.core.values import Values

Record = Any  # one np.record of a game's state dtype; numpy's types cannot express its fields
Records = Any  # an array of them
Array = np.ndarray[Any, np.dtype[Any]]

CAPTION_SIZE = 11.5
"""Of the line of text below the headline of a drawing."""

LEVELS = ("random", "noisy:0.5", "noisy:0.25", "noisy:0.1", "heuristic")
"""Agents that every game has, each stronger than the one before."""

SEEDS = 2**64
"""How many seeds there are: 0 to 2**64 - 1."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a game: its type, default and what is possible."""

    name: str
    type: type
    default: Any
    description: str
    low: int | None = None
    high: int | None = None
    choices: tuple[Any, ...] = ()
    gives_meaning: bool = False
    """Its value settles what ids of actions and entries of observations stand for, not only how many there are."""
    shipped: tuple[str, ...] | None = None
    """Names of values that come with the game, where any other text is the path of a file; None if no text is one."""

    @property
    def possible(self) -> str:
        """The values that are accepted, in words."""
        if self.type is bool:
            return "True or False"
        if self.choices:
            return ", ".join(repr(choice) for choice in self.choices)
        return f"an integer from {self.low} to {self.high}"

    @property
    def annotation(self) -> str:
        """The values that are accepted, as type checkers read them."""
        return f"Literal[{', '.join(map(repr, self.choices))}]" if self.choices else self.type.__name__

    def check(self, game: str, value: Any) -> Any:
        """The value as the parameter's own type; ParameterError if it is not possible."""
        error = ParameterError(f"{game}: {self.name}={in_short(value)} is not possible; it must be {self.possible}")
        if self.choices:
            if not isinstance(value, self.type) or value not in self.choices:
                raise error
            return value
        if self.type is bool:
            if not isinstance(value, bool | np.bool_):
                raise error
            return bool(value)
        number = integer_of(value)
        if number is None:
            raise error
        if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
            raise error
        return number

    def format_value(self, value: Any) -> str:
        """A value, possible or not, in few words."""
        return in_short(value)

    def same(self, one: Any, other: Any) -> bool:
        """Whether two possible values mean the same."""
        return bool(one == other)


@dataclass(frozen=True)
class Variant:
    """Parameters of a game that have a name together: `8x8` of `beyond_maps` is `beyond_maps_8x8`.

    The name may be empty: then these are the game's own defaults.
    """

    name: str
    params: Mapping[str, Any]
    above: tuple[str, ...] = ()
    """Agents that are stronger here than the last of `LEVELS`, each stronger than the one before."""


@dataclass(frozen=True)
class ObservationField:
    """A named slice of the observation's first axis (a range of entries, or of planes)."""

    name: str
    size: int
    low: int
    high: int
    description: str


@dataclass(frozen=True)
class Layout:
    """What an observation holds: its fields in order along the first axis, and the board that planes cover."""

    fields: tuple[ObservationField, ...]
    board_shape: tuple[int, ...] = ()
    dtype: type = np.int8


@dataclass(frozen=True)
class Spec:
    """The sizes of a game with its parameters chosen."""

    num_distinct_actions: int
    max_chance_outcomes: int
    max_game_length: int | None
    min_utility: float
    max_utility: float
    utility_sum: float | None
    """What the returns of all players add up to at every end: 0 in a zero-sum game; None if that differs."""


@dataclass(frozen=True)
class Kernels:
    """The compiled rules of a game. All fill or change in place, allocate nothing and trust the caller.

    | kernel | promise |
    |---|---|
    | `new_game(state)` | writes every field but the parameters and `rng`, the generator's word |
    | `current_player(state)` | seat to act, `CHANCE` or `TERMINAL` |
    | `legal_action_mask(state, out)` | at a decision: fills `out` (num_distinct_actions,) with 0 and 1, some 1 |
    | `chance_probabilities(state, out)` | at a chance node: fills `out` (max_chance_outcomes,), summing to 1 |
    | `apply(state, action)` | one decision or one chance outcome |
    | `observe(state, player, out)` | fills all of `out` from what `player` may know, at any node |
    | `rewards(state, out)` | fills `out` (num_players,) with the rewards of the last transition |
    | `heuristic(state)` | the action of a sensible player, using only what the player to act may know |
    | `sample_chance(state)` | optional: an outcome drawn with `state.rng`, as `chance_probabilities` has it |
    | `random_action(state, bits)` | optional: a uniform legal action from 64 random bits, faster than by the mask |
    | `resample(state, player)` | with imperfect information: redraws with `state.rng` what `player` cannot know |
    | `score(state, player)` | optional: a number for each player at any node; at the end who has most of it has won |

    The last four are the value contract: a game has all of them, and `VALUES` in its module `heuristic`, or none.

    | kernel | promise |
    |---|---|
    | `action_values(state, weights, values)` | at a decision: fills `values` (num_distinct_actions,) with what each action is worth to the player to act, from what that player may know; -inf where it is illegal or not considered, and some finite. `heuristic` takes the greatest by the default weights, of several the lowest id |
    | `position_features(state, player, viewer, weights, out)` | at any node: fills `out` with numbers about the position of `player`, as far as `viewer` knows, which mean the same in all positions |
    | `read_observation(observation, state)` | writes into a state, whose parameters are set, a position that agrees with an observation; returns the viewer's seat in it |
    | `turn_of(state)` | a number that differs between a turn and the next |
    """  # noqa: E501  a table row is one line

    new_game: Callable[..., Any]
    current_player: Callable[..., Any]
    legal_action_mask: Callable[..., Any]
    chance_probabilities: Callable[..., Any]
    apply: Callable[..., Any]
    observe: Callable[..., Any]
    rewards: Callable[..., Any]
    heuristic: Callable[..., Any]
    sample_chance: Callable[..., Any] | None
    random_action: Callable[..., Any] | None
    resample: Callable[..., Any] | None
    score: Callable[..., Any] | None
    action_values: Callable[..., Any] | None
    position_features: Callable[..., Any] | None
    read_observation: Callable[..., Any] | None
    turn_of: Callable[..., Any] | None


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
    def kernels(self) -> Kernels:
        """The game's compiled rules."""
        from edge_envs.core.compilers import boundary

        rules, observation, heuristic = (self.module(name) for name in ("rules", "observation", "heuristic"))
        kernels = Kernels(
            new_game=rules.new_game,
            current_player=rules.current_player,
            legal_action_mask=rules.legal_action_mask,
            chance_probabilities=rules.chance_probabilities,
            apply=rules.apply,
            observe=observation.observe,
            rewards=rules.rewards,
            heuristic=heuristic.heuristic,
            sample_chance=getattr(rules, "sample_chance", None),
            random_action=getattr(rules, "random_action", None),
            resample=getattr(rules, "resample", None),
            score=getattr(rules, "score", None),
            action_values=getattr(heuristic, "action_values", None),
            position_features=getattr(heuristic, "position_features", None),
            read_observation=getattr(observation, "read_observation", None),
            turn_of=getattr(rules, "turn_of", None),
        )
        for kernel in vars(kernels).values():
            boundary(kernel)
        return kernels

    @functools.cached_property
    def ruleset(self) -> Ruleset:
        """The game's rules as loops use them, with ordinary kernels for what the game leaves out."""
        from edge_envs.core.ruleset import Ruleset

        return Ruleset.of(self)

    @functools.cached_property
    def values(self) -> Values | None:
        """What the game's value kernels mean; None if it has none."""
        return getattr(self.module("heuristic"), "VALUES", None)

    @property
    def has_score(self) -> bool:
        """Whether players have a number at any node that tells who is ahead, and turns are told apart."""
        return self.kernels.score is not None and self.kernels.turn_of is not None

    @functools.cached_property
    def solver(self) -> Solver | None:
        """The exact solver of the game; None if it is not solved."""
        if not self.has_module("solver"):
            return None
        solver: Any = self.module("solver")
        return solver

    @functools.cached_property
    def tutorial(self) -> Tutorial | None:
        """The scripted game that teaches the rules; None if there is none."""
        return self.module("tutorial").TUTORIAL if self.has_module("tutorial") else None

    @functools.cached_property
    def editor(self) -> Editor | None:
        """What makes positions, or values of a parameter, by clicks on a picture; None if the game has no editor."""
        if not self.has_module("editor"):
            return None
        editor: Editor = self.module("editor").EDITOR
        return editor

    def has_module(self, name: str) -> bool:
        """Whether the game's folder has an optional module."""
        return importlib.util.find_spec(f"{self.package}.{name}") is not None

    @functools.cached_property
    def loops(self) -> Loops:
        """The generic compiled loops, specialised to this game."""
        from edge_envs.core.batch import Loops

        return Loops.build(self.ruleset)

    @functools.cache  # noqa: B019  a game's type lives as long as the process
    def seat_loops(self, heuristic: bool) -> SeatLoops:
        """The compiled loops of the APIs with one learning seat, with or without the heuristic among the players."""
        from edge_envs.core.seat_loops import SeatLoops

        return SeatLoops.build(self.ruleset, heuristic)

    @functools.cached_property
    def value_loops(self) -> ValueLoops:
        """The compiled loops over the value kernels; ValueError if the game has none."""
        from edge_envs.core.value_loops import ValueLoops

        if self.values is None:
            raise ValueError(f"{self.name} does not tell what actions are worth")
        return ValueLoops.build(self)

    @functools.cache  # noqa: B019  a game's type lives as long as the process
    def prover_search(self, hints: Hints) -> Any:
        """The compiled search for proofs, see `edge_envs.core.proofs`."""
        from edge_envs.core.proofs import build_search

        return build_search(self, hints)

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


class Game:
    """A game with its parameters chosen: sizes, and the way to its states. Immutable; made by `load_game`."""

    def __init__(self, game_type: GameType, params: Mapping[str, Any]) -> None:
        self.type = game_type
        self.name = game_type.name
        self.params: Mapping[str, Any] = MappingProxyType(game_type.check_params(params))
        self._params_text = json.dumps(dict(self.params))  # copies a map faster than `copy.deepcopy`
        spec: Spec = game_type.module("rules").spec(self.params)
        self.num_players: int = self.params.get("num_players", 2)
        self.num_distinct_actions = spec.num_distinct_actions
        self.max_chance_outcomes = spec.max_chance_outcomes
        self.max_game_length = spec.max_game_length
        self.min_utility = spec.min_utility
        self.max_utility = spec.max_utility
        self.utility_sum = spec.utility_sum
        self.perfect_information = game_type.perfect_information
        layout: Layout = game_type.module("observation").layout(self.params)
        self.observation_layout = layout.fields
        self.observation_shape = (sum(field.size for field in layout.fields), *layout.board_shape)
        self.observation_dtype = np.dtype(layout.dtype)
        blank = new_records(game_type, 1)
        self._held = game_type.module("state").set_params(blank[0], self.params)
        self._blank = blank

    def with_heuristic(self, version: str) -> Game:
        """The same game with this version of its heuristic, such as `v0`; ValueError if there is none."""
        return Game(self.type.with_heuristic(version), self.params)

    @functools.cached_property
    def levels(self) -> tuple[str, ...]:
        """Agents that are opponents of rising strength: `level:1` is the first."""
        here = (v for v in self.type.variants.values() if self.type.check_params(v.params) == self.params)
        return LEVELS + next((variant.above for variant in here), ())

    def new_records(self, count: int) -> Records:
        """`count` state records with this game's parameters written, before `new_game`."""
        records = new_records(self.type, count)
        records[:] = self._blank[0]
        return records

    def new_initial_state(self, seed: int | None = None) -> State:
        """The start of a game; `seed` (0 to 2**64 - 1) fixes its chance, None draws one from the operating system."""
        from edge_envs.core.state import State

        return State.initial(self, seed)

    def state_from_dict(self, d: Mapping[str, Any], seed: int | None = None) -> State:
        """A position set up from JSON; InvalidPositionError names the key at fault."""
        from edge_envs.core.state import State

        return State.from_dict(self, d, seed)

    def records_from_dict(self, d: Mapping[str, Any]) -> Records:
        """An array of one state record from a position; InvalidPositionError names the key at fault."""
        return self._read(d, self.type.module("position").from_dict)

    def sketch_from_dict(self, d: Mapping[str, Any]) -> Records:
        """The same of what has the form of a position, legal or not: to be drawn, and not to be played on.

        For games that have an editor of positions.
        """
        return self._read(d, self.type.module("position").sketch)

    def _read(self, d: Mapping[str, Any], write: Callable[..., None]) -> Records:
        if not isinstance(d, Mapping):
            raise InvalidPositionError(f"a position is a JSON object, not {type(d).__name__}")
        check_values(d)
        if d.get("game") != self.name:
            raise InvalidPositionError(f"game: {in_short(d.get('game'))} is not {self.name!r}")
        params = d.get("params")
        if not isinstance(params, Mapping):
            raise InvalidPositionError(f"params: {in_short(params)} is not a JSON object")
        try:
            self.type.check_names_no_file(params)
        except ParameterError as error:
            raise InvalidPositionError(f"params: {error}") from None
        if difference := self.params_difference(params):
            raise InvalidPositionError(f"params: {difference}")
        records = self.new_records(1)
        self.type.loops.new_games(records)
        fields = {key: value for key, value in d.items() if key not in ("game", "params")}
        write(records[0], fields)
        return records

    def params_dict(self) -> dict[str, Any]:
        """The parameters as a plain dict, ready for JSON; a fresh one, also within."""
        return json.loads(self._params_text)

    def params_difference(self, params: Mapping[str, Any]) -> str:
        """In words, which parameters are not this game's, of equal types as JSON tells them apart; empty if all are."""
        own = self.params
        names = [name for name in {**own, **params} if not _same(name, params, own)]
        theirs, ours = ({name: p[name] for name in names if name in p} for p in (params, own))
        texts = [", ".join(self.type.format_params(p)) or "nothing" for p in (theirs, ours)]
        return f"{texts[0]} instead of this game's {texts[1]}" if names else ""

    def position(self, record: Record) -> dict[str, Any]:
        """The full record of a position as a dict that JSON can hold."""
        return {"game": self.name, "params": self.params_dict(), **self.type.module("position").to_dict(record)}

    def picture(self, record: Record, viewer: int | None = None) -> str:
        """What is public in a position, or what `viewer` sees of it, as text."""
        draw = self.type.module("draw")
        return draw.picture(record) if self.perfect_information else draw.picture(record, viewer)

    def svg(
        self,
        record: Record,
        viewer: int | None = None,
        *,
        keys: Collection[str] = (),
        last: Collection[str] = (),
        marked: Collection[str] = (),
        caption: str = "",
        theme: str = "light",
        outlines: bool = False,
    ) -> str:
        """What is public in a position, or what `viewer` sees of it, as a drawing in SVG.

        Places are named by keys, see `ways`: those of `last` and `marked` get a ring, those of `keys` an element for
        clicks. `caption` is a line of text, such as the last events. `theme` is `light` or `dark`; `outlines` draws
        letters as shapes, so that no font is needed. The size is the same for all positions of a game. ValueError if
        there is no such theme.
        """
        picture = self.type.module("picture")
        width, height = picture.size(self.params)
        canvas = Canvas(width, height, theme=theme, outlines=outlines, keys=keys, last=last, marked=marked)
        picture.paint(record, canvas, viewer)
        if caption:
            x, y, room = picture.caption(self.params)
            canvas.text(x, y, caption, size=CAPTION_SIZE, room=room)
        return str(canvas)

    def ways(self, record: Record) -> dict[int, tuple[str, ...]]:
        """At a decision, for each legal action the keys of the places in the drawing that are clicked for it, in order.

        No way begins another. A key has a place in the drawing or a `label`, the text of a button.
        """
        ways: dict[int, tuple[str, ...]] = self.type.module("picture").ways(record)
        return ways

    def task(self, record: Record) -> str:
        """At a decision, in one sentence what the player to act is to do, and where to click for it."""
        task: str = self.type.module("picture").task(record)
        return task

    def touched(self, record: Record, action: int, viewer: int | None) -> tuple[str, ...]:
        """The keys of the places that a legal decision touches; none if `viewer` (None: the public) sees less of it."""
        if viewer != REVEALED and self.action_as_seen(record, action, viewer) != self.action_to_string(record, action):
            return ()
        return self.ways(record)[action]

    def label(self, key: str) -> str | None:
        """The text of the button for a key that has no place in the drawing, else None."""
        label: str | None = self.type.module("picture").label(key)
        return label

    def private(self, record: Record, viewer: int) -> list[str]:
        """The lines of a picture that only `viewer` sees, in a game of imperfect information."""
        lines: list[str] = self.type.module("draw").private(record, viewer)
        return lines

    def action_to_string(self, record: Record, action: int) -> str:
        """The text of a decision or, at a chance node, an outcome; not checked."""
        return self.type.module("actions").action_to_string(record, action)

    def action_as_seen(self, record: Record, action: int, viewer: int | None) -> str:
        """The text of a transition as `viewer` (None: the public) sees it; not checked."""
        if self.perfect_information or viewer == REVEALED:
            return self.action_to_string(record, action)
        return self.type.module("actions").action_as_seen(record, action, viewer)

    def result(self, record: Record) -> str:
        """At the end of a game, in one or two sentences: who won, by how much and why."""
        if self._narration is not None:
            result: str = self._narration.result(record)
            return result
        rewards = np.zeros(self.num_players)
        self.type.kernels.rewards(record, rewards)
        winners = np.flatnonzero(rewards == rewards.max()).tolist()
        return f"{players_named(winners)} {'wins' if len(winners) == 1 else 'win'}."

    def events(self, before: Record, action: int, after: Record, viewer: int | None = None) -> list[str]:
        """What happened in a transition beyond the text of its action, in full sentences; [] if nothing did.

        Args:
            before: The position before the transition.
            action: The decision, or the outcome of chance.
            after: The position after it.
            viewer: Who is told: a player, None for the public, or `REVEALED` for everything.
        """
        if self._narration is None:
            return []
        events = self._narration.events
        told: list[str] = (
            events(before, action, after) if self.perfect_information else events(before, action, after, viewer)
        )
        return told

    def actor(self, record: Record, player: int) -> str:
        """Name who acts: `player 0`, also where that player rolls, draws or spins at a chance node, or `chance`."""
        subject: int | None = player
        if player < 0:
            subject = None if self._narration is None else self._narration.subject(record)
        return "chance" if subject is None else f"player {subject}"

    @functools.cached_property
    def _narration(self) -> ModuleType | None:
        return self.type.module("narration") if self.type.has_module("narration") else None

    @functools.cached_property
    def observation_bounds(self) -> tuple[Array, Array]:
        """The least and greatest value of every cell, each of the observation's shape and dtype."""
        low, high = (np.empty(self.observation_shape, self.observation_dtype) for _ in range(2))
        start = 0
        for field in self.observation_layout:
            low[start : start + field.size] = field.low
            high[start : start + field.size] = field.high
            start += field.size
        return low, high

    def observation_slices(self) -> dict[str, slice]:
        """The slices of the observation's first axis by their names in `observation_layout`."""
        ends = np.cumsum([field.size for field in self.observation_layout]).tolist()
        return {f.name: slice(end - f.size, end) for f, end in zip(self.observation_layout, ends, strict=True)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return False
        same_type = (self.name, self.type.heuristic) == (other.name, other.type.heuristic)
        return same_type and self.params == other.params

    def __hash__(self) -> int:
        return hash((self.name, self.type.heuristic, json.dumps(dict(self.params), sort_keys=True)))

    def __repr__(self) -> str:
        made = f"load_game({', '.join([repr(self.name), *self.type.format_params(self.params)])})"
        return f"{made}.with_heuristic({self.type.earlier!r})" if self.type.earlier else made

    def __reduce__(self) -> tuple[Any, ...]:
        return _game, (self.type, self.params_dict())


def players_named(players: Sequence[int]) -> str:
    """Name players at the start of a sentence: `Player 1`, `Players 0 and 2`, `Players 0, 1 and 3`."""
    names = [str(player) for player in players]
    if len(names) == 1:
        return f"Player {names[0]}"
    return f"Players {', '.join(names[:-1])} and {names[-1]}"


def _same(name: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether both have an entry, of the same value and type."""
    return name in one and name in other and type(one[name]) is type(other[name]) and one[name] == other[name]


def _game(game_type: GameType, params: Mapping[str, Any]) -> Game:
    return Game(game_type, params)


def new_records(game_type: GameType, count: int) -> Records:
    """`count` zeroed state records."""
    return np.zeros(count, game_type.state_dtype)


def check_seed(seed: Any) -> int:
    """Return a seed as an int.

    Raises:
        ValueError: if it is not an integer from 0 to 2**64 - 1. Booleans and arrays with dimensions are not integers.
    """
    number = integer_of(seed)
    if number is None or not 0 <= number < SEEDS:
        raise ValueError(f"invalid seed={in_short(seed)}: expected an integer from 0 to 2**64 - 1, or None")
    return number


def fresh_seed() -> int:
    """A seed from the operating system."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) >> 1
