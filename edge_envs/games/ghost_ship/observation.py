"""The observation of `ghost_ship`: the map as planes, then all other information as numbers, from one seat.

It contains the values of the viewer's own chits and of those that others have shown, and at the end the values of all
chits held. Everything else is public.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.core.kernels.onehot import hot_index
from edge_envs.games.ghost_ship.knowledge.meetings import meet, show_all
from edge_envs.games.ghost_ship.map.geometry import (
    INSIDE,
    NEXT,
    NUM_SPOTS,
    NUM_SQUARES,
    NUM_WAYS,
    RIM,
    RIM_COLUMN,
    RIM_ROW,
    RIM_SIZE,
)
from edge_envs.games.ghost_ship.map.seas import NUM_SEAS
from edge_envs.games.ghost_ship.phases.derived import derive
from edge_envs.games.ghost_ship.pieces.tiles import KIND_OF, NO_SYMBOL, NUM_CLASSES, NUM_KINDS, NUM_STACKS
from edge_envs.games.ghost_ship.rules import current_player
from edge_envs.games.ghost_ship.state import (
    ACT_STEAL,
    CELL,
    CHITS,
    CHITS_PLANE,
    DECLARE_PHASE,
    FEWEST,
    GAINED,
    GHOST_PLANE,
    GOLD,
    GOLD_PLANE,
    KNOWN,
    LAND_PLANES,
    LOST,
    MAX_PLAYERS,
    NUM_BOARD_PLANES,
    NUM_NUMBERS,
    NUM_VALUES,
    OVER,
    PHASES,
    PLACE,
    PLANE,
    PLANE_COLUMNS,
    SIX,
    SIX_PLANE,
    SYMBOL,
    SYMBOL_PLANES,
    TILE,
    TILE_PLANE,
    VACANT,
)
from edge_envs.games.ghost_ship.views import fields
from edge_envs.games.ghost_ship.views.fields import MOST_SHOWN, NUM_SHOWN_FIELDS, NUM_UNSEEN, layout

__all__ = ["layout", "observe", "read_observation"]

NUM_BOARD_ENTRIES = NUM_BOARD_PLANES * PLANE

# CELL_OF[sea, place]: its cell within a plane; PLACE_IN[sea, cell]: the place, S for a square, or -1.
CELL_OF = np.concatenate(
    [np.tile(np.repeat(CELL, NUM_SPOTS), (NUM_SEAS, 1)), (RIM_ROW + 1) * PLANE_COLUMNS + RIM_COLUMN + 1], axis=1
).astype(np.int16)
PLACE_IN = np.full((NUM_SEAS, PLANE), -1, np.int16)
for _sea in range(NUM_SEAS):
    for _place in (*range(0, RIM, NUM_SPOTS), *range(RIM, RIM + int(RIM_SIZE[_sea]))):
        PLACE_IN[_sea, CELL_OF[_sea, _place]] = _place


@inlined_kernel
def _places(state):
    """Return the number of players and the offsets of `_ALONE`, `_EACH`, the claims and the showings."""
    players = np.int64(state.num_players)
    alone = (NUM_BOARD_PLANES + 2 * players) * PLANE
    each = alone + fields.SIZE_ALONE
    claim = each + fields.SIZE_EACH * players
    return players, alone, each, claim, claim + players * players


# Observing


@inlined_kernel
def _show_one(out, at, index):
    """Set entry `index` of a field; no entry if it is negative."""
    if index >= 0:
        out[at + np.int64(index)] = 1


@inlined_kernel
def _show_tiles_left(state, out, at):
    """Write the tiles off the board, in phase 1."""
    _show_one(out, at + fields.HAND_SYMBOL, state.hand_symbol)
    _show_one(out, at + fields.HAND_CLASS, state.hand_class)
    out[at + fields.TO_DRAW] = state.to_draw
    for i in range(NUM_STACKS):
        out[at + fields.STACKS + i] = state.stacks[i]
    for kind in range(NUM_KINDS):
        out[at + fields.HAND + kind] = state.hand[kind]
        out[at + fields.DISCARDS + kind] = state.discards[kind]
    for symbol in range(NUM_UNSEEN):
        for kind in range(NUM_CLASSES):
            out[at + fields.DROPPED + symbol * NUM_CLASSES + kind] = state.dropped[symbol, kind]


@inlined_kernel
def _show_turn(state, out, at):
    """Write the turn in progress."""
    declared = np.int64(state.declared)
    if declared >= 0:
        out[at + fields.DECLARED + max(min(declared, ACT_STEAL), declared - fields.ACTS_AFTER)] = 1
    if state.spun_number:
        out[at + fields.SPUN_NUMBER + np.int64(state.spun_number) - FEWEST] = 1
        out[at + fields.SPUN_WAY + np.int64(state.spun_way)] = 1
    _show_one(out, at + fields.RESULT, np.int64(state.result) - FEWEST)
    out[at + fields.POINTS] = state.points
    out[at + fields.MOVEMENT_OVER] = state.movement_over
    out[at + fields.TAKING_OVER] = state.taking_over
    out[at + fields.ARRIVING] = state.arriving
    _show_one(out, at + fields.EXTRA, np.int64(state.extra) - 1)
    out[at + fields.NEIGHBOUR_DECIDES] = state.decider != state.turn_player


@inlined_kernel
def _show_player(state, p, out, at, players, i):
    """Write the public information about player `p`, who is number `i` counted from the viewer."""
    pawn, boat = np.int64(state.pawn[p]), np.int64(state.boat[p])
    out[(NUM_BOARD_PLANES + i) * PLANE + CELL_OF[state.sea, pawn]] = 1
    out[(NUM_BOARD_PLANES + players + i) * PLANE + CELL_OF[state.sea, boat]] = 1
    spot = pawn % NUM_SPOTS if pawn < RIM else fields.ON_RIM
    out[at + fields.SPOT * players + i * (NUM_SPOTS + 1) + spot] = 1
    boat_spot = boat % NUM_SPOTS if boat < RIM else fields.BOAT_ON_RIM
    out[at + fields.BOAT_SPOT * players + i * fields.BOAT_SPOTS + boat_spot] = 1
    out[at + fields.ASHORE * players + i] = state.ashore[p]
    out[at + fields.NUM_CHITS * players + i] = state.num_chits[p]
    lost = np.int64(0)
    for value in range(NUM_VALUES):
        lost += state.lost[p, value]
    out[at + fields.NUM_LOST * players + i] = lost
    out[at + fields.GOLD_HELD * players + i] = state.num_gold[p]
    out[at + fields.SAVED * players + i] = state.saved[p]
    if state.triple_count[p]:
        number = np.int64(state.triple_number[p]) - FEWEST
        out[at + fields.TRIPLE_NUMBER * players + i * NUM_NUMBERS + number] = 1
        out[at + fields.TRIPLE_COUNT * players + i] = state.triple_count[p]
    out[at + fields.SKIP * players + i] = state.skip[p]


@inlined_kernel
def _show_chits(state, viewer, out, alone, shown, players):
    """Write what the viewer knows of the values of chits, and the number of chits never taken."""
    pool = np.int64(0)
    for value in range(NUM_VALUES):
        pool += state.pool[value]
        out[alone + fields.OWN_CHITS + value] = state.own[viewer, value]
        out[alone + fields.OWN_LOST + value] = state.lost[viewer, value]
    out[alone + fields.POOL] = pool
    for i in range(players - 1):
        other = (viewer + 1 + i) % players
        at = shown + i * NUM_SHOWN_FIELDS
        if state.shown[viewer, other, KNOWN]:
            out[at] = 1
            for k in range(NUM_SHOWN_FIELDS - 1):
                out[at + 1 + k] = state.shown[viewer, other, k]


@kernel
def observe(state, player, out):
    """Fill `out` (C,) with everything that a player may know of the position."""
    board = state.board
    for cell in range(NUM_BOARD_ENTRIES):
        out[cell] = board[cell]
    for k in range(out.shape[0] - NUM_BOARD_ENTRIES):  # from 0, so that the compiler can vectorize the loop
        out[NUM_BOARD_ENTRIES + k] = 0
    players, alone, each, claim, shown = _places(state)
    viewer = np.int64(player)
    out[alone + fields.PHASE + state.phase] = 1
    out[alone + fields.TURNS_USED] = np.int64(state.turn) * MOST_SHOWN // state.max_turns
    out[alone + fields.TURNS_LEFT] = min(state.max_turns - state.turn, MOST_SHOWN)
    _show_tiles_left(state, out, alone)
    _show_turn(state, out, alone)
    out[each + fields.SEAT * players + viewer] = 1
    to_act = current_player(state)
    p = viewer
    for i in range(players):
        out[each + fields.DECIDER * players + i] = p == to_act
        out[each + fields.TURN_PLAYER * players + i] = p == state.turn_player
        out[each + fields.VICTIM * players + i] = p == np.int64(state.declared) - ACT_STEAL
        out[each + fields.LOSERS * players + i] = np.int64(state.losers) >> p & 1
        _show_player(state, p, out, each, players, i)
        thief = np.int64(state.claim[p])
        if thief >= 0:
            out[claim + i * players + (thief - viewer) % players] = 1
        p = p + 1 if p + 1 < players else 0
    _show_chits(state, viewer, out, alone, shown, players)


# Reading an observation


@inlined_kernel
def _read_map(observation, state):
    for square in range(NUM_SQUARES):
        cell = np.int64(CELL[square])
        mask = 0
        for edge in range(4):
            if observation[(LAND_PLANES + edge) * PLANE + cell]:
                mask |= 1 << edge
        is_laid = observation[TILE_PLANE * PLANE + cell] or not INSIDE[state.sea, square]
        state.squares[square, TILE] = mask if is_laid else VACANT
        state.squares[square, SYMBOL] = NO_SYMBOL
        for symbol in range(NUM_UNSEEN):
            if observation[(SYMBOL_PLANES + symbol) * PLANE + cell]:
                state.squares[square, SYMBOL] = symbol
        state.squares[square, CHITS] = observation[CHITS_PLANE * PLANE + cell]
        state.squares[square, GOLD] = observation[GOLD_PLANE * PLANE + cell]
        state.squares[square, SIX] = observation[SIX_PLANE * PLANE + cell]
    ghost = hot_index(observation, GHOST_PLANE * PLANE, PLANE)
    state.ghost = PLACE_IN[state.sea, ghost] // NUM_SPOTS if ghost >= 0 else -1


@inlined_kernel
def _read_tiles_left(observation, state, at):
    state.hand_symbol = hot_index(observation, at + fields.HAND_SYMBOL, NUM_UNSEEN)
    state.hand_class = hot_index(observation, at + fields.HAND_CLASS, NUM_CLASSES)
    state.to_draw = observation[at + fields.TO_DRAW]
    for i in range(NUM_STACKS):
        state.stacks[i] = observation[at + fields.STACKS + i]
    for kind in range(NUM_KINDS):
        state.hand[kind] = observation[at + fields.HAND + kind]
        state.discards[kind] = observation[at + fields.DISCARDS + kind]
    for symbol in range(NUM_UNSEEN):
        for kind in range(NUM_CLASSES):
            state.dropped[symbol, kind] = observation[at + fields.DROPPED + symbol * NUM_CLASSES + kind]


@inlined_kernel
def _read_turn(observation, state, at, each, players, viewer):
    """Read the turn in progress, with the fewest earlier turns that give the same fraction."""
    state.phase = hot_index(observation, at + fields.PHASE, len(PHASES))
    used, left = np.int64(observation[at + fields.TURNS_USED]), np.int64(observation[at + fields.TURNS_LEFT])
    state.turn = (used * left + MOST_SHOWN - used - 1) // (MOST_SHOWN - used) if left else 1
    state.max_turns = state.turn + left
    turn_player = (viewer + hot_index(observation, each + fields.TURN_PLAYER * players, players)) % players
    state.turn_player = turn_player
    state.decider = (turn_player - observation[at + fields.NEIGHBOUR_DECIDES]) % players
    act = hot_index(observation, at + fields.DECLARED, fields.NUM_ACTS)
    if act == ACT_STEAL:
        act += (viewer + hot_index(observation, each + fields.VICTIM * players, players)) % players
    elif act > ACT_STEAL:
        act += fields.ACTS_AFTER
    state.declared = act
    number = hot_index(observation, at + fields.SPUN_NUMBER, NUM_NUMBERS)
    state.spun_number = number + FEWEST if number >= 0 else 0
    state.spun_way = max(hot_index(observation, at + fields.SPUN_WAY, NUM_WAYS), 0)
    result = hot_index(observation, at + fields.RESULT, NUM_NUMBERS)
    state.result = result + FEWEST if result >= 0 else 0
    state.points = observation[at + fields.POINTS]
    state.movement_over = observation[at + fields.MOVEMENT_OVER]
    state.taking_over = observation[at + fields.TAKING_OVER]
    state.arriving = observation[at + fields.ARRIVING]
    state.extra = hot_index(observation, at + fields.EXTRA, 2) + 1


@inlined_kernel
def _read_player(observation, state, p, at, players, i):
    pawn = np.int64(PLACE_IN[state.sea, hot_index(observation, (NUM_BOARD_PLANES + i) * PLANE, PLANE)])
    boat = np.int64(PLACE_IN[state.sea, hot_index(observation, (NUM_BOARD_PLANES + players + i) * PLANE, PLANE)])
    if pawn < RIM:
        pawn += hot_index(observation, at + fields.SPOT * players + i * (NUM_SPOTS + 1), NUM_SPOTS)
    if boat < RIM:
        boat += hot_index(observation, at + fields.BOAT_SPOT * players + i * fields.BOAT_SPOTS, fields.BOAT_SPOTS)
    state.pawn[p] = pawn
    state.boat[p] = boat
    state.ashore[p] = observation[at + fields.ASHORE * players + i]
    state.num_gold[p] = observation[at + fields.GOLD_HELD * players + i]
    state.saved[p] = observation[at + fields.SAVED * players + i]
    number = hot_index(observation, at + fields.TRIPLE_NUMBER * players + i * NUM_NUMBERS, NUM_NUMBERS)
    state.triple_number[p] = number + FEWEST if number >= 0 else 0
    state.triple_count[p] = observation[at + fields.TRIPLE_COUNT * players + i]
    state.skip[p] = observation[at + fields.SKIP * players + i]
    state.losers |= np.int64(observation[at + fields.LOSERS * players + i]) << p


@inlined_kernel
def _deal(pool, heap, count):
    """Fill a heap up to a number of chits, with the lowest values of the pool."""
    for value in range(NUM_VALUES):
        count -= np.int64(heap[value])
    for value in range(NUM_VALUES):
        dealt = min(count, np.int64(pool[value]))
        pool[value] -= dealt
        heap[value] += dealt
        count -= dealt


@inlined_kernel
def _read_shown(observation, state, viewer, other, told, count):
    """Read what `other` has shown. As many of these chits as possible are held now, the rest are lost."""
    seen = state.shown[viewer, other]
    seen[KNOWN] = observation[told]
    for value in range(NUM_VALUES):
        shown = np.int64(observation[told + 1 + value])
        kept = min(count, shown)
        seen[value] = shown
        state.own[other, value] = kept
        state.lost[other, value] = shown - kept
        state.pool[value] -= shown
        count -= kept
    seen[GAINED] = observation[told + 1 + GAINED]
    seen[LOST] = observation[told + 1 + LOST]


@inlined_kernel
def _read_chits(observation, state, viewer, players, alone, each, shown):
    """Read the viewer's chits, and give others chits that fit their counts and showings."""
    for p in range(MAX_PLAYERS):
        for other in range(MAX_PLAYERS):
            for k in range(state.shown.shape[2]):
                state.shown[p, other, k] = 0
    for value in range(NUM_VALUES):
        state.own[viewer, value] = observation[alone + fields.OWN_CHITS + value]
        state.lost[viewer, value] = observation[alone + fields.OWN_LOST + value]
        state.pool[value] = np.int64(state.full[value]) - state.own[viewer, value] - state.lost[viewer, value]
    for i in range(1, players):
        count = np.int64(observation[each + fields.NUM_CHITS * players + i])
        _read_shown(observation, state, viewer, (viewer + i) % players, shown + (i - 1) * NUM_SHOWN_FIELDS, count)
    for i in range(1, players):
        other = (viewer + i) % players
        _deal(state.pool, state.own[other], np.int64(observation[each + fields.NUM_CHITS * players + i]))
        _deal(state.pool, state.lost[other], np.int64(observation[each + fields.NUM_LOST * players + i]))


@inlined_kernel
def _is_place(state, place):
    """Return whether a place is within the sea, or a circle around it."""
    if place >= RIM:
        return place - RIM < RIM_SIZE[state.sea]
    return place >= 0 and INSIDE[state.sea, place // NUM_SPOTS] != 0


@inlined_kernel
def _is_possible(state):
    """Return whether tiles fit, and the tile in hand and the places of pawns, boats and ghost exist."""
    is_tour = state.phase >= DECLARE_PHASE
    if state.phase >= len(PHASES) or (state.phase == PLACE and (state.hand_symbol < 0 or state.hand_class < 0)):
        return False
    for square in range(NUM_SQUARES):
        tile = np.int64(state.squares[square, TILE])
        if tile == VACANT and is_tour:
            return False
        if state.squares[square, SYMBOL] != NO_SYMBOL and (tile == VACANT or KIND_OF[tile] >= NUM_CLASSES):
            return False
        if not INSIDE[state.sea, square]:
            here = state.squares[square]
            if here[SYMBOL] != NO_SYMBOL or here[CHITS] != 0 or here[GOLD] != 0 or here[SIX] != 0:
                return False
        for edge in range(4 if tile != VACANT else 0):
            beside = np.int64(NEXT[state.sea, square, edge])
            other = np.int64(state.squares[beside, TILE]) if beside >= 0 else np.int64(0)  # the sea around the board
            if other != VACANT and (tile >> edge & 1) != (other >> (edge + 2) % 4 & 1):
                return False
    if state.ghost >= NUM_SQUARES or (state.ghost >= 0 and not INSIDE[state.sea, state.ghost]):
        return False
    if not is_tour:
        return True
    for p in range(np.int64(state.num_players)):
        if not (_is_place(state, np.int64(state.pawn[p])) and _is_place(state, np.int64(state.boat[p]))):
            return False
    return state.ghost >= 0


@kernel
def read_observation(observation, state):
    """Write a position that agrees with an observation (C,) int8 into a state whose parameters are set.

    The observation does not contain the values of other chits, what others have shown each other (here they know it
    only while they are together), the number of turns before, nor the exact number of remaining turns above 127.

    Returns:
        The viewer's seat; -1 if the observation does not name it, or if tiles, pawns or the ghost are where they cannot
        be.
    """
    players, alone, each, claim, shown = _places(state)
    viewer = hot_index(observation, each + fields.SEAT * players, players)
    if viewer < 0:
        return viewer
    _read_map(observation, state)
    _read_tiles_left(observation, state, alone)
    _read_turn(observation, state, alone, each, players, viewer)
    state.losers = 0
    for p in range(MAX_PLAYERS):
        state.claim[p] = -1
    for i in range(players):
        p = (viewer + i) % players
        _read_player(observation, state, p, each, players, i)
        thief = hot_index(observation, claim + i * players, players)
        if thief >= 0:
            state.claim[p] = (viewer + thief) % players
    _read_chits(observation, state, viewer, players, alone, each, shown)
    if not _is_possible(state):
        return np.int64(-1)
    derive(state)
    if state.phase == OVER:
        show_all(state)
    else:
        meet(state)
    return viewer
