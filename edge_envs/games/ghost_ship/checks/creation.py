"""Check positions of `ghost_ship` in phase 1."""

from __future__ import annotations

import numpy as np

from edge_envs.core.checks.positions import check
from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.checks.map import box_of, symbol_tiles_turned_up
from edge_envs.games.ghost_ship.map.geometry import NEXT, NUM_SPOTS, NUM_SQUARES, S
from edge_envs.games.ghost_ship.map.names import place_name, square_name, symbol_tile_name
from edge_envs.games.ghost_ship.map.start import SET_OUT, STARTS
from edge_envs.games.ghost_ship.phases.laying import count_tiles, next_to_turn_up
from edge_envs.games.ghost_ship.phases.symbol_squares import SIDE, is_layout_open
from edge_envs.games.ghost_ship.pieces.tiles import (
    DRAW_TILES,
    KIND_OF,
    KINDS,
    NO_SYMBOL,
    NUM_KINDS,
    NUM_SYMBOL_TILES,
    SIXES,
    STACKS,
)
from edge_envs.games.ghost_ship.state import (
    CHITS,
    COMPLETE,
    DRAW,
    DRAWN,
    FILL,
    GHOST,
    GOLD,
    NO_EXTRA,
    PHASES,
    PLACE,
    SIX,
    STACK,
    SYMBOL,
    SYMBOL_PHASE,
    TILE,
    VACANT,
)

_EARNED = ("ashore", "own", "lost", "num_gold", "saved", "triple_number", "triple_count", "skip", "shown")
"""Fields of a player that are zero before the tour."""
_NUMBERS = {4: "four", 10: "ten"}


def check_creation(record: Record) -> None:
    """Check that the tour has not begun, and that the tiles on the board fit the phase."""
    phase, squares = int(record.phase), record.squares
    check(record.turn == 0, "turn", "it must be 0 before the tour")
    check(record.ghost < 0, "ghost", "it must be null before the tour")
    check(bool((record.pool == record.full).all()), "pool", "it must contain all chits before the tour")
    check(record.decider == record.turn_player, "decider", "it must be the turn player in phase 1")
    _check_beginners(record)
    check_no_turn(record)
    if record.random:
        _check_random_layout(record)
    if phase == GHOST:
        check_finished(record)
        last = int(record.num_players) - 1
        check(record.turn_player == last, "turn_player", f"it must be player {last}, who places the ghost")
        chits = squares[:, CHITS] == (squares[:, SYMBOL] != NO_SYMBOL)
        check(bool(chits.all()), "chits", "there must be one on each symbol tile")
        check(bool((squares[:, GOLD] == squares[:, SIX]).all()), "gold", "it must be on each tile of `six`")
        return
    check(not squares[:, CHITS].any(), "chits", "there are none until the board is full")
    check(not squares[:, GOLD].any(), "gold", "there is none until the board is full")
    check(VACANT in squares[:, TILE], "tiles", "the board is full, so the phase must be ghost")
    if phase in (SYMBOL_PHASE, PLACE):
        _check_symbol_phase(record)
    elif phase == COMPLETE:
        _check_completion(record)
    else:
        _check_filling(record)


def _check_beginners(record: Record) -> None:
    """Check that the boats are in their corners, and that nobody has anything."""
    for player, square in enumerate(STARTS[record.sea, record.num_players, : record.num_players].tolist()):
        start = square * NUM_SPOTS + S
        home = record.pawn[player] == record.boat[player] == start
        check(bool(home), "players", f"player {player} and the boat must be in {place_name(start)} before the tour")
        nothing = record.claim[player] < 0 and not any(np.any(record[name][player]) for name in _EARNED)
        check(nothing, "players", f"player {player} must have and know nothing before the tour")


def check_no_turn(record: Record) -> None:
    """Check that no turn is in progress."""
    phase = PHASES[record.phase]
    check(not record.losers, "losers", f"it must be empty in {phase}")
    check(record.extra == NO_EXTRA, "extra", f"it must be null in {phase}")
    check(record.declared < 0, "declared", f"it must be null in {phase}")
    check(not record.spun_number, "spun", f"it must be null in {phase}")
    check(not record.result, "result", f"it must be null in {phase}")
    check(record.points < 0, "points", f"it must be null in {phase}")
    for key in ("movement_over", "taking_over", "arriving"):
        check(not record[key], key, f"it must be false in {phase}")


def check_finished(record: Record) -> None:
    """Check that the board is full and that all other tiles are put away."""
    check(VACANT not in record.squares[:, TILE], "tiles", f"the board must be full in {PHASES[record.phase]}")
    for key, heap in (("stacks", "stacks"), ("discards", "discards"), ("hand_tiles", "hand"), ("to_draw", "to_draw")):
        check(not np.any(record[heap]), key, f"it must be empty in {PHASES[record.phase]}")


def _check_symbol_phase(record: Record) -> None:
    """Check that only symbol tiles have been placed, and that the stacks are full."""
    turned_up = symbol_tiles_turned_up(record)
    player = next_to_turn_up(int(turned_up.sum()), int(record.num_players), int(record.sea))
    check(record.turn_player == player, "turn_player", f"it must be player {player}, who places this symbol tile")
    check(not any(_plain_tiles(record)), "tiles", "only symbol tiles can have been placed so far")
    stacks = STACKS[record.sea]
    check(bool((record.stacks == stacks).all()), "stacks", f"they must still be full: {stacks.tolist()}")
    check(not record.discards.any(), "discards", "it must be empty before any tile is drawn")
    check(not record.to_draw, "to_draw", "it must be 0 before any tile is drawn")
    if record.phase == SYMBOL_PHASE:
        check(not record.hand.any(), "hand_tiles", "it must be empty before a symbol tile is turned up")
        return
    tile = int(record.hand_symbol), int(record.hand_class)
    name = symbol_tile_name(*tile)
    check(
        bool(turned_up[tile] < box_of(record)[tile]),
        "hand_tiles",
        f"all symbol tiles {name} are on the board or dropped",
    )


def _plain_tiles(record: Record) -> list[int]:
    """Count the drawn tiles on the board by kind, without those set out before play and the symbol tiles."""
    counts = [0] * NUM_KINDS
    for square, (mask, symbol, six) in enumerate(record.squares[:, [TILE, SYMBOL, SIX]].tolist()):
        if mask != VACANT and symbol == NO_SYMBOL and not SET_OUT[record.sea, square]:
            counts[SIXES if six else KIND_OF[mask]] += 1
    return counts


def _check_completion(record: Record) -> None:
    """Check that all remaining tiles are in the discards."""
    check(not record.stacks.any(), "stacks", "they must be empty in complete, where `discards` has all tiles left")
    check(not record.hand.any(), "hand_tiles", "it must be empty while the map is completed")
    check(not record.to_draw, "to_draw", "it must be 0 while the map is completed")
    for kind, (count, there) in enumerate(zip(record.discards.tolist(), _plain_tiles(record), strict=True)):
        left = max(int(DRAW_TILES[record.sea, kind]) - there, 0)
        check(count == left, "discards", f"{left} {KINDS[kind]} are not on the board, so not {count}")


def _check_filling(record: Record) -> None:
    """Check that the tiles to draw are complete, and the sizes of the hand and of the draw."""
    phase, hand, to_draw = int(record.phase), int(record.hand.sum()), int(record.to_draw)
    box, drawn = DRAW_TILES[record.sea].tolist(), _plain_tiles(record)
    heaps = zip(KINDS, box, drawn, record.hand.tolist(), record.discards.tolist(), strict=True)
    left = 0
    for kind, there, *found in heaps:
        gone = sum(found)
        check(gone <= there, "discards", f"{gone} {kind} are on the board, in hand and discarded, of {there}")
        left += there - gone
    in_stacks = int(record.stacks.sum())
    message = f"{in_stacks} tiles in stacks and {to_draw} to be drawn must together be the remaining {left}"
    check(in_stacks + to_draw == left, "stacks", message)
    if phase == STACK:
        check(in_stacks > 0, "stacks", "all are empty, so none can be chosen")
        check(hand == 0, "hand_tiles", "it must be empty before a stack is chosen")
    if phase == DRAW:
        most = DRAWN - hand
        check(1 <= to_draw <= most, "to_draw", f"it must be from 1 to {most} with {hand} tiles in hand, not {to_draw}")
    else:
        check(to_draw == 0, "to_draw", f"it must be 0 in {PHASES[phase]}")
    if phase == FILL:
        check(1 <= hand <= DRAWN, "hand_tiles", f"{hand} tiles are in hand, expected 1 to {DRAWN}")


def _check_random_layout(record: Record) -> None:
    """Check a random layout: no symbol tile dropped, none adjacent, and in the end as many on each half."""
    check(not record.dropped.any(), "dropped", "it must be empty with random creation")
    symbol_squares = [square for square in range(NUM_SQUARES) if record.squares[square, SYMBOL] != NO_SYMBOL]
    for square in symbol_squares:
        for beyond in NEXT[record.sea, square].tolist():
            apart = beyond not in symbol_squares
            sides = f"{square_name(square)} and {square_name(beyond)} are adjacent symbol tiles"
            check(apart, "symbols", f"{sides}, which is impossible with random creation")
    most = int(NUM_SYMBOL_TILES[record.sea]) // 2
    for half, name in enumerate(("west", "east")):
        count = sum(int(SIDE[square]) == half for square in symbol_squares)
        full = record.phase in (SYMBOL_PHASE, PLACE) or count == most
        message = (
            f"with random creation there must be {_NUMBERS[most]} symbol tiles on each half, not {count} in the {name}"
        )
        check(count <= most and full, "symbols", message)


def check_hand_fits(record: Record) -> None:
    """Check that a tile in hand fits somewhere and that a random layout can be finished. The record must be derived."""
    open_layout = not record.random or record.phase not in (SYMBOL_PHASE, PLACE) or is_layout_open(record)
    most = _NUMBERS[int(NUM_SYMBOL_TILES[record.sea]) // 2]
    room = f"no room is left to bring each half to {most} without adjacent symbol tiles"
    check(bool(open_layout), "symbols", room)
    fits = record.phase not in (PLACE, FILL) or count_tiles(record) > 0
    check(bool(fits), "hand_tiles", "no tile in hand fits anywhere")
