"""The state record of `kuhn`.

Index legend:

    cards[p]     card of player p, 1 (lowest) .. num_players + 1; 0 before it is dealt; player 0 gets the first card
    betting[i]   decision i: PASS or BET, for i < num_decisions
    chips[p]     1, the ante, or 2
    folded[p]    1 if player p has passed after a bet
    bettor       the player who bet first, or -1
    turn         the player to act, or -1 after the betting
    gain[p]      rewards of the last transition, in chips
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.spec import Record

MAX_PLAYERS = 3
MAX_CARDS = MAX_PLAYERS + 1
MAX_DECISIONS = 2 * MAX_PLAYERS - 1
PASS, BET = 0, 1
WORDS = (("check", "bet"), ("fold", "call"))  # before and after the first bet

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rng", np.uint64),
                ("num_players", np.int8),
                ("pay_at_once", np.uint8),
                ("deal_last", np.uint8),
                ("num_dealt", np.int8),
                ("cards", np.int8, (MAX_PLAYERS,)),
                ("num_decisions", np.int8),
                ("betting", np.int8, (MAX_DECISIONS,)),
                ("chips", np.int8, (MAX_PLAYERS,)),
                ("folded", np.int8, (MAX_PLAYERS,)),
                ("bettor", np.int8),
                ("turn", np.int8),
                ("gain", np.int8, (MAX_PLAYERS,)),
            ],
            align=True,
        ),
    )
)


def set_params(record: Record, params: Mapping[str, Any]) -> None:
    """Write the parameters into a blank record."""
    record.num_players = params["num_players"]
    record.pay_at_once = params["pay_at_once"]
    record.deal_last = params["deal"] == "last"


def words(record: Record) -> list[str]:
    """Return the decisions so far, as words."""
    decisions, bet = [], 0
    for decision in record.betting[: record.num_decisions]:
        decisions.append(WORDS[bet][decision])
        bet = bet or int(decision == BET)
    return decisions


@kernel
def standing(state: Any) -> Any:
    """Return the number of players who have not folded."""
    count = np.int64(state.num_players)
    for p in range(state.num_players):
        count -= state.folded[p]
    return count


@kernel
def dealing(state: Any) -> Any:
    """Return whether the next transition deals a card."""
    if state.num_dealt == state.num_players:
        return False
    return state.deal_last == 0 or (state.turn < 0 and standing(state) > 1)
