"""`two_boxes`: Dots and Boxes on two squares, a small game in which a player who scores acts again.

Players in turn draw one of seven lines. A player who completes a box takes a point from the opponent and draws again.
Rules: E. R. Berlekamp, "The Dots and Boxes Game" (2000).
"""

from __future__ import annotations

from edge_envs.core.game_type import GameType

GAME = GameType(
    __name__,
    version=0,
    title="Two boxes",
    parameters=(),
    perfect_information=True,
    summary="seven lines, complete a box and draw again, 2 players",
)
