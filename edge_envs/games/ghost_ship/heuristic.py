"""A sensible player of `ghost_ship`: it knows how long its ways are, and makes the best of each turn.

It finds the time from every place to the treasures that are worth it (`place_values.py`): with what symbols hold up on
the way, the search for a boat left behind, and the ways on to the next treasures. Of all that the points of a turn
allow (`reach.py`) it takes the best place to end the turn, or a treasure at hand; declarations are compared over all
numbers of the spinner (`declaration_values.py`). With chits it keeps clear of the ghost. On the tour it thinks of
others only when it steals a boat, puts or moves the ghost, or decides on their triple fives. In phase 1 it lays easy
treasure and open sea near its own corner (`laying_policy.py`).

Values are in ticks within, and in turns for others. The weights were tuned by self-play.
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
from edge_envs.games.ghost_ship.phases.choices import is_free, step_cost
from edge_envs.games.ghost_ship.pieces.tiles import NUM_STACKS
from edge_envs.games.ghost_ship.player.declaration_values import fill_declaration_values
from edge_envs.games.ghost_ship.player.laying_policy import fill_tile_values
from edge_envs.games.ghost_ship.player.place_values import (
    PLAN,
    look_around,
    score_seen,
    value_of_ending,
    value_of_taking,
    visits_at,
)
from edge_envs.games.ghost_ship.player.reach import TURN_AHEAD, best_after_step, best_of_turn
from edge_envs.games.ghost_ship.player.travel_times import CHART, TURN
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

__all__ = ["VALUES"]  # and the kernels of this module

DAWDLING = 0.05
"""Ticks that a step costs by itself: of ways as good the shortest is taken."""
CHIT_AWAY, CHIT_HERE, CHIT_ELSEWHERE = -2.0 * TURN, 1.0 * TURN, -1.0
"""Ticks for moving a chit: from the tile of the scout, to it, or elsewhere."""


@kernel
def _fill_ticks(state, weights, plans, charts, aheads, values):
    """Into values (A,) what each action is worth to the player to act, in ticks; -inf for illegal ones.

    `plans`, `charts` and `aheads` are scratch, arrays of one record.
    """
    plan, chart, ahead = plans[0], charts[0], aheads[0]
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
        for k in range(2):  # far from the own boat
            home = np.int64(state.boat[player]) // NUM_SPOTS % NUM_COLUMNS
            values[FIRST_CENTRE + k] = abs(np.int64(CENTRE[k]) % NUM_COLUMNS - home)
    else:
        look_around(state, np.int64(state.turn_player), player, weights, plan, chart)
        if phase == DECLARE_PHASE:
            fill_declaration_values(state, plan, chart, weights, ahead, values)
        elif phase == GHOST_BACK:
            for k in range(2):
                values[FIRST_CENTRE + k] = _value_of_ghost(state, plan, weights, np.int64(CENTRE[k]))
        elif phase == NUMBER:
            for k in range(NUM_NUMBERS):
                number = FEWEST + k
                values[FIRST_NUMBER + k] = best_of_turn(state, plan, chart, weights, ahead, number, number, False)
        else:
            _fill_travel_values(state, plan, chart, weights, ahead, values)


@kernel
def _value_of_ghost(state, plan, weights, square):
    """What it is worth to have the ghost come to a square now."""
    players = np.int64(state.num_players)
    value = 0.0
    for player in range(players):
        place = np.int64(state.pawn[player])
        if state.num_chits[player] == 0 or place >= RIM:
            continue
        here = np.float64(place // NUM_SPOTS == square)
        if player == plan.viewer:
            value -= plan.loss * (here + visits_at(square, place // NUM_SPOTS, players))
        else:
            loss = weights.ghost * plan.chit * weights.rivals_loss
            value += loss * (here + visits_at(square, place // NUM_SPOTS, 1))
    return value


@kernel
def _fill_travel_values(state, plan, chart, weights, ahead, values):
    """Into values (A,) what each act of a travel is worth to who decides."""
    mover = np.int64(plan.mover)
    place, boat = np.int64(state.pawn[mover]), np.int64(state.boat[mover])
    points, result = np.int64(state.points), np.int64(state.result)
    against = is_free(state)
    sign = -1.0 if against else 1.0
    for k in range(np.int64(state.num_options)):
        action = np.int64(state.options[k])
        if action < TAKE_CHIT:
            left = points - step_cost(state, mover, place, action - GO)
            value = best_after_step(state, plan, chart, weights, ahead, action - GO, left, result, against) - DAWDLING
        elif action == END:
            value = sign * value_of_ending(state, plan, chart, weights, place, boat)
        elif action <= TAKE_GOLD:
            value = sign * value_of_taking(state, plan, weights, place, action == TAKE_GOLD)
        else:
            value = _value_of_going_on(state, plan, chart, weights, ahead, place, boat)
            if action < FIRST_CHIT:
                ghost = np.int64(state.ghost)
                moved = np.int64(AROUND[ghost, action - FIRST_GHOST_WAY])
                value += _value_of_ghost(state, plan, weights, moved) - _value_of_ghost(state, plan, weights, ghost)
            else:
                value += _value_of_moving_chit(place, (action - FIRST_CHIT) // 4, (action - FIRST_CHIT) % 4)
        values[action] = value


@kernel
def _value_of_going_on(state, plan, chart, weights, ahead, place, boat):
    """The value of the turn after an extra act; of its end alone where movement is over."""
    if state.movement_over:
        return value_of_ending(state, plan, chart, weights, place, boat)
    return best_of_turn(state, plan, chart, weights, ahead, np.int64(state.points), np.int64(state.result), False)


@kernel
def _value_of_moving_chit(place, square, edge):
    """A chit is moved to where the scout is, or stays."""
    if place >= RIM or place % NUM_SPOTS == S:
        return CHIT_ELSEWHERE
    if place // NUM_SPOTS == square:
        return CHIT_AWAY
    return CHIT_HERE if place // NUM_SPOTS == NEXT[square, edge] else CHIT_ELSEWHERE


@kernel
def action_values(state, weights, values):
    """Fill values (A,) with what each action is worth to the player to act, in turns; -inf for illegal ones."""
    plans, charts, aheads = np.empty(1, PLAN), np.empty(1, CHART), np.empty(1, TURN_AHEAD)
    _fill_ticks(state, weights, plans, charts, aheads, values)
    for action in range(values.shape[0]):
        values[action] /= TURN


@kernel
def heuristic(state):
    """The action of the greatest value; of several the one with the lowest id."""
    plans, charts, aheads = np.empty(1, PLAN), np.empty(1, CHART), np.empty(1, TURN_AHEAD)
    values = np.empty(NUM_ACTIONS)
    _fill_ticks(state, WEIGHTS[0], plans, charts, aheads, values)
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
    """Fill `out` (7,) with numbers about the position of a player, as far as the viewer knows, named in `VALUES`.

    `distance` is minus the turns to the treasures that are best for the player, against having the best of them at
    hand; `outlook` is minus the turns to them less what they are worth. The score counts chits that the viewer has not
    seen by their mean. `distance` and `outlook` are 0 in phase 1.
    """
    out[:] = 0.0
    if state.phase >= DECLARE_PHASE:
        plans, charts = np.empty(1, PLAN), np.empty(1, CHART)
        _fill_outlook(state, player, viewer, weights, plans, charts, out)
    out[2] = score_seen(state, player, viewer)
    out[3] = state.num_chits[player]
    out[4] = state.num_gold[player]
    out[5] = state.skip[player]
    out[6] = state.saved[player]


@kernel
def _fill_outlook(state, player, viewer, weights, plans, charts, out):
    plan, chart = plans[0], charts[0]
    look_around(state, player, viewer, weights, plan, chart)
    ticks = value_of_ending(state, plan, chart, weights, np.int64(state.pawn[player]), np.int64(state.boat[player]))
    out[0] = ticks / TURN
    out[1] = (ticks - plan.least) / TURN if plan.treasures > 0 else 0.0
