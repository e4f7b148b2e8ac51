"""The events and results of `kuhn` in sentences."""

from __future__ import annotations

from edge_envs.core.spec import Record
from tests.toy.kuhn.state import dealing


def result(record: Record) -> str:
    """Return who takes the pot, and with which card."""
    standing = [p for p in range(record.num_players) if not record.folded[p]]
    winner = max(standing, key=lambda p: int(record.cards[p]))
    won = int(record.chips[: record.num_players].sum() - record.chips[winner])
    chips = f"{won} chip{'' if won == 1 else 's'}"
    if len(standing) == 1:
        return f"Player {winner} wins {chips}: all others have folded."
    return f"Player {winner} wins {chips} with card {record.cards[winner]}."


def events(before: Record, action: int, after: Record, viewer: int | None) -> list[str]:
    """Return which cards are revealed at the end of the betting."""
    if dealing(after) or after.turn >= 0 or not after.cards[0]:
        return []
    cards = ", ".join(f"player {p} has {after.cards[p]}" for p in range(after.num_players))
    return [f"All cards are open: {cards}."]


def subject(record: Record) -> int:
    """Return the player who is dealt a card."""
    return int(record.num_dealt)
