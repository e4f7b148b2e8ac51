"""A heuristic player for `ghost_ship`, based on shortest paths to treasure.

It computes the time from every place to the valuable treasures (`place_values.py`), including delays at symbols, the
search for a boat left behind, and the way on to the next treasures. It searches all steps that the points of a turn
allow (`reach.py`) for the best place to end the turn, or a treasure within reach. Declarations are compared over all
numbers of the spinner (`declaration_values.py`). With chits it avoids the ghost. On the tour it considers others only
when it steals a boat, places or moves the ghost, or decides on their triple fives. In phase 1 it lays easy treasure and
open sea near its own corner (`laying_policy.py`).

Internally values are in ticks; action values are in turns. The weights were tuned by self-play.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.actions import (
    END,
    FIRST_CENTRE,
    FIRST_CHIT,
    FIRST_GHOST_WAY,
    FIRST_NUMBER,
    FIRST_STACK,
    GO,
    NUM_ACTIONS,
    TAKE_CHIT,
    TAKE_GOLD,
)
from edge_envs.games.ghost_ship.map.geometry import AROUND, CENTRE, NEXT, NUM_COLUMNS, NUM_SPOTS, RIM, S
from edge_envs.games.ghost_ship.phases.choices import ignores_symbols, step_cost
from edge_envs.games.ghost_ship.pieces.tiles import NUM_STACKS
from edge_envs.games.ghost_ship.player.declaration_values import fill_declaration_values
from edge_envs.games.ghost_ship.player.laying_policy import fill_tile_values
from edge_envs.games.ghost_ship.player.place_values import (
    VALUATION,
    evaluate_treasures,
    score_seen,
    value_of_ending,
    value_of_taking,
    visits_at,
)
from edge_envs.games.ghost_ship.player.reach import TURN_SEARCH, best_after_step, best_of_turn
from edge_envs.games.ghost_ship.player.travel_times import GRAPH, TURN
from edge_envs.games.ghost_ship.player.weights import VALUES, WEIGHTS
from edge_envs.games.ghost_ship.rules import current_player
from edge_envs.games.ghost_ship.state import (
    DECLARE_PHASE,
    FEWEST,
    FILL,
    GHOST,
    GHOST_BACK,
    NUM_NUMBERS,
    NUMBER,
    PLACE,
    STACK,
)

__all__ = ["VALUES", "action_values", "heuristic", "position_features"]

STEP_PENALTY = 0.05
"""The cost of a step in ticks, to prefer the shortest of equally good routes."""
CHIT_AWAY, CHIT_HERE, CHIT_ELSEWHERE = -2.0 * TURN, 1.0 * TURN, -1.0
"""The values in ticks of moving a chit away from the tile of the scout, to it, or elsewhere."""


@kernel
def _fill_ticks(state, weights, valuations, graphs, searches, values):
    """Fill `values` (A,) with the value of each action for the player to act, in ticks; -inf for illegal actions.

    `valuations`, `graphs` and `searches` are scratch: arrays of one record each.
    """
    valuation, graph, reached = valuations[0], graphs[0], searches[0]
    values[:] = -np.inf
    player = np.int64(current_player(state))
    if player < 0:
        return
    phase = state.phase
    if phase in (PLACE, FILL):
        fill_tile_values(state, player, weights, values)
    elif phase == STACK:
        for k in range(NUM_STACKS):
            if state.stacks[k]:
                values[FIRST_STACK + k] = 0.0
    elif phase == GHOST:
        for k in range(2):  # far from the player's boat
            home = np.int64(state.boat[player]) // NUM_SPOTS % NUM_COLUMNS
            values[FIRST_CENTRE + k] = abs(np.int64(CENTRE[k]) % NUM_COLUMNS - home)
    else:
        evaluate_treasures(state, np.int64(state.turn_player), player, weights, valuation, graph)
        if phase == DECLARE_PHASE:
            fill_declaration_values(state, valuation, graph, weights, reached, values)
        elif phase == GHOST_BACK:
            for k in range(2):
                values[FIRST_CENTRE + k] = _value_of_ghost(state, valuation, weights, np.int64(CENTRE[k]))
        elif phase == NUMBER:
            for k in range(NUM_NUMBERS):
                number = FEWEST + k
                values[FIRST_NUMBER + k] = best_of_turn(
                    state, valuation, graph, weights, reached, number, number, False
                )
        else:
            _fill_travel_values(state, valuation, graph, weights, reached, values)


@kernel
def _value_of_ghost(state, valuation, weights, square):
    """Return the value of the ghost coming to a square now."""
    players = np.int64(state.num_players)
    value = 0.0
    for player in range(players):
        place = np.int64(state.pawn[player])
        if state.num_chits[player] == 0 or place >= RIM:
            continue
        here = np.float64(place // NUM_SPOTS == square)
        if player == valuation.viewer:
            value -= valuation.loss * (here + visits_at(square, place // NUM_SPOTS, players))
        else:
            loss = weights.ghost * valuation.chit * weights.rivals_loss
            value += loss * (here + visits_at(square, place // NUM_SPOTS, 1))
    return value


@kernel
def _fill_travel_values(state, valuation, graph, weights, reached, values):
    """Fill `values` (A,) with the value of each action of a travel for the player who decides."""
    mover = np.int64(valuation.mover)
    place, boat = np.int64(state.pawn[mover]), np.int64(state.boat[mover])
    points, result = np.int64(state.points), np.int64(state.result)
    against = ignores_symbols(state)
    sign = -1.0 if against else 1.0
    for k in range(np.int64(state.num_options)):
        action = np.int64(state.options[k])
        if action < TAKE_CHIT:
            left = points - step_cost(state, mover, place, action - GO)
            value = (
                best_after_step(state, valuation, graph, weights, reached, action - GO, left, result, against)
                - STEP_PENALTY
            )
        elif action == END:
            value = sign * value_of_ending(state, valuation, graph, weights, place, boat)
        elif action <= TAKE_GOLD:
            value = sign * value_of_taking(state, valuation, weights, place, action == TAKE_GOLD)
        else:
            value = _value_of_continuing(state, valuation, graph, weights, reached, place, boat)
            if action < FIRST_CHIT:
                ghost = np.int64(state.ghost)
                moved = np.int64(AROUND[state.sea, ghost, action - FIRST_GHOST_WAY])
                value += _value_of_ghost(state, valuation, weights, moved) - _value_of_ghost(
                    state, valuation, weights, ghost
                )
            else:
                value += _value_of_moving_chit(state.sea, place, (action - FIRST_CHIT) // 4, (action - FIRST_CHIT) % 4)
        values[action] = value


@kernel
def _value_of_continuing(state, valuation, graph, weights, reached, place, boat):
    """Return the value of the turn after an additional act; if movement is over, of its end."""
    if state.movement_over:
        return value_of_ending(state, valuation, graph, weights, place, boat)
    return best_of_turn(
        state, valuation, graph, weights, reached, np.int64(state.points), np.int64(state.result), False
    )


@kernel
def _value_of_moving_chit(sea, place, square, edge):
    """Return the value of moving a chit over an edge, by whether it comes to the scout or leaves it."""
    if place >= RIM or place % NUM_SPOTS == S:
        return CHIT_ELSEWHERE
    if place // NUM_SPOTS == square:
        return CHIT_AWAY
    return CHIT_HERE if place // NUM_SPOTS == NEXT[sea, square, edge] else CHIT_ELSEWHERE


@kernel
def action_values(state, weights, values):
    """Fill `values` (A,) with the value of each action for the player to act, in turns; -inf for illegal actions."""
    valuations, graphs, searches = np.empty(1, VALUATION), np.empty(1, GRAPH), np.empty(1, TURN_SEARCH)
    _fill_ticks(state, weights, valuations, graphs, searches, values)
    for action in range(values.shape[0]):
        values[action] /= TURN


@kernel
def heuristic(state):
    """Return the action with the highest value, or the lowest id among equals."""
    valuations, graphs, searches = np.empty(1, VALUATION), np.empty(1, GRAPH), np.empty(1, TURN_SEARCH)
    values = np.empty(NUM_ACTIONS)
    _fill_ticks(state, WEIGHTS[0], valuations, graphs, searches, values)
    if state.phase == PLACE or state.phase == FILL:
        return np.argmax(values)
    best = np.int64(state.options[0])
    for k in range(1, np.int64(state.num_options)):
        action = np.int64(state.options[k])
        if values[action] > values[best]:
            best = action
    return best


@kernel
def position_features(state, player, viewer, weights, out):
    """Fill `out` (7,) with the features of a player's position, which `VALUES` names, as far as the viewer knows.

    `distance` is minus the turns to the best treasure for the player, relative to having the best of all at hand.
    `outlook` is minus these turns plus the value of the treasure. In the score, chits that the viewer has not seen
    count as their mean. `distance` and `outlook` are 0 in phase 1.
    """
    out[:] = 0.0
    if state.phase >= DECLARE_PHASE:
        valuations, graphs = np.empty(1, VALUATION), np.empty(1, GRAPH)
        _fill_outlook(state, player, viewer, weights, valuations, graphs, out)
    out[2] = score_seen(state, player, viewer)
    out[3] = state.num_chits[player]
    out[4] = state.num_gold[player]
    out[5] = state.skip[player]
    out[6] = state.saved[player]


@kernel
def _fill_outlook(state, player, viewer, weights, valuations, graphs, out):
    valuation, graph = valuations[0], graphs[0]
    evaluate_treasures(state, player, viewer, weights, valuation, graph)
    ticks = value_of_ending(
        state, valuation, graph, weights, np.int64(state.pawn[player]), np.int64(state.boat[player])
    )
    out[0] = ticks / TURN
    out[1] = (ticks - valuation.least) / TURN if valuation.treasures > 0 else 0.0
