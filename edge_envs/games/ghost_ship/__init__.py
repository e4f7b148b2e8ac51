"""Ghost Ship: lay an archipelago, then sail and march through it after hidden treasure, shadowed by a ghost.

A variant by Steffan O'Sullivan (1996), played with the parts of *Entdecker* by Klaus Teuber (Goldsieber, 1996). 2-4
players, chance, imperfect information, rewards at the end. Described here in our own words.

## Version history

- v0: the first.
"""

from __future__ import annotations

from edge_envs.core.game import GameType, Parameter
from edge_envs.games.ghost_ship import chits

GAME = GameType(
    __name__,
    version=0,
    title="Ghost Ship",
    parameters=(
        Parameter("num_players", int, 2, "number of players", low=2, high=4),
        Parameter(
            "creation", str, "players", "who lays the archipelago and puts the ghost: the players, or chance",
            choices=("players", "random"),
        ),
        chits.ChitsParameter("chits", dict, chits.DEFAULT, "how many chits have each value"),
        Parameter(
            "max_turns", int, 400, "turns of the tour, skipped ones included, after which the game ends",
            low=1, high=1_000_000,
        ),
        Parameter("score_reward", bool, False, "rewards tell by how much one has won"),
    ),
    perfect_information=False,
    summary="2-4 players lay an archipelago and seek hidden treasure in it, shadowed by a ghost",
)  # fmt: skip
