"""`tic_tac_toe`: tic-tac-toe with a limit on turns, no chance, and observation planes of floats."""

from __future__ import annotations

from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Parameter

GAME = GameType(
    __name__,
    version=0,
    title="Tic-tac-toe",
    parameters=(Parameter("max_turns", int, 9, "turns after which the game ends", low=1, high=9),),
    perfect_information=True,
    summary="three in a row, 2 players",
)
