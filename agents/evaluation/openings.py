"""How games without chance begin: their first decisions are drawn, or all games would be alike."""

from __future__ import annotations

from edge_envs import Game

OPENING = 2


def random_opening(game: Game) -> int:
    """How many decisions at the start of each game are drawn uniformly."""
    return 0 if game.max_chance_outcomes else OPENING
