"""What can be made of a turn of `ghost_ship`: all that a pawn reaches with its points, and the best of it."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.map.geometry import (
    C1,
    IN,
    NEXT,
    NUM_PLACES,
    NUM_RIM,
    NUM_SPOTS,
    OUT,
    RIM,
    RIM_COST,
    RIM_SQUARE,
    SAIL_COST,
    WITHIN,
    S,
)
from edge_envs.games.ghost_ship.phases.choices import CHEST_COST, PASSES, chit_cost, has_gold
from edge_envs.games.ghost_ship.pieces.tiles import CHEST, KIND_OF, NUM_SYMBOLS, SKULL, STORM, UNSEEN
from edge_envs.games.ghost_ship.player.place_values import value_of_ending, value_of_taking
from edge_envs.games.ghost_ship.state import MOST, SYMBOL, TILE, WET

MOST_QUEUED = 96
NOT_REACHED = -1

# Where a turn may lead. `boat` is the place at which the scout may put to sea. `against` says that the right neighbour
# decides, who wants the mover to fare badly: no symbol holds, nothing is taken, and the best is the worst, negative.
TURN_AHEAD = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("left", np.int8, (NUM_PLACES,)),  # the points left on arrival
                ("count", np.int64, (MOST + 1,)),
                ("queue", np.int16, (MOST + 1, MOST_QUEUED)),  # places by the points left
                ("result", np.int64),
                ("against", np.bool_),
                ("boat", np.int64),
                ("best", np.float64),
            ],
            align=True,
        ),
    )
)


@kernel
def _begin(state, plan, ahead, result, against):
    """Nothing is reached yet."""
    left = ahead.left
    for place in range(NUM_PLACES):
        left[place] = NOT_REACHED
    for points in range(MOST + 1):
        ahead.count[points] = 0
    ahead.result = result
    ahead.against = against
    ahead.boat = state.boat[plan.mover]
    ahead.best = -np.inf


@kernel
def _chance_of_chest(state, square):
    """How likely an unseen symbol is a chest."""
    column = np.int64(KIND_OF[state.squares[square, TILE]])
    count = np.int64(0)
    for symbol in range(NUM_SYMBOLS):
        count += np.int64(state.tiles_left[symbol, column])
    return np.int64(state.tiles_left[CHEST, column]) / max(count, 1)


@kernel
def _stop(state, plan, chart, weights, ahead, place, points, boat, penalty):
    """The turn ends at a place, or with taking what lies there."""
    ending = value_of_ending(state, plan, chart, weights, place, boat) - penalty
    if ahead.against:
        ahead.best = max(ahead.best, -ending)
        return
    ahead.best = max(ahead.best, ending)
    if place >= RIM or plan.treasure[place // NUM_SPOTS] < 0:
        return
    cost = chit_cost(state, place)
    if 0 < cost <= points:
        taking = value_of_taking(state, plan, weights, place, False) - penalty
        square = place // NUM_SPOTS
        if state.squares[square, SYMBOL] == UNSEEN and points < CHEST_COST:
            taking += _chance_of_chest(state, square) * (ending - taking)
        ahead.best = max(ahead.best, taking)
    if has_gold(state, place) and points > 0:
        ahead.best = max(ahead.best, value_of_taking(state, plan, weights, place, True) - penalty)


@kernel
def _arrive(state, plan, chart, weights, ahead, place, target, points):
    """A step after which so many points are left."""
    if ahead.left[target] >= points:
        return
    spot, goal = place % NUM_SPOTS, target % NUM_SPOTS
    beyond = target >= RIM or place >= RIM or target // NUM_SPOTS != place // NUM_SPOTS
    lands = spot == S and not beyond
    boat = target if lands else np.int64(ahead.boat)
    if place < RIM and spot <= C1 and not ahead.against and (beyond or (spot != S and goal != S)):
        symbol = state.squares[place // NUM_SPOTS, SYMBOL]
        if symbol in (SKULL, STORM):  # that was all
            _stop(state, plan, chart, weights, ahead, target, 0, boat, 0.0)
            return
    if target < RIM:
        square = target // NUM_SPOTS
        haunted = beyond and square == state.ghost and state.num_chits[plan.mover] > 0
        if haunted or (goal == S and state.squares[square, SYMBOL] == STORM):
            _stop(state, plan, chart, weights, ahead, target, points, boat, plan.loss if haunted else 0.0)
            return
    if lands:
        _stop(state, plan, chart, weights, ahead, target, points, boat, 0.0)
    _put(ahead, target, points)


@kernel
def _put(ahead, place, points):
    """A place is reached from which the turn goes on."""
    ahead.left[place] = points
    if ahead.count[points] < MOST_QUEUED:
        ahead.queue[points, ahead.count[points]] = place
        ahead.count[points] += 1


@kernel
def _go_along_costs(state, plan, chart, weights, ahead, place, square, costs, points):
    """All steps to the spots of a tile, by their packed costs."""
    target = square * NUM_SPOTS
    while costs:
        cost = costs & 3
        if 0 < cost <= points:
            _arrive(state, plan, chart, weights, ahead, place, target, points - cost)
        costs >>= 2
        target += 1


@kernel
def _go_on(state, plan, chart, weights, ahead, place, points):
    """All steps from a place on a tile."""
    square, spot = place // NUM_SPOTS, place % NUM_SPOTS
    mask = np.int64(state.squares[square, TILE])
    symbol = state.squares[square, SYMBOL]
    costs = np.int64(WITHIN[mask, spot, state.squares[square, WET]])
    if ahead.boat != place:
        costs &= ~3  # the circle at sea
    is_held = spot <= C1 and not ahead.against and (symbol == UNSEEN or not PASSES[symbol, ahead.result])
    if is_held and spot != S:
        costs &= 3
    _go_along_costs(state, plan, chart, weights, ahead, place, square, costs, points)
    if is_held:
        return
    for edge in range(4):
        other = np.int64(NEXT[square, edge])
        ways = OUT[mask, spot, edge]
        if ways and other >= 0:
            costs = np.int64(IN[state.squares[other, TILE], (edge + 2) & 3, ways, state.squares[other, WET]])
            _go_along_costs(state, plan, chart, weights, ahead, place, other, costs, points)
        elif spot == S and other < 0:
            _arrive(state, plan, chart, weights, ahead, place, RIM - 1 - other, points - SAIL_COST)


@kernel
def _go_on_from_rim(state, plan, chart, weights, ahead, place, points):
    """All steps from a board-edge circle."""
    circle = place - RIM
    target = np.int64(RIM_SQUARE[circle]) * NUM_SPOTS + S
    _arrive(state, plan, chart, weights, ahead, place, target, points - SAIL_COST)
    if points >= RIM_COST:
        for way in (1, -1):
            target = RIM + (circle + way) % NUM_RIM
            _arrive(state, plan, chart, weights, ahead, place, target, points - RIM_COST)


@kernel
def _look_ahead(state, plan, chart, weights, ahead, points):
    """Go on from what has been reached with so many points or fewer; the best of all."""
    left, count, queue = ahead.left, ahead.count, ahead.queue
    for now in range(points, -1, -1):
        n = 0
        while n < count[now]:
            place = np.int64(queue[now, n])
            n += 1
            if left[place] != now:
                continue
            _stop(state, plan, chart, weights, ahead, place, now, np.int64(ahead.boat), 0.0)
            if now == 0:
                continue
            if place >= RIM:
                _go_on_from_rim(state, plan, chart, weights, ahead, place, now)
            else:
                _go_on(state, plan, chart, weights, ahead, place, now)
    return np.float64(ahead.best)


@kernel
def best_of_turn(state, plan, chart, weights, ahead, points, result, against):
    """The best that so many points make of a turn for the mover, who may still move and take.

    `against` is said on triple fives, when the neighbour decides.
    """
    _begin(state, plan, ahead, result, against)
    _put(ahead, np.int64(state.pawn[plan.mover]), points)
    return _look_ahead(state, plan, chart, weights, ahead, points)


@kernel
def best_after_step(state, plan, chart, weights, ahead, target, points, result, against):
    """The same after a step after which so many points are left."""
    place = np.int64(state.pawn[plan.mover])
    _begin(state, plan, ahead, result, against)
    _arrive(state, plan, chart, weights, ahead, place, target, points)
    return _look_ahead(state, plan, chart, weights, ahead, points)
