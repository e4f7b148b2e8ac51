"""Three tiny games that test that all code is generic: like any other game, each is a folder and one line.

They have features that a real game may lack: hidden cards, intermediate rewards, chance without a custom sampler,
chance that ends the game, elimination of players, no chance at all, planes, real numbers in an observation, and a
reward before another turn of the same player.
"""

from __future__ import annotations

import edge_envs
from edge_envs.core.game_type import GameType
from edge_envs.envs.registration import register_games
from tests.toy import kuhn, tic_tac_toe, two_boxes

TOYS: dict[str, GameType] = {
    kuhn.GAME.name: kuhn.GAME,
    tic_tac_toe.GAME.name: tic_tac_toe.GAME,
    two_boxes.GAME.name: two_boxes.GAME,
}


def enrol() -> None:
    """Register the toy games, unless they are already registered."""
    new = {name: game_type for name, game_type in TOYS.items() if name not in edge_envs.GAMES}
    edge_envs.GAMES.update(new)
    register_games(new)
