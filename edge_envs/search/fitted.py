"""Position values fitted to games, read from the file `search.json` in the folder of a game.

`python -m agents.fit` writes the file. It holds one or more fits, each for certain parameters of the game. Other
parameters use the fit that agrees in most of them.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Array

FILE = "search.json"
CONSTANT = "constant"


@dataclass(frozen=True)
class Fit:
    """Value positions at the start of a turn by a multinomial logistic (softmax) model.

    The score of each player is linear in its F features. The softmax of the scores divides the utility among the
    players, see `pool`.

    Args:
        params: Parameters of the game to which the model was fitted.
        weights: float64 (K, F + 1), one row per player in turn order from the player to move; the last column is a
            constant. Players beyond the K-th use the last row.
        cut: Length of playouts in turns, after which searches use the value.
        utility_sum: Mean sum of the returns in the fitted games, used if the game has no constant sum.
    """

    params: Mapping[str, Any]
    weights: Array
    cut: int
    utility_sum: float

    @classmethod
    def from_dict(cls, d: Mapping[str, Any], features: list[str]) -> Fit:
        """Read an entry of the file.

        Raises:
            ValueError: if the features differ from those of the game.
        """
        names = [*features, CONSTANT]
        if any(list(row) != names for row in d["weights"].values()):
            raise ValueError(f"{FILE} was fitted to other features: fit it again with python -m agents.fit")
        weights = np.array([[float(row[name]) for name in names] for row in d["weights"].values()])
        return cls(d["params"], weights, int(d["cut"]), float(d["utility_sum"]))

    def to_dict(self, features: list[str]) -> dict[str, Any]:
        """Return the entry as a dictionary that can be serialized as JSON."""
        rows = [dict(zip([*features, CONSTANT], row, strict=True)) for row in self.weights.tolist()]
        return {
            "params": dict(self.params),
            "cut": self.cut,
            "utility_sum": self.utility_sum,
            "weights": dict(zip(_sides(len(rows)), rows, strict=True)),
        }


def shares_losses(game: Game) -> bool:
    """Return whether one player loses more than any player can win; then a fit divides the loss among the players."""
    return -game.min_utility > game.max_utility


def pool(game: Game, fit: Fit | None) -> tuple[float, float]:
    """Return the utility that the players of a fit share.

    Returns:
        The return of a player with a share of 0, and the amount that all shares together add to it. The base is
        `min_utility`, so the amount is positive; if the players share a loss, the base is `max_utility` and the amount
        is negative.
    """
    loss = fit is not None and shares_losses(Game(game.type, fit.params))
    alone = game.max_utility if loss else game.min_utility
    total = game.utility_sum if game.utility_sum is not None else fit.utility_sum if fit else 0.0
    return alone, total - game.num_players * alone


def read_fit(game: Game) -> Fit | None:
    """Return the fit whose parameters agree best with the game's, or None if the game has no fits.

    Fits that divide the same kind of utility as the game, gain or loss, take precedence. Ties go to the first.
    """
    fits = fits_of(game.type)
    return max(fits, key=lambda fit: _agreement(fit, game)) if fits else None


def fit_file(game_type: GameType) -> Path:
    """Return the path of a game's file, which need not exist."""
    return Path(game_type.module("rules").__file__ or "").resolve().parent / FILE


def feature_names(game_type: GameType) -> list[str]:
    """Return the names of a game's position features; empty if the game declares no `VALUES`."""
    return [feature.name for feature in game_type.values.features] if game_type.values else []


@functools.cache
def fits_of(game_type: GameType) -> tuple[Fit, ...]:
    """Return all fits of a game."""
    file = resources.files(game_type.package) / FILE
    if game_type.values is None or not file.is_file():
        return ()
    entries = json.loads(file.read_text(encoding="utf-8"))["fits"]
    return tuple(Fit.from_dict(entry, feature_names(game_type)) for entry in entries)


def _agreement(fit: Fit, game: Game) -> tuple[bool, int]:
    alike = shares_losses(Game(game.type, fit.params)) == shares_losses(game)
    return alike, sum(game.params[name] == value for name, value in fit.params.items() if name in game.params)


def _sides(count: int) -> list[str]:
    """Return the keys of the players in a file, in turn order."""
    return ["to_move", "others"] if count == 2 else ["to_move", *(f"behind_{k}" for k in range(1, count))]
