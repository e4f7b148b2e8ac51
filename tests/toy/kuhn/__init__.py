"""`kuhn`: Kuhn poker for two or three players, the smallest game with hidden cards.

One card each from a deck of one card more than there are players, an ante of one chip, one round of betting with one
bet of one chip. Rules: H. W. Kuhn, "A simplified two-person poker" (1950); for three players N. Abou Risk and
D. Szafron, "Using counterfactual regret minimization to create competitive multiplayer poker agents" (2010).
"""

from __future__ import annotations

from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Parameter

GAME = GameType(
    __name__,
    version=0,
    title="Kuhn poker",
    parameters=(
        Parameter("num_players", int, 2, "number of players", low=2, high=3),
        Parameter("pay_at_once", bool, False, "a chip costs its reward when it is bet, not at the end"),
        Parameter("deal", str, "first", "when the cards are dealt", choices=("first", "last")),
    ),
    perfect_information=False,
    summary="one card each, one bet, 2-3 players",
)
