"""The events and results of `tic_tac_toe` in sentences."""

from __future__ import annotations

from edge_envs.core.spec import Record
from tests.toy.tic_tac_toe.state import STONES


def result(record: Record) -> str:
    """Return who has three in a row."""
    if record.winner < 0:
        return f"A draw: nobody has three in a row after {record.turns} turns."
    return f"Player {record.winner} wins with three {STONES[1 + record.winner]} in a row."


def events(before: Record, action: int, after: Record) -> list[str]:
    """Return an event for three in a row."""
    return [f"Player {after.winner} has three in a row."] if after.winner >= 0 else []


def subject(record: Record) -> None:
    """Return None: the game has no chance nodes."""
