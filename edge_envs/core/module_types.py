"""The types of a game's modules, for type checkers: `tests/game_modules.py` lists the modules of all games.

Kernels have the type `Any` once they are decorated, so a type checker notices a missing kernel, and
`tests/contract/test_kernels.py` compares the numbers of arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from edge_envs.core.kernel_types import (
    ActionValuesKernel,
    ApplyKernel,
    FillingKernel,
    NumberKernel,
    ObserveKernel,
    PositionFeaturesKernel,
    ReadObservationKernel,
    ResampleKernel,
    StateKernel,
)
from edge_envs.core.spec import Layout, Record, Spec
from edge_envs.core.values import Values


class Rules(Protocol):
    """The module `rules` of a game."""

    MAX_CHANCE_OUTCOMES: int
    new_game: StateKernel
    current_player: NumberKernel
    legal_action_mask: FillingKernel
    chance_probabilities: FillingKernel
    apply: ApplyKernel
    rewards: FillingKernel

    def spec(self, params: Mapping[str, Any]) -> Spec:
        """Return the sizes of the game."""


class RulesWithSecrets(Rules, Protocol):
    """The module `rules` of a game with hidden information."""

    resample: ResampleKernel


class RulesWithTurns(Rules, Protocol):
    """The module `rules` of a game that declares values."""

    turn_of: NumberKernel


class Observation(Protocol):
    """The module `observation` of a game."""

    observe: ObserveKernel

    def layout(self, params: Mapping[str, Any]) -> Layout:
        """Return the layout of an observation."""


class ReadableObservation(Observation, Protocol):
    """The module `observation` of a game that declares values."""

    read_observation: ReadObservationKernel


class Heuristic(Protocol):
    """The module `heuristic` of a game."""

    heuristic: NumberKernel


class HeuristicWithValues(Heuristic, Protocol):
    """The module `heuristic` of a game that declares values."""

    VALUES: Values
    action_values: ActionValuesKernel
    position_features: PositionFeaturesKernel


class Position(Protocol):
    """The module `position` of a game."""

    def to_dict(self, record: Record) -> dict[str, Any]:
        """Return a position as JSON."""

    def from_dict(self, record: Record, d: Mapping[str, Any]) -> None:
        """Write a position into a record."""


class StateModule(Protocol):
    """The module `state` of a game.

    It may also define `layout_of(records)`, which returns by name the parameters (k,) on which the sizes of arrays
    depend; the default is the field `num_players`, if there is one. Records with other values belong to another game.
    """

    STATE: np.dtype[Any]

    def set_params(self, record: Record, params: Mapping[str, Any]) -> Any:
        """Write the parameters into a blank record."""


class Actions(Protocol):
    """The module `actions` of a game."""

    def action_to_string(self, record: Record, action: int) -> str:
        """Return the string of an action or outcome."""


class ActionsWithSecrets(Actions, Protocol):
    """The module `actions` of a game with hidden information."""

    def action_as_seen(self, record: Record, action: int, viewer: int | None) -> str:
        """Return the string of an action or outcome as a player sees it."""
