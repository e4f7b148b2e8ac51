"""Checks on a position of `ghost_ship`: phase 1."""

from __future__ import annotations

import numpy as np

from edge_envs.core.checks.positions import check
from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.checks.map import BOX, symbol_tiles_turned_up
from edge_envs.games.ghost_ship.map.geometry import NEXT, NUM_SPOTS, NUM_SQUARES, S
from edge_envs.games.ghost_ship.map.names import place_name, square_name, symbol_tile_name
from edge_envs.games.ghost_ship.map.start import SET_OUT, STARTS
from edge_envs.games.ghost_ship.phases.laying import count_tiles, who_turns_up
from edge_envs.games.ghost_ship.phases.symbol_squares import SIDE, is_layout_open
from edge_envs.games.ghost_ship.pieces.tiles import DRAW_TILES, KIND_OF, KINDS, NO_SYMBOL, NUM_KINDS, SIXES, STACKS
from edge_envs.games.ghost_ship.state import (
    CHITS,
    COMPLETE,
    DRAW,
    DRAWN,
    FILL,
    GHOST,
    GOLD,
    HALF,
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

_DRAW_TILES = DRAW_TILES.tolist()
_EARNED = ("ashore", "own", "lost", "num_gold", "saved", "triple_number", "triple_count", "skip", "shown")
"""What a player has nothing of before the tour."""


def check_creation(record: Record) -> None:
    """Check that nobody has set out yet, and that tiles are laid as far as the phase says."""
    phase, squares = int(record.phase), record.squares
    check(record.turn == 0, "turn", "it is 0 before the tour")
    check(record.ghost < 0, "ghost", "it is null before the tour")
    check(bool((record.pool == record.full).all()), "pool", "no chit has been taken before the tour")
    check(record.decider == record.turn_player, "decider", "in phase 1 it is the turn player")
    _check_beginners(record)
    check_no_turn(record)
    if record.random:
        _check_random_layout(record)
    if phase == GHOST:
        check_finished(record)
        last = int(record.num_players) - 1
        check(record.turn_player == last, "turn_player", f"player {last}, the last one, puts the ghost")
        chits = squares[:, CHITS] == (squares[:, SYMBOL] != NO_SYMBOL)
        check(bool(chits.all()), "chits", "one lies on each symbol tile")
        check(bool((squares[:, GOLD] == squares[:, SIX]).all()), "gold", "it lies on each tile of `six`")
        return
    check(not squares[:, CHITS].any(), "chits", "they are laid out when the board is full")
    check(not squares[:, GOLD].any(), "gold", "it is laid out when the board is full")
    check(VACANT in squares[:, TILE], "tiles", "the board is full, the ghost is to be put")
    if phase in (SYMBOL_PHASE, PLACE):
        _check_symbol_phase(record)
    elif phase == COMPLETE:
        _check_completion(record)
    else:
        _check_filling(record)


def _check_beginners(record: Record) -> None:
    """Check that the boats lie in their corners, and that nobody has anything."""
    for player, square in enumerate(STARTS[record.num_players, : record.num_players].tolist()):
        start = square * NUM_SPOTS + S
        home = record.pawn[player] == record.boat[player] == start
        check(bool(home), "players", f"player {player} is in {place_name(start)} before the tour, and so is the boat")
        nothing = record.claim[player] < 0 and not any(np.any(record[name][player]) for name in _EARNED)
        check(nothing, "players", f"player {player} has nothing and knows nothing before the tour")


def check_no_turn(record: Record) -> None:
    """Check that no turn is under way."""
    phase = PHASES[record.phase]
    check(not record.losers, "losers", f"nobody loses a chit in {phase}")
    check(record.extra == NO_EXTRA, "extra", f"it is null in {phase}")
    check(record.declared < 0, "declared", f"it is null in {phase}")
    check(not record.spun_number, "spun", f"it is null in {phase}")
    check(not record.result, "result", f"it is null in {phase}")
    check(record.points < 0, "points", f"it is null in {phase}")
    for key in ("movement_over", "taking_over", "arriving"):
        check(not record[key], key, f"it is false in {phase}")


def check_finished(record: Record) -> None:
    """Check that the board is full and that all other tiles are put away."""
    check(VACANT not in record.squares[:, TILE], "tiles", f"the board is full in {PHASES[record.phase]}")
    for key, heap in (("stacks", "stacks"), ("discards", "discards"), ("hand_tiles", "hand"), ("to_draw", "to_draw")):
        check(not np.any(record[heap]), key, f"nothing is left of it in {PHASES[record.phase]}")


def _check_symbol_phase(record: Record) -> None:
    """Check that only symbol tiles are placed, and that the stacks are full."""
    turned_up = symbol_tiles_turned_up(record)
    player = who_turns_up(int(turned_up.sum()), int(record.num_players))
    check(record.turn_player == player, "turn_player", f"it is up to player {player} to place this symbol tile")
    check(not any(_plain_tiles(record)), "tiles", "only symbol tiles are placed so far")
    check(bool((record.stacks == STACKS).all()), "stacks", f"they are still full: {STACKS.tolist()}")
    check(not record.discards.any(), "discards", "nothing is drawn yet")
    check(not record.to_draw, "to_draw", "nothing is drawn yet")
    if record.phase == SYMBOL_PHASE:
        check(not record.hand.any(), "hand_tiles", "nothing is in hand before a symbol tile is turned up")
        return
    tile = int(record.hand_symbol), int(record.hand_class)
    name = symbol_tile_name(*tile)
    check(bool(turned_up[tile] < BOX[tile]), "hand_tiles", f"all symbol tiles {name} are on the board or dropped")


def _plain_tiles(record: Record) -> list[int]:
    """The tiles on the board that were drawn, by kind: neither set out nor symbol tiles."""
    counts = [0] * NUM_KINDS
    for square, (mask, symbol, six) in enumerate(record.squares[:, [TILE, SYMBOL, SIX]].tolist()):
        if mask != VACANT and symbol == NO_SYMBOL and not SET_OUT[square]:
            counts[SIXES if six else KIND_OF[mask]] += 1
    return counts


def _check_completion(record: Record) -> None:
    """Check that stacks and discards are one heap."""
    check(not record.stacks.any(), "stacks", "what was left is in `discards` while the map is completed")
    check(not record.hand.any(), "hand_tiles", "it was discarded before the map is completed")
    check(not record.to_draw, "to_draw", "nothing is drawn while the map is completed")
    for kind, (count, there) in enumerate(zip(record.discards.tolist(), _plain_tiles(record), strict=True)):
        left = max(_DRAW_TILES[kind] - there, 0)
        check(count == left, "discards", f"{left} tiles {KINDS[kind]} are not on the board, not {count}")


def _check_filling(record: Record) -> None:
    """Check that ninety tiles are somewhere, and that hands are drawn and laid as they may be."""
    phase, hand, to_draw = int(record.phase), int(record.hand.sum()), int(record.to_draw)
    heaps = zip(KINDS, _DRAW_TILES, _plain_tiles(record), record.hand.tolist(), record.discards.tolist(), strict=True)
    left = 0
    for kind, there, *found in heaps:
        gone = sum(found)
        check(gone <= there, "discards", f"{gone} tiles {kind} are on the board, in hand and discarded, of {there}")
        left += there - gone
    in_stacks = int(record.stacks.sum())
    message = f"{in_stacks} tiles are in stacks and {to_draw} to be drawn, but {left} are nowhere else"
    check(in_stacks + to_draw == left, "stacks", message)
    if phase == STACK:
        check(in_stacks > 0, "stacks", "all are empty, there is none to pick")
        check(hand == 0, "hand_tiles", "nothing is in hand before a stack is picked")
    if phase == DRAW:
        most = DRAWN - hand
        check(1 <= to_draw <= most, "to_draw", f"it is from 1 to {most} with {hand} tiles in hand, not {to_draw}")
    else:
        check(to_draw == 0, "to_draw", f"nothing is to be drawn in {PHASES[phase]}")
    if phase == FILL:
        check(1 <= hand <= DRAWN, "hand_tiles", f"{hand} tiles are in hand, 1 to {DRAWN} are possible")


def _check_random_layout(record: Record) -> None:
    """Check that symbol tiles lie as chance lays them: none dropped, none side by side, ten on each half at the end."""
    check(not record.dropped.any(), "dropped", "with random creation no symbol tile leaves the game")
    symbol_squares = [square for square in range(NUM_SQUARES) if record.squares[square, SYMBOL] != NO_SYMBOL]
    for square in symbol_squares:
        for beyond in NEXT[square].tolist():
            apart = beyond not in symbol_squares
            sides = f"{square_name(square)} and {square_name(beyond)} lie side by side, which no symbol tiles do"
            check(apart, "symbols", f"{sides} with random creation")
    for half, name in enumerate(("west", "east")):
        count = sum(int(SIDE[square]) == half for square in symbol_squares)
        full = record.phase in (SYMBOL_PHASE, PLACE) or count == HALF
        message = f"with random creation ten symbol tiles lie on each half, not {count} in the {name}"
        check(count <= HALF and full, "symbols", message)


def check_hand_fits(record: Record) -> None:
    """Check that what is to be laid fits somewhere, and that a random layout can be finished, in a derived record."""
    open_layout = not record.random or record.phase not in (SYMBOL_PHASE, PLACE) or is_layout_open(record)
    check(bool(open_layout), "symbols", "no room is left to bring each half to ten, none of them side by side")
    fits = record.phase not in (PLACE, FILL) or count_tiles(record) > 0
    check(bool(fits), "hand_tiles", "nothing in hand fits anywhere, so there is nothing to place")
