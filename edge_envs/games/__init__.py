"""The games: one line each; and how one is found by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.errors import ParameterError, in_short
from edge_envs.core.game import GameType
from edge_envs.games import beyond_maps, falling_off, ghost_ship, over_the_edge

GAMES: dict[str, GameType] = {
    falling_off.GAME.name: falling_off.GAME,
    beyond_maps.GAME.name: beyond_maps.GAME,
    over_the_edge.GAME.name: over_the_edge.GAME,
    ghost_ship.GAME.name: ghost_ship.GAME,
}


def named_game(name: Any) -> tuple[GameType, Mapping[str, Any]]:
    """The game of a name, and the parameters that the name settles: none, or those of a variant.

    ParameterError names the games, and the variants of the game that may be meant.
    """
    for game_type in GAMES.values():
        if isinstance(name, str) and name in game_type.variants:
            return game_type, game_type.variants[name].params
    meant = [v for t in GAMES.values() if isinstance(name, str) and name.startswith(t.name) for v in t.variants]
    raise ParameterError(f"there is no game {in_short(name)}; possible are {', '.join(meant or GAMES)}")


def params_of(name: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters together with those that a name settles; ParameterError if they contradict it."""
    game_type, settled = named_game(name)
    for key, value in settled.items():
        if key in params and params[key] != value:
            texts = [game_type.format_params({key: v})[0] for v in (value, params[key])]
            raise ParameterError(f"{name} has {texts[0]}, so {texts[1]} is not possible; {game_type.name} takes it")
    return {**params, **settled}
