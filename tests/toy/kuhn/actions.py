"""Ids of `kuhn`: 0 passes (check, fold), 1 bets (bet, call); chance outcome c deals card c + 1."""

from __future__ import annotations

from edge_envs.core.spec import Record
from tests.toy.kuhn.state import WORDS, dealing

NUM_ACTIONS = 2


def action_to_string(record: Record, action: int) -> str:
    """Return the string of a decision, or of a chance outcome at a chance node."""
    return f"deal {action + 1}" if dealing(record) else WORDS[int(record.bettor >= 0)][action]


def action_as_seen(record: Record, action: int, viewer: int | None) -> str:
    """Return the string as `viewer` (None: the public) sees it: a card is visible only to its player."""
    hidden = dealing(record) and viewer != record.num_dealt and not record.deal_last
    return "deal ?" if hidden else action_to_string(record, action)
