"""Travelling in `ghost_ship`: steps, taking, and the additional acts of triples."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.actions import (
    END,
    FIRST_CHIT,
    FIRST_GHOST_WAY,
    GO,
    TAKE_CHIT,
    TAKE_GOLD,
)
from edge_envs.games.ghost_ship.knowledge.meetings import count_for_others, meet
from edge_envs.games.ghost_ship.map.geometry import (
    AROUND,
    C1,
    NEXT,
    NUM_SPOTS,
    RIM,
    S,
)
from edge_envs.games.ghost_ship.phases.arrivals import drop_claims, enter_tile, stop_in_storm
from edge_envs.games.ghost_ship.phases.board import put_chits, put_gold
from edge_envs.games.ghost_ship.phases.choices import chit_cost, ignores_symbols, step_cost
from edge_envs.games.ghost_ship.phases.spins import move_ghost
from edge_envs.games.ghost_ship.phases.turns import continue_turn, end_game, end_turn, square_of_turn_player
from edge_envs.games.ghost_ship.pieces.tiles import SKULL, STORM
from edge_envs.games.ghost_ship.state import (
    CHITS,
    GAINED,
    NO_EXTRA,
    SYMBOL,
    VALUE,
)


@kernel
def travel(state, action):
    """Apply an action of a travel."""
    if action == END:
        end_turn(state)
    elif action < TAKE_CHIT:
        _step(state, action - GO)
    elif action == TAKE_CHIT:
        state.points -= chit_cost(state, np.int64(state.pawn[state.turn_player]))
        state.extra = NO_EXTRA
        state.phase = VALUE
    elif action == TAKE_GOLD:
        put_gold(state, square_of_turn_player(state), 0)
        state.num_gold[state.turn_player] += 1
        _taken(state)
    elif action >= FIRST_CHIT:
        _move_chit(state, (action - FIRST_CHIT) // 4, (action - FIRST_CHIT) % 4)
    else:
        state.extra = NO_EXTRA
        move_ghost(state, np.int64(AROUND[state.sea, state.ghost, action - FIRST_GHOST_WAY]))


@kernel
def _step(state, target):
    """Move a pawn one step, with or without a boat."""
    player = np.int64(state.turn_player)
    place = np.int64(state.pawn[player])
    state.points -= step_cost(state, player, place, target)
    spot, goal = place % NUM_SPOTS, target % NUM_SPOTS
    tile_before = place // NUM_SPOTS if place < RIM else -1
    tile_after = target // NUM_SPOTS if target < RIM else -1
    afloat = place >= RIM or spot == S
    goes_to_sea = not afloat and goal == S
    lands = afloat and tile_after >= 0 and goal != S
    if tile_before >= 0 and spot <= C1 and not goes_to_sea and not lands and not ignores_symbols(state):
        symbol = state.squares[tile_before, SYMBOL]
        if symbol in (SKULL, STORM):
            state.movement_over = 1
            state.taking_over = 1
    state.pawn[player] = target
    if goes_to_sea:
        drop_claims(state, player)
    state.ashore[player] = tile_after >= 0 and goal != S
    if afloat or goes_to_sea:
        state.boat[player] = target
    if tile_after >= 0 and tile_after != tile_before:
        enter_tile(state)
    else:
        stop_in_storm(state)
        meet(state)
        continue_turn(state)


@kernel
def take_value(state, value_index):
    """Give the taken chit, with its value, to its taker."""
    player = np.int64(state.turn_player)
    square = square_of_turn_player(state)
    put_chits(state, square, np.int64(state.squares[square, CHITS]) - 1)
    state.pool[value_index] -= 1
    state.own[player, value_index] += 1
    state.num_chits[player] += 1
    count_for_others(state, player, GAINED)
    meet(state)
    _taken(state)


@kernel
def _taken(state):
    """End the turn after taking, and the game after the last treasure."""
    if state.chits_left or state.gold_left:
        end_turn(state)
    else:
        end_game(state)


@kernel
def _move_chit(state, square, edge):
    """Move a chit over a land edge."""
    other = np.int64(NEXT[state.sea, square, edge])
    put_chits(state, square, np.int64(state.squares[square, CHITS]) - 1)
    put_chits(state, other, np.int64(state.squares[other, CHITS]) + 1)
    state.extra = NO_EXTRA
    continue_turn(state)
