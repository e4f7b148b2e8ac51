"""The values of declarations in `ghost_ship`: means over the numbers of the spinner."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.actions import DECLARE, SAVE_PLUS
from edge_envs.games.ghost_ship.map.geometry import NUM_SPOTS, NUM_WAYS
from edge_envs.games.ghost_ship.phases.acts import SKIPS_AFTER, SWIMS, drift_end, least_result_to_find, opposite_circle
from edge_envs.games.ghost_ship.pieces.tiles import HOSTILE
from edge_envs.games.ghost_ship.player.place_values import danger, value_of_ending, value_of_taking
from edge_envs.games.ghost_ship.player.reach import best_of_turn
from edge_envs.games.ghost_ship.player.travel_times import TURN
from edge_envs.games.ghost_ship.state import (
    ACT_DRIFT,
    ACT_SALVAGE,
    ACT_SEARCH,
    ACT_SWIM,
    ACT_TRAVEL,
    FEWEST,
    MOST,
    MOST_SAVED,
    NUM_NUMBERS,
    SYMBOL,
)

NUM_RESULTS = MOST + 1
"""The size of an array indexed by result; the first entries are unused."""
MOST_LOST_BY_SAVING = 2.0 * TURN
"""The most by which saving may be worse than the best of the other declarations."""


@kernel
def _mean(by_result, saved):
    """Return the mean of the values by result, over all numbers with the saved points added."""
    total = 0.0
    for number in range(FEWEST, MOST + 1):
        total += by_result[min(max(number + saved, FEWEST), MOST)]
    return total / NUM_NUMBERS


@kernel
def _fill_travel(state, valuation, graph, weights, reached, by_result):
    for result in range(FEWEST, MOST + 1):
        by_result[result] = best_of_turn(state, valuation, graph, weights, reached, result, result, False)


@kernel
def _value_of_triple(state, valuation, graph, weights, reached, by_result):
    """Return how much higher the value of the third equal number is than that of the number alone."""
    number = np.int64(state.triple_number[valuation.mover])
    usual = by_result[number]
    if number == 2:
        best = usual
        for result in range(FEWEST, MOST + 1):
            best = max(best, by_result[result])
        return best - usual
    if number == 4:
        return best_of_turn(state, valuation, graph, weights, reached, 1, number, False) - usual
    if number == 5:
        return -best_of_turn(state, valuation, graph, weights, reached, number, number, True) - usual
    return 0.0


@kernel
def _fill_search(state, valuation, graph, weights, place, by_result):
    symbol = state.squares[place // NUM_SPOTS, SYMBOL]
    least = least_result_to_find(symbol)
    found = value_of_ending(state, valuation, graph, weights, place, place)
    staying = value_of_ending(state, valuation, graph, weights, place, np.int64(state.boat[valuation.mover]))
    for result in range(FEWEST, MOST + 1):
        by_result[result] = found if result >= least else staying
    if symbol == HOSTILE:
        by_result[SKIPS_AFTER] -= TURN


@kernel
def _fill_swim(state, valuation, graph, weights, place, by_result):
    boat = np.int64(state.boat[valuation.mover])
    there = value_of_ending(state, valuation, graph, weights, opposite_circle(place), boat)
    here = value_of_ending(state, valuation, graph, weights, place, boat)
    for result in range(FEWEST, MOST + 1):
        by_result[result] = there if result >= SWIMS else here


@kernel
def _value_of_drift(state, valuation, graph, weights, place):
    total, count = 0.0, 0
    for way in range(NUM_WAYS):
        end = drift_end(state, place // NUM_SPOTS, way)
        if end >= 0:
            total += value_of_ending(state, valuation, graph, weights, end, end)
            count += 1
    return total / max(count, 1)


@kernel
def _value_of_saving(travel, search, saved, sign):
    """Return the best later use of the saved points; each point costs a turn."""
    best = -np.inf
    turns = 1
    kept = saved + sign
    while abs(kept) <= MOST_SAVED:
        best = max(best, max(_mean(travel, kept), _mean(search, kept)) - turns * TURN)
        kept += sign
        turns += 1
    return best


@kernel
def fill_declaration_values(state, valuation, graph, weights, reached, values):
    """Fill `values` (A,) with the value of each declaration."""
    player = np.int64(valuation.mover)
    place, saved = np.int64(state.pawn[player]), np.int64(state.saved[player])
    travel, search, swim = np.empty(NUM_RESULTS), np.empty(NUM_RESULTS), np.empty(NUM_RESULTS)
    travel[:] = -np.inf
    search[:] = -np.inf
    best, risk = -np.inf, danger(state, valuation, place, 1, 0)  # the risk of spinning now
    for k in range(np.int64(state.num_options)):
        action = np.int64(state.options[k])
        act = action - DECLARE
        if action >= SAVE_PLUS:
            later = _value_of_saving(travel, search, saved, 1 if action == SAVE_PLUS else -1)
            values[action] = max(later, best - MOST_LOST_BY_SAVING)
            continue
        if act == ACT_TRAVEL:
            _fill_travel(state, valuation, graph, weights, reached, travel)
            values[action] = _mean(travel, saved)
            if state.triple_count[player] == 2:
                values[action] += _value_of_triple(state, valuation, graph, weights, reached, travel) / NUM_NUMBERS
        elif act == ACT_SEARCH:
            _fill_search(state, valuation, graph, weights, place, search)
            values[action] = _mean(search, saved)
        elif act == ACT_SWIM:
            _fill_swim(state, valuation, graph, weights, place, swim)
            values[action] = _mean(swim, saved)
        elif act == ACT_SALVAGE:
            values[action] = value_of_taking(state, valuation, weights, place, False)
        elif act == ACT_DRIFT:
            values[action] = _value_of_drift(state, valuation, graph, weights, place)
        else:
            values[action] = value_of_ending(state, valuation, graph, weights, place, place) + weights.steal
        values[action] -= risk
        best = max(best, values[action])
