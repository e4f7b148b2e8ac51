"""The value contract: `Values` describes a game's own estimates of actions and positions.

A game with this contract estimates the value of each legal action in one unit, from what the player to act may know.
Hints for networks, weight tuning, advice for human players and search all use these estimates. Search also uses
features of each player's position and the ends of turns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from edge_envs.core.errors import in_short

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Weight:
    """A weight of the estimates: its default, and the range for tuning."""

    name: str
    default: float
    low: float
    high: float
    description: str


@dataclass(frozen=True)
class Feature:
    """A feature of a player's position."""

    name: str
    description: str


@dataclass(frozen=True)
class Values:
    """The meaning of a game's value kernels; see `Kernels`.

    | field | meaning |
    |---|---|
    | `unit` | the unit of an action's value, in the plural: `"turns"` |
    | `span` | the loss, in units, from which on all worse actions count as equally bad |
    | `weights` | the weights of the estimates; may be empty |
    | `features` | the features that `position_features` fills, in order |
    | `decided` | an action with a larger value wins the game, one with a value below its negative loses it |
    | `temperature` | of the softmax that gives a search its prior: a loss of this many units divides the probability by e; None: a quarter of `span` |
    | `whole_turns` | whether a turn has many small steps and an action's value is that of the rest of the turn: a search then compares whole turns |
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
        """The dtype of a record of weights, all float64; without weights it has one unused field."""
        names = [weight.name for weight in self.weights] or ["none"]
        return np.dtype((np.record, np.dtype([(name, np.float64) for name in names])))

    def weights_with(self, changes: Mapping[str, float] | None = None) -> Array:
        """Return an array (1,) of one record of weights.

        Args:
            changes: Weights that differ from their defaults, by name.

        Raises:
            ValueError: if a weight is unknown or out of range.
        """
        known = {weight.name: weight for weight in self.weights}
        if not isinstance(changes, Mapping | None):
            raise ValueError(f"invalid weights {in_short(changes)}: expected a mapping of names to numbers")
        for name, value in (changes or {}).items():
            if name not in known:
                choices = ", ".join(known) or "none"
                raise ValueError(f"unknown weight {name!r} (choose from {choices})")
            low, high = known[name].low, known[name].high
            number = _number_of(value)
            if not low <= number <= high:
                shown = in_short(value) if math.isnan(number) else f"{number:g}"
                raise ValueError(f"invalid weight {name}={shown}: expected a number from {low:g} to {high:g}")
        record = np.zeros(1, self.weights_dtype)
        for name, weight in known.items():
            record[name] = (changes or {}).get(name, weight.default)
        return record

    def feature(self, name: str) -> int:
        """Return the index of a feature in `position_features`.

        Raises:
            ValueError: if the feature is unknown.
        """
        names = [feature.name for feature in self.features]
        if name not in names:
            raise ValueError(f"unknown feature {name!r} (choose from {', '.join(names)})")
        return names.index(name)


def _number_of(value: Any) -> float:
    """Return a number of any type as a float; NaN for anything else."""
    if isinstance(value, str | bytes | bool):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan
