"""The short rules of `kuhn`, for text agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMES = ("check", "bet", "fold", "call", "card", "cards", "chip")


def text(params: Mapping[str, Any]) -> str:
    """Return the rules with these parameters."""
    players = params["num_players"]
    when = (
        "before the betting, visible only to it" if params["deal"] == "first" else "after the betting, visible to all"
    )
    paid = "at once" if params["pay_at_once"] else "at the end"
    return f"""\
Poker for {players} players with {players + 1} cards, 1 to {players + 1}. Each player pays one chip and is dealt one \
card {when}.

In turn, players check or bet one chip, until a player has bet. Then the others call, for one chip, or fold. The \
highest card of the players who have not folded wins all chips. Each bet or call is paid {paid}.
"""
