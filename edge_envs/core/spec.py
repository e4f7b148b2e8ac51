"""What a game declares: its parameters, sizes, observation layout and kernels.

This module imports only the errors and the checks of `edge_envs.core`. What is built from a declaration is in
`edge_envs.core.compiled` (compiled loops) and `edge_envs.core.game` (a game with its parameters).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from edge_envs.core.checks.integers import integer_of
from edge_envs.core.errors import ParameterError, in_short

Record = Any
"""One `np.record` of a game's state dtype. NumPy's types cannot express its fields."""
Records = Any
"""An array of such records."""
Array = np.ndarray[Any, np.dtype[Any]]


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
