"""The games: one line each; and how one is found by its name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from edge_envs.core.errors import ParameterError, did_you_mean, in_short
from edge_envs.core.game_type import GameType
from edge_envs.games import beyond_maps, falling_off, ghost_ship, over_the_edge

GAMES: dict[str, GameType] = {
    falling_off.GAME.name: falling_off.GAME,
    beyond_maps.GAME.name: beyond_maps.GAME,
    over_the_edge.GAME.name: over_the_edge.GAME,
    ghost_ship.GAME.name: ghost_ship.GAME,
}


_ID = re.compile(r"(?:edge_envs/)?(.*?)(?:-v([0-9]{1,9}))?", re.DOTALL)


def plain_name(name: Any) -> str:
    """Return the name of a game or variant, such as `beyond_maps_8x8`, for its id or for the name itself.

    Ids are those of the registries: `edge_envs/beyond_maps_8x8-v0`. The prefix and the version may be left out.

    Raises:
        ParameterError: if there is no such game, variant or version.
    """
    found = _ID.fullmatch(name) if isinstance(name, str) else None
    plain, version = found.groups() if found else ("", None)
    for game_type in GAMES.values():
        if plain in game_type.variants:
            if version is not None and int(version) != game_type.version:
                raise ParameterError(
                    f"unknown version of {plain} in {in_short(name)} (this release has {plain}-v{game_type.version})"
                )
            return plain
    names = [variant for game_type in GAMES.values() for variant in game_type.variants]
    meant = [v for t in GAMES.values() if plain.startswith(t.name) for v in t.variants]
    raise ParameterError(
        f"unknown game {in_short(name)} (choose from {', '.join(meant or GAMES)}){did_you_mean(plain, names)}"
    )


def named_game(name: Any) -> tuple[GameType, Mapping[str, Any]]:
    """The game of a name or id, and the parameters that the name settles: none, or those of a variant.

    ParameterError names the games, and the variants of the game that may be meant.
    """
    plain = plain_name(name)
    game_type = next(game_type for game_type in GAMES.values() if plain in game_type.variants)
    return game_type, game_type.variants[plain].params


def params_of(name: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters together with those that a name settles; ParameterError if they contradict it."""
    game_type, settled = named_game(name)
    for key, value in settled.items():
        if key in params and params[key] != value:
            texts = [game_type.format_params({key: v})[0] for v in (value, params[key])]
            raise ParameterError(f"{name} has {texts[0]}, so {texts[1]} is not possible; {game_type.name} takes it")
    return {**params, **settled}
