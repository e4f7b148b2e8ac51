"""Values of positions that were fitted to games, read from the file `search.json` in the folder of a game.

The file is made by `python -m agents.fit`. It holds one fit or more, each for some parameters of the game; others are
played with the fit whose parameters agree in most.
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
    """How good a position is for each player where a turn begins.

    The features of each player, by `weights` (K, F + 1), in turn order from the player to move, a constant at the end,
    give a score; further players have the last weights. The softmax of the scores says how the players share what there
    is to win, or to lose, see `pool`. `cut` says after how many turns searches ask for it.
    """

    params: Mapping[str, Any]
    weights: Array
    cut: int
    utility_sum: float

    @classmethod
    def from_dict(cls, d: Mapping[str, Any], features: list[str]) -> Fit:
        """A fit of the file; ValueError if its features are not those of the game."""
        names = [*features, CONSTANT]
        if any(list(row) != names for row in d["weights"].values()):
            raise ValueError(f"{FILE} was fitted to other features; make it anew with python -m agents.fit")
        weights = np.array([[float(row[name]) for name in names] for row in d["weights"].values()])
        return cls(d["params"], weights, int(d["cut"]), float(d["utility_sum"]))

    def to_dict(self, features: list[str]) -> dict[str, Any]:
        """Ready for JSON."""
        rows = [dict(zip([*features, CONSTANT], row, strict=True)) for row in self.weights.tolist()]
        return {
            "params": dict(self.params),
            "cut": self.cut,
            "utility_sum": self.utility_sum,
            "weights": dict(zip(_sides(len(rows)), rows, strict=True)),
        }


def shares_losses(game: Game) -> bool:
    """Whether a loser loses more than a winner wins, as one among several; then a fit says how the loss is shared."""
    return -game.min_utility > game.max_utility


def pool(game: Game, fit: Fit | None) -> tuple[float, float]:
    """The return of a player without a share, and what all shares together add to it, below 0 if they share a loss.

    What there is to win is what exceeds the least that each can get, what there is to lose what the most exceeds.
    """
    loss = fit is not None and shares_losses(Game(game.type, fit.params))
    alone = game.max_utility if loss else game.min_utility
    total = game.utility_sum if game.utility_sum is not None else fit.utility_sum if fit else 0.0
    return alone, total - game.num_players * alone


def read_fit(game: Game) -> Fit | None:
    """The fit for a game whose parameters agree in most; of several the first. None if there is none.

    Fits that share what the game shares, what there is to win or to lose, come before others.
    """
    fits = fits_of(game.type)
    return max(fits, key=lambda fit: _agreement(fit, game)) if fits else None


def fit_file(game_type: GameType) -> Path:
    """The file of a game, which need not exist."""
    return Path(game_type.module("rules").__file__ or "").resolve().parent / FILE


def feature_names(game_type: GameType) -> list[str]:
    """The names of the numbers that a game's `position_features` fills; none without the value contract."""
    return [feature.name for feature in game_type.values.features] if game_type.values else []


@functools.cache
def fits_of(game_type: GameType) -> tuple[Fit, ...]:
    """All fits of a game."""
    file = resources.files(game_type.package) / FILE
    if game_type.values is None or not file.is_file():
        return ()
    entries = json.loads(file.read_text(encoding="utf-8"))["fits"]
    return tuple(Fit.from_dict(entry, feature_names(game_type)) for entry in entries)


def _agreement(fit: Fit, game: Game) -> tuple[bool, int]:
    alike = shares_losses(Game(game.type, fit.params)) == shares_losses(game)
    return alike, sum(game.params[name] == value for name, value in fit.params.items() if name in game.params)


def _sides(count: int) -> list[str]:
    """What a file calls the players in turn order."""
    return ["to_move", "others"] if count == 2 else ["to_move", *(f"behind_{k}" for k in range(1, count))]
