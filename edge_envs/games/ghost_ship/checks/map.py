"""Checks on a position of `ghost_ship`: the map and the symbol tiles."""

from __future__ import annotations

import numpy as np

from edge_envs.core.checks.positions import check
from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.map.geometry import NEXT, is_land
from edge_envs.games.ghost_ship.map.names import EDGE_NAMES, MASK_NAMES, square_name, symbol_tile_name
from edge_envs.games.ghost_ship.map.start import GOLD_AT_FIRST, SEA_AT_FIRST
from edge_envs.games.ghost_ship.pieces.tiles import DRAW_TILES, HILL, KIND_OF, NO_SYMBOL, SIXES, SYMBOL_TILES, UNSEEN
from edge_envs.games.ghost_ship.state import CREATION, PLACE, SIX, SYMBOL, SYMBOL_PHASE, TILE, VACANT

_BEYOND = NEXT.tolist()
_HILLS = GOLD_AT_FIRST.tolist()
_MASKS_SET_OUT = {**dict.fromkeys(SEA_AT_FIRST.tolist(), 0), **dict.fromkeys(_HILLS, HILL)}
"""The masks of the tiles set out before play, by squares."""
# BOX[symbol, class]: the symbol tiles; row UNSEEN has those of a class, whatever the symbol.
BOX = np.vstack([SYMBOL_TILES, SYMBOL_TILES.sum(axis=0)]).astype(np.int64)
_NUM_SYMBOL_TILES = int(BOX[UNSEEN].sum())


# The map


def check_map(record: Record) -> None:
    """Check that tiles match, that those set out lie there, and that the 6s are hills."""
    tiles, sixes = _column(record, TILE), _column(record, SIX)
    for square, mask in enumerate(tiles):
        fault = "" if mask == VACANT else _fault_at(tiles, square)
        check(not fault, "tiles", f"{square_name(square)} {fault}")
    for square, wanted in _MASKS_SET_OUT.items():
        fits = tiles[square] == wanted
        check(fits, "tiles", f"a tile {MASK_NAMES[wanted]} is set out on {square_name(square)} before play")
    for square in _HILLS:
        check(sixes[square] == 1, "six", f"a tile that takes gold is set out on {square_name(square)}")
    most = len(_HILLS) + int(DRAW_TILES[SIXES])
    check(sum(sixes) <= most, "six", f"there are {sum(sixes)} tiles that take gold, {most} are in the box")
    for square, six in enumerate(sixes):
        check(not six or tiles[square] == HILL, "six", f"the tile on {square_name(square)} is not land on all sides")


def _fault_at(tiles: list[int], square: int) -> str:
    """What is wrong with the edges of a tile, if anything."""
    for edge, beyond in enumerate(_BEYOND[square]):
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
    """Check that the symbol tiles are those of the box, and that symbols are hidden with random creation only."""
    _check_marked_squares(record)
    placed, turned_up = _placed(record), symbol_tiles_turned_up(record)
    placed[UNSEEN] = placed.sum(axis=0)
    _check_counts("symbols", placed)
    _check_counts("dropped", np.where(record.dropped, turned_up, 0))
    count = int(turned_up.sum())
    if record.phase in (SYMBOL_PHASE, PLACE):
        check(count < _NUM_SYMBOL_TILES, "symbols", "no symbol tile is left to be turned up")
    else:
        message = f"{count} symbol tiles are on the board or dropped; by now it is all {_NUM_SYMBOL_TILES}"
        check(count == _NUM_SYMBOL_TILES, "dropped", message)


def symbol_tiles_turned_up(record: Record) -> np.ndarray:
    """Symbol tiles on the board and dropped, as `BOX` has them; with random creation all are in row UNSEEN."""
    placed = _placed(record)
    if record.random:
        placed[UNSEEN] = placed.sum(axis=0)
        placed[:UNSEEN] = 0
    return placed + record.dropped


def _placed(record: Record) -> np.ndarray:
    """Symbol tiles on the board by (symbol, class), where nobody has seen the symbol in row UNSEEN."""
    placed = np.zeros_like(BOX)
    for mask, symbol in record.squares[:, [TILE, SYMBOL]].tolist():
        if symbol != NO_SYMBOL:
            placed[symbol, KIND_OF[mask]] += 1
    return placed


def _check_marked_squares(record: Record) -> None:
    """Check that symbols are on tiles that can have one, and hidden or seen as they should be."""
    random = bool(record.random)
    hidden = random and record.phase in CREATION
    for square, (mask, symbol) in enumerate(record.squares[:, [TILE, SYMBOL]].tolist()):
        if symbol == NO_SYMBOL:
            continue
        name = square_name(square)
        check(mask != VACANT, "symbols", f"{name} has no tile")
        check(square not in _MASKS_SET_OUT, "symbols", f"the tile on {name} is set out before play and has no symbol")
        check(mask != HILL, "symbols", f"{name} is land on all sides, and no symbol tile is")
        check(symbol != UNSEEN or random, "symbols", f"{name}: symbols are hidden with random creation alone")
        seen = f'{name}: with random creation it is "?" until a pawn enters'
        check(symbol == UNSEEN or not hidden, "symbols", seen)


def _check_counts(key: str, counts: np.ndarray) -> None:
    """Check that there are no more of any symbol tile than in the box."""
    for symbol, k in np.argwhere(counts > BOX).tolist():
        name, count, most = symbol_tile_name(symbol, k), counts[symbol, k], BOX[symbol, k]
        check(False, key, f"{name} is there {count} times, but in the box {most} times")
