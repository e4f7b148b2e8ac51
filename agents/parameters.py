"""A game from a name and parameters of any origin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs import Game, load_game


def make_game(name: str, params: Mapping[str, Any]) -> Game:
    """A game with its parameters; ValueError names what is unknown or not possible."""
    return load_game(name, **load_game(name).type.check_params(params))
