"""Random openings: the first decisions of games without chance, which would otherwise all be equal."""

from __future__ import annotations

from edge_envs import Game

OPENING = 2


def random_opening(game: Game) -> int:
    """Return the number of uniformly random decisions at the start of each game."""
    return 0 if game.max_chance_outcomes else OPENING
