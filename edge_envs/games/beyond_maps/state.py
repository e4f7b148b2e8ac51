"""The state record of `beyond_maps` and its JSON form.

Index legend:

    square       row * size + column; a1 is 0, in the north-west; -1 is none
    land[p]      the squares with land of player p, as bits (see `board`)
    ships[p]     the square of player p's ship, -1 once it is captured
    unsettled[p] 1 if land of player p may enclose something that is not filled yet
    legal[k]     the legal squares of action plane k: sea with a marker n, e, s, w, sea without, land (see `actions`);
    can_stop     and `stop`; `choices` is the number of all legal actions. Empty where nobody decides.
    label        what land hangs together, diagonally too, both colours and what lies off the board taken as one: a
                 union-find forest over a board with a border. label[CELL[size, square]] is SEA, or the cell of a
                 parent, a root's being its own; the border's root is cell 0.
    ring, work, path    scratch of the rules

`legal`, `can_stop`, `choices`, `parted` and `label` follow from the rest of the position; `set_up` makes them anew.

Source of the rules: @SkudPaiSho, "Beyond The Edges of The Maps" (skudpaisho.com); see the docs page in
`edge_envs.games.beyond_maps`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.game import Record
from edge_envs.core.position import check, check_keys, integer, integers
from edge_envs.games.beyond_maps.board import WORDS
from edge_envs.games.beyond_maps.choices import NUM_PLANES, set_up
from edge_envs.games.beyond_maps.seas import NUM_CELLS, ended

HIGHEST_DIE = 6

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rng", np.uint64),
                ("max_turns", np.int32),
                ("turn", np.int32),
                ("side", np.uint8),  # the size; a record has a `size` of its own
                ("sea_range", np.uint8),
                ("land_markers", np.uint8),
                ("stop_early", np.uint8),
                ("dice", np.uint8),
                ("turn_player", np.uint8),
                ("sea_done", np.uint8),
                ("land_done", np.uint8),
                ("markers_placed", np.uint8),
                ("high", np.uint8),  # the roll, 0 if there is none
                ("low", np.uint8),
                ("over", np.uint8),
                ("parted", np.uint8),  # the ships lie in different seas and neither is closed in: set up, not played
                ("can_stop", np.uint8),
                ("unsettled", np.uint8, (2,)),
                ("last_marker", np.int16),
                ("choices", np.int16),
                ("ships", np.int16, (2,)),
                ("land", np.uint64, (2, WORDS)),
                ("legal", np.uint64, (NUM_PLANES, WORDS)),
                ("work", np.uint64, (WORDS,)),
                ("path", np.uint64, (4, WORDS)),
                ("label", np.uint16, (NUM_CELLS,)),
                ("ring", np.uint16, (8,)),
            ],
            align=True,
        ),
    )
)


def set_params(record: Record, params: Mapping[str, Any]) -> None:
    """Write the parameters into a blank record."""
    for name, value in params.items():
        record["side" if name == "size" else name] = value


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


def squares_of(words: Any) -> list[int]:
    """The squares of a board in an array of words."""
    return np.flatnonzero(np.unpackbits(np.asarray(words).view(np.uint8), bitorder="little")).tolist()


def board_rows(record: Record) -> list[str]:
    """The board as JSON has it: rows from top to bottom of `.`, `0` and `1`."""
    size = int(record.side)
    cells = ["."] * (size * size)
    for player in range(2):
        for square in squares_of(record.land[player]):
            cells[square] = str(player)
    return ["".join(cells[start : start + size]) for start in range(0, size * size, size)]


def square_name(square: int, size: int) -> str:
    """A square's column letter and row number, such as a1."""
    return f"{chr(ord('a') + square % size)}{square // size + 1}"


def from_dict(record: Record, d: Mapping[str, Any]) -> None:
    """Write a position into a record whose parameters are set; InvalidPositionError names the key at fault."""
    check_keys(d, ("board", "ships", "turn_player", "turn", "sea_done", "land_done", "markers_placed", "last_marker",
                   "roll"))  # fmt: skip
    size = int(record.side)
    board = _board(d["board"], size)
    ships = _ships(d["ships"], board, size)
    integer(d["turn_player"], "turn_player", 0, 1)
    integer(d["turn"], "turn", 0, int(record.max_turns) - 1)
    for key in ("sea_done", "land_done"):
        check(isinstance(d[key], bool), key, f"{d[key]!r} is not true or false")
    over = d["sea_done"] and d["land_done"]
    high, low = _roll(d["roll"], bool(record.dice), over)
    limit = (low if record.dice else int(record.land_markers)) - 1
    placed = integer(d["markers_placed"], "markers_placed", 0, max(limit, 0))
    last = _square(d["last_marker"], "last_marker", size)
    check((last >= 0) == (placed > 0), "last_marker", "it is named exactly while a land action is under way")
    check(placed == 0 or not d["land_done"], "markers_placed", "0 unless a land action is under way")
    check(last < 0 or board[last] == str(d["turn_player"]), "last_marker", "there is no land of the turn player")
    check(d["land_done"] or d["turn"] > 0, "land_done", "turn 0 is a sea action alone")
    begun = d["sea_done"] or placed > 0 or (d["land_done"] and d["turn"] > 0)
    check(high > 0 or not record.dice or over or not begun, "roll", "dice are rolled before the first action of a turn")

    record.turn_player, record.turn = d["turn_player"], d["turn"]
    record.sea_done, record.land_done = d["sea_done"], d["land_done"]
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


def _board(value: Any, size: int) -> str:
    """All squares in one text."""
    check(isinstance(value, list) and len(value) == size, "board", f"a list of {size} rows is wanted")
    for line in value:
        fits = isinstance(line, str) and len(line) == size and set(line) <= set(".01")
        check(fits, "board", f"{line!r} is not a row of {size} characters ., 0 or 1")
    return "".join(value)


def _ships(value: Any, board: str, size: int) -> list[int]:
    check(isinstance(value, list) and len(value) == 2, "ships", "a list of two squares is wanted")
    ships = [_square(name, "ships", size) for name in value]
    check(ships[0] != ships[1] or ships[0] < 0, "ships", "both are on one square")
    for ship, name in zip(ships, value, strict=True):
        check(ship < 0 or board[ship] == ".", "ships", f"there is land on {name}")
    return ships


def _square(value: Any, key: str, size: int) -> int:
    """A square by its name, -1 for None."""
    if value is None:
        return -1
    names = {square_name(square, size): square for square in range(size * size)}
    known = isinstance(value, str) and value in names
    check(known, key, f"{value!r} is not a square from a1 to {square_name(size * size - 1, size)}, or null")
    return names[value]


def _roll(value: Any, dice: bool, over: bool) -> tuple[int, int]:
    """Higher and lower die; zeros where there is no roll."""
    if value is None:
        return 0, 0
    check(dice, "roll", "it is null, because the game has no dice")
    check(not over, "roll", "it is null when the game is over")
    high, low = integers(value, "roll", 1, HIGHEST_DIE, length=2)
    check(high >= low, "roll", f"{value} does not name the higher die first")
    return high, low


def _packed(squares: list[bool]) -> Any:
    """The words of a board from its squares."""
    bits = np.zeros(64 * WORDS, np.uint8)
    bits[: len(squares)] = squares
    return np.packbits(bits, bitorder="little").view(np.uint64)
