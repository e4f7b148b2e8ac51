"""Every game in PettingZoo's and Gymnasium's registries, as `edge_envs/<game>-v<version>`."""

from __future__ import annotations

import functools
from collections.abc import Mapping

import gymnasium
import pettingzoo

from edge_envs.core.game import GameType


def register_games(games: Mapping[str, GameType]) -> None:
    """Register each game; ids exist once `edge_envs` is imported."""
    from edge_envs import aec_env, seat_env, seat_vector_env

    for name, game_type in games.items():
        game_id = f"edge_envs/{name}-v{game_type.version}"
        pettingzoo.register("aec", game_id, entry_point=functools.partial(aec_env, name))
        gymnasium.register(
            game_id,
            entry_point=functools.partial(seat_env, name),
            vector_entry_point=functools.partial(seat_vector_env, name),
            disable_env_checker=True,  # the checker samples actions without masks
        )
