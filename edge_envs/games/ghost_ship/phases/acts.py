"""The acts of a turn of `ghost_ship` other than travel: swimming, searching, stealing, drifting."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.knowledge.meetings import meet
from edge_envs.games.ghost_ship.map.geometry import AROUND, C0, EDGE_REGION, K0, NUM_SPOTS, OUTSIDE, REGION, RIM, S
from edge_envs.games.ghost_ship.phases.arrivals import drop_claims, enter_tile, swap_boats
from edge_envs.games.ghost_ship.phases.turns import end_turn, square_of_turn_player
from edge_envs.games.ghost_ship.pieces.tiles import FRIENDLY, HOSTILE, NO_SYMBOL
from edge_envs.games.ghost_ship.state import DRIFT_PHASE, FEWEST, MOST, SYMBOL, TILE

SWIMS, ASKED = 4, 4
"""The least result for swimming, and for a search on hostile tiles and in ruins."""
SKIPS_AFTER = 2
"""A search on a hostile tile with this result costs a turn."""


@kernel
def opposite_circle(place):
    """Return the other circle of a strait."""
    return place + (1 if place % NUM_SPOTS == C0 else -1)


@kernel
def swim(state, result):
    """Cross to the other circle of the strait if the result is high enough, and end the turn."""
    player = state.turn_player
    if result >= SWIMS:
        state.pawn[player] = opposite_circle(np.int64(state.pawn[player]))
        meet(state)
    end_turn(state)


@kernel
def least_result_to_find(symbol):
    """Return the least result with which a search succeeds."""
    return FEWEST if symbol == FRIENDLY else MOST if symbol == NO_SYMBOL else ASKED


@kernel
def search(state, result):
    """Find a boat if the result is high enough, and end the turn. On a hostile tile a 2 also costs the next turn."""
    player = np.int64(state.turn_player)
    symbol = state.squares[square_of_turn_player(state), SYMBOL]
    if result >= least_result_to_find(symbol):
        state.boat[player] = state.pawn[player]
        drop_claims(state, player)
    if symbol == HOSTILE and result == SKIPS_AFTER:
        state.skip[player] += 1
    end_turn(state)


@kernel
def steal(state, victim):
    """Exchange the boats. The victim gets a claim on the thief."""
    thief = np.int64(state.turn_player)
    drop_claims(state, thief)
    drop_claims(state, victim)
    swap_boats(state, thief, victim)
    state.claim[victim] = thief
    end_turn(state)


@kernel
def drift_end(state, square, way):
    """Return the place at sea, on the rim or aground to which a boat drifts from a tile; -1 for "spin again"."""
    mask = np.int64(state.squares[square, TILE])
    edge = way // 2
    beyond = np.int64(AROUND[state.sea, square, way])
    circle = RIM - 1 - beyond
    if way % 2 == 0:
        if mask >> edge & 1:
            return square * NUM_SPOTS + C0 + np.int64(EDGE_REGION[mask, edge])
        return beyond * NUM_SPOTS + S if beyond >= 0 else circle
    if beyond == OUTSIDE:
        return np.int64(-1)
    if beyond < 0:
        return circle
    other = np.int64(state.squares[beyond, TILE])
    own_land = mask >> edge & 1, mask >> ((edge + 1) & 3) & 1
    other_land = other >> ((edge + 2) & 3) & 1, other >> ((edge + 3) & 3) & 1
    if own_land[0] + own_land[1] < 2 and other_land[0] + other_land[1] < 2:
        return beyond * NUM_SPOTS + S
    if own_land[0] or own_land[1]:
        return square * NUM_SPOTS + C0 + np.int64(REGION[mask, K0 + edge])
    return np.int64(-1)


@kernel
def drift(state, way):
    """Move the boat one space in the direction, and end the turn."""
    player = state.turn_player
    end = drift_end(state, square_of_turn_player(state), way)
    if end < 0:
        state.phase = DRIFT_PHASE
        return
    state.pawn[player] = end
    state.boat[player] = end
    if end >= RIM:
        end_turn(state)
    elif end % NUM_SPOTS == S:
        enter_tile(state)
    else:
        state.ashore[player] = 1
        meet(state)
        end_turn(state)
