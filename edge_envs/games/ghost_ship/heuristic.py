"""A sensible player of `ghost_ship`: it knows how long its ways are, and makes the best of each turn.

It finds the time from every place to the nearest treasures that are worth it, with what symbols hold up on the way,
the search for a boat left behind, and other players who may come first. Of all that the points of a turn allow it
takes the best place to end the turn, or the best treasure; declarations are compared over all numbers of the spinner.
In phase 1 it lays easy treasure and open sea near its own corner. All worths are in ticks, of which a turn has `TURN`.

The weights were tuned by self-play.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.jit import kernel
from edge_envs.games.ghost_ship.actions import (
    DECLARE,
    END,
    FIRST_CENTRE,
    FIRST_CHIT,
    FIRST_GHOST_WAY,
    FIRST_NUMBER,
    FIRST_STACK,
    GO,
    NUM_ACTIONS,
    SAVE_PLUS,
    TAKE_CHIT,
    TAKE_GOLD,
)
from edge_envs.games.ghost_ship.architect import appraise_tiles
from edge_envs.games.ghost_ship.choices import is_free, step_cost
from edge_envs.games.ghost_ship.geometry import (
    AROUND,
    C0,
    CENTRE,
    NEXT,
    NUM_COLUMNS,
    NUM_SPOTS,
    RIM,
    S,
)
from edge_envs.games.ghost_ship.observation import position_seen
from edge_envs.games.ghost_ship.prospects import (
    PLAN,
    look_around,
    visits_at,
    worth_of_ending,
    worth_of_taking,
)
from edge_envs.games.ghost_ship.reach import best_of_turn, worth_of_step, worth_of_stopping
from edge_envs.games.ghost_ship.record import (
    DECLARE_PHASE,
    DRIFT,
    FILL,
    FRIENDLY,
    GHOST,
    GHOST_BACK,
    HOSTILE,
    MOST_SAVED,
    NO_SYMBOL,
    NUMBER,
    PLACE,
    SALVAGE,
    SEARCH,
    STACK,
    SWIM,
    SYMBOL,
    TRAVEL,
)
from edge_envs.games.ghost_ship.routes import CHART, TURN
from edge_envs.games.ghost_ship.rules import current_player
from edge_envs.games.ghost_ship.tour import drift_end
from edge_envs.games.ghost_ship.weights import WEIGHTS

FEWEST, MOST = 2, 5


@kernel
def appraise(state, weights, plan, chart, values):
    """Into values (A,) what each action promises the player to act, in ticks; -inf for illegal ones."""
    values[:] = -np.inf
    player = np.int64(current_player(state))
    if player < 0:
        return
    phase = state.phase
    if phase in (PLACE, FILL):
        appraise_tiles(state, player, weights, values)
    elif phase == STACK:
        for stack in range(4):
            if state.stacks[stack]:
                values[FIRST_STACK + stack] = 0.0
    elif phase == GHOST:
        _appraise_centre_first(state, player, values)
    else:
        look_around(state, np.int64(state.turn_player), player, weights, plan, chart)
        if phase == DECLARE_PHASE:
            _appraise_declarations(state, weights, plan, chart, values)
        elif phase == GHOST_BACK:
            for k in range(2):
                values[FIRST_CENTRE + k] = _worth_of_ghost(state, weights, plan, np.int64(CENTRE[k]))
        elif phase == NUMBER:
            for number in range(FEWEST, MOST + 1):
                values[FIRST_NUMBER + number - FEWEST] = _worth_of_number(state, weights, plan, chart, number)
        else:
            _appraise_travel(state, weights, plan, chart, values)


@kernel
def _appraise_centre_first(state, player, values):
    """The ghost is put far from the own boat."""
    home = np.int64(state.boat[player]) // NUM_SPOTS % NUM_COLUMNS
    for k in range(2):
        values[FIRST_CENTRE + k] = abs(np.int64(CENTRE[k]) % NUM_COLUMNS - home)


# Declarations


@kernel
def _worth_of_number(state, weights, plan, chart, number):
    """The best of a travel with a number."""
    place = np.int64(state.pawn[plan.mover])
    return best_of_turn(state, plan, chart, weights, place, number, number, False, False)


@kernel
def _mean(of_results, saved, triple):
    """The mean of what results 2..5 promise, over the numbers; a third number in a row does something else."""
    total = 0.0
    for number in range(FEWEST, MOST + 1):
        total += of_results[min(max(number + saved, FEWEST), MOST)]
    return total / 4.0


@kernel
def _appraise_declarations(state, weights, plan, chart, values):
    player = np.int64(plan.mover)
    saved = np.int64(state.saved[player])
    place = np.int64(state.pawn[player])
    staying = worth_of_ending(state, plan, chart, place)
    travelling = np.empty(MOST + 1)
    searching = np.empty(MOST + 1)
    travels, searches = False, False
    for k in range(np.int64(state.num_options)):
        action = np.int64(state.options[k])
        if action >= SAVE_PLUS:
            continue
        act = action - DECLARE
        if act == TRAVEL:
            travels = True
            for number in range(FEWEST, MOST + 1):
                travelling[number] = _worth_of_number(state, weights, plan, chart, number)
            values[action] = _mean(travelling, saved, True)
            if state.triple_count[player] == 2:
                values[action] += _worth_of_triple(state, weights, plan, chart, travelling) / 4.0
        elif act == SEARCH:
            searches = True
            _fill_search(state, weights, plan, chart, place, staying, searching)
            values[action] = _mean(searching, saved, False)
        elif act == SWIM:
            other = place + (1 if place % NUM_SPOTS == C0 else -1)
            there = worth_of_ending(state, plan, chart, other)
            chance = 0.0
            for number in range(FEWEST, MOST + 1):
                chance += 0.25 * (min(max(number + saved, FEWEST), MOST) >= 4)
            values[action] = chance * there + (1.0 - chance) * staying
        elif act == SALVAGE:
            values[action] = worth_of_taking(state, plan, weights, place, False)
        elif act == DRIFT:
            values[action] = _worth_of_drift(state, plan, chart, place)
        else:
            values[action] = _worth_afloat(state, weights, plan, chart, place) + weights.steal
    # what is saved is used in a later turn
    for k in range(np.int64(state.num_options)):
        action = np.int64(state.options[k])
        if action < SAVE_PLUS:
            continue
        sign = 1 if action == SAVE_PLUS else -1
        best = -np.inf
        kept, turns = saved + sign, 1
        while abs(kept) <= MOST_SAVED:
            if travels:
                best = max(best, _mean(travelling, kept, False) - turns * TURN)
            if searches:
                best = max(best, _mean(searching, kept, False) - turns * TURN)
            kept += sign
            turns += 1
        if best == -np.inf:
            best = staying - 2.0 * TURN
        values[action] = best


@kernel
def _worth_of_triple(state, weights, plan, chart, travelling):
    """What the third of a number promises more than the number does."""
    number = np.int64(state.triple_number[plan.mover])
    place = np.int64(state.pawn[plan.mover])
    usual = travelling[number]
    if number == 2:
        return max(travelling[3], travelling[4], travelling[5], usual) - usual
    if number == 4:
        return best_of_turn(state, plan, chart, weights, place, 1, 4, False, False) - usual
    if number == 5:
        return -best_of_turn(state, plan, chart, weights, place, 5, 5, True, True) - usual
    return 0.0


@kernel
def _worth_afloat(state, weights, plan, chart, place):
    """What it is worth to end the turn in a circle ashore with the boat there."""
    by_sea = -weights.coast - chart.time[place - place % NUM_SPOTS + S]
    staying = worth_of_ending(state, plan, chart, place)
    return max(staying, by_sea + staying + chart.time[place])


@kernel
def _fill_search(state, weights, plan, chart, place, staying, searching):
    symbol = state.squares[place // NUM_SPOTS, SYMBOL]
    least = FEWEST if symbol == FRIENDLY else MOST if symbol == NO_SYMBOL else 4
    found = _worth_afloat(state, weights, plan, chart, place)
    for number in range(FEWEST, MOST + 1):
        searching[number] = found if number >= least else staying
    if symbol == HOSTILE:
        searching[FEWEST] -= TURN


@kernel
def _worth_of_drift(state, plan, chart, place):
    total, count = 0.0, 0
    for way in range(8):
        end = drift_end(state, place // NUM_SPOTS, way)
        if end >= 0:
            total += worth_of_ending(state, plan, chart, end)
            count += 1
    return total / max(count, 1)


# The ghost


@kernel
def _worth_of_ghost(state, weights, plan, square):
    """What it is worth if the ghost comes to a square now."""
    moves = np.int64(state.num_players)
    worth = 0.0
    for player in range(moves):
        place = np.int64(state.pawn[player])
        if state.num_chits[player] == 0 or place >= RIM:
            continue
        own = player == plan.viewer
        visits = visits_at(square, place // NUM_SPOTS, moves if own else 1)
        visits += place // NUM_SPOTS == square
        loss = plan.loss if own else plan.chit * weights.ghost * weights.rivals_luck
        worth += -visits * loss if own else visits * loss
    return worth


# Travelling


@kernel
def _appraise_travel(state, weights, plan, chart, values):
    place, points, result = np.int64(state.pawn[plan.mover]), np.int64(state.points), np.int64(state.result)
    free = is_free(state)
    sign = -1.0 if free else 1.0
    staying = -np.inf
    for k in range(np.int64(state.num_options)):
        action = np.int64(state.options[k])
        if action < TAKE_CHIT:
            target = action - GO
            left = points - step_cost(state, np.int64(plan.mover), place, target)
            worth = worth_of_step(state, plan, chart, weights, place, target, left, result, free, free)
            if worth != worth:
                worth = best_of_turn(state, plan, chart, weights, target, left, result, free, free)
            values[action] = worth
        elif action == TAKE_CHIT:
            values[action] = sign * worth_of_taking(state, plan, weights, place, False)
        elif action == TAKE_GOLD:
            values[action] = sign * worth_of_taking(state, plan, weights, place, True)
        elif action == END:
            values[action] = sign * worth_of_ending(state, plan, chart, place)
        else:
            if staying == -np.inf:
                staying = _worth_of_going_on(state, weights, plan, chart, place)
            if action >= FIRST_CHIT:
                square, edge = (action - FIRST_CHIT) // 4, (action - FIRST_CHIT) % 4
                values[action] = staying + _worth_of_moving_chit(state, plan, chart, place, square, edge)
            else:
                ghost = np.int64(state.ghost)
                moved = np.int64(AROUND[ghost, action - FIRST_GHOST_WAY])
                gain = _worth_of_ghost(state, weights, plan, moved) - _worth_of_ghost(state, weights, plan, ghost)
                values[action] = staying + gain


@kernel
def _worth_of_going_on(state, weights, plan, chart, place):
    """The best of the turn from here."""
    points, result = np.int64(state.points), np.int64(state.result)
    if state.movement_over:
        return worth_of_stopping(state, plan, chart, weights, place, points, True)
    return best_of_turn(state, plan, chart, weights, place, points, result, False, False)


@kernel
def _worth_of_moving_chit(state, plan, chart, place, square, edge):
    """Nearer to the mover, and away from others; at once to where it stands is best."""
    other = np.int64(NEXT[square, edge])
    worth = -1.0
    if place < RIM and place // NUM_SPOTS == other and place % NUM_SPOTS != S:
        worth += TURN
    if place < RIM and place // NUM_SPOTS == square:
        worth -= 2.0 * TURN
    return worth


# For players and learners


@kernel
def appraise_actions(state, values):
    """Into values (A,) what each action promises the player to act, in turns; -inf for illegal ones."""
    plans, charts = np.empty(1, PLAN), np.empty(1, CHART)
    appraise(state, WEIGHTS[0], plans[0], charts[0], values)
    for action in range(values.shape[0]):
        values[action] /= TURN


@kernel
def heuristic(state):
    """The action that promises most; of several the one with the lowest id."""
    plans, charts = np.empty(1, PLAN), np.empty(1, CHART)
    values = np.empty(NUM_ACTIONS)
    appraise(state, WEIGHTS[0], plans[0], charts[0], values)
    if state.phase == PLACE or state.phase == FILL:
        return np.argmax(values)
    best = np.int64(state.options[0])
    for k in range(1, np.int64(state.num_options)):
        action = np.int64(state.options[k])
        if values[action] > values[best]:
            best = action
    return best


@kernel
def appraise_observations(observations, states, values, worths):
    """What each action and each player's position is worth, in turns, from observations (B, C) int8.

    Into values (B, A) what each action promises: -inf for illegal ones; where the viewer is not to act, all are. Into
    worths (B, P) what the players' treasure and their ways to more are worth, the viewer's first; 0 in phase 1.
    `states` is an array of one record with parameters set.
    """
    state = states[0]
    plans, charts = np.empty(1, PLAN), np.empty(1, CHART)
    for i in range(observations.shape[0]):
        viewer = position_seen(observations[i], state)
        if current_player(state) == viewer:
            appraise_actions(state, values[i])
        else:
            values[i] = -np.inf
        players = np.int64(state.num_players)
        for j in range(players):
            player = (viewer + j) % players
            worths[i, j] = 0.0
            if state.phase >= DECLARE_PHASE:
                look_around(state, player, viewer, WEIGHTS[0], plans[0], charts[0])
                worth = worth_of_ending(state, plans[0], charts[0], np.int64(state.pawn[player]))
                worths[i, j] = (worth + WEIGHTS[0].point * plans[0].score) / TURN
