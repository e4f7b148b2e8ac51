"""The picture of a position of `kuhn`."""

from __future__ import annotations

from edge_envs.core.game import Record
from tests.toy.kuhn import rules


def picture(record: Record, viewer: int | None = None) -> str:
    """What is public, a line per player, or what `viewer` sees, own card included."""
    return "\n".join(line(record, player, viewer) for player in range(record.num_players))


def private(record: Record, viewer: int) -> list[str]:
    """The own card, once it is dealt."""
    return [f"card {record.cards[viewer]}"] if record.cards[viewer] else []


def line(record: Record, player: int, viewer: int | None) -> str:
    """What a viewer sees of a player."""
    card = str(record.cards[player] or "-")
    if record.cards[player] and rules.is_shown(record, player):
        card += " open"
    elif record.cards[player] and viewer != player:
        card = "?"
    folded = "  folded" if record.folded[player] else ""
    first = "  bet first" if record.bettor == player else ""
    turn = "  to speak" if record.turn == player else ""
    return f"player {player}  card {card}  chips {record.chips[player]}{folded}{first}{turn}"
