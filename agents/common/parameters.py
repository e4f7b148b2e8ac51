"""A game from a name and parameters of any origin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs import Game
from edge_envs.games import named_game, params_of


def make_game(name: str, params: Mapping[str, Any]) -> Game:
    """A game, or a variant, with its parameters; ValueError names what is unknown or not possible."""
    game_type, _ = named_game(name)
    return Game(game_type, params_of(name, params))
