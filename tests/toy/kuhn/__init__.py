"""`kuhn`: Kuhn poker for two or three players, the smallest game with hidden cards.

Each player gets one card from a deck with one card more than players, and pays an ante of one chip. There is one
betting round with one bet of one chip. Rules: H. W. Kuhn, "A simplified two-person poker" (1950); for three players
N. Abou Risk and D. Szafron, "Using counterfactual regret minimization to create competitive multiplayer poker agents"
(2010).
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
        Parameter("pay_at_once", bool, False, "whether bets are paid at once instead of at the end"),
        Parameter("deal", str, "first", "when cards are dealt: before or after the betting", choices=("first", "last")),
    ),
    perfect_information=False,
    summary="one card each, one bet, 2-3 players",
)
