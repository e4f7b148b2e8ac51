"""The text picture of a position of `tic_tac_toe`."""

from __future__ import annotations

from edge_envs.core.spec import Record
from tests.toy.tic_tac_toe.narration import result
from tests.toy.tic_tac_toe.state import STONES, board_rows


def picture(record: Record) -> str:
    """Draw the board, and the player to act or the result."""
    return "\n".join([*board_rows(record), headline(record)])


def headline(record: Record) -> str:
    """Return the player to act, or the result."""
    over = record.winner >= 0 or record.turns == record.max_turns
    if over:
        return f"over: {result(record)}"
    who = f"player {record.turns % 2} ({STONES[1 + record.turns % 2]}) moves"
    return f"{who}, turn {record.turns} of {record.max_turns}"
