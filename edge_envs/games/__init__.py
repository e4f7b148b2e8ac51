"""Registry of the games, and lookup of games and variants by name or id."""

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


_ID = re.compile(r"(?:edge_envs/)?(.*?)(?:-v(0|[1-9][0-9]{0,8}))?", re.DOTALL)


def plain_name(name: Any) -> str:
    """Return the name of a game or variant, such as `beyond_maps_8x8`, for its id or for the name itself.

    Ids are those of the registries, such as `edge_envs/beyond_maps_8x8-v0`. The prefix and the version are optional.

    Raises:
        ParameterError: if the game, variant or version is unknown.
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
    variants = [v for t in GAMES.values() if plain.startswith(t.name) for v in t.variants]
    raise ParameterError(
        f"unknown game {in_short(name)} (choose from {', '.join(variants or GAMES)}){did_you_mean(plain, names)}"
    )


def named_game(name: Any) -> tuple[GameType, Mapping[str, Any]]:
    """Return the game of a name or id, and the parameters that the name fixes (none unless it names a variant).

    Raises:
        ParameterError: if the game, variant or version is unknown; the message lists the games, or the variants of
            the game.
    """
    plain = plain_name(name)
    game_type = next(game_type for game_type in GAMES.values() if plain in game_type.variants)
    return game_type, game_type.variants[plain].params


def params_of(name: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return `params` together with the parameters that a name fixes.

    Raises:
        ParameterError: if the name is unknown or `params` contradict it.
    """
    game_type, fixed = named_game(name)
    for key, value in fixed.items():
        if key in params and params[key] != value:
            texts = [game_type.format_params({key: v})[0] for v in (value, params[key])]
            raise ParameterError(f"{name} has {texts[0]}: invalid {texts[1]} (use {game_type.name} to change it)")
    return {**params, **fixed}
