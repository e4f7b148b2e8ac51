"""Short rules of `falling_off`, for human players and language models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMES = ("pawn", "start", "off", "storm", "edge", "keep", "reroll", "move", "owe")


def text(params: Mapping[str, Any]) -> str:
    """Return the rules for these parameters."""
    players = params["num_players"]
    last = players - 1
    if not params["play_on"]:
        end = "The game ends when a player's fourth pawn goes off. This player loses" + (
            "." if players == 2 else f", and all {last} others win."
        )
    elif players == 2:
        end = "The game ends when a player's fourth pawn goes off: this player is second, and the other is first."
    else:
        end = (
            "A player whose fourth pawn goes off is out, and the others play on. The first to fall takes place "
            f"{players}, the next takes place {last}, and so on. The last player left is first. Finish as high as you "
            "can."
        )
    return f"""\
{players} players roll dice at the edge of the world. Keep your pawns from falling off longer than the others.

The world is a row of spaces: 4, 5, ..., 13. In front of it is the place called start, where each player's four pawns \
begin. Beyond 13 a pawn is off: over the edge, for good. Any number of pawns may share a space.

A turn:
1. Three dice are rolled.
2. Once, you may reroll any of them, all at the same time: "reroll 1 4" (lower values first) rerolls a 1 and a 4; \
"keep" rerolls none.
3. Choose one, two or three of the dice and add them up. The sum names a space, not a number of steps. Move one of \
your pawns from a lower place to that space: "move start 9", "move 8 12". Sums below 4 name no space. Every sum of 14 \
or more is off: "move 13 off".

You must move if any sum of your dice lets any of your pawns move. If none does, a storm rolls in: the turn is lost, \
and you owe two more turns. You take all the turns you owe before the next player's turn; further storms add up.

Every move brings a pawn nearer to the edge, and pawns never go back. So small steps are good. A low pawn, which most \
sums can move, is also good: without one, storms come more often.

{end}
"""
