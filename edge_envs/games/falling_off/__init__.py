"""`falling_off`."""

from __future__ import annotations

from edge_envs.core.game import GameType, Parameter

GAME = GameType(
    __name__,
    version=0,
    title="Falling off the Edge of the World",
    parameters=(
        Parameter("num_players", int, 2, "number of players", low=2, high=6),
        Parameter("play_on", bool, False, "after the first fall the others play on for the places"),
    ),
    perfect_information=True,
    summary="dice race, 2-6 players, solved exactly for two",
)
