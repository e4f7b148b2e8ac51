"""What can be made of a turn of `ghost_ship`: all that a pawn reaches with its points, and the best of it."""

from __future__ import annotations

import numpy as np

from edge_envs.core.jit import kernel
from edge_envs.games.ghost_ship.choices import CHEST_COST, PASSES, chit_cost, has_gold
from edge_envs.games.ghost_ship.geometry import (
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
from edge_envs.games.ghost_ship.laying import KIND_OF
from edge_envs.games.ghost_ship.prospects import worth_of_ending, worth_of_landing, worth_of_taking
from edge_envs.games.ghost_ship.record import CHEST, NUM_SYMBOLS, SKULL, STORM, SYMBOL, TILE, UNSEEN, WET

MOST_QUEUED = 128
NOT_REACHED = -1


@kernel
def _chance_of_chest(state, square):
    """How likely an unseen symbol is a chest."""
    column = np.int64(KIND_OF[state.squares[square, TILE]])
    count = np.int64(0)
    for symbol in range(NUM_SYMBOLS):
        count += np.int64(state.tiles_left[symbol, column])
    return np.int64(state.tiles_left[CHEST, column]) / max(count, 1)


@kernel
def worth_of_stopping(state, plan, chart, weights, place, points, can_take):
    """The better of ending the turn at a place and of taking what lies there."""
    worth = worth_of_ending(state, plan, chart, place)
    if place >= RIM or not can_take or plan.site[place // NUM_SPOTS] < 0:
        return worth
    cost = chit_cost(state, place)
    if 0 < cost <= points:
        taking = worth_of_taking(state, plan, weights, place, False)
        square = place // NUM_SPOTS
        if state.squares[square, SYMBOL] == UNSEEN and points < CHEST_COST:
            taking += _chance_of_chest(state, square) * (worth - taking)
        worth = max(worth, taking)
    if has_gold(state, place) and points > 0:
        worth = max(worth, worth_of_taking(state, plan, weights, place, True))
    return worth


@kernel
def worth_of_step(state, plan, chart, weights, place, target, points, result, free, against):
    """What a step promises after which so many points are left; NaN if the turn goes on freely from there.

    `free` says that symbols hold nobody, `against` that who decides wants the mover to fare badly: worths are then
    negative, and nothing is taken.
    """
    sign = -1.0 if against else 1.0
    square = place // NUM_SPOTS
    spot = place % NUM_SPOTS
    beyond = target >= RIM or target // NUM_SPOTS != square or place >= RIM
    if place < RIM and spot <= C1 and not free:
        symbol = state.squares[square, SYMBOL]
        from_shore = beyond or not (spot == S or target % NUM_SPOTS == S)
        if from_shore and (symbol in (SKULL, STORM)):
            return sign * worth_of_ending(state, plan, chart, target)
    if target >= RIM:
        return np.nan
    goal = target // NUM_SPOTS
    stormy = target % NUM_SPOTS == S and state.squares[goal, SYMBOL] == STORM
    if beyond and goal == state.ghost and state.num_chits[plan.mover]:
        loss = plan.loss
        return sign * (worth_of_stopping(state, plan, chart, weights, target, points, not against) - loss)
    if stormy:
        return sign * worth_of_stopping(state, plan, chart, weights, target, points, not against)
    return np.nan


@kernel
def best_of_turn(state, plan, chart, weights, start, points, result, free, against):
    """The best that so many points make of a turn from a place, where the mover may still move and take."""
    sign = -1.0 if against else 1.0
    left, count, queue = plan.left, plan.count, plan.queue
    boat = np.int64(state.boat[plan.mover])
    for place in range(NUM_PLACES):
        left[place] = NOT_REACHED
    for k in range(6):
        count[k] = 0
    left[start] = points
    queue[points, 0] = start
    count[points] = 1
    best = -np.inf
    for now in range(points, -1, -1):
        n = 0
        while n < count[now]:
            place = np.int64(queue[now, n])
            n += 1
            if left[place] != now:
                continue
            best = max(best, sign * worth_of_stopping(state, plan, chart, weights, place, now, not against))
            if now == 0:
                continue
            if place >= RIM:
                circle = place - RIM
                target = np.int64(RIM_SQUARE[circle]) * NUM_SPOTS + S
                best = _go(state, plan, chart, weights, place, target, now - SAIL_COST, result, free, against, best)
                if now >= RIM_COST:
                    for way in (1, -1):
                        target = RIM + (circle + way) % NUM_RIM
                        best = _go(
                            state, plan, chart, weights, place, target, now - RIM_COST, result, free, against, best
                        )
                continue
            square, spot = place // NUM_SPOTS, place % NUM_SPOTS
            mask = np.int64(state.squares[square, TILE])
            symbol = state.squares[square, SYMBOL]
            costs = np.int64(WITHIN[mask, spot, state.squares[square, WET]])
            if boat != place:
                costs &= ~3
            held = spot <= C1 and not free and (symbol == UNSEEN or not PASSES[symbol, result])
            if held and spot != S:
                costs &= 3
            target = square * NUM_SPOTS
            while costs:
                cost = costs & 3
                if 0 < cost <= now:
                    best = _go(state, plan, chart, weights, place, target, now - cost, result, free, against, best)
                    if spot == S and not against:
                        best = max(best, worth_of_landing(state, plan, chart, weights, target))
                costs >>= 2
                target += 1
            if held:
                continue
            for edge in range(4):
                other = np.int64(NEXT[square, edge])
                if other < 0:
                    if spot == S:
                        target = RIM - 1 - other
                        best = _go(
                            state, plan, chart, weights, place, target, now - SAIL_COST, result, free, against, best
                        )
                    continue
                ways = OUT[mask, spot, edge]
                if ways == 0:
                    continue
                wet = state.squares[other, WET]
                costs = np.int64(IN[np.int64(state.squares[other, TILE]), (edge + 2) & 3, ways, wet])
                target = other * NUM_SPOTS
                while costs:
                    cost = costs & 3
                    if 0 < cost <= now:
                        best = _go(state, plan, chart, weights, place, target, now - cost, result, free, against, best)
                    costs >>= 2
                    target += 1
    return best


@kernel
def _go(state, plan, chart, weights, place, target, points, result, free, against, best):
    """Look at one step; the best so far."""
    if plan.left[target] >= points:
        return best
    worth = worth_of_step(state, plan, chart, weights, place, target, points, result, free, against)
    if worth == worth:
        return max(best, worth)
    plan.left[target] = points
    if plan.count[points] < MOST_QUEUED:
        plan.queue[points, plan.count[points]] = target
        plan.count[points] += 1
    return best
