"""State record of `beyond_maps`.

Legend:

    square       row * width + column; a1 is 0, in the north-west; -1 means none
    land[p]      the squares with land of player p, as bits (see `map.bitboard`)
    ships[p]     the square of player p's ship, -1 once it is captured
    unsettled[p] 1 if land of player p may enclose squares that are not filled yet
    legal[k]     the legal squares of action plane k: sea with a marker n, e, s, w, sea without a marker, land (see
                 `actions`); empty if the position is not a decision
    can_stop     whether `stop` is legal
    choices      the number of legal actions
    label        connected land, including diagonally, of both players together with everything off the board: a
                 union-find forest over the board and its border. label[CELL[width, square]] is SEA or the cell of the
                 parent; a root is its own parent, and the root of the border is cell 0.
    ring, work, path    scratch space of the rules

`legal`, `can_stop`, `choices`, `parted` and `label` follow from the other fields; `update_derived` recomputes them.

Source of the rules: @SkudPaiSho, "Beyond The Edges of The Maps" (skudpaisho.com); see the docs page in
`edge_envs.games.beyond_maps`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.spec import Record, Records
from edge_envs.games.beyond_maps.map.bitboard import WORDS, format_of
from edge_envs.games.beyond_maps.map.seas import NUM_CELLS

HIGHEST_DIE = 6
NO_MARKER, LAND = 4, 5  # planes after the four of sea actions with a marker
NUM_PLANES = 6

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rng", np.uint64),
                ("max_turns", np.int32),
                ("turn", np.int32),
                ("width", np.uint8),
                ("height", np.uint8),
                ("format", np.uint8),  # of the board, see `map.bitboard`
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
                ("parted", np.uint8),  # ships in different seas, neither closed in; only in positions that were set up
                ("can_stop", np.uint8),
                ("close_self", np.uint8),
                ("islands", np.uint8),
                ("islands_left", np.uint8),  # pairs of islands that chance has still to place
                ("handicap", np.int16),
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


def layout_of(records: Records) -> dict[str, Any]:
    """Return the parameters of records on which the sizes of arrays depend."""
    return {name: records[name] for name in ("width", "height", "dice")}


def set_params(record: Record, params: Mapping[str, Any]) -> None:
    """Write the parameters into a blank record."""
    record.width, record.height = dimensions(params)
    record.format = format_of(*dimensions(params))
    for name, value in params.items():
        if name not in ("size", "height"):
            record[name] = value


def dimensions(params: Mapping[str, Any]) -> tuple[int, int]:
    """Return the width and the height of the board: it is square if the height is 0."""
    return params["size"], params["height"] or params["size"]


def size_of(record: Record) -> tuple[int, int]:
    """Return the width and the height of the board of a record."""
    return int(record.width), int(record.height)


def squares_of(words: Any) -> list[int]:
    """Return the squares of a board in an array of words."""
    return np.flatnonzero(np.unpackbits(np.asarray(words, np.uint64).view(np.uint8), bitorder="little")).tolist()


def board_rows(record: Record) -> list[str]:
    """Return the board as in JSON: rows from top to bottom of `.`, `0` and `1`."""
    width, height = size_of(record)
    cells = ["."] * (width * height)
    for player in range(2):
        for square in squares_of(record.land[player]):
            cells[square] = str(player)
    return ["".join(cells[start : start + width]) for start in range(0, width * height, width)]


def square_name(square: int, width: int) -> str:
    """Return the name of a square, such as a1: column letter and row number."""
    return f"{chr(ord('a') + square % width)}{square // width + 1}"
