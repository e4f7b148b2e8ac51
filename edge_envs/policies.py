"""The game that a policy was made for, and whether the policy can play another one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.game import Game
from edge_envs.games import named_game, params_of

FORMAT = "edge_envs policy 1"
"""The key `format` of every `policy.json`."""
OLDEST_HEURISTIC = "v0"
"""The version of the heuristic whose hints a policy uses, if its file does not name one."""


def game_of_policy(name: str, params: Mapping[str, Any], version: int, heuristic: str) -> Game:
    """Return the game that a policy was made for.

    Args:
        name: The name of the game.
        params: Its parameters.
        version: Its version.
        heuristic: The version of its heuristic whose hints the policy uses.

    Raises:
        ValueError: if this version of the package does not have the game.
    """
    kind, _ = named_game(name)
    kind.check_names_no_file(params)
    game = Game(kind, params_of(name, params))
    if version != game.type.version:
        raise ValueError(f"made for version {version} of {game.name}; this is version {game.type.version}")
    return game.with_heuristic(heuristic)


def how_to_name(game: Game) -> str:
    """Return the options that name a game: a variant, or the game with all parameters that differ from the defaults."""
    for name, variant in game.type.variants.items():
        if game.type.check_params(variant.params) == game.params:
            return f"--game {name}"
    defaults = game.type.check_params({})
    own = {key: value for key, value in game.params.items() if value != defaults[key]}
    return f"--game {game.name} --param {' '.join(game.type.format_params(own))}"


def check_fit(own: Game, game: Game) -> None:
    """Raise ValueError unless a policy made for `own` can play `game`: same game, sizes and meanings of ids."""
    if own.name != game.name:
        raise ValueError(f"made for the game {own.name!r}; it cannot play {game.name!r}")
    sizes = [(g.num_players, g.observation_shape, g.num_distinct_actions) for g in (own, game)]
    meanings = (p for p in game.type.parameters.values() if p.gives_meaning)
    if sizes[0] != sizes[1] or not all(p.same(own.params[p.name], game.params[p.name]) for p in meanings):
        raise ValueError(f"made for {game.params_difference(own.params)}; its game is {how_to_name(own)}")
