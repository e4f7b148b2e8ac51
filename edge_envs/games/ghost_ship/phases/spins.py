"""Spins of `ghost_ship`: the ghost moves and takes chits, then the result is fixed and the act of the turn begins."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.actions import FIRST_NUMBER
from edge_envs.games.ghost_ship.knowledge.meetings import count_for_others, meet
from edge_envs.games.ghost_ship.map.geometry import AROUND, NUM_SPOTS, RIM
from edge_envs.games.ghost_ship.phases.acts import drift, search, steal, swim
from edge_envs.games.ghost_ship.phases.arrivals import finish_arrival
from edge_envs.games.ghost_ship.phases.board import put_ghost
from edge_envs.games.ghost_ship.phases.turns import continue_turn
from edge_envs.games.ghost_ship.state import (
    ACT_DRIFT,
    ACT_SALVAGE,
    ACT_SEARCH,
    ACT_STEAL,
    ACT_SWIM,
    ACT_TRAVEL,
    EXTRA_CHIT,
    EXTRA_GHOST,
    FEWEST,
    GHOST_BACK,
    LOSE,
    LOST,
    MOST,
    NO_EXTRA,
    NUMBER,
    VALUE,
    first_loser,
)


@kernel
def spin(state, number, way):
    """Move the ghost. The spun number is used after that."""
    state.spun_number = number
    state.spun_way = way
    square = np.int64(AROUND[state.sea, state.ghost, way])
    if square < 0:
        state.phase = GHOST_BACK
    else:
        move_ghost(state, square)


@kernel
def move_ghost(state, square):
    """Put the ghost on a tile, where it takes a chit of every player whose active pawn is there."""
    put_ghost(state, square)
    losers = 0
    for player in range(np.int64(state.num_players)):
        place = np.int64(state.pawn[player])
        if place < RIM and place // NUM_SPOTS == square and state.num_chits[player]:
            losers |= 1 << player
    state.losers = losers
    if losers:
        state.phase = LOSE
    else:
        _after_ghost(state)


@kernel
def lose(state, value_index):
    """Remove a chit of the next loser from the game."""
    player = first_loser(state)
    state.own[player, value_index] -= 1
    state.lost[player, value_index] += 1
    state.num_chits[player] -= 1
    state.losers = np.int64(state.losers) & ~(1 << player)
    count_for_others(state, player, LOST)
    meet(state)
    if state.losers:
        return
    if state.arriving:
        finish_arrival(state)
    else:
        _after_ghost(state)


@kernel
def _after_ghost(state):
    """Begin the act of a turn that has just been spun, or continue a travel in which the ghost was moved."""
    if state.spun_number:
        _fix_result(state, _is_triple(state))
    else:
        continue_turn(state)


@kernel
def _is_triple(state):
    """Count the number, and return whether it is the third in a row, which restarts the count."""
    player, number = state.turn_player, state.spun_number
    if state.triple_number[player] != number:
        state.triple_number[player] = number
        state.triple_count[player] = 1
        return False
    if state.triple_count[player] < 2:
        state.triple_count[player] += 1
        return False
    state.triple_number[player] = 0
    state.triple_count[player] = 0
    return True


@kernel
def _fix_result(state, triple):
    """Add the saved points to the number, and begin the act."""
    player = np.int64(state.turn_player)
    number, way = np.int64(state.spun_number), np.int64(state.spun_way)
    result = min(max(number + np.int64(state.saved[player]), FEWEST), MOST)
    state.saved[player] = 0
    state.spun_number = 0
    state.spun_way = 0
    declared = state.declared
    if declared == ACT_TRAVEL:
        _begin_travel(state, result, number if triple else 0)
    elif declared == ACT_DRIFT:
        drift(state, way)
    elif declared == ACT_SALVAGE:
        state.phase = VALUE
    elif declared == ACT_SWIM:
        swim(state, result)
    elif declared == ACT_SEARCH:
        search(state, result)
    else:
        steal(state, np.int64(declared) - ACT_STEAL)


@kernel
def _begin_travel(state, result, triple):
    """Give as many points as the result, unless a triple changes this."""
    if triple == 2:
        state.phase = NUMBER
        return
    state.result = result
    state.points = 1 if triple == 4 else result
    if triple == 3:
        state.extra = EXTRA_CHIT
    elif triple == 5:
        players = np.int64(state.num_players)
        state.decider = (np.int64(state.turn_player) + players - 1) % players
    continue_turn(state)


@kernel
def name_number(state, action):
    """Use the result that is chosen after triple twos."""
    number = action - FIRST_NUMBER + FEWEST
    state.result = number
    state.points = number
    state.extra = EXTRA_GHOST if number == FEWEST else NO_EXTRA
    continue_turn(state)
