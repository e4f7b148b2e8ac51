"""Event and result sentences of `falling_off`."""

from __future__ import annotations

from edge_envs.core.game import players_named
from edge_envs.core.spec import Record
from edge_envs.games.falling_off.pieces.sets import NUM_PAWNS, OFF
from edge_envs.games.falling_off.state import MOVE, OVER, REROLL, REROLLED, ROLL, pawn_places

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def result(record: Record) -> str:
    """Say who won and who lost all pawns; if the places count, in which order."""
    fallen = record.fallen[: record.num_fallen].tolist()
    left = [player for player in range(record.num_players) if player not in fallen]
    wins = f"{players_named(left)} {'wins' if len(left) == 1 else 'win'}"
    if len(fallen) == 1:
        return f"{wins}: player {fallen[0]} has lost all pawns."
    order = ", then ".join(f"player {player}" for player in fallen)
    return f"{wins}: the others have lost all pawns, first {order}."


def scores(record: Record) -> dict[str, list[str]]:
    """Return the pawns that each player has left and, if the places count, each player's place."""
    players = range(int(record.num_players))
    table = {"pawns left": [str(_pawns_left(record, player)) for player in players]}
    if record.play_on and len(players) > 2:
        fallen = record.fallen[: record.num_fallen].tolist()
        table["place"] = [str(len(players) - fallen.index(p) if p in fallen else 1) for p in players]
    return table


def events(before: Record, action: int, after: Record) -> list[str]:
    """Describe storms, pawns that fall over the edge, and turns still owed."""
    if after.phase == ROLL and before.phase in (REROLL, REROLLED):
        return [_storm(after)]
    if before.phase != MOVE:
        return []
    player = int(before.turn_player)
    left = _pawns_left(after, player)
    sentences = [_fall(player, left)] if left < _pawns_left(before, player) else []
    if left == 0 and before.play_on and before.num_players > 2:
        sentences.append(_place(after, player))
    if left == 0 and before.turns_owed > 1 and after.phase != OVER:
        sentences.append(f"Player {player} no longer owes any turns.")
    if left and before.turns_owed > 1:
        sentences.append(f"Player {player} still owes {_turns(after.turns_owed)}.")
    return sentences


def subject(record: Record) -> int:
    """Return the player who rolls."""
    return int(record.turn_player)


def _storm(after: Record) -> str:
    total = "" if after.turns_owed == 2 else f", {after.turns_owed} in all"
    return f"No sum moves a pawn: a storm! Player {after.turn_player} owes two more turns{total}."


def _fall(player: int, left: int) -> str:
    if left == 0:
        return f"The last pawn of player {player} falls over the edge: player {player} has lost all pawns."
    return f"A pawn of player {player} falls over the edge; {left} {'is' if left == 1 else 'are'} left."


def _place(after: Record, player: int) -> str:
    number = int(after.num_fallen)
    return f"Player {player} is out and takes place {after.num_players - number + 1}."


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"


def _pawns_left(record: Record, player: int) -> int:
    return NUM_PAWNS - pawn_places(record, player).count(OFF)
