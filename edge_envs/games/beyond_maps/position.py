"""Positions of `beyond_maps` as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.game import Record
from edge_envs.core.position import check, check_keys, entries, integer, integers, rows, truth
from edge_envs.games.beyond_maps.map.bitboard import WORDS
from edge_envs.games.beyond_maps.map.seas import ended
from edge_envs.games.beyond_maps.phases.choices import set_up
from edge_envs.games.beyond_maps.state import HIGHEST_DIE, board_rows, square_name


def to_dict(record: Record) -> dict[str, Any]:
    """The position, without `game` and `params`."""
    size = int(record.side)
    under_way = record.markers_placed > 0
    return {
        "board": board_rows(record),
        "ships": [square_name(int(ship), size) if ship >= 0 else None for ship in record.ships],
        "turn_player": int(record.turn_player),
        "turn": int(record.turn),
        "sea_done": bool(record.sea_done),
        "land_done": bool(record.land_done),
        "markers_placed": int(record.markers_placed),
        "last_marker": square_name(int(record.last_marker), size) if under_way else None,
        "roll": [int(record.high), int(record.low)] if record.high else None,
    }


def from_dict(record: Record, d: Mapping[str, Any]) -> None:
    """Write a position into a record whose parameters are set; InvalidPositionError names the key at fault."""
    check_keys(d, ("board", "ships", "turn_player", "turn", "sea_done", "land_done", "markers_placed", "last_marker",
                   "roll"))  # fmt: skip
    size = int(record.side)
    board = rows(d["board"], "board", size, size, ".01")
    ships = _ships(d["ships"], board, size)
    integer(d["turn_player"], "turn_player", 0, 1)
    integer(d["turn"], "turn", 0, int(record.max_turns) - 1)
    sea_done, land_done = (truth(d[key], key) for key in ("sea_done", "land_done"))
    over = sea_done and land_done
    high, low = _roll(d["roll"], bool(record.dice), over)
    limit = (low if record.dice else int(record.land_markers)) - 1
    placed = integer(d["markers_placed"], "markers_placed", 0, max(limit, 0))
    last = _square(d["last_marker"], "last_marker", size)
    check((last >= 0) == (placed > 0), "last_marker", "it is named exactly while a land action is under way")
    check(placed == 0 or not land_done, "markers_placed", "0 unless a land action is under way")
    check(last < 0 or board[last] == str(d["turn_player"]), "last_marker", "there is no land of the turn player")
    check(land_done or d["turn"] > 0, "land_done", "turn 0 is a sea action alone")
    begun = sea_done or placed > 0 or (land_done and d["turn"] > 0)
    check(high > 0 or not record.dice or over or not begun, "roll", "dice are rolled before the first action of a turn")

    record.turn_player, record.turn = d["turn_player"], d["turn"]
    record.sea_done, record.land_done = sea_done, land_done
    record.markers_placed, record.last_marker = placed, last
    record.high, record.low = high, low
    record.ships[:] = ships
    for player in range(2):
        record.land[player] = _packed([cell == str(player) for cell in board])
    record.over = over
    set_up(record)
    decided = bool(ended(record)) or record.turn == record.max_turns - 1
    check(decided or not over, "sea_done", "both actions are done, but the game goes on: the next turn is to be given")
    check(begun or not ended(record), "ships", "the game was over before this turn")
    to_roll = record.dice and not high
    check(over or to_roll or record.choices > 1, "sea_done", "the mover has nothing to choose: this is no node")


def _ships(value: Any, board: str, size: int) -> list[int]:
    ships = [_square(name, "ships", size) for name in entries(value, "ships", 2)]
    check(ships[0] != ships[1] or ships[0] < 0, "ships", "both are on one square")
    for ship, name in zip(ships, value, strict=True):
        check(ship < 0 or board[ship] == ".", "ships", f"there is land on {name}")
    return ships


def _square(value: Any, key: str, size: int) -> int:
    """Return a square by its name, -1 for None."""
    if value is None:
        return -1
    names = {square_name(square, size): square for square in range(size * size)}
    known = isinstance(value, str) and value in names
    check(known, key, f"{value!r} is not a square from a1 to {square_name(size * size - 1, size)}, or null")
    return names[value]


def _roll(value: Any, dice: bool, over: bool) -> tuple[int, int]:
    """Return the higher and the lower die; zeros where there is no roll."""
    if value is None:
        return 0, 0
    check(dice, "roll", "it is null, because the game has no dice")
    check(not over, "roll", "it is null when the game is over")
    high, low = integers(value, "roll", 1, HIGHEST_DIE, length=2)
    check(high >= low, "roll", f"{value} does not name the higher die first")
    return high, low


def _packed(squares: list[bool]) -> Any:
    """Return the words of a board from its squares."""
    bits = np.zeros(64 * WORDS, np.uint8)
    bits[: len(squares)] = squares
    return np.packbits(bits, bitorder="little").view(np.uint64)
