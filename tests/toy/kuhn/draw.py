"""The text picture of a position of `kuhn`."""

from __future__ import annotations

from edge_envs.core.spec import Record
from tests.toy.kuhn import rules
from tests.toy.kuhn.narration import result
from tests.toy.kuhn.state import dealing


def picture(record: Record, viewer: int | None = None) -> str:
    """Draw the view of `viewer` (None: the public), a line per player; at the end, with all cards."""
    return "\n".join([*(line(record, player, viewer) for player in range(record.num_players)), headline(record)])


def headline(record: Record) -> str:
    """Return the player to act, or the result."""
    if dealing(record):
        return f"player {record.num_dealt} is dealt a card"
    return f"player {record.turn} is to speak" if record.turn >= 0 else f"over: {result(record)}"


def private(record: Record, viewer: int) -> list[str]:
    """Return the viewer's card once it is dealt."""
    return [f"card {record.cards[viewer]}"] if record.cards[viewer] else []


def line(record: Record, player: int, viewer: int | None) -> str:
    """Return the line of a player, as a viewer sees it."""
    card = str(record.cards[player] or "-")
    if record.cards[player] and rules.is_shown(record, player):
        card += " open"
    elif record.cards[player] and viewer != player:
        card = "?"
    folded = "  folded" if record.folded[player] else ""
    first = "  bet first" if record.bettor == player else ""
    return f"player {player}  card {card}  chips {record.chips[player]}{folded}{first}"
