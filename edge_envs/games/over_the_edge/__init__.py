"""Over the Edge!"""

from __future__ import annotations

from edge_envs.core.game import GameType, Parameter
from edge_envs.games.over_the_edge.charts import MapParameter

GAME = GameType(
    __name__,
    version=0,
    title="Over the Edge!",
    parameters=(
        Parameter("num_players", int, 2, "number of players", low=2, high=6),
        MapParameter("map", str, "flat_earth", "a shipped map's name, a path to a map file, or the map as a dict"),
        Parameter("boarding", bool, True, "ships that meet at sea may be boarded and pillaged"),
        Parameter(
            "max_turns", int, 500, "finished turns, skipped ones included, after which the game ends",
            low=1, high=1_000_000,
        ),
    ),
    perfect_information=True,
    summary="2-6 ships race round a flat earth on open hands of cards",
)  # fmt: skip
