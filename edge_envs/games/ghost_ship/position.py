"""Read and write positions of `ghost_ship` as JSON.

All phases have the same keys. Keys that a phase does not need are null, empty, zero or false.

    phase, turn_player, decider, turn    `decider` is the right neighbour on triple fives; `turn` counts turns begun
    tiles        ten hexadecimal masks for each of the seven rows, `.` for a vacant square, `-` outside the small sea
    six, gold    squares in reading order: of the `LLLL6` tiles, and with gold
    symbols      square -> symbol, `"?"` while it is hidden
    chits        square -> number of chits
    pool         value -> number never taken
    stacks       their sizes, without the tiles still to be drawn for a hand, `to_draw`
    discards     kind -> count; while the map is completed, all remaining tiles to draw
    dropped      the symbol tiles that left the game, in the order of the box: `skull LLWW`, or with covered
                 symbols their classes
    hand_tiles   kind -> count; while a symbol tile is placed, that tile -> 1
    ghost        its square, null before it is placed
    losers       the players who are still to lose a chit, in turn order
    extra        what a triple still allows to be moved: `"chit"`, `"ghost"` or null
    players      an object for each:
        pawn, boat, ashore    places; the pawn is the scout if ashore, else the boat
        chits, lost           value -> number owned, and number lost to the ghost
        gold, saved, skip     pieces of gold; saved points, with their sign; turns owed
        triple                the number spun last and the number of turns in a row, 1 or 2; `[0, 0]` for none
        claim                 the thief of the boat while its owner has a claim, or null
        shown                 what each player showed when last together, or null: `chits`, and how many were `gained`
                              and `lost` since
    declared     the declaration of the turn in progress, null before it
    spun         number and direction of a spin until the result is fixed
    result, points    of a travel in progress, else null
    movement_over, taking_over    whether movement and taking are over in this turn
    arriving     the turn player's pawn has come to a tile and has not met anybody there yet, because a symbol must be
                 revealed or a chit lost first
    by_limit     whether the game has ended with treasure on the map
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from edge_envs.core.checks.positions import check, truth
from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.checks.creation import check_creation, check_hand_fits
from edge_envs.games.ghost_ship.checks.map import check_map, check_symbols
from edge_envs.games.ghost_ship.checks.reading import read
from edge_envs.games.ghost_ship.checks.tour import check_tour
from edge_envs.games.ghost_ship.checks.turn import check_choice
from edge_envs.games.ghost_ship.map.geometry import COMPASS, INSIDE, NUM_COLUMNS, NUM_SQUARES
from edge_envs.games.ghost_ship.map.names import (
    OUTSIDE_MARK,
    SQUARE_NAMES,
    SYMBOL_NAMES,
    place_name,
    square_name,
    symbol_tile_name,
)
from edge_envs.games.ghost_ship.phases.derived import derive
from edge_envs.games.ghost_ship.pieces.chits import VALUES
from edge_envs.games.ghost_ship.pieces.tiles import KINDS, NO_SYMBOL, NUM_CLASSES, UNSEEN
from edge_envs.games.ghost_ship.state import (
    CHITS,
    CREATION,
    DECLARED,
    EXTRAS,
    GAINED,
    GOLD,
    KNOWN,
    LOST,
    NUM_VALUES,
    PHASES,
    PLACE,
    SIX,
    SYMBOL,
    TILE,
    VACANT,
    in_turn_order,
    is_by_limit,
)


def to_dict(record: Record) -> dict[str, Any]:
    """Return the position, without `game` and `params`."""
    return {
        "phase": PHASES[record.phase],
        "turn_player": int(record.turn_player),
        "decider": int(record.decider),
        "turn": int(record.turn),
        **_board_to_dict(record),
        **_heaps_to_dict(record),
        "ghost": square_name(int(record.ghost)) if record.ghost >= 0 else None,
        "losers": [player for player in in_turn_order(record) if record.losers >> player & 1],
        "extra": EXTRAS[record.extra],
        "players": [_player_to_dict(record, player) for player in range(record.num_players)],
        **_turn_to_dict(record),
        "by_limit": is_by_limit(record),
    }


def from_dict(record: Record, d: Mapping[str, Any]) -> None:
    """Write a position into a record whose parameters are set.

    Raises:
        InvalidPositionError: if the position is invalid. The error names the key.
    """
    read(record, d)
    check_map(record)
    check_symbols(record)
    if record.phase in CREATION:
        check_creation(record)
        derive(record)
        check_hand_fits(record)
    else:
        check_tour(record)
        derive(record)
        check_choice(record)
    by_limit = truth(d["by_limit"], "by_limit")
    check(by_limit == is_by_limit(record), "by_limit", "it must be true if the game ended with treasure left")


def _board_to_dict(record: Record) -> dict[str, Any]:
    """Return the tiles and what is on them."""
    columns = record.squares.T.tolist()
    inside = INSIDE[record.sea].tolist()
    marks = "".join(
        OUTSIDE_MARK if not there else "." if mask == VACANT else f"{mask:x}"
        for mask, there in zip(columns[TILE], inside, strict=True)
    )
    symbols = zip(SQUARE_NAMES, columns[SYMBOL], strict=True)
    return {
        "tiles": [marks[start : start + NUM_COLUMNS] for start in range(0, NUM_SQUARES, NUM_COLUMNS)],
        "six": _squares_with(columns[SIX]),
        "symbols": {square: SYMBOL_NAMES[symbol] for square, symbol in symbols if symbol != NO_SYMBOL},
        "chits": _counts(SQUARE_NAMES, columns[CHITS]),
        "gold": _squares_with(columns[GOLD]),
    }


def _heaps_to_dict(record: Record) -> dict[str, Any]:
    """Return the tiles and chits off the board."""
    if record.phase == PLACE:
        hand = {symbol_tile_name(int(record.hand_symbol), int(record.hand_class)): 1}
    else:
        hand = _counts(KINDS, record.hand)
    return {
        "pool": _values(record.pool),
        "stacks": record.stacks.tolist(),
        "discards": _counts(KINDS, record.discards),
        "dropped": [
            symbol_tile_name(symbol, tile_class)
            for symbol in range(UNSEEN + 1)
            for tile_class in range(NUM_CLASSES)
            for _ in range(record.dropped[symbol, tile_class])
        ],
        "hand_tiles": hand,
        "to_draw": int(record.to_draw),
    }


def _player_to_dict(record: Record, player: int) -> dict[str, Any]:
    return {
        "pawn": place_name(int(record.pawn[player])),
        "boat": place_name(int(record.boat[player])),
        "ashore": bool(record.ashore[player]),
        "chits": _values(record.own[player]),
        "lost": _values(record.lost[player]),
        "gold": int(record.num_gold[player]),
        "saved": int(record.saved[player]),
        "triple": [int(record.triple_number[player]), int(record.triple_count[player])],
        "skip": int(record.skip[player]),
        "claim": int(record.claim[player]) if record.claim[player] >= 0 else None,
        "shown": [_shown_to_dict(record.shown[player, other]) for other in range(record.num_players)],
    }


def _shown_to_dict(shown: Any) -> dict[str, Any] | None:
    if not shown[KNOWN]:
        return None
    return {"chits": _values(shown[:NUM_VALUES]), "gained": int(shown[GAINED]), "lost": int(shown[LOST])}


def _turn_to_dict(record: Record) -> dict[str, Any]:
    """Return the keys of a turn in progress."""
    return {
        "declared": DECLARED[record.declared] if record.declared >= 0 else None,
        "spun": [int(record.spun_number), COMPASS[record.spun_way]] if record.spun_number else None,
        "result": int(record.result) if record.result else None,
        "points": int(record.points) if record.points >= 0 else None,
        "movement_over": bool(record.movement_over),
        "taking_over": bool(record.taking_over),
        "arriving": bool(record.arriving),
    }


def _squares_with(counts: Sequence[int]) -> list[str]:
    """Return the squares with a nonzero entry, in reading order."""
    return list(_counts(SQUARE_NAMES, counts))


def _counts(names: Sequence[str], counts: Iterable[Any]) -> dict[str, int]:
    """Return counts by names, without zeros."""
    return {name: int(count) for name, count in zip(names, counts, strict=True) if count}


def _values(counts: Any) -> dict[str, int]:
    """Return the number of chits by value."""
    return _counts(VALUES, counts)
