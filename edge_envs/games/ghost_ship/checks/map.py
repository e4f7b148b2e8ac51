"""Check the map and the symbol tiles of a position of `ghost_ship`."""

from __future__ import annotations

import numpy as np

from edge_envs.core.checks.positions import check
from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.map.geometry import INSIDE, NEXT, is_land
from edge_envs.games.ghost_ship.map.names import EDGE_NAMES, MASK_NAMES, square_name, symbol_tile_name
from edge_envs.games.ghost_ship.map.start import GOLD_AT_FIRST, SEA_AT_FIRST
from edge_envs.games.ghost_ship.pieces.tiles import (
    DRAW_TILES,
    HILL,
    KIND_OF,
    NO_SYMBOL,
    NUM_CLASSES,
    NUM_SYMBOL_TILES,
    SIXES,
    SYMBOL_TILES,
    UNSEEN,
)
from edge_envs.games.ghost_ship.state import CREATION, PLACE, SIX, SYMBOL, SYMBOL_PHASE, TILE, VACANT

_BEYOND = NEXT.tolist()
_MASKS_SET_OUT = [
    {**dict.fromkeys(sea, 0), **dict.fromkeys(hills, HILL)}
    for sea, hills in zip(SEA_AT_FIRST, GOLD_AT_FIRST, strict=True)
]
"""The masks of the tiles set out before play, for each sea by square."""


def box_of(record: Record) -> np.ndarray:
    """Count the symbol tiles of the box by (symbol, class); row UNSEEN has the totals by class."""
    tiles = SYMBOL_TILES[record.sea, record.symbol_mix].astype(np.int64)
    return np.vstack([tiles, tiles.sum(axis=0)])


# The map


def check_map(record: Record) -> None:
    """Check that adjacent tiles match, that the tiles set out before play are in place, and that `six` are hills."""
    tiles, sixes, sea = _column(record, TILE), _column(record, SIX), int(record.sea)
    hills = GOLD_AT_FIRST[sea]
    for square, mask in enumerate(tiles):
        fault = "" if mask == VACANT or not INSIDE[sea, square] else _fault_at(tiles, square, _BEYOND[sea][square])
        check(not fault, "tiles", f"{square_name(square)} {fault}")
    for square, wanted in _MASKS_SET_OUT[sea].items():
        fits = tiles[square] == wanted
        check(fits, "tiles", f"{square_name(square)} must have the tile {MASK_NAMES[wanted]}, set out before play")
    for square in hills:
        check(sixes[square] == 1, "six", f"{square_name(square)} is missing: it is set out before play")
    most = len(hills) + int(DRAW_TILES[sea, SIXES])
    check(sum(sixes) <= most, "six", f"there are {sum(sixes)} LLLL6 tiles, but only {most} in the box")
    for square, six in enumerate(sixes):
        check(not six or tiles[square] == HILL, "six", f"the tile on {square_name(square)} is not land on all sides")


def _fault_at(tiles: list[int], square: int, around: list[int]) -> str:
    """Return what is wrong with the edges of a tile, or an empty string; `around` are the squares beyond them."""
    for edge, beyond in enumerate(around):
        land = is_land(tiles[square], edge)
        if beyond < 0 and land:
            return f"on its {EDGE_NAMES[edge]} side has land at the rim of the board"
        if beyond >= 0 and tiles[beyond] != VACANT and is_land(tiles[beyond], (edge + 2) % 4) != land:
            return f"on its {EDGE_NAMES[edge]} side does not match {square_name(beyond)}"
    return ""


def _column(record: Record, column: int) -> list[int]:
    values: list[int] = record.squares[:, column].tolist()
    return values


# Symbol tiles


def check_symbols(record: Record) -> None:
    """Check that the symbol tiles are those of the box, and that symbols are hidden only with random creation."""
    _check_marked_squares(record)
    placed, turned_up = _placed(record), symbol_tiles_turned_up(record)
    placed[UNSEEN] = placed.sum(axis=0)
    box = box_of(record)
    _check_counts("symbols", placed, box)
    _check_counts("dropped", np.where(record.dropped, turned_up, 0), box)
    count, in_box = int(turned_up.sum()), int(NUM_SYMBOL_TILES[record.sea])
    if record.phase in (SYMBOL_PHASE, PLACE):
        check(count < in_box, "symbols", "all symbol tiles have already been turned up")
    else:
        message = f"{count} symbol tiles are on the board or dropped, but all {in_box} must be"
        check(count == in_box, "dropped", message)


def symbol_tiles_turned_up(record: Record) -> np.ndarray:
    """Count the symbol tiles on the board and dropped, as in `box_of`; with covered symbols all in row UNSEEN."""
    placed = _placed(record)
    if record.covered:
        placed[UNSEEN] = placed.sum(axis=0)
        placed[:UNSEEN] = 0
    return placed + record.dropped


def _placed(record: Record) -> np.ndarray:
    """Count the symbol tiles on the board by (symbol, class); hidden symbols in row UNSEEN."""
    placed = np.zeros((UNSEEN + 1, NUM_CLASSES), np.int64)
    for mask, symbol in record.squares[:, [TILE, SYMBOL]].tolist():
        if symbol != NO_SYMBOL:
            placed[symbol, KIND_OF[mask]] += 1
    return placed


def _check_marked_squares(record: Record) -> None:
    """Check that symbols are on tiles that can have one, and that they are hidden or visible as required."""
    covered = bool(record.covered)
    hidden = covered and record.phase in CREATION
    why = "only with random creation and covered symbols" if record.random else "only with random creation"
    for square, (mask, symbol) in enumerate(record.squares[:, [TILE, SYMBOL]].tolist()):
        if symbol == NO_SYMBOL:
            continue
        name = square_name(square)
        check(mask != VACANT, "symbols", f"{name} has no tile")
        check(
            square not in _MASKS_SET_OUT[record.sea],
            "symbols",
            f"the tile on {name} is set out before play and has no symbol",
        )
        check(mask != HILL, "symbols", f"{name} is land on all sides, so it cannot have a symbol")
        check(symbol != UNSEEN or covered, "symbols", f"{name}: symbols are hidden {why}")
        seen = f'{name}: with random creation it must be "?" until a pawn enters'
        check(symbol == UNSEEN or not hidden, "symbols", seen)


def _check_counts(key: str, counts: np.ndarray, box: np.ndarray) -> None:
    """Check that no symbol tile occurs more often than in the box."""
    for symbol, k in np.argwhere(counts > box).tolist():
        name, count, most = symbol_tile_name(symbol, k), counts[symbol, k], box[symbol, k]
        check(False, key, f"{name} occurs {count} times, but only {most} times in the box")
