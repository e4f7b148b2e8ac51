"""The declaration of a game: its parameters, sizes, observation layout and kernels.

This module imports only the errors, the checks and the types of kernels of `edge_envs.core`. What is built from a
declaration is in `edge_envs.core.compiled` (compiled loops) and `edge_envs.core.game` (a game with its parameters).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from edge_envs.core.checks.integers import integer_of
from edge_envs.core.errors import ParameterError, in_short
from edge_envs.core.kernel_types import (
    ActionValuesKernel,
    ApplyKernel,
    CellsWithKernel,
    FillingKernel,
    NumberKernel,
    ObserveKernel,
    PositionFeaturesKernel,
    RandomActionKernel,
    ReadObservationKernel,
    ResampleKernel,
    ScoreKernel,
    StateKernel,
    TurnsKernel,
)

Record = Any
"""One `np.record` of a game's state dtype. NumPy's types cannot express its fields."""
Records = Any
"""An array of such records."""
Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Parameter:
    """One parameter of a game: its type, default and valid values."""

    name: str
    type: type
    default: Any
    description: str
    low: int | None = None
    high: int | None = None
    choices: tuple[Any, ...] = ()
    gives_meaning: bool = False
    """Whether the value determines what action ids and observation entries mean, not only how many there are."""
    shipped: tuple[str, ...] | None = None
    """Names of the values that ship with the game, if other strings may be paths; None if strings are not paths."""
    always_written: bool = True
    """Whether positions and other files contain the parameter even if it has its default value. False for parameters
    that were added later, so that earlier files remain valid."""

    def is_file(self, value: Any) -> bool:
        """Return whether a value is a file path."""
        return self.shipped is not None and isinstance(value, str) and value not in self.shipped

    @property
    def possible(self) -> str:
        """The valid values, in words."""
        if self.type is bool:
            return "True or False"
        if self.choices:
            return " or ".join(", ".join(map(repr, self.choices)).rsplit(", ", 1))
        return f"an integer from {self.low} to {self.high}"

    @property
    def annotation(self) -> str:
        """The valid values, as a type annotation."""
        return f"Literal[{', '.join(map(repr, self.choices))}]" if self.choices else self.type.__name__

    def check(self, game: str, value: Any) -> Any:
        """Convert a value to the parameter's type.

        Args:
            game: The name of the game, for the message.
            value: The value, of any type.

        Raises:
            ParameterError: if the value is invalid.
        """
        error = ParameterError(f"{game}: invalid {self.name}={in_short(value)}: expected {self.possible}")
        if self.choices:
            chosen = integer_of(value) if self.type is int else value
            if not isinstance(chosen, self.type) or chosen not in self.choices:
                raise error
            return chosen
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
        """Return a value, valid or not, as a short string."""
        return in_short(value)

    def same(self, one: Any, other: Any) -> bool:
        """Return whether two valid values are equivalent."""
        return bool(one == other)

    def is_written(self, value: Any) -> bool:
        """Return whether positions and other files contain the parameter if it has this value."""
        return self.always_written or value != self.default


@dataclass(frozen=True)
class Variant:
    """A named set of a game's parameters: `8x8` of `beyond_maps` is `beyond_maps_8x8`.

    An empty name stands for the game's own defaults.
    """

    name: str
    params: Mapping[str, Any]
    above: tuple[str, ...] = ()
    """Agents that are stronger here than the last of `LEVELS`, each stronger than the one before."""
    board: bool = True
    """Whether this is a board of the benchmark. Other variants have a name and an id."""


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
    """The layout of an observation: its fields in order along the first axis, and the board's shape under planes."""

    fields: tuple[ObservationField, ...]
    board_shape: tuple[int, ...] = ()
    dtype: type = np.int8


@dataclass(frozen=True)
class Spec:
    """The sizes of a game for given parameters."""

    num_distinct_actions: int
    max_chance_outcomes: int
    max_game_length: int | None
    min_utility: float
    max_utility: float
    utility_sum: float | None
    """The sum of all players' returns at every end: 0 in a zero-sum game; None if it varies."""


@dataclass(frozen=True)
class Kernels:
    """The kernels that a game declares. They fill or change arrays in place, allocate nothing and trust the caller.

    | kernel | promise |
    |---|---|
    | `new_game(state)` | writes every field except the parameters and `rng`, the generator's word |
    | `current_player(state)` | seat to act, `CHANCE` or `TERMINAL` |
    | `legal_action_mask(state, out)` | at a decision: fills `out` (num_distinct_actions,) with 0 and 1, some 1 |
    | `chance_probabilities(state, out)` | at a chance node: fills `out` (max_chance_outcomes,), summing to 1 |
    | `apply(state, action)` | applies one decision or one chance outcome |
    | `observe(state, player, out)` | fills all of `out` with what `player` may know, at any node |
    | `rewards(state, out)` | fills `out` (num_players,) with the rewards of the last transition |
    | `heuristic(state)` | returns the action of a sensible player, from what the player to act may know |
    | `sample_chance(state)` | optional: draws an outcome with `state.rng`, distributed as in `chance_probabilities` |
    | `random_action(state, bits)` | optional: returns a uniformly random legal action from 64 random bits, faster than from the mask |
    | `resample(state, player)` | required with imperfect information: redraws with `state.rng` what `player` cannot know |
    | `score(state, player)` | optional: returns a number for a player at any node; at the end the player with the largest number has won |
    | `cells(state, viewer, out)` | optional: fills `out` int16 with the cells of a position, see `edge_envs.core.cells` |
    | `cells_with(state, viewer, memory, out)` | optional: does the same faster, with a memory, see `edge_envs.core.cells` |
    | `turns(state, viewer, tree)` | optional: at a decision of `viewer`, lists the continuations of the turn, see `edge_envs.core.turn_tree` |

    The last four are the value contract: a game declares all of them, and `VALUES` in its module `heuristic`, or none.

    | kernel | promise |
    |---|---|
    | `action_values(state, weights, values)` | at a decision: fills `values` (num_distinct_actions,) with the value of each action for the player to act, from what that player may know; -inf if an action is illegal or not considered; at least one value is finite. `heuristic` takes the action with the largest value under the default weights, or the lowest id in a tie |
    | `position_features(state, player, viewer, weights, out)` | at any node: fills `out` with features of the position of `player`, as far as `viewer` knows; each feature means the same in all positions |
    | `read_observation(observation, state)` | writes a position that agrees with an observation into a state whose parameters are set; returns the viewer's seat |
    | `turn_of(state)` | returns a number that differs from one turn to the next |
    """  # noqa: E501  a table row is one line

    new_game: StateKernel
    current_player: NumberKernel
    legal_action_mask: FillingKernel
    chance_probabilities: FillingKernel
    apply: ApplyKernel
    observe: ObserveKernel
    rewards: FillingKernel
    heuristic: NumberKernel
    sample_chance: NumberKernel | None
    random_action: RandomActionKernel | None
    resample: ResampleKernel | None
    score: ScoreKernel | None
    action_values: ActionValuesKernel | None
    position_features: PositionFeaturesKernel | None
    read_observation: ReadObservationKernel | None
    turn_of: NumberKernel | None
    cells: ObserveKernel | None
    cells_with: CellsWithKernel | None
    turns: TurnsKernel | None
