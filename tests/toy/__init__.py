"""Two tiny games that prove the house generic: a folder and one line each, like any other game.

They bring what a single game need not have: hidden cards, rewards on the way, chance without a sampler of its own,
chance that ends the game, players who drop out early, no chance at all, planes, real numbers in an observation.
"""

from __future__ import annotations

import edge_envs
from edge_envs.core.game_type import GameType
from edge_envs.envs.registration import register_games
from tests.toy import kuhn, tic_tac_toe

TOYS: dict[str, GameType] = {
    kuhn.GAME.name: kuhn.GAME,
    tic_tac_toe.GAME.name: tic_tac_toe.GAME,
}


def enrol() -> None:
    """Enter the toys among the games, once."""
    new = {name: game_type for name, game_type in TOYS.items() if name not in edge_envs.GAMES}
    edge_envs.GAMES.update(new)
    register_games(new)
