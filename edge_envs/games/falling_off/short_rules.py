"""Short rules of `falling_off`, for human players and language models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMES = ("pawn", "start", "off", "storm", "edge", "keep", "reroll", "move", "owe")


_NUMBERS = ("no", "one", "two", "three", "four")
_NTH = ("", "only", "second", "third", "fourth")
_TIMES = ("", "Once", "Up to twice", "Up to three times")


def text(params: Mapping[str, Any]) -> str:
    """Return the rules for these parameters."""
    players = params["num_players"]
    pawns = "pawn begins" if params["pawns"] == 1 else f"{_NUMBERS[params['pawns']]} pawns begin"
    landing = "Any number of pawns may share a space."
    if params["landing"] == "back_to_start":
        landing = (
            "Your own pawns may share a space. If your pawn moves to a space with pawns of others, these return to the "
            "start."
        )
    back = "pawns never go back" if params["landing"] == "share" else "your pawns go back only if others land on them"
    return f"""\
{players} players roll dice at the edge of the world. Keep your pawns from falling off longer than the others.

The world is a row of spaces: {_spaces(params["spaces"])}. In front of it is the place called start, where each \
player's {pawns}. Beyond {3 + params["spaces"]} a pawn is off: over the edge, for good. {landing}

A turn:
{_turn(params["dice"], params["rerolls"], params["spaces"])}

You must move if any sum of your dice lets any of your pawns move. If none does, a storm rolls in: the turn is lost, \
and you owe two more turns. You take all the turns you owe before the next player's turn; further storms add up.

Every move brings a pawn nearer to the edge, and {back}. So small steps are good. A low pawn, which most \
sums can move, is also good: without one, storms come more often.

{_end(players, params["play_on"], _NTH[params["pawns"]])}
"""


def _spaces(count: int) -> str:
    """Return the numbers of the spaces."""
    numbers = [str(number) for number in range(4, 4 + count)]
    return ", ".join(numbers if count <= 4 else [*numbers[:2], "...", numbers[-1]])


_BOTH = '"reroll 1 4" (lower values first) rerolls a 1 and a 4; "keep" rerolls none.'


def _turn(dice: int, rerolls: int, spaces: int) -> str:
    """Return the numbered steps of a turn."""
    rolled = "One die is rolled." if dice == 1 else f"{_NUMBERS[dice].capitalize()} dice are rolled."
    again = {
        1: 'you may reroll it: "reroll 1" rerolls a 1; "keep" does not.',
        2: f"you may reroll one or both of them, at the same time: {_BOTH}",
        3: f"you may reroll any of them, all at the same time: {_BOTH}",
    }[dice]
    if rerolls > 1:
        again += " After keep you move."
    chosen = {
        1: "The value of the die names a space",
        2: "Choose one or both of the dice and add them up. The sum names a space",
        3: "Choose one, two or three of the dice and add them up. The sum names a space",
    }[dice]
    last = 3 + spaces
    example = "" if last < 9 or dice == 1 else f'"move start 9"{", " if last >= 12 else ""}'
    example += '"move 8 12"' if last >= 12 else ""
    example = example or '"move start 4"'
    move = (
        f"{chosen}, not a number of steps. Move one of your pawns from a lower place to that space: {example}. "
        f'Sums below 4 name no space. Every sum of {last + 1} or more is off: "move {last} off".'
    )
    steps = [rolled, *([f"{_TIMES[rerolls]}, {again}"] if rerolls else []), move]
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))


def _end(players: int, play_on: bool, nth: str) -> str:
    """Return how the game ends."""
    last = players - 1
    if not play_on:
        return f"The game ends when a player's {nth} pawn goes off. This player loses" + (
            "." if players == 2 else f", and all {last} others win."
        )
    if players == 2:
        return f"The game ends when a player's {nth} pawn goes off: this player is second, and the other is first."
    return (
        f"A player whose {nth} pawn goes off is out, and the others play on. The first to fall takes place "
        f"{players}, the next takes place {last}, and so on. The last player left is first. Finish as high as you "
        "can."
    )
