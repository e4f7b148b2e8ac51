"""`Game`: a game with its parameters chosen."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from edge_envs.core.checks.positions import check_values
from edge_envs.core.compiled import CompiledGame, compiled_game
from edge_envs.core.errors import InvalidPositionError, ParameterError, in_short
from edge_envs.core.game_type import LEVELS, GameType
from edge_envs.core.nodes import REVEALED
from edge_envs.core.spec import Array, Layout, Record, Records, Spec
from edge_envs.core.trained import trained_levels
from edge_envs.moved import moved_names
from edge_envs.pictures.canvas import Canvas

if TYPE_CHECKING:
    from edge_envs.core.state import State

CAPTION_SIZE = 11.5
"""The font size of the caption, the line of text below the headline of a drawing."""


class Game:
    """A game with its parameters chosen: its sizes, and access to its states.

    Games are immutable. Use `load_game` to create one.
    """

    def __init__(self, game_type: GameType, params: Mapping[str, Any]) -> None:
        self.type = game_type
        self.name = game_type.name
        self.params: Mapping[str, Any] = MappingProxyType(game_type.check_params(params))
        known = game_type.parameters
        written = {name: value for name, value in self.params.items() if known[name].is_written(value)}
        self._params_text = json.dumps(written)  # copies a map faster than `copy.deepcopy`
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
        blank = game_type.new_records(1)
        self._held = game_type.module("state").set_params(blank[0], self.params)
        self._blank = blank

    @property
    def holds_shared_memory(self) -> bool:
        """Whether the game occupies part of a table that all games of the process share, such as that of maps."""
        return self._held is not None

    @functools.cached_property
    def compiled(self) -> CompiledGame:
        """The game's kernels and compiled loops."""
        return compiled_game(self.type)

    def with_heuristic(self, version: str) -> Game:
        """Return the same game with another version of its heuristic, such as `v0`.

        Raises:
            ValueError: if the game does not have this version.
        """
        return Game(self.type.with_heuristic(version), self.params)

    @functools.cached_property
    def levels(self) -> tuple[str, ...]:
        """The agents that serve as opponents, in rising strength: `level:1` is the first."""
        here = (v for v in self.type.variants.values() if self.type.check_params(v.params) == self.params)
        return LEVELS + next((variant.above for variant in here), ()) + trained_levels(self.type, self.params)

    def new_records(self, count: int) -> Records:
        """Return `count` state records with this game's parameters, on which `new_game` has not been called."""
        records = self.type.new_records(count)
        records[:] = self._blank[0]
        return records

    def check_records(self, records: Records) -> None:
        """Check that state records belong to a game with this layout, before compiled code reads them.

        Raises:
            ValueError: if they are not an array of records of this game, or if its sizes differ from theirs.
        """
        if getattr(records, "dtype", None) != self.type.state_dtype or records.ndim != 1:
            what = f"{getattr(records, 'dtype', type(records).__name__)!s:.40} of shape {np.shape(records)}"
            raise ValueError(f"invalid state records: {what} is not an array (k,) of records of {self.name}")
        for name, values in self.type.layout_of(records).items():
            own = self._layout[name]
            wrong = values != own
            if wrong.any():
                raise ValueError(f"invalid state records: {name}={values[wrong][0]} in a record, {own} in {self!r}")

    @functools.cached_property
    def _layout(self) -> dict[str, Any]:
        """The values of `GameType.layout_of` with the parameters of this game."""
        return {name: values[0] for name, values in self.type.layout_of(self._blank).items()}

    def check_observations(self, observations: Array) -> None:
        """Check the shape of observations, before compiled code reads them.

        Raises:
            ValueError: if it is not (k, *observation_shape).
        """
        if np.shape(observations)[1:] != self.observation_shape:
            expected = ", ".join(map(str, ("k", *self.observation_shape)))
            raise ValueError(f"observations: shape {np.shape(observations)} is not ({expected}) as in {self!r}")

    def check_decisions(self, records: Records) -> None:
        """Check that state records belong to a game with this layout, and that a player is to act in each.

        Raises:
            ValueError: if one does not; the message names it.
        """
        self.check_records(records)
        number = int(self.compiled.loops.first_without_decision(records))
        if number >= 0:
            raise ValueError(f"invalid state records: record {number} is not at a decision")

    def new_initial_state(self, seed: int | None = None) -> State:
        """Start a game.

        Args:
            seed: The seed of its chance, from 0 to 2**64 - 1; None draws one from the operating system.

        Raises:
            ValueError: if `seed` is not a valid seed.
        """
        from edge_envs.core.state import State

        return State.initial(self, seed)

    def state_from_dict(self, d: Mapping[str, Any], seed: int | None = None) -> State:
        """Set up a position from a dict, as `State.to_dict` returns it.

        Args:
            d: The position.
            seed: The seed of chance from here on; None draws one from the operating system.

        Raises:
            InvalidPositionError: if the position is invalid; the message names the key.
        """
        from edge_envs.core.state import State

        return State.from_dict(self, d, seed)

    def records_from_dict(self, d: Mapping[str, Any]) -> Records:
        """Read a position into an array of one state record.

        Raises:
            InvalidPositionError: if the position is invalid; the message names the key.
        """
        return self._read(d, self.type.module("position").from_dict)

    def sketch_from_dict(self, d: Mapping[str, Any]) -> Records:
        """Read anything in the form of a position, legal or not, for drawing only.

        Only games with an editor of positions support this.

        Raises:
            InvalidPositionError: if it does not have the form of a position.
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
        self.compiled.loops.new_games(records)
        fields = {key: value for key, value in d.items() if key not in ("game", "params")}
        write(records[0], fields)
        return records

    def params_dict(self) -> dict[str, Any]:
        """Return the parameters as a plain dict for JSON, a deep copy.

        Parameters that are not always written, see `Parameter.always_written`, are missing if they have their defaults.
        """
        return json.loads(self._params_text)

    def params_difference(self, params: Mapping[str, Any]) -> str:
        """Describe how parameters differ from this game's; 1, 1.0 and True are different, as in JSON.

        Returns:
            A description, or an empty string if all are equal.
        """
        own = self.params
        later = {name: p.default for name, p in self.type.parameters.items() if not p.always_written}
        params = {**{name: default for name, default in later.items() if name not in params}, **params}
        names = [name for name in {**own, **params} if not _same(name, params, own)]
        theirs, ours = ({name: p[name] for name in names if name in p} for p in (params, own))
        texts = [", ".join(self.type.format_params(p)) or "nothing" for p in (theirs, ours)]
        return f"{texts[0]} instead of this game's {texts[1]}" if names else ""

    def position(self, record: Record) -> dict[str, Any]:
        """Return the full position as a dict for JSON."""
        return {"game": self.name, "params": self.params_dict(), **self.type.module("position").to_dict(record)}

    def picture(self, record: Record, viewer: int | None = None) -> str:
        """Return the public position, or what `viewer` sees of it, as a string."""
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
        """Draw the public position, or what `viewer` sees of it, as SVG.

        The size is the same for all positions of a game. Places have keys, see `ways`.

        Args:
            record: The position.
            viewer: A player, or None for the public.
            keys: The places that get an element for clicks.
            last: The places that get a ring because they were touched last.
            marked: The places that get another ring.
            caption: A line of text, such as the last events.
            theme: `light` or `dark`.
            outlines: Whether letters are drawn as shapes, so that no font is needed.

        Raises:
            ValueError: if the theme is unknown.
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
        """Return the click path of each legal action at a decision: the keys of the places to click, in order.

        No path is the beginning of another. A key has a place in the drawing or a `label`, the text of a button.
        """
        ways: dict[int, tuple[str, ...]] = self.type.module("picture").ways(record)
        return ways

    def task(self, record: Record) -> str:
        """Return one sentence that says what the player to act can do, and where to click."""
        task: str = self.type.module("picture").task(record)
        return task

    def touched(self, record: Record, action: int, viewer: int | None) -> tuple[str, ...]:
        """Return the keys of the places that a legal decision touches.

        Returns:
            No keys if `viewer` (None: the public) does not see the whole action.
        """
        if viewer != REVEALED and self.action_as_seen(record, action, viewer) != self.action_to_string(record, action):
            return ()
        return self.ways(record)[action]

    def label(self, key: str) -> str | None:
        """Return the text of the button for a key without a place in the drawing, else None."""
        label: str | None = self.type.module("picture").label(key)
        return label

    def private(self, record: Record, viewer: int) -> list[str]:
        """Return the lines of a picture that only `viewer` sees, in a game of imperfect information."""
        lines: list[str] = self.type.module("draw").private(record, viewer)
        return lines

    def action_to_string(self, record: Record, action: int) -> str:
        """Return the string of a decision or, at a chance node, of an outcome. Legality is not checked."""
        return self.type.module("actions").action_to_string(record, action)

    def action_as_seen(self, record: Record, action: int, viewer: int | None) -> str:
        """Return the string of a transition as `viewer` (None: the public) sees it. Legality is not checked."""
        if self.perfect_information or viewer == REVEALED:
            return self.action_to_string(record, action)
        return self.type.module("actions").action_as_seen(record, action, viewer)

    def result(self, record: Record) -> str:
        """Describe the result of a finished game in one or two sentences: the winner, the margin and the reason."""
        if self._narration is not None:
            result: str = self._narration.result(record)
            return result
        rewards = np.zeros(self.num_players)
        self.compiled.kernels.rewards(record, rewards)
        winners = np.flatnonzero(rewards == rewards.max()).tolist()
        return f"{players_named(winners)} {'wins' if len(winners) == 1 else 'win'}."

    def scores(self, record: Record) -> dict[str, list[str]]:
        """Return the score table of a finished game: for each heading the entry of each player; {} if it has none."""
        scores = getattr(self._narration, "scores", None)
        table: dict[str, list[str]] = {} if scores is None else scores(record)
        return table

    def events(self, before: Record, action: int, after: Record, viewer: int | None = None) -> list[str]:
        """Describe the consequences of a transition in full sentences; [] if there are none.

        Args:
            before: The position before the transition.
            action: The decision, or the outcome of chance.
            after: The position after it.
            viewer: A player, None for the public, or `REVEALED` for everything.
        """
        if self._narration is None:
            return []
        events = self._narration.events
        sentences: list[str] = (
            events(before, action, after) if self.perfect_information else events(before, action, after, viewer)
        )
        return sentences

    def actor(self, record: Record, player: int) -> str:
        """Name the actor: `player 0`, also if that player rolls, draws or spins at a chance node, or `chance`."""
        subject: int | None = player
        if player < 0:
            subject = None if self._narration is None else self._narration.subject(record)
        return "chance" if subject is None else f"player {subject}"

    @functools.cached_property
    def _narration(self) -> ModuleType | None:
        return self.type.module("narration") if self.type.has_module("narration") else None

    @functools.cached_property
    def _bounds(self) -> tuple[Array, Array]:
        low, high = (np.empty(self.observation_shape, self.observation_dtype) for _ in range(2))
        start = 0
        for field in self.observation_layout:
            low[start : start + field.size] = field.low
            high[start : start + field.size] = field.high
            start += field.size
        return low, high

    @property
    def observation_bounds(self) -> tuple[Array, Array]:
        """The minimum and the maximum of every cell, two new arrays of the observation's shape and dtype."""
        low, high = self._bounds
        return low.copy(), high.copy()

    def observation_slices(self) -> dict[str, slice]:
        """Return the slices of the observation's first axis by their names in `observation_layout`."""
        ends = np.cumsum([field.size for field in self.observation_layout]).tolist()
        return {f.name: slice(end - f.size, end) for f, end in zip(self.observation_layout, ends, strict=True)}

    def layout_difference(self, other: Game) -> str:
        """Return in what the layouts of two games differ; an empty string if arrays of one fit the other.

        The layout consists of the players, the actions and their meaning, the observation, and the range of rewards.
        """
        pairs = {
            "the game": (self.name, other.name),
            "the number of players": (self.num_players, other.num_players),
            "the number of actions": (self.num_distinct_actions, other.num_distinct_actions),
            "the observation": (self.observation_layout, other.observation_layout),
            "the range of rewards": ((self.min_utility, self.max_utility), (other.min_utility, other.max_utility)),
        }
        for what, (mine, theirs) in pairs.items():
            if mine != theirs:
                return f"{what} differs"
        for parameter in self.type.parameters.values():
            name = parameter.name
            if parameter.gives_meaning and not parameter.same(self.params[name], other.params[name]):
                return "the meaning of actions differs"
        return ""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return False
        same_type = (self.name, self.type.heuristic) == (other.name, other.type.heuristic)
        return same_type and self.params == other.params

    def __hash__(self) -> int:
        return hash((self.name, self.type.heuristic, json.dumps(dict(self.params), sort_keys=True)))

    def __repr__(self) -> str:
        made = f"load_game({', '.join([repr(self.name), *self.type.format_params(self.params_dict())])})"
        return f"{made}.with_heuristic({self.type.earlier!r})" if self.type.earlier else made

    def __reduce__(self) -> tuple[Any, ...]:
        return _game, (self.type, self.params_dict())


def players_named(players: Sequence[int]) -> str:
    """Name players at the start of a sentence: `Player 1`, `Players 0 and 2`, `Players 0, 1 and 3`."""
    names = [str(player) for player in players]
    if len(names) == 1:
        return f"Player {names[0]}"
    return f"Players {', '.join(names[:-1])} and {names[-1]}"


def shared_utility(game: Game) -> float:
    """Return the utility that the players of a game share: the fixed sum of returns, less the minimum of each player.

    Raises:
        ValueError: if the returns have no fixed sum.
    """
    if game.utility_sum is None:
        raise ValueError(f"{game.name} has no fixed sum of returns, so values cannot be learned as shares of it")
    return float(game.utility_sum - game.num_players * game.min_utility)


def _same(name: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether both have an entry, of the same value and type."""
    return name in one and name in other and type(one[name]) is type(other[name]) and one[name] == other[name]


def _game(game_type: GameType, params: Mapping[str, Any]) -> Game:
    return Game(game_type, params)


__getattr__ = moved_names(
    __name__,
    {
        **{name: f"edge_envs.core.spec.{name}" for name in ("Kernels", "ObservationField", "Parameter", "Variant")},
        **{name: f"edge_envs.core.checks.seeds.{name}" for name in ("SEEDS", "check_seed", "fresh_seed")},
        "new_records": "edge_envs.core.game_type.GameType.new_records",
    },
)
