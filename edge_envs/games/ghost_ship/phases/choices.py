"""The legal actions of `ghost_ship` except those of laying tiles, and the steps of pawns."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.actions import (
    DECLARE,
    END,
    FIRST_CENTRE,
    FIRST_CHIT,
    FIRST_GHOST_WAY,
    FIRST_NUMBER,
    FIRST_STACK,
    GO,
    SAVE_MINUS,
    SAVE_PLUS,
    TAKE_CHIT,
    TAKE_GOLD,
)
from edge_envs.games.ghost_ship.map.geometry import (
    AROUND,
    C0,
    C1,
    IN,
    NEXT,
    NUM_RIM,
    NUM_SPOTS,
    NUM_SQUARES,
    NUM_WAYS,
    OUT,
    RIM,
    RIM_COST,
    RIM_SIZE,
    RIM_SQUARE,
    SAIL_COST,
    WITHIN,
    H,
    S,
)
from edge_envs.games.ghost_ship.pieces.tiles import (
    CHEST,
    FRIENDLY,
    HOSTILE,
    NO_SYMBOL,
    NUM_STACKS,
    RUINS,
    SKULL,
    STORM,
    STRAITS,
)
from edge_envs.games.ghost_ship.state import (
    ACT_DRIFT,
    ACT_SALVAGE,
    ACT_SEARCH,
    ACT_STEAL,
    ACT_SWIM,
    ACT_TRAVEL,
    CHITS,
    DECLARE_PHASE,
    EXTRA_CHIT,
    EXTRA_GHOST,
    GHOST,
    GHOST_BACK,
    GOLD,
    MOST,
    MOST_SAVED,
    NUM_NUMBERS,
    NUMBER,
    STACK,
    SYMBOL,
    TILE,
    TRAVEL_PHASE,
    WET,
)

# PASSES[symbol, result]: whether a step out of its circle is legal.
PASSES = np.ones((NO_SYMBOL + 1, MOST + 1), np.bool_)
for _symbol, _results in {SKULL: (5,), STORM: (4, 5), HOSTILE: (2, 3), RUINS: (2, 3, 4), FRIENDLY: (3, 4, 5)}.items():
    PASSES[_symbol] = False
    PASSES[_symbol, list(_results)] = True

CHIT_COST, CHEST_COST, GOLD_COST = 1, 3, 1
# The neighbours of a tile before it and behind it in the order of ids: N and W, E and S.
BEFORE, BEHIND = np.array([0, 3]), np.array([1, 2])


@kernel
def _add(state, action):
    state.options[state.num_options] = action
    state.num_options += 1


@kernel
def ignores_symbols(state):
    """Return whether steps ignore the symbols: on triple fives, when the right neighbour decides."""
    return state.decider != state.turn_player


@kernel
def in_storm(state, player):
    """Return whether a player's boat is at sea on a storm tile."""
    place = np.int64(state.pawn[player])
    return place < RIM and place % NUM_SPOTS == S and state.squares[place // NUM_SPOTS, SYMBOL] == STORM


@kernel
def is_in_circle(place):
    """Return whether a place is ashore in a circle."""
    return place < RIM and C0 <= place % NUM_SPOTS <= C1


@kernel
def can_search(state, player):
    """Return whether a search for the boat may succeed."""
    place = np.int64(state.pawn[player])
    if not is_in_circle(place) or state.boat[player] == place:
        return False
    symbol = state.squares[place // NUM_SPOTS, SYMBOL]
    return symbol in (NO_SYMBOL, FRIENDLY, HOSTILE, RUINS)


@kernel
def can_steal(state, player, victim):
    """Return whether the victim's boat is in the scout's circle and the victim is ashore on another tile."""
    place = np.int64(state.pawn[player])
    if not is_in_circle(place) or state.boat[player] == place or victim == player:
        return False
    away = np.int64(state.pawn[victim]) // NUM_SPOTS != place // NUM_SPOTS
    return state.boat[victim] == place and state.ashore[victim] and away


@kernel
def can_salvage(state, player):
    """Return whether the boat is in a storm over a chit on a tile without land."""
    if not in_storm(state, player):
        return False
    square = np.int64(state.pawn[player]) // NUM_SPOTS
    return state.squares[square, TILE] == 0 and state.squares[square, CHITS] > 0


@kernel
def can_swim(state, player):
    """Return whether the scout is in a circle at a strait."""
    place = np.int64(state.pawn[player])
    return is_in_circle(place) and state.squares[place // NUM_SPOTS, TILE] in STRAITS


@kernel
def _add_declarations(state):
    player = np.int64(state.turn_player)
    stormy = in_storm(state, player)
    if not stormy:
        _add(state, DECLARE + ACT_TRAVEL)
    if can_swim(state, player):
        _add(state, DECLARE + ACT_SWIM)
    if can_search(state, player):
        _add(state, DECLARE + ACT_SEARCH)
    for victim in range(np.int64(state.num_players)):
        if can_steal(state, player, victim):
            _add(state, DECLARE + ACT_STEAL + victim)
    if can_salvage(state, player):
        _add(state, DECLARE + ACT_SALVAGE)
    if stormy:
        _add(state, DECLARE + ACT_DRIFT)
    saved = state.saved[player]
    if 0 <= saved < MOST_SAVED:
        _add(state, SAVE_PLUS)
    if -MOST_SAVED < saved <= 0:
        _add(state, SAVE_MINUS)


@kernel
def is_restricted(state, square, spot):
    """Return whether a symbol forbids the turn player's steps out of a circle with this result."""
    symbol = state.squares[square, SYMBOL]
    return spot <= C1 and not PASSES[symbol, state.result] and not ignores_symbols(state)


@kernel
def step_cost(state, player, place, target):
    """Return the cost of a step of a player's pawn from a place to another, 0 if there is none. Symbols are ignored."""
    if place >= RIM:
        circle = place - RIM
        if target == np.int64(RIM_SQUARE[state.sea, circle]) * NUM_SPOTS + S:
            return SAIL_COST
        size = np.int64(RIM_SIZE[state.sea])
        apart = (target - place) % size
        return RIM_COST if target >= RIM and (apart == 1 or apart == size - 1) else 0
    square, spot = place // NUM_SPOTS, place % NUM_SPOTS
    mask = np.int64(state.squares[square, TILE])
    if target >= RIM:
        for edge in range(4):
            if NEXT[state.sea, square, edge] == RIM - 1 - target:
                return SAIL_COST if spot == S else 0
        return 0
    other, goal = target // NUM_SPOTS, target % NUM_SPOTS
    if other == square:
        if goal == S and state.boat[player] != place:
            return 0
        return np.int64(WITHIN[mask, spot, state.squares[square, WET]]) >> 2 * goal & 3
    for edge in range(4):
        if NEXT[state.sea, square, edge] == other:
            return _costs_beyond(state, mask, spot, edge, other) >> 2 * goal & 3
    return 0


@kernel
def _costs_beyond(state, mask, spot, edge, other):
    """Return the packed costs of the spots of the next tile over an edge."""
    ways = OUT[mask, spot, edge]
    return np.int64(IN[np.int64(state.squares[other, TILE]), (edge + 2) & 3, ways, state.squares[other, WET]])


@kernel
def _add_steps(state, square, costs):
    """Add the steps to spots of a tile for which there are points."""
    points = np.int64(state.points)
    for spot in range(NUM_SPOTS):
        cost = costs >> 2 * spot & 3
        if cost != 0 and cost <= points:
            _add(state, GO + square * NUM_SPOTS + spot)


@kernel
def _add_beyond(state, square, mask, spot, edges):
    for edge in edges:
        other = np.int64(NEXT[state.sea, square, edge])
        if other >= 0:
            _add_steps(state, other, _costs_beyond(state, mask, spot, edge, other))


@kernel
def _add_moves_on_the_rim(state, circle):
    points = np.int64(state.points)
    if points >= SAIL_COST:
        _add(state, GO + np.int64(RIM_SQUARE[state.sea, circle]) * NUM_SPOTS + S)
    if points >= RIM_COST:
        size = np.int64(RIM_SIZE[state.sea])
        back, on = (circle - 1) % size, (circle + 1) % size
        _add(state, GO + RIM + min(back, on))
        _add(state, GO + RIM + max(back, on))


@kernel
def _add_moves(state):
    """Add the steps for which there are points and the required result."""
    player = np.int64(state.turn_player)
    place = np.int64(state.pawn[player])
    if state.movement_over or state.points < SAIL_COST:
        return
    if place >= RIM:
        _add_moves_on_the_rim(state, place - RIM)
        return
    square, spot = place // NUM_SPOTS, place % NUM_SPOTS
    mask = np.int64(state.squares[square, TILE])
    within = np.int64(WITHIN[mask, spot, state.squares[square, WET]])
    if state.boat[player] != place:
        within &= ~3  # the circle at sea
    if is_restricted(state, square, spot):
        _add_steps(state, square, within if spot == S else within & 3)
        return
    _add_beyond(state, square, mask, spot, BEFORE)
    _add_steps(state, square, within)
    _add_beyond(state, square, mask, spot, BEHIND)
    if spot == S:
        first, second = NUM_RIM, NUM_RIM
        for edge in range(4):
            circle = -1 - np.int64(NEXT[state.sea, square, edge])
            if circle >= 0:
                second = max(first, circle) if first < NUM_RIM else second
                first = min(first, circle)
        if first < NUM_RIM:
            _add(state, GO + RIM + first)
        if second < NUM_RIM:
            _add(state, GO + RIM + second)


@kernel
def chit_cost(state, place):
    """Return the cost of a chit for a pawn at a place, 0 if none can be taken there."""
    if place >= RIM:
        return 0
    square, spot = place // NUM_SPOTS, place % NUM_SPOTS
    if state.squares[square, CHITS] == 0:
        return 0
    if spot in (C0, C1, H) or (spot == S and state.squares[square, TILE] == 0):
        return CHEST_COST if state.squares[square, SYMBOL] == CHEST else CHIT_COST
    return 0


@kernel
def has_gold(state, place):
    """Return whether gold can be taken at a place."""
    return place < RIM and place % NUM_SPOTS == H and state.squares[place // NUM_SPOTS, GOLD] > 0


@kernel
def _add_takings(state):
    place = np.int64(state.pawn[state.turn_player])
    if state.taking_over:
        return
    cost = chit_cost(state, place)
    if 0 < cost <= state.points:
        _add(state, TAKE_CHIT)
    if has_gold(state, place) and state.points >= GOLD_COST:
        _add(state, TAKE_GOLD)


@kernel
def _add_extra_acts(state):
    if state.extra == EXTRA_CHIT:
        for square in range(NUM_SQUARES):
            if state.squares[square, CHITS]:
                for edge in range(4):
                    if np.int64(state.squares[square, TILE]) >> edge & 1:
                        _add(state, FIRST_CHIT + 4 * square + edge)
    elif state.extra == EXTRA_GHOST:
        for way in range(NUM_WAYS):
            if AROUND[state.sea, state.ghost, way] >= 0:
                _add(state, FIRST_GHOST_WAY + way)


@kernel
def list_options(state):
    """Write the legal actions, ascending; none at chance nodes, while tiles are laid, and at the end."""
    state.num_options = 0
    phase = state.phase
    if phase == TRAVEL_PHASE:
        _add_moves(state)
        _add_takings(state)
        _add(state, END)
        _add_extra_acts(state)
    elif phase == DECLARE_PHASE:
        _add_declarations(state)
    elif phase in (GHOST, GHOST_BACK):
        _add(state, FIRST_CENTRE)
        _add(state, FIRST_CENTRE + 1)
    elif phase == NUMBER:
        for k in range(NUM_NUMBERS):
            _add(state, FIRST_NUMBER + k)
    elif phase == STACK:
        for stack in range(NUM_STACKS):
            if state.stacks[stack]:
                _add(state, FIRST_STACK + stack)
