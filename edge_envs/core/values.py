"""What a game declares of its built-in player's thoughts: `Values`, the value contract.

A game that has it tells what each legal action is worth to that player, in one unit and from what the player to act
may know. Hints of networks, the search for better weights and the advice to people read this one thing. So does
search, which besides asks for numbers about a player's position, and for the end of a turn.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Weight:
    """A number by which the built-in player weighs: its default, and the range in which others may be tried."""

    name: str
    default: float
    low: float
    high: float
    description: str


@dataclass(frozen=True)
class Feature:
    """A number about a player's position."""

    name: str
    description: str


@dataclass(frozen=True)
class Values:
    """What the value kernels of a game mean; see `Kernels`.

    | field | meaning |
    |---|---|
    | `unit` | what one unit of an action's value is called, in the plural: `"turns"` |
    | `span` | a loss of so many units against the best action is as bad as any |
    | `weights` | the numbers by which the player weighs; none if it has none |
    | `features` | the numbers that `position_features` fills, in order |
    | `decided` | an action with a greater value wins the game, one with a value below minus that loses it |
    | `temperature` | an action that loses so many units is for a search 2.7 times less likely; None: a quarter of `span` |
    | `whole_turns` | turns have many small steps, and actions are worth what becomes of the turn: a search compares whole turns |
    """  # noqa: E501  a table row is one line

    unit: str
    span: float
    weights: tuple[Weight, ...]
    features: tuple[Feature, ...]
    decided: float = math.inf
    temperature: float | None = None
    whole_turns: bool = False

    @cached_property
    def weights_dtype(self) -> np.dtype[Any]:
        """The dtype of a record of weights, each a float64; without weights it has one field that nobody reads."""
        names = [weight.name for weight in self.weights] or ["none"]
        return np.dtype((np.record, np.dtype([(name, np.float64) for name in names])))

    def weights_with(self, changes: Mapping[str, float] | None = None) -> Array:
        """An array (1,) of one record of weights: the defaults but for some changes.

        ValueError names a weight that does not exist or is out of its range.
        """
        known = {weight.name: weight for weight in self.weights}
        for name, value in (changes or {}).items():
            if name not in known:
                possible = ", ".join(known) or "none"
                raise ValueError(f"there is no weight {name!r}; possible are {possible}")
            low, high = known[name].low, known[name].high
            if not low <= value <= high:
                raise ValueError(f"the weight {name!r} must be from {low:g} to {high:g}, not {value:g}")
        record = np.zeros(1, self.weights_dtype)
        for name, weight in known.items():
            record[name] = (changes or {}).get(name, weight.default)
        return record

    def feature(self, name: str) -> int:
        """The index of a number that `position_features` fills; ValueError if there is none of that name."""
        names = [feature.name for feature in self.features]
        if name not in names:
            raise ValueError(f"there is no feature {name!r}; possible are {', '.join(names)}")
        return names.index(name)
