"""Write positions of `ghost_ship` for tests as pictures and short strings. They are not validated.

A picture has a mark per square, which only `whole_map` reads; `-` and `|` are land edges, all others are water.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tests.reference.ghost_ship import (
    DRAW,
    GOLD_AT_FIRST,
    SEA_AT_FIRST,
    STACKS,
    SYMBOL_TILES,
    GhostShip,
    Player,
    Shown,
    in_reading_order,
    symbol_tile_order,
    total,
    written_tiles,
)
from tests.reference.ghost_ship_map import COLUMNS, ROWS, SIDES, SQUARES, Chart, Square, Tile, class_of, spot_of

SET_OUT = {**dict.fromkeys(SEA_AT_FIRST, "WWWW"), **dict.fromkeys(GOLD_AT_FIRST, "LLLL")}

# Pictures

ISLES = """
    1   2   3   4   5   6   7   8   9   10
A   .   .   o   .   .   .   .   o   .   .
            |                   |
B   .   o - # - o - o   .   o - # - o   .
            |       |           |
C   .   .   o   .   o - o   .   o   .   .
            |       |   |
D   .   .   o   o - # - # - o   .   .   .
            |   |   |   |
E   .   .   o   o   o   o   .   o   .   .
            |   |               |
F   .   o - # - o   .   .   o - # - o   .
            |                   |
G   .   .   o   .   .   .   .   o   .   .
"""


def tiles_of(picture: str) -> dict[Square, Tile]:
    """Return the tiles of a picture: `-` and `|` are land edges, all others are water; marks of squares are ignored."""
    lines = [line for line in picture.splitlines() if line.strip()][1:]
    tiles = {}
    for i, square in enumerate(SQUARES):
        row, x = 2 * (i // COLUMNS), 4 + 4 * (i % COLUMNS)
        around = {"N": (row - 1, x), "E": (row, x + 2), "S": (row + 1, x), "W": (row, x - 2)}
        land = [0 <= y < len(lines) and lines[y][z : z + 1] in ("-", "|") for y, z in (around[side] for side in SIDES)]
        tiles[square] = "".join("L" if edge else "W" for edge in land)
    return tiles


def drawn(tiles: Mapping[Square, Tile], marks: Mapping[Square, str]) -> str:
    """Return the picture of a map."""
    chart, lines = Chart(tiles), ["    " + "".join(f"{column:<4}" for column in range(1, COLUMNS + 1))]
    for row in ROWS:
        own = [f"{row}{column}" for column in range(1, COLUMNS + 1)]
        mark = {square: marks.get(square, "." if tiles[square] == "WWWW" else "o") for square in own}
        lines.append(f"{row}   " + "".join(mark[s] + (" - " if chart.is_land(s, "E") else "   ") for s in own))
        lines.append("    " + "".join("|   " if chart.is_land(square, "S") else "    " for square in own))
    return "\n".join(line.rstrip() for line in lines if line.strip())


def position(
    players: Sequence[str],
    phase: str = "declare",
    own: Sequence[Mapping[str, Any]] = (),
    symbols: Mapping[Square, str] | None = None,
    chits: Mapping[Square, int] | None = None,
    board: str = ISLES,
    params: Mapping[str, Any] | None = None,
    **entries: Any,
) -> dict[str, Any]:
    """Return a position of the tour, by default in turn 10 of player 0, with the ghost on F6.

    A player is written as pawn and boat: `C3.C0 F4.C0`; at sea the pawn suffices: `A1.S`. `own` has other entries of
    players. Only the named symbol tiles exist, by default with a chit each; the others are dropped. If players have
    chits, more symbol tiles without chits are put in the far corner; if chits are missing, the last player has lost
    them. Gold of players was taken in the order of the squares. Players who are together have seen each other's chits.
    """
    game = GhostShip(**{**(params or {}), "num_players": len(players)})
    game.tiles.clear()
    game.tiles.update(tiles_of(board))
    game.phase, game.turn, game.ghost, game.stacks = phase, 10, "F6", [0] * len(STACKS)
    game.turn_player = entries.get("turn_player", 0)
    game.players = [own_entry(text, len(players)) for text in players]
    for player, changes in zip(game.players, own, strict=False):
        for key, value in changes.items():
            setattr(player, key, Counter(value) if key in ("chits", "lost") else value)
    game.symbols = dict(symbols or {})
    game.chits = Counter(dict.fromkeys(game.symbols, 1) if chits is None else chits)
    place_others(game)
    gold = in_reading_order(game.six)
    game.gold = set(gold[sum(player.gold for player in game.players) :])
    game.arriving = entries.get("arriving", False)
    meet(game)
    return game.to_dict() | entries


def own_entry(text: str, num_players: int) -> Player:
    """Parse a player."""
    pawn, *boat = text.split()
    return Player(pawn, boat[0] if boat else pawn, spot_of(pawn) not in "SB", shown=[None] * num_players)


def place_others(game: GhostShip) -> None:
    """Add the symbol tiles that belong to chits off the map; drop the rest and update the pool."""
    held = Counter[int]()
    for player in game.players:
        held += player.chits + player.lost
    wanted = total(held) + total(game.chits) - len(game.symbols)
    for square in reversed(SQUARES):
        left = game.symbol_tiles_left()
        name = class_of(game.tiles[square])
        fitting = [tile for tile in left if tile.split()[-1] == name and square not in game.symbols]
        if wanted > 0 and fitting and square not in SEA_AT_FIRST:
            game.symbols[square] = "?" if game.random else fitting[0].split()[0]
            wanted -= 1
    game.pool = game.full - held
    for value in [v for v in (1, 2, 3, 4) for _ in range(game.pool[v])][: max(-wanted, 0)]:
        game.players[-1].lost[value] += 1
        game.pool[value] -= 1
    game.dropped = sorted(game.symbol_tiles_left().elements(), key=symbol_tile_order)


def meet(game: GhostShip) -> None:
    """Show the chits of players who are together, regardless of their entries; at the end, show all chits."""
    for one, own in enumerate(game.players):
        for other, theirs in enumerate(game.players):
            open_now = game.together(one, other) or (game.phase == "over" and one != other)
            if own.shown[other] is None and open_now:
                own.shown[other] = Shown(Counter(theirs.chits))


# Phase 1


def creation(phase: str, laid: Mapping[Square, str] | None = None, **entries: Any) -> dict[str, Any]:
    """Return a position of phase 1 with additional tiles, such as `LWWW`, or `storm LWWW` with a symbol."""
    tiles, symbols = dict(SET_OUT), {}
    for square, text in (laid or {}).items():
        *symbol, tiles[square] = text.split()
        if symbol:
            symbols[square] = symbol[0]
    d = GhostShip(**entries.pop("params", {})).to_dict()
    board = {
        "tiles": written_tiles(tiles),
        "six": in_reading_order([*d["six"], *entries.pop("six", [])]),
        "symbols": {square: symbols[square] for square in in_reading_order(symbols)},
    }
    return d | {"phase": phase} | board | entries


def placing(name: str, laid: Mapping[Square, str] | None = None, **entries: Any) -> dict[str, Any]:
    """Return a two-player position with a symbol tile in hand."""
    player = len(laid or {}) % 2
    return creation("place", laid, **{"hand_tiles": {name: 1}, "turn_player": player, "decider": player, **entries})


def filling(phase: str, laid: Mapping[Square, str] | None = None, **entries: Any) -> dict[str, Any]:
    """Return a position of the filling with `left` in the stacks; all other tiles are discarded or dropped."""
    laid, left = laid or {}, Counter(entries.pop("left", {}))
    symbols = Counter(f"{text.split()[0]} {class_of(text.split()[1])}" for text in laid.values() if " " in text)
    plain = {square: text for square, text in laid.items() if " " not in text}
    six = entries.get("six", [])
    on_board = Counter("LLLL6" if square in six else class_of(tile) for square, tile in plain.items())
    entries = {
        "stacks": [0, 0, 0, left.total() - entries.get("to_draw", 0)],
        "discards": dict(DRAW - left - Counter(entries.get("hand_tiles", {})) - on_board),
        "dropped": sorted((Counter(SYMBOL_TILES) - symbols).elements(), key=symbol_tile_order),
        **entries,
    }
    return creation(phase, laid, **entries)


# A map from a real game.

MAP = """
    1   2   3   4   5   6   7   8   9   10
A   .   o - o   o   s   o   o - o   k   .
        |   |   |   |   |   |   |
B   .   r - # - # - o - o   r - # - o - k
            |   |   |   |   |   |   |
C   o - o - o - f   o   o   o   f   o   .
    |               |   |       |   |
D   s   o   c   o - # - # - c - o   r   o
    |   |       |   |   |   |   |   |   |
E   o   h   o - o - o   o - o   f - o   f
            |   |   |       |   |
F   s   o - # - h   o   h - # - # - o - o
            |   |   |   |   |   |
G   .   s   o   o   c   o - o - k   .   .
"""
LETTERS = {"k": "skull", "s": "storm", "h": "hostile", "r": "ruins", "f": "friendly", "c": "chest"}
HILLS = ["B4", "F7"]  # with gold, in addition to the initial ones


def marks_of(picture: str) -> dict[Square, str]:
    """Return the marks of squares in a picture."""
    lines = [line for line in picture.splitlines() if line[:1] in set(ROWS)]
    return {f"{line[0]}{column}": line[4 * column] for line in lines for column in range(1, COLUMNS + 1)}


def whole_map(phase: str, vacant: Sequence[Square] = (), **entries: Any) -> dict[str, Any]:
    """Return the position of `MAP` with some vacant squares and the tiles that were drawn for it."""
    marks, tiles = marks_of(MAP), tiles_of(MAP)
    laid = {
        square: f"{LETTERS[marks[square]]} {tile}" if marks[square] in LETTERS else tile
        for square, tile in tiles.items()
        if square not in vacant and square not in SET_OUT
    }
    six = [square for square in HILLS if square not in vacant]
    if phase != "ghost":
        return filling(phase, laid, six=six, **entries)
    finished = {
        "chits": {square: 1 for square in SQUARES if marks[square] in LETTERS},
        "gold": in_reading_order([*GOLD_AT_FIRST, *HILLS]),
        "turn_player": 1,
        "decider": 1,
        "discards": {},
    }
    return filling("ghost", laid, six=six, **{**finished, **entries})
