"""The types of the kernels that a game declares, for type checkers and tests; `Kernels` specifies each kernel."""

# ruff: noqa: D102  the docstrings of the classes describe the calls

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

Record = Any
Array = np.ndarray[Any, np.dtype[Any]]
Integer = int | np.integer[Any]


class StateKernel(Protocol):
    """`new_game`: changes a state."""

    def __call__(self, state: Record, /) -> None: ...


class NumberKernel(Protocol):
    """`current_player`, `heuristic`, `sample_chance`, `turn_of`: return an integer for a state."""

    def __call__(self, state: Record, /) -> int: ...


class FillingKernel(Protocol):
    """`legal_action_mask`, `chance_probabilities`, `rewards`: fill an array for a state."""

    def __call__(self, state: Record, out: Array, /) -> None: ...


class ApplyKernel(Protocol):
    """`apply`: applies a decision or a chance outcome."""

    def __call__(self, state: Record, action: Integer, /) -> None: ...


class ObserveKernel(Protocol):
    """`observe`: fills an array with the view of a player."""

    def __call__(self, state: Record, player: Integer, out: Array, /) -> None: ...


class RandomActionKernel(Protocol):
    """`random_action`: returns a random legal action from 64 random bits."""

    def __call__(self, state: Record, bits: Integer, /) -> int: ...


class ResampleKernel(Protocol):
    """`resample`: redraws what a player cannot know."""

    def __call__(self, state: Record, player: Integer, /) -> None: ...


class ScoreKernel(Protocol):
    """`score`: returns a number for a player."""

    def __call__(self, state: Record, player: Integer, /) -> float: ...


class ActionValuesKernel(Protocol):
    """`action_values`: fills an array with the value of each action."""

    def __call__(self, state: Record, weights: Record, values: Array, /) -> None: ...


class PositionFeaturesKernel(Protocol):
    """`position_features`: fills an array with the features of a player's position."""

    def __call__(self, state: Record, player: Integer, viewer: Integer, weights: Record, out: Array, /) -> None: ...


class CellsWithKernel(Protocol):
    """`cells_with`: fills an array with the cells of a position, with a memory."""

    def __call__(self, state: Record, viewer: Integer, memory: Record, out: Array, /) -> None: ...


class TurnsKernel(Protocol):
    """`turns`: lists the continuations of a turn."""

    def __call__(self, state: Record, viewer: Integer, tree: Any, /) -> None: ...


class ReadObservationKernel(Protocol):
    """`read_observation`: writes a position that agrees with an observation, and returns the viewer's seat."""

    def __call__(self, observation: Array, state: Record, /) -> int: ...
