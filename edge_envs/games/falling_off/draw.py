"""Text picture of a position of `falling_off`."""

from __future__ import annotations

from edge_envs.core.spec import Record
from edge_envs.games.falling_off.narration import ORDINALS, result
from edge_envs.games.falling_off.pieces.sets import DICE_SETS, FIRST_SPACE, OFF, PLACES, START
from edge_envs.games.falling_off.state import MOVE, OVER, REROLL, REROLLED, ROLL, pawn_places


def picture(record: Record) -> str:
    """Draw the board as text: one row per player, one column of pawn counts per place, and a headline."""
    header = "place     start" + "".join(f"{place:>4}" for place in range(FIRST_SPACE, OFF)) + " off"
    lines = [header]
    for player in range(record.num_players):
        pawns = pawn_places(record, player)
        counts = {place: pawns.count(place) for place in PLACES}
        cells = "".join(f"{counts[place] or '.':>4}" for place in range(FIRST_SPACE, OFF + 1))
        lines.append(f"player {player}  {counts[START] or '.':>5}{cells}{_status(record, player)}")
    lines.append(headline(record))
    return "\n".join(lines)


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
        ROLL: "rolls three dice",
        REROLL: f"rolled {dice}: keep, or reroll some",
        REROLLED: f"keeps {dice or 'nothing'} and throws the rest again",
        MOVE: f"has {dice}: moves a pawn",
    }[int(record.phase)]
    return f"player {player} owes {turns} and {task}"
