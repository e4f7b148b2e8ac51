"""Arriving at a tile of `ghost_ship`: boats change back, a symbol is revealed, a storm, the ghost, meetings."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.knowledge.meetings import meet
from edge_envs.games.ghost_ship.map.geometry import NUM_SPOTS
from edge_envs.games.ghost_ship.phases.board import turn_face_up
from edge_envs.games.ghost_ship.phases.choices import in_storm
from edge_envs.games.ghost_ship.phases.turns import continue_turn, end_turn, square_of_turn_player
from edge_envs.games.ghost_ship.pieces.tiles import UNSEEN
from edge_envs.games.ghost_ship.state import ACT_TRAVEL, LOSE, REVEAL, SYMBOL


@kernel
def swap_boats(state, one, other):
    """Exchange the boats of two players."""
    boat = state.boat[one]
    state.boat[one] = state.boat[other]
    state.boat[other] = boat


@kernel
def drop_claims(state, player):
    """Drop all claims of and on a player."""
    state.claim[player] = -1
    for other in range(np.int64(state.num_players)):
        if state.claim[other] == player:
            state.claim[other] = -1


@kernel
def enter_tile(state):
    """Arrive at another tile: boats change back, the symbol is revealed."""
    state.arriving = 1
    player = np.int64(state.turn_player)
    square = square_of_turn_player(state)
    thief = np.int64(state.claim[player])
    if state.ashore[player] and thief >= 0 and np.int64(state.boat[thief]) // NUM_SPOTS == square:
        swap_boats(state, player, thief)
        drop_claims(state, player)
        drop_claims(state, thief)
    if state.squares[square, SYMBOL] == UNSEEN:
        state.phase = REVEAL
    else:
        _apply_storm_and_ghost(state)


@kernel
def reveal(state, symbol):
    """Reveal a hidden symbol to all players."""
    turn_face_up(state, square_of_turn_player(state), symbol)
    _apply_storm_and_ghost(state)


@kernel
def _apply_storm_and_ghost(state):
    """Stop in a storm at sea, then lose a chit to the ghost, then meet the others there."""
    stop_in_storm(state)
    player = np.int64(state.turn_player)
    if state.ghost == square_of_turn_player(state) and state.num_chits[player]:
        state.losers = 1 << player
        state.phase = LOSE
    else:
        finish_arrival(state)


@kernel
def stop_in_storm(state):
    """End the movement of a travel in a storm at sea."""
    if state.declared == ACT_TRAVEL and in_storm(state, state.turn_player):
        state.movement_over = 1


@kernel
def finish_arrival(state):
    """Meet the others there. Then continue a travel, or end the turn after a drift."""
    state.arriving = 0
    meet(state)
    if state.declared == ACT_TRAVEL:
        continue_turn(state)
    else:
        end_turn(state)
