"""Phase 2 of `ghost_ship`: turns begin, are declared, go on, and end."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.actions import DECLARE, SAVE_PLUS
from edge_envs.games.ghost_ship.knowledge.meetings import show_all
from edge_envs.games.ghost_ship.map.geometry import NUM_SPOTS
from edge_envs.games.ghost_ship.phases.board import put_ghost
from edge_envs.games.ghost_ship.phases.choices import list_options
from edge_envs.games.ghost_ship.state import DECLARE_PHASE, NO_EXTRA, OVER, SPIN, TRAVEL_PHASE


@kernel
def square_of_turn_player(state):
    """The tile of the turn player's active pawn, which is on no board-edge circle."""
    return np.int64(state.pawn[state.turn_player]) // NUM_SPOTS


@kernel
def begin_tour(state, square):
    """Put the ghost on a tile and begin the first turn."""
    put_ghost(state, square)
    state.turn_player = np.int64(state.num_players) - 1
    _begin_next_turn(state)


@kernel
def _begin_next_turn(state):
    """Begin the next player's turn; turns that are owed are paid. The limit ends the game."""
    player = np.int64(state.turn_player)
    while state.turn < state.max_turns:
        player = (player + 1) % np.int64(state.num_players)
        state.turn += 1
        state.turn_player = player
        state.decider = player
        if state.skip[player] == 0:
            state.phase = DECLARE_PHASE
            return
        state.skip[player] -= 1
    _end(state)


@kernel
def _end(state):
    """Open all chits for the scores."""
    state.phase = OVER
    show_all(state)


@kernel
def end_turn(state):
    """End the turn and begin the next."""
    clear_turn(state)
    state.decider = state.turn_player
    _begin_next_turn(state)


@kernel
def end_game(state):
    """End the game after the last treasure."""
    clear_turn(state)
    state.decider = state.turn_player
    _end(state)


@kernel
def declare(state, action):
    """Take what the turn is for; saving ends it at once."""
    player = state.turn_player
    if action >= SAVE_PLUS:
        state.saved[player] += 1 if action == SAVE_PLUS else -1
        state.triple_number[player] = 0
        state.triple_count[player] = 0
        end_turn(state)
    else:
        state.declared = action - DECLARE
        state.phase = SPIN


@kernel
def go_on(state):
    """Ask for more decisions of this turn, unless nothing is left but its end."""
    state.phase = TRAVEL_PHASE
    list_options(state)
    if state.num_options == 1:
        end_turn(state)


@kernel
def clear_turn(state):
    """Write that nothing is declared."""
    state.declared = -1
    state.spun_number = 0
    state.spun_way = 0
    state.result = 0
    state.points = -1
    state.movement_over = 0
    state.taking_over = 0
    state.arriving = 0
    state.extra = NO_EXTRA
    state.losers = 0
