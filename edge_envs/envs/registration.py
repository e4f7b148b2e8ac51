"""Register games and their variants with PettingZoo and Gymnasium, as `edge_envs/<game>-v<version>`."""

from __future__ import annotations

from collections.abc import Mapping

import gymnasium
import pettingzoo

from edge_envs.core.game_type import GameType


def register_games(games: Mapping[str, GameType]) -> None:
    """Register each game and its variants. `edge_envs` calls this on import for its own games.

    Entry points are strings, so that Gymnasium can serialize an environment's spec as JSON. PettingZoo has a registry
    since version 1.27; with 1.26, only Gymnasium's is filled.

    Args:
        games: Games by name, such as `edge_envs.GAMES`.
    """
    for game_id, name in ids_of(games).items():
        kwargs = {"name": name}
        if hasattr(pettingzoo, "register"):
            pettingzoo.register("aec", game_id, entry_point="edge_envs:aec_env", kwargs=kwargs)
            pettingzoo.register("parallel", game_id, entry_point="edge_envs:parallel_env", kwargs=kwargs)
        gymnasium.register(
            game_id,
            entry_point="edge_envs:seat_env",
            vector_entry_point="edge_envs:seat_vector_env",
            disable_env_checker=True,  # the checker samples actions without masks
            kwargs=kwargs,
        )


def ids_of(games: Mapping[str, GameType]) -> dict[str, str]:
    """Return a dictionary from the id of each game and variant to its name."""
    return {f"edge_envs/{name}-v{made.version}": name for made in games.values() for name in made.variants}
