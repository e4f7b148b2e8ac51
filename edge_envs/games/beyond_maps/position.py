"""Convert positions of `beyond_maps` to and from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.checks.positions import check, check_keys, entries, integer, integers, rows, truth
from edge_envs.core.errors import in_short
from edge_envs.core.spec import Record
from edge_envs.games.beyond_maps.map.bitboard import WORDS
from edge_envs.games.beyond_maps.map.seas import ended, island_squares
from edge_envs.games.beyond_maps.phases.choices import update_derived
from edge_envs.games.beyond_maps.state import HIGHEST_DIE, board_rows, size_of, square_name, squares_of


def to_dict(record: Record) -> dict[str, Any]:
    """Return the position as a dict, without `game` and `params`."""
    width = int(record.width)
    in_progress = record.markers_placed > 0
    own = {"islands_left": int(record.islands_left)} if record.islands else {}
    return {
        **own,
        "board": board_rows(record),
        "ships": [square_name(int(ship), width) if ship >= 0 else None for ship in record.ships],
        "turn_player": int(record.turn_player),
        "turn": int(record.turn),
        "sea_done": bool(record.sea_done),
        "land_done": bool(record.land_done),
        "markers_placed": int(record.markers_placed),
        "last_marker": square_name(int(record.last_marker), width) if in_progress else None,
        "roll": [int(record.high), int(record.low)] if record.high else None,
    }


def from_dict(record: Record, d: Mapping[str, Any]) -> None:
    """Write a position into a record whose parameters are set.

    Raises:
        InvalidPositionError: if the position is not legal; the message names the key at fault.
    """
    sketch(record, d)
    _check_ships(d)
    if record.islands_left:
        _check_islands(record, d)
        return
    board, over = "".join(d["board"]), bool(record.over)
    check(not over or not record.high, "roll", "must be null when the game is over")
    limit = int(record.low if record.dice else record.land_markers) - 1
    placed, last = integer(d["markers_placed"], "markers_placed", 0, max(limit, 0)), int(record.last_marker)
    check((last >= 0) == (placed > 0), "last_marker", "must be a square exactly if markers_placed is positive")
    check(placed == 0 or not d["land_done"], "markers_placed", "must be 0 unless a land action is in progress")
    mover = d["turn_player"]
    check(last < 0 or board[last] == str(mover), "last_marker", f"{d['last_marker']} is not land of player {mover}")
    check(d["land_done"] or d["turn"] > 0, "land_done", "must be true in turn 0, which has only a sea action")
    begun = d["sea_done"] or placed > 0 or (d["land_done"] and d["turn"] > 0)
    rolled = record.high > 0 or not record.dice
    check(rolled or over or not begun, "roll", "must not be null after the first action of a turn")
    update_derived(record)
    decided = bool(ended(record)) or record.turn == record.max_turns - 1
    check(decided or not over, "sea_done", "both actions are done but the game continues: give the next turn instead")
    check(begun or not ended(record), "ships", "the game was already over before this turn")
    check(over or not rolled or record.choices > 1, "sea_done", "the mover has no choice, so this is not a decision")


def sketch(record: Record, d: Mapping[str, Any]) -> None:
    """Write a well-formed position, whether legal or not, so that it can be drawn.

    Raises:
        InvalidPositionError: if a value has the wrong type or is out of range; the message names its key.
    """
    own = ("islands_left",) if record.islands else ()
    check_keys(d, (*own, "board", "ships", "turn_player", "turn", "sea_done", "land_done", "markers_placed",
                   "last_marker", "roll"))  # fmt: skip
    record.islands_left = integer(d["islands_left"], "islands_left", 0, int(record.islands)) if own else 0
    width, height = size_of(record)
    board = rows(d["board"], "board", height, width, ".01")
    record.ships[:] = [_square(name, "ships", width, height) for name in entries(d["ships"], "ships", 2)]
    record.turn_player = integer(d["turn_player"], "turn_player", 0, 1)
    record.turn = integer(d["turn"], "turn", 0, int(record.max_turns) - 1)
    record.sea_done, record.land_done = (truth(d[key], key) for key in ("sea_done", "land_done"))
    record.over = record.sea_done and record.land_done
    record.high, record.low = _roll(d["roll"], bool(record.dice))
    record.markers_placed = integer(d["markers_placed"], "markers_placed", 0, most_placed(record))
    record.last_marker = _square(d["last_marker"], "last_marker", width, height)
    for player in range(2):
        record.land[player] = _packed([cell == str(player) for cell in board])


def _check_islands(record: Record, d: Mapping[str, Any]) -> None:
    """Check a position in which islands have still to be placed: nothing else has happened."""
    width, board = int(record.width), "".join(d["board"])
    area = len(board)
    corners = [square_name(0, width), square_name(area - 1, width)]
    check(d["ships"] == corners, "ships", f"must be {corners} before all islands are placed")
    begins = (d["turn_player"], d["turn"], d["sea_done"], d["land_done"], d["markers_placed"], d["roll"])
    check(begins == (0, 0, False, True, 0, None), "islands_left", "must be 0 after the first action or roll")
    check(d["last_marker"] is None, "last_marker", "must be null before all islands are placed")
    mirrored = board[::-1].translate(str.maketrans("01", "10"))
    check(board == mirrored, "board", "the islands of the players are not on opposite squares")
    placed = int(record.islands) - int(record.islands_left)
    check(board.count("0") == placed, "board", f"must have {placed} island{'s' * (placed != 1)} of each player")
    islands = record.land.copy()
    own = squares_of(islands[0])
    for square in own:
        rest = [other in own and other != square for other in range(area)]
        record.land[0], record.land[1] = _packed(rest), _packed(rest[::-1])
        fits = square in squares_of(island_squares(record))
        check(fits, "board", f"there cannot be an island on {square_name(square, width)}")
    record.land[:] = islands
    check(bool(squares_of(island_squares(record))), "islands_left", "there is no room for another pair of islands")
    update_derived(record)


def most_placed(record: Record) -> int:
    """Return the maximum number of markers of a land action in progress, with any roll."""
    return (HIGHEST_DIE if record.dice else int(record.land_markers)) - 1


def _check_ships(d: Mapping[str, Any]) -> None:
    first, second = d["ships"]
    check(first != second or first is None, "ships", "both ships are on the same square")
    for ship in (first, second):
        if ship is not None:
            row, column = int(ship[1:]) - 1, ord(ship[0]) - ord("a")
            check(d["board"][row][column] == ".", "ships", f"there is land on {ship}")


def _square(value: Any, key: str, width: int, height: int) -> int:
    """Return the index of a square by its name; -1 for None."""
    if value is None:
        return -1
    names = {square_name(square, width): square for square in range(width * height)}
    known = isinstance(value, str) and value in names
    check(known, key, f"{in_short(value)} is not null or a square from a1 to {square_name(width * height - 1, width)}")
    return names[value]


def _roll(value: Any, dice: bool) -> tuple[int, int]:
    """Return the higher and the lower die; zeros for null."""
    if value is None:
        return 0, 0
    check(dice, "roll", "must be null, because the game has no dice")
    high, low = integers(value, "roll", 1, HIGHEST_DIE, length=2)
    check(high >= low, "roll", f"{value} does not have the higher die first")
    return high, low


def _packed(squares: list[bool]) -> Any:
    """Return a board, as an array of words, from its squares."""
    bits = np.zeros(64 * WORDS, np.uint8)
    bits[: len(squares)] = squares
    return np.packbits(bits, bitorder="little").view(np.uint64)
