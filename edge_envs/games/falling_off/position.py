"""Convert positions of `falling_off` to and from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.checks.positions import check, check_keys, entries, integer, integers, one_of
from edge_envs.core.spec import Record
from edge_envs.games.falling_off.pieces.sets import (
    DICE_SET_NUMBER,
    DICE_SETS,
    HIGHEST_NAMED_OF,
    LOWEST,
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
    num_rerolls,
    pawn_places,
    pawns_each,
    spaces_of,
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
        **({"rerolls_left": int(record.rerolls_left)} if num_rerolls(record) > 1 else {}),
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
    num_dice = int(record.num_dice)
    lengths = {REROLL: (num_dice,), MOVE: (num_dice,), REROLLED: range(num_dice)}.get(phase, (0,))
    check(len(dice) in lengths, "dice", f"{len(dice)} dice do not fit the phase {PHASES[phase]}")
    check(
        num_rerolls(record) > 0 or phase not in (REROLL, REROLLED),
        "phase",
        f"there is no {PHASES[phase]} without rerolls",
    )
    low, high = _rerolls_left(record)
    check(
        low <= record.rerolls_left <= high,
        "rerolls_left",
        f"expected {low if low == high else f'{low} to {high}'} in {PHASES[phase]}, not {record.rerolls_left}",
    )
    if phase == MOVE:
        check(_move_exists(record), "dice", f"no move exists with {dice} (a storm is not a node)")


def sketch(record: Record, d: Mapping[str, Any]) -> None:
    """Write a well-formed position, whether legal or not, so that it can be drawn.

    Raises:
        InvalidPositionError: if a value has the wrong type or is out of range; the message names its key.
    """
    several = num_rerolls(record) > 1
    check_keys(d, ("phase", "dice", "turn_player", "turns_owed", "pawns", "fallen", *["rerolls_left"] * several))
    players = int(record.num_players)
    record.phase = PHASES.index(one_of(d["phase"], "phase", PHASES))
    pawns, missing = _pawns(record, d["pawns"]), [OFF] * (NUM_PAWNS - pawns_each(record))
    record.pawns[:players] = [PAWN_SET_NUMBER[tuple(PLACES.index(place) for place in row + missing)] for row in pawns]
    fallen = integers(d["fallen"], "fallen", 0, players - 1)
    check(len(fallen) == len(set(fallen)), "fallen", f"{fallen} names a player twice")
    record.num_fallen = len(fallen)
    record.fallen[:] = fallen + [-1] * (MAX_PLAYERS - len(fallen))
    record.turn_player = integer(d["turn_player"], "turn_player", 0, players - 1)
    record.turns_owed = integer(d["turns_owed"], "turns_owed", 0, MAX_TURNS_OWED)
    dice = integers(d["dice"], "dice", 1, 6)
    check(len(dice) <= record.num_dice, "dice", f"expected at most {record.num_dice} dice, got {dice}")
    check(dice == sorted(dice), "dice", f"{dice} is not sorted")
    record.dice = DICE_SET_NUMBER[tuple(dice)]
    if several:
        record.rerolls_left = integer(d["rerolls_left"], "rerolls_left", 0, num_rerolls(record))
    else:
        record.rerolls_left = _rerolls_left(record)[1]


def _rerolls_left(record: Record) -> tuple[int, int]:
    """Return the least and the largest possible number of rerolls left in the phase."""
    most = num_rerolls(record)
    return {REROLL: (1, most), REROLLED: (0, max(most - 1, 0))}.get(int(record.phase), (0, 0))


def last_fall(record: Record) -> int:
    """Return the number of fallen players at which the game is over."""
    return int(record.num_players) - 1 if record.play_on else 1


def _pawns(record: Record, value: Any) -> list[list[int]]:
    rows, spaces = entries(value, "pawns", int(record.num_players)), spaces_of(record)
    pawns = [integers(row, "pawns", START, OFF, pawns_each(record)) for row in rows]
    world = f"{spaces[0]}..{spaces[-1]}" if len(spaces) > 1 else f"{spaces[0]}"
    for row in pawns:
        check(row == sorted(row), "pawns", f"{row} is not sorted")
        known = all(place in (START, *spaces, OFF) for place in row)
        check(known, "pawns", f"{row}: places are {START}, {world} and {OFF}")
    return pawns


def _move_exists(record: Record) -> bool:
    return bool(HIGHEST_NAMED_OF[record.spaces, record.dice] > LOWEST[record.pawns[record.turn_player]])
