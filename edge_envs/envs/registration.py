"""Every game in PettingZoo's and Gymnasium's registries, as `edge_envs/<game>-v<version>`, and each of its variants."""

from __future__ import annotations

from collections.abc import Mapping

import gymnasium
import pettingzoo

from edge_envs.core.game_type import GameType


def register_games(games: Mapping[str, GameType]) -> None:
    """Register each game and its variants; ids exist once `edge_envs` is imported.

    What makes an environment is named by a text, so that its specification can be written down as JSON. PettingZoo has
    a registry since 1.27; under 1.26 there is none to enter.
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
    """The id of each game and of each variant, and its name."""
    return {f"edge_envs/{name}-v{made.version}": name for made in games.values() for name in made.variants}
