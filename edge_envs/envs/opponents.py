"""Choose the opponents that play the other seats of a seat environment."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.errors import did_you_mean, in_short
from edge_envs.core.game import Game
from edge_envs.core.loops.seat_codes import FIRST_OBJECT, HEURISTIC, RANDOM
from edge_envs.core.opponent import Opponent, check_made_for
from edge_envs.core.spec import Array

Make = Callable[[str], "str | Opponent"]

BUILT_IN = {"random": RANDOM, "heuristic": HEURISTIC}


@dataclass(frozen=True)
class OpponentMix:
    """Draw an opponent at random for each game and seat.

    Args:
        choices: Pairs (opponent, weight). Weights are finite numbers of 0 or more, at least one of them positive; the
            probability of an opponent is its weight divided by their sum.
    """

    choices: Sequence[tuple[str | Opponent, float]]

    def __post_init__(self) -> None:
        if isinstance(self.choices, Iterator):  # which could be read once only
            object.__setattr__(self, "choices", tuple(self.choices))


Opponents = str | Opponent | OpponentMix | Sequence["str | Opponent | OpponentMix"]


def seat_opponents(opponents: Opponents, num_players: int, game: Game | None = None) -> tuple[list[Opponent], Array]:
    """Resolve the argument `opponents` of a seat environment.

    Args:
        opponents: One opponent for all other seats, or a list with one per seat, in turn order from the learner's left.
        num_players: Number of seats, P.
        game: The game for which to create agents by name. Without it, only the built-in names are known.

    Returns:
        The distinct opponent objects, and the cumulative probabilities (P - 1, K) of the codes 1..K for each other
        seat (see `edge_envs.core.loops.seat_codes`).

    Raises:
        ValueError: for an unknown name, a list of the wrong length, an object without a method `act` or made for
            another game, or invalid weights.
    """
    others = num_players - 1
    per_seat = list(opponents) if isinstance(opponents, list | tuple) else [opponents] * others
    if len(per_seat) != others:
        raise ValueError(
            f"invalid opponents: expected one for all or {others}, one per other seat; got {len(per_seat)}"
        )
    objects: list[Opponent] = []

    @functools.cache
    def make(name: str) -> str | Opponent:
        if game is not None and name not in BUILT_IN and _agents().is_built_in(name):
            return named_opponent(name, game)
        if name in BUILT_IN:
            return name
        names = BUILT_IN if game is None else _agents().playing(game)
        raise ValueError(
            f"unknown opponent {in_short(name)} (choose from {', '.join(names)}, or pass an object with a method act)"
            f"{_how_to_load(name) or did_you_mean(name, names)}"
        )

    weights = [_weights(opponent, objects, make) for opponent in per_seat]
    if game is not None:
        for one in objects:
            check_made_for(one, game)
    mixes = np.zeros((others, FIRST_OBJECT - 1 + len(objects)))
    for seat, weighted in enumerate(weights):
        for code, weight in weighted.items():
            mixes[seat, code - 1] = weight
    mixes = np.cumsum(mixes / mixes.sum(axis=1, keepdims=True), axis=1)
    mixes[mixes >= 1.0 - 1e-12] = np.inf  # rounding never leads past the last opponent
    return objects, mixes


def _how_to_load(name: str) -> str:
    """Return how the opponent of a policy folder, or of an agent that only programs know, is made."""
    if "\0" not in name and Path(name, "policy.json").is_file():
        return f"; to play a policy folder, pass edge_envs.trained.load_trained({in_short(name)}, game)"
    if name.partition(":")[0] in ("sb3", "program", "chat"):
        return f"; in a clone, pass agents.players.agent.make_agent({in_short(name)}, game)"
    return ""


def named_opponent(name: str, game: Game) -> str | Opponent:
    """Create an opponent from a name such as `search:50`; names in `BUILT_IN` stay strings.

    Raises:
        ValueError: if the name is unknown.
    """
    plain: str = _agents().plain_name(name, game)
    if plain in BUILT_IN:
        return plain
    made: Opponent = _agents().built_in_agent(plain, game)
    return made


def _agents() -> Any:
    """Import the module that creates agents by name on first use, because it imports this module."""
    return importlib.import_module("edge_envs.players")


def _weights(opponent: Any, objects: list[Opponent], make: Make) -> Mapping[int, float]:
    """Return the weight of each code, scaled to a maximum of 1 so that sums cannot overflow."""
    pairs = _pairs(opponent) if isinstance(opponent, OpponentMix) else [(opponent, 1.0)]
    numbers = [_weight(choice, weight) for choice, weight in pairs]
    greatest = max(numbers, default=0.0)
    if greatest <= 0.0:
        raise ValueError("invalid mix of opponents: expected at least one positive weight")
    weights: dict[int, float] = {}
    for (choice, _), number in zip(pairs, numbers, strict=True):
        code = _code(choice, objects, make)
        weights[code] = weights.get(code, 0.0) + number / greatest
    return weights


def _pairs(mix: OpponentMix) -> list[tuple[Any, Any]]:
    try:
        return [(choice, weight) for choice, weight in mix.choices]
    except (TypeError, ValueError):
        raise ValueError(f"invalid choices={in_short(mix.choices)}: expected pairs (opponent, weight)") from None


def _weight(choice: Any, weight: Any) -> float:
    try:
        number = -1.0 if isinstance(weight, str) else float(weight)
    except (TypeError, ValueError, OverflowError):
        number = -1.0
    if not 0.0 <= number < np.inf:
        raise ValueError(
            f"invalid weight {in_short(weight)} of opponent {in_short(choice)}: expected a finite number of 0 or more"
        ) from None
    return number


def _code(opponent: Any, objects: list[Opponent], make: Make) -> int:
    if isinstance(opponent, str):
        opponent = make(opponent)
    if isinstance(opponent, str):
        return BUILT_IN[opponent]
    if isinstance(opponent, type) and callable(getattr(opponent, "act", None)):
        raise ValueError(f"invalid opponent {in_short(opponent)}: expected an object of this class, not the class")
    if not isinstance(opponent, Opponent) or not callable(opponent.act):
        raise ValueError(f"invalid opponent {in_short(opponent)}: expected a name or an object with a method act")
    for index, known in enumerate(objects):
        if known is opponent:
            return FIRST_OBJECT + index
    objects.append(opponent)
    return FIRST_OBJECT + len(objects) - 1
