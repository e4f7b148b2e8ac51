"""The text picture of a position of `ghost_ship`: the map, the players, the tiles off the board, and the current task.

Chits are shown as counts. A viewer also sees the values of their own chits and of those that others have shown. At the
end of the game the values of all chits are open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

import numpy as np

from edge_envs.core.spec import Array, Record
from edge_envs.games.ghost_ship.map.geometry import COMPASS
from edge_envs.games.ghost_ship.map.names import place_name, square_name, square_of, symbol_tile_name
from edge_envs.games.ghost_ship.narration import result
from edge_envs.games.ghost_ship.phases.scoring import score
from edge_envs.games.ghost_ship.pieces.tiles import CLASSES, KINDS, NUM_SYMBOLS, SYMBOLS, UNSEEN
from edge_envs.games.ghost_ship.state import (
    CHITS,
    COMPLETE,
    CREATION,
    DECLARE_PHASE,
    DECLARED,
    DRAW,
    DRIFT_PHASE,
    EXTRAS,
    FILL,
    GAINED,
    GHOST,
    GHOST_BACK,
    KNOWN,
    LOSE,
    LOST,
    NUM_VALUES,
    NUMBER,
    OVER,
    PLACE,
    REVEAL,
    SPIN,
    STACK,
    SYMBOL_PHASE,
    TILE,
    TRAVEL_PHASE,
    VACANT,
    VALUE,
    in_turn_order,
)
from edge_envs.games.ghost_ship.views.map_picture import LEGEND, sketch

NONE = "-"
WIDEST = 100
"""The largest width of a line of tiles, in characters."""


def picture(record: Record, viewer: int | None = None) -> str:
    """Return what the public sees, or what `viewer` sees."""
    parts = [
        [*LEGEND, *sketch(record), *_heaped_chits(record)],
        _players(record),
        _tiles(record),
        private(record, viewer),
        [headline(record)],
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _heaped_chits(record: Record) -> list[str]:
    """Return a line about squares with more than one chit."""
    heaps = [(square, count) for square, count in enumerate(record.squares[:, CHITS].tolist()) if count > 1]
    text = ", ".join(f"{square_name(square)} {count}" for square, count in heaps)
    return [f"more than one chit: {text}"] if heaps else []


# Players


def _players(record: Record) -> list[str]:
    """Return a table of public information, a line for each player."""
    head = ("", "scout", "boat", "chits", "lost", "gold", "saved", "spins", "skips", "claim")
    return _aligned([head, *(_player(record, player) for player in range(int(record.num_players)))])


def _player(record: Record, player: int) -> tuple[str, ...]:
    claim = int(record.claim[player])
    return (
        f"player {player}",
        place_name(int(record.pawn[player])) if record.ashore[player] else NONE,
        place_name(int(record.boat[player])),
        str(record.own[player].sum()),
        str(record.lost[player].sum()),
        str(record.num_gold[player]),
        f"{int(record.saved[player]):+}" if record.saved[player] else NONE,
        " ".join([str(record.triple_number[player])] * int(record.triple_count[player])) or NONE,
        str(record.skip[player] or NONE),
        f"on {claim}" if claim >= 0 else NONE,
    )


def private(record: Record, viewer: int | None) -> list[str]:
    """Return what a player knows of chits. For the public: nothing until the game is over, then everything."""
    if record.phase == OVER:
        return [_chits_of(record, player) for player in range(int(record.num_players))]
    if viewer is None:
        return []
    lines = [_chits_of(record, viewer)]
    for other, seen in enumerate(record.shown[viewer]):
        if seen[KNOWN]:
            since = f"since then {seen[GAINED]} gained, {seen[LOST]} lost"
            lines.append(f"shown by player {other}: {_values(seen[:NUM_VALUES])}; {since}")
    return lines


def _chits_of(record: Record, player: int) -> str:
    text = f"chits of player {player}: {_values(record.own[player])}; lost: {_values(record.lost[player])}"
    return f"{text}; score {score(record, player)}"


def _values(counts: Array) -> str:
    """Return the values of chits one by one, such as `1 1 4`."""
    return " ".join(str(value + 1) for value, count in enumerate(counts.tolist()) for _ in range(count)) or NONE


# Tiles that are not on the board


def _tiles(record: Record) -> list[str]:
    """Return the tiles still to be laid in phase 1, later the hidden symbols, and the tiles that left the game."""
    lines = _laying(record) if record.phase in CREATION else _unseen(record)
    dropped = record.dropped
    gone = [symbol_tile_name(*tile) for tile in np.argwhere(dropped).tolist() for _ in range(dropped[tuple(tile)])]
    text = wrap(f"out of the game: {', '.join(gone)}", WIDEST, subsequent_indent="  ")
    return [*lines, *text] if gone else lines


def _laying(record: Record) -> list[str]:
    """Return the symbol tiles to be turned up, later the tiles in stacks, in hand and discarded."""
    if record.phase == GHOST:
        return []
    if record.phase in (SYMBOL_PHASE, PLACE):
        symbols = [UNSEEN] if record.covered else range(NUM_SYMBOLS)
        return _aligned([("to turn up", *CLASSES), *(_symbol_row(record, symbol) for symbol in symbols)])
    heaps = [_row("stacks", record.deck), _row("hand", record.hand), _row("discards", record.discards)]
    return [*_aligned([("", *KINDS), *heaps]), f"stacks of {', '.join(map(str, record.stacks.tolist()))}"]


def _unseen(record: Record) -> list[str]:
    """Return the symbols that may still be revealed with covered symbols."""
    symbols = [symbol for symbol in range(NUM_SYMBOLS) if record.covered and record.tiles_left[symbol].any()]
    return _aligned([("not seen", *CLASSES), *(_symbol_row(record, symbol) for symbol in symbols)]) if symbols else []


def _row(name: str, counts: Array) -> tuple[str, ...]:
    return name, *(str(count or NONE) for count in counts.tolist())


def _symbol_row(record: Record, symbol: int) -> tuple[str, ...]:
    return _row("symbol tiles" if symbol == UNSEEN else SYMBOLS[symbol], record.tiles_left[symbol])


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table, with two blanks between columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


# The current task


def headline(record: Record) -> str:
    """Return whose turn it is, its state and the current task, or how the game ended."""
    if record.phase == OVER:
        return f"over: {result(record)}"
    if record.phase in CREATION:
        return f"the archipelago, player {record.turn_player}: {_to_lay(record)}"
    when = f"turn {record.turn} of {record.max_turns}, player {record.turn_player}"
    return f"{', '.join([when, *_way_so_far(record)])}: {_to_do(record)}"


def _to_lay(record: Record) -> str:
    """Return the current task in phase 1."""
    phase = int(record.phase)
    if phase == PLACE:
        return f"places {symbol_tile_name(int(record.hand_symbol), int(record.hand_class))}"
    if phase == COMPLETE:
        return f"draws a tile for {square_name(int(np.argmax(record.squares[:, TILE] == VACANT)))}"
    return {
        SYMBOL_PHASE: "turns up a symbol tile",
        STACK: "picks a stack",
        DRAW: f"draws {record.to_draw} tiles",
        FILL: "places tiles of the hand",
        GHOST: "puts the ghost on D5 or D6",
    }[phase]


def _way_so_far(record: Record) -> Iterable[str]:
    """Yield what has been declared, spun and fixed in this turn."""
    if record.declared >= 0:
        yield DECLARED[record.declared]
    if record.spun_number:
        yield f"spun {record.spun_number} {COMPASS[record.spun_way]}"
    if record.result:
        yield f"result {record.result}, {record.points} {'point' if record.points == 1 else 'points'}"
    if record.decider != record.turn_player:
        yield f"player {record.decider} decides"
    if record.movement_over:
        yield "movement and taking are over" if record.taking_over else "movement is over"
    if record.extra:
        yield f"may move {'a chit' if EXTRAS[record.extra] == 'chit' else 'the ghost'}"
    if record.arriving:
        yield f"comes to {square_name(square_of(int(record.pawn[record.turn_player])))}"


def _to_do(record: Record) -> str:
    """Return the current task on the tour."""
    if record.phase == LOSE:
        losers = [str(player) for player in in_turn_order(record) if record.losers >> player & 1]
        return f"the ghost takes a chit of {'player' if len(losers) == 1 else 'players'} {', '.join(losers)}"
    return {
        DECLARE_PHASE: "declares",
        SPIN: "spins",
        GHOST_BACK: "puts the ghost back on D5 or D6",
        NUMBER: "names the result",
        TRAVEL_PHASE: "goes on, or ends the turn",
        DRIFT_PHASE: "spins again for the boat",
        REVEAL: "reveals the symbol",
        VALUE: "takes a chit",
    }[int(record.phase)]
