"""Convert positions of `falling_off` to and from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.checks.positions import check, check_keys, entries, integer, integers, one_of
from edge_envs.core.spec import Record
from edge_envs.games.falling_off.pieces.sets import (
    DICE_SET_NUMBER,
    DICE_SETS,
    FIRST_SPACE,
    NUM_DICE,
    NUM_PAWNS,
    OFF,
    PAWN_SET_NUMBER,
    PLACES,
    START,
)
from edge_envs.games.falling_off.state import (
    MAX_PLAYERS,
    MAX_TURNS_OWED,
    MOVE,
    OVER,
    PHASES,
    REROLL,
    REROLLED,
    pawn_places,
)


def to_dict(record: Record) -> dict[str, Any]:
    """Return the position as a dict, without `game` and `params`."""
    players = int(record.num_players)
    return {
        "phase": PHASES[record.phase],
        "dice": list(DICE_SETS[record.dice]),
        "turn_player": int(record.turn_player),
        "turns_owed": int(record.turns_owed),
        "pawns": [pawn_places(record, player) for player in range(players)],
        "fallen": record.fallen[: record.num_fallen].tolist(),
    }


def from_dict(record: Record, d: Mapping[str, Any]) -> None:
    """Write a position into a record whose parameters are set.

    Raises:
        InvalidPositionError: if the position is not legal; the message names the key at fault.
    """
    sketch(record, d)
    players, phase, pawns, fallen = int(record.num_players), int(record.phase), d["pawns"], d["fallen"]
    gone = [player for player, row in enumerate(pawns) if row[0] == OFF]
    check(sorted(fallen) == gone, "fallen", f"{fallen} does not match the players with all pawns off, {gone}")
    over = len(fallen) == last_fall(record)
    check(len(fallen) < players and (over or record.play_on or not fallen), "fallen", "the game ended before that")
    check(over == (phase == OVER), "phase", f"with {len(fallen)} of {players} players fallen the game is "
          + ("over" if over else "not over"))  # fmt: skip
    turn_player = d["turn_player"]
    if over:
        check(turn_player == fallen[-1], "turn_player", "at the end it must be the player whose fall ended the game")
        integer(d["turns_owed"], "turns_owed", 0, 0)
    else:
        check(turn_player not in fallen, "turn_player", f"player {turn_player} has fallen and gets no turns")
        integer(d["turns_owed"], "turns_owed", 1, MAX_TURNS_OWED)
    dice = d["dice"]
    lengths = {REROLL: (3,), MOVE: (3,), REROLLED: (0, 1, 2)}.get(phase, (0,))
    check(len(dice) in lengths, "dice", f"{len(dice)} dice do not fit the phase {PHASES[phase]}")
    if phase == MOVE:
        check(_move_exists(dice, pawns[turn_player]), "dice", f"no move exists with {dice} (a storm is not a node)")


def sketch(record: Record, d: Mapping[str, Any]) -> None:
    """Write a well-formed position, whether legal or not, so that it can be drawn.

    Raises:
        InvalidPositionError: if a value has the wrong type or is out of range; the message names its key.
    """
    check_keys(d, ("phase", "dice", "turn_player", "turns_owed", "pawns", "fallen"))
    players = int(record.num_players)
    record.phase = PHASES.index(one_of(d["phase"], "phase", PHASES))
    pawns = _pawns(d["pawns"], players)
    record.pawns[:players] = [PAWN_SET_NUMBER[tuple(PLACES.index(place) for place in row)] for row in pawns]
    fallen = integers(d["fallen"], "fallen", 0, players - 1)
    check(len(fallen) == len(set(fallen)), "fallen", f"{fallen} names a player twice")
    record.num_fallen = len(fallen)
    record.fallen[:] = fallen + [-1] * (MAX_PLAYERS - len(fallen))
    record.turn_player = integer(d["turn_player"], "turn_player", 0, players - 1)
    record.turns_owed = integer(d["turns_owed"], "turns_owed", 0, MAX_TURNS_OWED)
    dice = integers(d["dice"], "dice", 1, 6)
    check(len(dice) <= NUM_DICE, "dice", f"expected at most {NUM_DICE} dice, got {dice}")
    check(dice == sorted(dice), "dice", f"{dice} is not sorted")
    record.dice = DICE_SET_NUMBER[tuple(dice)]


def last_fall(record: Record) -> int:
    """Return the number of fallen players at which the game is over."""
    return int(record.num_players) - 1 if record.play_on else 1


def _pawns(value: Any, players: int) -> list[list[int]]:
    pawns = [integers(row, "pawns", START, OFF, NUM_PAWNS) for row in entries(value, "pawns", players)]
    for row in pawns:
        check(row == sorted(row), "pawns", f"{row} is not sorted")
        check(not any(START < place < FIRST_SPACE for place in row), "pawns", f"{row}: places are 0, 4..13 and 14")
    return pawns


def _move_exists(dice: list[int], pawns: list[int]) -> bool:
    return sum(dice) >= FIRST_SPACE and sum(dice) > pawns[0]
