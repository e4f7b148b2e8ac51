"""Read the values of a position of `ghost_ship` into a record. Other checks test their consistency."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.checks.positions import (
    check,
    check_keys,
    counts,
    entries,
    integer,
    integers,
    mapping,
    one_of,
    rows,
    truth,
)
from edge_envs.core.errors import in_short
from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.map.geometry import COMPASS, INSIDE, NUM_COLUMNS, NUM_ROWS
from edge_envs.games.ghost_ship.map.names import (
    OUTSIDE_MARK,
    PLACE_NAMES,
    SQUARE_NAMES,
    SYMBOL_NAMES,
    square_name,
    symbol_tile_name,
)
from edge_envs.games.ghost_ship.pieces.chits import VALUES
from edge_envs.games.ghost_ship.pieces.tiles import (
    KINDS,
    NO_SYMBOL,
    NUM_CLASSES,
    NUM_STACKS,
    NUM_SYMBOL_TILES,
    NUM_SYMBOLS,
    STACKS,
    SYMBOL_TILES,
    UNSEEN,
)
from edge_envs.games.ghost_ship.state import (
    CHITS,
    DECLARED,
    DRAWN,
    EXTRAS,
    FEWEST,
    GAINED,
    GOLD,
    KNOWN,
    LOST,
    MOST,
    MOST_SAVED,
    MOST_SKIPPED,
    NO_EXTRA,
    NUM_CHITS,
    NUM_GOLD,
    NUM_VALUES,
    PHASES,
    PLACE,
    ROW,
    SIX,
    SYMBOL,
    TILE,
    VACANT,
    in_turn_order,
)

KEYS = (
    "phase", "turn_player", "decider", "turn", "tiles", "six", "symbols", "chits", "gold", "pool", "stacks", "discards",
    "dropped", "hand_tiles", "to_draw", "ghost", "losers", "extra", "players", "declared", "spun", "result", "points",
    "movement_over", "taking_over", "arriving", "by_limit",
)  # fmt: skip
OWN_KEYS = ("pawn", "boat", "ashore", "chits", "lost", "gold", "saved", "triple", "skip", "claim", "shown")
SHOWN_KEYS = ("chits", "gained", "lost")
MOST_TILES, LONGEST_COUNT = 90, 2
TILE_MARKS = "0123456789abcdef.-"
"""The characters of a square: its mask, a dot for a vacant square, or a hyphen outside the sea."""

_SQUARES = {name: square for square, name in enumerate(SQUARE_NAMES)}
_PLACES = {name: place for place, name in enumerate(PLACE_NAMES)}
_SYMBOL_TILES = {
    symbol_tile_name(symbol, tile_class): (symbol, tile_class)
    for symbol in range(NUM_SYMBOLS)
    for tile_class in range(NUM_CLASSES)
    if SYMBOL_TILES[:, :, symbol, tile_class].any()
}
_SYMBOL_CLASSES = {symbol_tile_name(UNSEEN, tile_class): (UNSEEN, tile_class) for tile_class in range(NUM_CLASSES)}


def read(record: Record, d: Mapping[str, Any]) -> None:
    """Write all primary fields except `by_limit` into a record of a new game. Each value is checked on its own."""
    check_keys(d, KEYS)
    last = int(record.num_players) - 1
    record.phase = PHASES.index(one_of(d["phase"], "phase", PHASES))
    record.turn_player = integer(d["turn_player"], "turn_player", 0, last)
    record.decider = integer(d["decider"], "decider", 0, last)
    record.turn = integer(d["turn"], "turn", 0, int(record.max_turns))
    _read_board(record, d)
    _read_heaps(record, d)
    for player, own in enumerate(entries(d["players"], "players", last + 1)):
        _read_player(record, player, own)
    _read_turn(record, d)


def _square(value: Any, key: str) -> int:
    known = isinstance(value, str) and value in _SQUARES
    check(known, key, f"{in_short(value)} is not a square from {SQUARE_NAMES[0]} to {SQUARE_NAMES[-1]}")
    return _SQUARES[value]


def _squares(value: Any, key: str) -> list[int]:
    """Read squares in reading order."""
    squares = [_square(name, key) for name in entries(value, key)]
    check(squares == sorted(set(squares)), key, f"{in_short(value)} are not distinct squares in reading order")
    return squares


def _place(value: Any, key: str) -> int:
    known = isinstance(value, str) and value in _PLACES
    check(known, key, f"{in_short(value)} is not a place such as D5.S, D5.C0, D5.K2, D5.H, or from B0 to B33")
    return _PLACES[value]


# The board and the heaps


def _read_board(record: Record, d: Mapping[str, Any]) -> None:
    """Read tiles, symbols, chits, gold and the ghost."""
    squares = record.squares
    marks = rows(d["tiles"], "tiles", NUM_ROWS, NUM_COLUMNS, TILE_MARKS)
    for square, (mark, inside) in enumerate(zip(marks, INSIDE[record.sea].tolist(), strict=True)):
        where = f"{square_name(square)} is {'' if inside else 'not '}part of the sea"
        check((mark != OUTSIDE_MARK) == inside, "tiles", f"{where}, so {mark!r} is invalid there")
    squares[:, TILE] = [VACANT if mark == "." else int(mark.replace(OUTSIDE_MARK, "0"), 16) for mark in marks]
    squares[:, [SIX, GOLD]] = 0
    squares[_squares(d["six"], "six"), SIX] = 1
    squares[_squares(d["gold"], "gold"), GOLD] = 1
    squares[:, SYMBOL] = NO_SYMBOL
    for name, symbol in mapping(d["symbols"], "symbols").items():
        squares[_square(name, "symbols"), SYMBOL] = SYMBOL_NAMES.index(one_of(symbol, "symbols", SYMBOL_NAMES))
    squares[:, CHITS] = 0
    for name, count in mapping(d["chits"], "chits").items():
        squares[_square(name, "chits"), CHITS] = integer(count, "chits", 0, NUM_CHITS)
    record.ghost = -1 if d["ghost"] is None else _square(d["ghost"], "ghost")
    afloat = record.ghost < 0 or bool(INSIDE[record.sea, record.ghost])
    check(afloat, "ghost", f"{d['ghost']} is not part of the sea")


def _read_heaps(record: Record, d: Mapping[str, Any]) -> None:
    """Read the tiles and chits that are not on the board."""
    record.pool[:] = counts(d["pool"], "pool", VALUES, NUM_CHITS)
    sizes = zip(entries(d["stacks"], "stacks", NUM_STACKS), STACKS[record.sea].tolist(), strict=True)
    record.stacks[:] = [integer(size, "stacks", 0, full) for size, full in sizes]
    record.discards[:] = counts(d["discards"], "discards", KINDS, MOST_TILES)
    tiles = _SYMBOL_CLASSES if record.covered else _SYMBOL_TILES
    _read_dropped(record, d["dropped"], tiles)
    record.to_draw = integer(d["to_draw"], "to_draw", 0, DRAWN)
    record.hand[:], record.hand_symbol, record.hand_class = 0, -1, -1
    if record.phase != PLACE:
        record.hand[:] = counts(d["hand_tiles"], "hand_tiles", KINDS, DRAWN)
        return
    in_hand = counts(d["hand_tiles"], "hand_tiles", list(tiles), DRAWN)
    check(sum(in_hand) == 1, "hand_tiles", "it must contain one symbol tile in place")
    record.hand_symbol, record.hand_class = list(tiles.values())[in_hand.index(1)]


def _read_dropped(record: Record, value: Any, tiles: Mapping[str, tuple[int, int]]) -> None:
    order, record.dropped[:] = list(tiles), 0
    numbers = [order.index(one_of(name, "dropped", order)) for name in entries(value, "dropped")]
    check(numbers == sorted(numbers), "dropped", f"the tiles must be in the order of the box: {', '.join(order)}")
    check(
        len(numbers) <= int(NUM_SYMBOL_TILES[record.sea]),
        "dropped",
        "there are more tiles than symbol tiles in the box",
    )
    for number in numbers:
        record.dropped[tiles[order[number]]] += 1


# Players


def _read_player(record: Record, player: int, value: Any) -> None:
    d = mapping(value, f"players: player {player}", OWN_KEYS)
    key = {name: f"players: player {player}, {name}" for name in OWN_KEYS}
    last = int(record.num_players) - 1
    record.pawn[player], record.boat[player] = (_place(d[name], key[name]) for name in ("pawn", "boat"))
    record.ashore[player] = truth(d["ashore"], key["ashore"])
    record.own[player] = counts(d["chits"], key["chits"], VALUES, NUM_CHITS)
    record.lost[player] = counts(d["lost"], key["lost"], VALUES, NUM_CHITS)
    record.num_gold[player] = integer(d["gold"], key["gold"], 0, NUM_GOLD)
    record.saved[player] = integer(d["saved"], key["saved"], -MOST_SAVED, MOST_SAVED)
    number, count = entries(d["triple"], key["triple"], 2)
    record.triple_number[player] = integer(number, key["triple"], 0, MOST)
    record.triple_count[player] = integer(count, key["triple"], 0, LONGEST_COUNT)
    record.skip[player] = integer(d["skip"], key["skip"], 0, MOST_SKIPPED)
    record.claim[player] = -1 if d["claim"] is None else integer(d["claim"], key["claim"], 0, last)
    for other, shown in enumerate(entries(d["shown"], key["shown"], last + 1)):
        record.shown[player, other] = _shown(shown, key["shown"])


def _shown(value: Any, key: str) -> list[int]:
    """Read a row of the record's `shown`; zeros for null."""
    row = [0] * ROW
    if value is None:
        return row
    d = mapping(value, key, SHOWN_KEYS)
    row[:NUM_VALUES] = counts(d["chits"], key, VALUES, NUM_CHITS)
    row[GAINED], row[LOST] = (integer(d[name], f"{key}: {name}", 0, NUM_CHITS) for name in ("gained", "lost"))
    row[KNOWN] = 1
    return row


# The turn


def _read_turn(record: Record, d: Mapping[str, Any]) -> None:
    """Read the keys of a turn in progress."""
    losers = integers(d["losers"], "losers", 0, int(record.num_players) - 1)
    in_order = losers == [player for player in in_turn_order(record) if player in losers]
    check(in_order, "losers", f"{losers} are not distinct players in turn order from the turn player")
    record.losers = sum(1 << player for player in losers)
    extras = [name for name in EXTRAS if name is not None]
    record.extra = NO_EXTRA if d["extra"] is None else EXTRAS.index(one_of(d["extra"], "extra", extras))
    record.declared = -1 if d["declared"] is None else DECLARED.index(one_of(d["declared"], "declared", DECLARED))
    record.spun_number, record.spun_way = _spun(d["spun"])
    record.result = 0 if d["result"] is None else integer(d["result"], "result", FEWEST, MOST)
    record.points = -1 if d["points"] is None else integer(d["points"], "points", 0, MOST)
    for key in ("movement_over", "taking_over", "arriving"):
        record[key] = truth(d[key], key)


def _spun(value: Any) -> tuple[int, int]:
    """Read the number and direction of a spin; zeros if no spin waits for its losses."""
    if value is None:
        return 0, 0
    number, way = entries(value, "spun", 2)
    return integer(number, "spun", FEWEST, MOST), COMPASS.index(one_of(way, "spun", COMPASS))
