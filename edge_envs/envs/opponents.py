"""Who plays the seats that do not learn."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from edge_envs.core.errors import did_you_mean, in_short
from edge_envs.core.game import Game
from edge_envs.core.loops.seat_codes import FIRST_OBJECT, HEURISTIC, RANDOM
from edge_envs.core.opponent import Opponent
from edge_envs.core.spec import Array

Make = Callable[[str], "str | Opponent"]

BUILT_IN = {"random": RANDOM, "heuristic": HEURISTIC}


@dataclass(frozen=True)
class OpponentMix:
    """An opponent drawn anew for each game and seat: pairs of an opponent and its weight."""

    choices: Sequence[tuple[str | Opponent, float]]


Opponents = str | Opponent | OpponentMix | Sequence["str | Opponent | OpponentMix"]


def seat_opponents(opponents: Opponents, num_players: int, game: Game | None = None) -> tuple[list[Opponent], Array]:
    """The distinct opponent objects, and the cumulated weights (P - 1, K) of the codes 1..K for each other seat.

    Agents other than the built-in players are made by name for `game`; without a game there are none. Raises
    ValueError for an unknown name, a list of the wrong length, or weights that are no distribution.
    """
    others = num_players - 1
    per_seat = list(opponents) if isinstance(opponents, list | tuple) else [opponents] * others
    if len(per_seat) != others:
        raise ValueError(f"{len(per_seat)} opponents were given for {others} other seats")
    objects: list[Opponent] = []

    @functools.cache
    def make(name: str) -> str | Opponent:
        if game is not None and name not in BUILT_IN and _agents().is_built_in(name):
            return named_opponent(name, game)
        if name in BUILT_IN:
            return name
        names = BUILT_IN if game is None else _agents().playing(game)
        raise ValueError(
            f"unknown opponent {in_short(name)} (choose from {', '.join(names)}, or an object with a method act)"
            f"{did_you_mean(name, names)}"
        )

    weights = [_weights(opponent, objects, make) for opponent in per_seat]
    mixes = np.zeros((others, FIRST_OBJECT - 1 + len(objects)))
    for seat, weighted in enumerate(weights):
        for code, weight in weighted.items():
            mixes[seat, code - 1] = weight
    mixes = np.cumsum(mixes / mixes.sum(axis=1, keepdims=True), axis=1)
    mixes[mixes >= 1.0 - 1e-12] = np.inf  # rounding never leads past the last opponent
    return objects, mixes


def named_opponent(name: str, game: Game) -> str | Opponent:
    """An opponent that is made by its name, as `search:50`, or one of `BUILT_IN`; ValueError if there is none."""
    plain: str = _agents().plain_name(name, game)
    if plain in BUILT_IN:
        return plain
    made: Opponent = _agents().built_in_agent(plain, game)
    return made


def _agents() -> Any:
    """The module that makes agents by their names; it needs this one, and is imported when a name is met."""
    return importlib.import_module("edge_envs.players")


def _weights(opponent: Any, objects: list[Opponent], make: Make) -> Mapping[int, float]:
    """The weight of each code, the greatest being 1, so that no sum of them is too large for a float."""
    pairs = _pairs(opponent) if isinstance(opponent, OpponentMix) else [(opponent, 1.0)]
    numbers = [_weight(choice, weight) for choice, weight in pairs]
    greatest = max(numbers, default=0.0)
    if greatest <= 0.0:
        raise ValueError("a mix of opponents needs a positive weight")
    weights: dict[int, float] = {}
    for (choice, _), number in zip(pairs, numbers, strict=True):
        code = _code(choice, objects, make)
        weights[code] = weights.get(code, 0.0) + number / greatest
    return weights


def _pairs(mix: OpponentMix) -> list[tuple[Any, Any]]:
    try:
        return [(choice, weight) for choice, weight in mix.choices]
    except (TypeError, ValueError):
        raise ValueError(
            f"choices of a mix are pairs of an opponent and its weight, not {in_short(mix.choices)}"
        ) from None


def _weight(choice: Any, weight: Any) -> float:
    try:
        number = -1.0 if isinstance(weight, str) else float(weight)
    except (TypeError, ValueError, OverflowError):
        number = -1.0
    if not 0.0 <= number < np.inf:
        raise ValueError(
            f"the weight {in_short(weight)} of opponent {in_short(choice)} is not a number of 0 or more"
        ) from None
    return number


def _code(opponent: Any, objects: list[Opponent], make: Make) -> int:
    if isinstance(opponent, str):
        opponent = make(opponent)
    if isinstance(opponent, str):
        return BUILT_IN[opponent]
    if not isinstance(opponent, Opponent):
        raise ValueError(f"{in_short(opponent)} is no opponent: it has no method act")
    for index, known in enumerate(objects):
        if known is opponent:
            return FIRST_OBJECT + index
    objects.append(opponent)
    return FIRST_OBJECT + len(objects) - 1
