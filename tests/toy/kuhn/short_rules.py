"""The rules of `kuhn` in short, for players who read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMES = ("check", "bet", "fold", "call", "card", "cards", "chip")


def text(params: Mapping[str, Any]) -> str:
    """The rules as they are with these parameters."""
    players = params["num_players"]
    when = "before the betting" if params["deal"] == "first" else "after the betting"
    paid = "at once" if params["pay_at_once"] else "at the end"
    return f"""\
Poker for {players} players with {players + 1} cards, 1 to {players + 1}. Each player pays one chip and is dealt one \
card {when}; who holds a card alone sees it.

In turn players check or bet one chip more, until somebody has bet; then the others call, for one chip, or fold. The \
highest card of those who have not folded wins all chips. What is bet counts {paid}.
"""
