"""The rules of `falling_off` in short, for players who read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMES = ("pawn", "start", "off", "storm", "edge", "keep", "reroll", "move", "owe")


def text(params: Mapping[str, Any]) -> str:
    """The rules as they are with these parameters."""
    players = params["num_players"]
    last = players - 1
    if not params["play_on"]:
        end = "The game ends when a player's fourth pawn goes off: this player has lost" + (
            "." if players == 2 else f", and all {last} others have won."
        )
    elif players == 2:
        end = "The game ends when a player's fourth pawn goes off: this player is second, the other first."
    else:
        end = (
            f"A player whose fourth pawn goes off is out; the others play on. The first to fall takes place {players}, "
            "the next the place before it, and so on. The one who is left is first. The better the place, the better."
        )
    return f"""\
{players} players race dice against the edge of the world. Keep your pawns from falling off longer than the others.

The world is a row of spaces 4, 5, ..., 13. Before it lies start, where the four pawns of each player begin. Behind 13 \
a pawn is off: over the edge, for good. Any number of pawns may share a space.

A turn:
1. Three dice are rolled.
2. Once, you may throw any of them again, all at the same time: "reroll 1 4", the lower first, throws a 1 and a 4 \
again, "keep" throws none.
3. Pick one, two or three of the dice and add them up. The sum names a space, not a number of steps. Move one of your \
pawns from a lower place to that space: "move start 9", "move 8 12". Sums below 4 name nothing. Every sum of 14 or \
more is off: "move 13 off".

You must move if any sum of your dice lets any pawn move. If none does, a storm rolls in: the turn is lost, and you \
owe two more turns. You take all turns that you owe before the next player does; further storms add up.

Moves bring pawns nearer to the edge, and none ever goes back. So small steps are good, and so is a low pawn that most \
sums can move: without one storms come more often.

{end}
"""
