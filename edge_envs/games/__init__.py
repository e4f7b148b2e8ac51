"""The games: one line each."""

from __future__ import annotations

from edge_envs.core.game import GameType
from edge_envs.games import beyond_maps, falling_off, ghost_ship, over_the_edge

GAMES: dict[str, GameType] = {
    falling_off.GAME.name: falling_off.GAME,
    beyond_maps.GAME.name: beyond_maps.GAME,
    over_the_edge.GAME.name: over_the_edge.GAME,
    ghost_ship.GAME.name: ghost_ship.GAME,
}
