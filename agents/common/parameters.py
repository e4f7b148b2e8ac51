"""Make a game from a name and parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs import Game
from edge_envs.games import named_game, params_of


def make_game(name: str, params: Mapping[str, Any]) -> Game:
    """Make a game, or a variant, with parameters; ValueError names an unknown name or an invalid value."""
    game_type, _ = named_game(name)
    return Game(game_type, params_of(name, params))
