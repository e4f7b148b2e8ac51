"""Search a turn of `ghost_ship`: all places that a pawn reaches with its points, and the best way to end the turn."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.map.geometry import (
    C1,
    IN,
    NEXT,
    NUM_PLACES,
    NUM_SPOTS,
    OUT,
    RIM,
    RIM_COST,
    RIM_SIZE,
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

# The state of a search. `boat` is the place at which the scout may put to sea. With `against` the right neighbour
# decides and minimizes the mover's value: no symbol restricts steps, nothing is taken, and `best` is the negated value.
TURN_SEARCH = np.dtype(
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
def _begin(state, valuation, reached, result, against):
    """Start a search with nothing reached."""
    left = reached.left
    for place in range(NUM_PLACES):
        left[place] = NOT_REACHED
    for points in range(MOST + 1):
        reached.count[points] = 0
    reached.result = result
    reached.against = against
    reached.boat = state.boat[valuation.mover]
    reached.best = -np.inf


@kernel
def _chest_probability(state, square):
    """Return the probability that a hidden symbol is a chest."""
    column = np.int64(KIND_OF[state.squares[square, TILE]])
    count = np.int64(0)
    for symbol in range(NUM_SYMBOLS):
        count += np.int64(state.tiles_left[symbol, column])
    return np.int64(state.tiles_left[CHEST, column]) / max(count, 1)


@kernel
def _stop(state, valuation, graph, weights, reached, place, points, boat, penalty):
    """Update the best value with ending the turn at a place, and with taking what is there."""
    ending = value_of_ending(state, valuation, graph, weights, place, boat) - penalty
    if reached.against:
        reached.best = max(reached.best, -ending)
        return
    reached.best = max(reached.best, ending)
    if place >= RIM or valuation.treasure[place // NUM_SPOTS] < 0:
        return
    cost = chit_cost(state, place)
    if 0 < cost <= points:
        taking = value_of_taking(state, valuation, weights, place, False) - penalty
        square = place // NUM_SPOTS
        if state.squares[square, SYMBOL] == UNSEEN and points < CHEST_COST:
            taking += _chest_probability(state, square) * (ending - taking)
        reached.best = max(reached.best, taking)
    if has_gold(state, place) and points > 0:
        reached.best = max(reached.best, value_of_taking(state, valuation, weights, place, True) - penalty)


@kernel
def _arrive(state, valuation, graph, weights, reached, place, target, points):
    """Process a step that leaves this many points."""
    if reached.left[target] >= points:
        return
    spot, goal = place % NUM_SPOTS, target % NUM_SPOTS
    beyond = target >= RIM or place >= RIM or target // NUM_SPOTS != place // NUM_SPOTS
    lands = spot == S and not beyond
    boat = target if lands else np.int64(reached.boat)
    if place < RIM and spot <= C1 and not reached.against and (beyond or (spot != S and goal != S)):
        symbol = state.squares[place // NUM_SPOTS, SYMBOL]
        if symbol in (SKULL, STORM):  # ends movement and taking
            _stop(state, valuation, graph, weights, reached, target, 0, boat, 0.0)
            return
    if target < RIM:
        square = target // NUM_SPOTS
        haunted = beyond and square == state.ghost and state.num_chits[valuation.mover] > 0
        if haunted or (goal == S and state.squares[square, SYMBOL] == STORM):
            _stop(state, valuation, graph, weights, reached, target, points, boat, valuation.loss if haunted else 0.0)
            return
    if lands:
        _stop(state, valuation, graph, weights, reached, target, points, boat, 0.0)
    _enqueue(reached, target, points)


@kernel
def _enqueue(reached, place, points):
    """Queue a place from which the turn continues."""
    reached.left[place] = points
    if reached.count[points] < MOST_QUEUED:
        reached.queue[points, reached.count[points]] = place
        reached.count[points] += 1


@kernel
def _take_steps(state, valuation, graph, weights, reached, place, square, costs, points):
    """Process all steps to the spots of a tile, by their packed costs."""
    target = square * NUM_SPOTS
    while costs:
        cost = costs & 3
        if 0 < cost <= points:
            _arrive(state, valuation, graph, weights, reached, place, target, points - cost)
        costs >>= 2
        target += 1


@kernel
def _expand(state, valuation, graph, weights, reached, place, points):
    """Process all steps from a place on a tile."""
    square, spot = place // NUM_SPOTS, place % NUM_SPOTS
    mask = np.int64(state.squares[square, TILE])
    symbol = state.squares[square, SYMBOL]
    costs = np.int64(WITHIN[mask, spot, state.squares[square, WET]])
    if reached.boat != place:
        costs &= ~3  # the circle at sea
    is_restricted = spot <= C1 and not reached.against and (symbol == UNSEEN or not PASSES[symbol, reached.result])
    if is_restricted and spot != S:
        costs &= 3
    _take_steps(state, valuation, graph, weights, reached, place, square, costs, points)
    if is_restricted:
        return
    for edge in range(4):
        other = np.int64(NEXT[state.sea, square, edge])
        ways = OUT[mask, spot, edge]
        if ways and other >= 0:
            costs = np.int64(IN[state.squares[other, TILE], (edge + 2) & 3, ways, state.squares[other, WET]])
            _take_steps(state, valuation, graph, weights, reached, place, other, costs, points)
        elif spot == S and other < 0:
            _arrive(state, valuation, graph, weights, reached, place, RIM - 1 - other, points - SAIL_COST)


@kernel
def _expand_rim(state, valuation, graph, weights, reached, place, points):
    """Process all steps from a board-edge circle."""
    circle = place - RIM
    target = np.int64(RIM_SQUARE[state.sea, circle]) * NUM_SPOTS + S
    _arrive(state, valuation, graph, weights, reached, place, target, points - SAIL_COST)
    if points >= RIM_COST:
        for way in (1, -1):
            target = RIM + (circle + way) % np.int64(RIM_SIZE[state.sea])
            _arrive(state, valuation, graph, weights, reached, place, target, points - RIM_COST)


@kernel
def _search(state, valuation, graph, weights, reached, points):
    """Expand all places reached with this many points or fewer, and return the best value."""
    left, count, queue = reached.left, reached.count, reached.queue
    for now in range(points, -1, -1):
        n = 0
        while n < count[now]:
            place = np.int64(queue[now, n])
            n += 1
            if left[place] != now:
                continue
            _stop(state, valuation, graph, weights, reached, place, now, np.int64(reached.boat), 0.0)
            if now == 0:
                continue
            if place >= RIM:
                _expand_rim(state, valuation, graph, weights, reached, place, now)
            else:
                _expand(state, valuation, graph, weights, reached, place, now)
    return np.float64(reached.best)


@kernel
def best_of_turn(state, valuation, graph, weights, reached, points, result, against):
    """Return the best value of a turn for the mover with this many points, who may still move and take.

    `against` is true on triple fives, when the right neighbour decides.
    """
    _begin(state, valuation, reached, result, against)
    _enqueue(reached, np.int64(state.pawn[valuation.mover]), points)
    return _search(state, valuation, graph, weights, reached, points)


@kernel
def best_after_step(state, valuation, graph, weights, reached, target, points, result, against):
    """Return the same after a step that leaves this many points."""
    place = np.int64(state.pawn[valuation.mover])
    _begin(state, valuation, reached, result, against)
    _arrive(state, valuation, graph, weights, reached, place, target, points)
    return _search(state, valuation, graph, weights, reached, points)
