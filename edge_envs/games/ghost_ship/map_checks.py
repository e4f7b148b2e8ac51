"""Checks on a position of `ghost_ship`: the map and the symbol tiles."""

from __future__ import annotations

import numpy as np

from edge_envs.core.game import Record
from edge_envs.core.position import check
from edge_envs.games.ghost_ship.box import DRAW_TILES, GOLD_AT_FIRST, SEA_AT_FIRST, SYMBOL_TILES
from edge_envs.games.ghost_ship.geometry import HILL, NEXT, is_land
from edge_envs.games.ghost_ship.laying import KIND_OF
from edge_envs.games.ghost_ship.names import EDGE_NAMES, MASK_NAMES, square_name, symbol_tile_name
from edge_envs.games.ghost_ship.record import (
    CREATION,
    NO_SYMBOL,
    NUM_CLASSES,
    NUM_SYMBOLS,
    PLACE,
    SIX,
    SIXES,
    SYMBOL,
    SYMBOL_PHASE,
    TILE,
    UNSEEN,
    VACANT,
)

_HILLS = GOLD_AT_FIRST.tolist()
SET_OUT = {**dict.fromkeys(SEA_AT_FIRST.tolist(), 0), **dict.fromkeys(_HILLS, HILL)}
"""The masks of the tiles set out before play, by squares."""
# BOX[symbol, class]: the symbol tiles; row UNSEEN has those of a class, whatever the symbol.
BOX = np.vstack([SYMBOL_TILES, SYMBOL_TILES.sum(axis=0)]).astype(np.int64)
_NUM_SYMBOL_TILES = int(BOX[UNSEEN].sum())


# The map


def check_map(record: Record) -> None:
    """Tiles match, those set out lie there, the 6s are hills."""
    tiles, sixes = _column(record, TILE), _column(record, SIX)
    for square, mask in enumerate(tiles):
        for edge in range(4):
            if mask != VACANT:
                _check_edge(tiles, square, edge)
    for square, wanted in SET_OUT.items():
        fits = tiles[square] == wanted
        check(fits, "tiles", f"a tile {MASK_NAMES[wanted]} is set out on {square_name(square)} before play")
    for square in _HILLS:
        check(sixes[square] == 1, "six", f"a tile that takes gold is set out on {square_name(square)}")
    most = len(_HILLS) + int(DRAW_TILES[SIXES])
    check(sum(sixes) <= most, "six", f"there are {sum(sixes)} tiles that take gold, {most} are in the box")
    for square, six in enumerate(sixes):
        check(not six or tiles[square] == HILL, "six", f"the tile on {square_name(square)} is not land on all sides")


def _check_edge(tiles: list[int], square: int, edge: int) -> None:
    """An edge of a tile matches what lies beyond."""
    beyond, land = int(NEXT[square, edge]), is_land(tiles[square], edge)
    where = f"{square_name(square)} on its {EDGE_NAMES[edge]} side"
    check(beyond >= 0 or not land, "tiles", f"{where} has land at the rim of the board")
    match = beyond < 0 or tiles[beyond] == VACANT or is_land(tiles[beyond], (edge + 2) % 4) == land
    check(match, "tiles", f"{where} does not match {square_name(beyond)}")


def _column(record: Record, column: int) -> list[int]:
    values: list[int] = record.squares[:, column].tolist()
    return values


# Symbol tiles


def check_symbols(record: Record) -> None:
    """The symbol tiles are those of the box; symbols are hidden with random creation only."""
    for square, symbol in enumerate(_column(record, SYMBOL)):
        if symbol != NO_SYMBOL:
            _check_symbol(record, square, symbol)
    placed = _placed(record)
    for k in range(NUM_CLASSES):
        _check_count("symbols", int(placed[:, k].sum()), UNSEEN, k)
        for symbol in range(NUM_SYMBOLS):
            _check_count("symbols", int(placed[symbol, k]), symbol, k)
    turned_up = symbol_tiles_turned_up(record)
    for symbol, k in np.argwhere(record.dropped).tolist():
        _check_count("dropped", int(turned_up[symbol, k]), symbol, k)
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


def _check_symbol(record: Record, square: int, symbol: int) -> None:
    name, mask = square_name(square), int(record.squares[square, TILE])
    check(mask != VACANT, "symbols", f"{name} has no tile")
    check(square not in SET_OUT, "symbols", f"the tile on {name} is set out before play and has no symbol")
    check(KIND_OF[mask] < NUM_CLASSES, "symbols", f"{name} is land on all sides, and no symbol tile is")
    check(symbol != UNSEEN or bool(record.random), "symbols", f"{name}: symbols are hidden with random creation alone")
    hidden = record.random and record.phase in CREATION
    check(symbol == UNSEEN or not hidden, "symbols", f'{name}: with random creation it is "?" until a pawn enters')


def _check_count(key: str, count: int, symbol: int, tile_class: int) -> None:
    """No more of a symbol tile than there are in the box."""
    there, name = int(BOX[symbol, tile_class]), symbol_tile_name(symbol, tile_class)
    check(count <= there, key, f"{name} is there {count} times, but in the box {there} times")
