"""Text picture of a position of `falling_off`."""

from __future__ import annotations

from edge_envs.core.spec import Record
from edge_envs.games.falling_off.narration import ORDINALS, result
from edge_envs.games.falling_off.pieces.sets import DICE_SETS, OFF, PLACES, START
from edge_envs.games.falling_off.state import (
    MOVE,
    OVER,
    REROLL,
    REROLLED,
    ROLL,
    SEVERAL_REROLLS,
    pawn_places,
    spaces_of,
)

LEGEND = (
    "a row for each player, a column for each place; the numbers count the player's pawns there",
    "start  pawns that are not yet on the board",
    "off    pawns that fell off the edge: a player without other pawns is out",
)


def picture(record: Record) -> str:
    """Draw the board as text: one row per player, one column of pawn counts per place, and a headline."""
    spaces = (*spaces_of(record), OFF)
    header = "place     start" + "".join(f"{place:>4}" for place in spaces[:-1]) + " off"
    lines = [header]
    for player in range(record.num_players):
        pawns = pawn_places(record, player)
        counts = {place: pawns.count(place) for place in PLACES}
        cells = "".join(f"{counts[place] or '.':>4}" for place in spaces)
        lines.append(f"player {player}  {counts[START] or '.':>5}{cells}{_status(record, player)}")
    lines.append(headline(record))
    return "\n".join(lines)


_NUMBERS = ("", "a die", "two dice", "three dice")


def _left(record: Record) -> str:
    """Return how many rerolls are left if there are several."""
    left = int(record.rerolls_left)
    return f", {left} {'reroll' if left == 1 else 'rerolls'} left" if record.setup >= SEVERAL_REROLLS else ""


def _status(record: Record, player: int) -> str:
    fallen = record.fallen[: record.num_fallen].tolist()
    if player in fallen:
        return f"  fell {ORDINALS[fallen.index(player)]}"
    return ""


def headline(record: Record) -> str:
    """Say whose turn it is and what that player does next, or how the game ended."""
    player, owed = record.turn_player, record.turns_owed
    dice = " ".join(map(str, DICE_SETS[record.dice]))
    if record.phase == OVER:
        return f"over: {result(record)}"
    turns = "1 turn" if owed == 1 else f"{owed} turns"
    task = {
        ROLL: f"rolls {_NUMBERS[record.num_dice]}",
        REROLL: f"rolled {dice}: keep, or reroll some{_left(record)}",
        REROLLED: f"keeps {dice or 'nothing'} and throws the rest again{_left(record)}",
        MOVE: f"has {dice}: moves a pawn",
    }[int(record.phase)]
    return f"player {player} owes {turns} and {task}"
