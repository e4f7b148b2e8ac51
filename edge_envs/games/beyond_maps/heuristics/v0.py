"""The first heuristic of `beyond_maps`: evaluate land and potential land, and look ahead to the opponent's answer.

The value of a position is the lead in land, corrected for each player by three terms: whether a land action has a place
to start, the squares that would be enclosed if every one-square gap were closed, and the number of ways out of the
ship. The static value of an action is the value of the resulting position; for a land action, it is the best value over
chains of up to DEPTH markers. For the best few actions, both players then continue greedily by static values until the
opponent's turn is over, and the resulting position is evaluated.

The weights were tuned by self-play.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.core.nodes import CHANCE
from edge_envs.core.values import Weight
from edge_envs.games.beyond_maps.actions import ROLLS
from edge_envs.games.beyond_maps.map.bitboard import (
    ALL,
    EAST,
    EDGE,
    EMPTY,
    NORTH,
    SOUTH,
    WEST,
    WORDS,
    area_of,
    both,
    count,
    east,
    either,
    first_of,
    frame_of,
    has,
    is_empty,
    load,
    minus,
    neighbours,
    north,
    only,
    south,
    splitting,
    store,
    west,
)
from edge_envs.games.beyond_maps.phases.choices import markers_allowed
from edge_envs.games.beyond_maps.player.land import fill_features, settled, value_of, value_of_land, with_ships
from edge_envs.games.beyond_maps.player.weights import values_with
from edge_envs.games.beyond_maps.rules import apply, current_player, enclosed, surviving
from edge_envs.games.beyond_maps.state import LAND, NO_MARKER, NUM_PLANES, STATE

_1 = np.uint64(1)
DEPTH = 3  # markers of a land action that are enumerated as one chain
LIKELY_ROLL = ROLLS.index((4, 3))

VALUES = values_with(
    Weight("breadth", 3.0, 1.0, 32.0, "number of actions to look ahead from; rounded down"),
    no_start=-1.0,
    other_no_start=1.0,
    enclosed=0.25,
    other_enclosed=-0.1,
    one_way_out=-2.0,
    two_ways_out=-1.0,
    three_ways_out=-0.3,
    other_one_way_out=3.5,
    other_two_ways_out=0.9,
    other_three_ways_out=0.0,
)
WEIGHTS = VALUES.weights_with()


@inlined_kernel
def _with_marker(own, enemy, marker, splits, board, edge, frame):
    """Return the land of both players after a marker of the player and the filling, and the enclosed squares.

    `splits` are the squares at which a marker locally divides the squares that are not the player's land.
    """
    inside = EMPTY
    parts = not is_empty(both(marker, splits))
    own, enemy = either(own, marker), minus(enemy, marker)
    if parts:
        inside = enclosed(own, board, edge, frame)
        if not is_empty(inside):
            enemy = surviving(enemy, inside, frame)
            own = either(own, minus(inside, enemy))
    return own, enemy, inside


@kernel
def _land_values(own, enemy, mine, other, firsts, left, state, weights, values):
    """Write the best value of land actions of up to DEPTH markers into values (A,), by first square."""
    frame, board, edge = frame_of(state.format), load(ALL[state.format]), load(EDGE[state.format])
    depth = min(left, DEPTH)
    first_land = LAND * area_of(state)
    stack = np.empty((DEPTH, 6, WORDS), np.uint64)
    _push(stack[0], firsts, own, enemy, mine, other, board, frame)
    level, action = 0, 0
    while level >= 0:
        k = 0
        while k < WORDS and stack[level, 0, k] == 0:
            k += 1
        if k == WORDS:
            level -= 1
            continue
        square = 64 * k + first_of(stack[level, 0, k])
        stack[level, 0, k] &= stack[level, 0, k] - _1
        if level == 0:
            action = first_land + square
            values[action] = -np.inf
        marker = only(square)
        tried = stack[level]
        land, foe, inside = _with_marker(load(tried[1]), load(tried[2]), marker, load(tried[5]), board, edge, frame)
        me, ship = minus(load(tried[3]), inside), minus(load(tried[4]), inside)
        following = both(neighbours(marker, frame), minus(board, either(either(land, foe), either(me, ship))))
        if level + 1 < depth and not is_empty(following):
            level += 1
            _push(stack[level], following, land, foe, me, ship, board, frame)
        else:
            values[action] = max(values[action], value_of(land, foe, me, ship, state.format, weights))


@inlined_kernel
def _push(entry, squares, own, enemy, mine, other, board, frame):
    """Store the untried squares of a level, and its position: land of both, ships, and splitting squares."""
    store(entry[0], squares)
    store(entry[1], own)
    store(entry[2], enemy)
    store(entry[3], mine)
    store(entry[4], other)
    store(entry[5], splitting(minus(board, own), frame))


@kernel
def _sail_values(state, own, enemy, other, left, weights, values):
    """Write the value after each sea action into values (A,); `left` land markers are still to come."""
    frame, board, edge = frame_of(state.format), load(ALL[state.format]), load(EDGE[state.format])
    cells, width = area_of(state), np.int64(state.width)
    steps = (-width, np.int64(1), width, np.int64(-1))
    splits = splitting(minus(board, own), frame)
    words = np.empty(WORDS, np.uint64)
    store(words, _targets(state, frame))
    for k in range(WORDS):
        targets = words[k]
        while targets:
            target = 64 * k + first_of(targets)
            targets &= targets - _1
            land, foe, inside = _with_marker(own, enemy, only(target), splits, board, edge, frame)
            sea = minus(board, either(land, foe))
            value = value_of_land(land, foe, sea, board, edge, frame, weights)
            lead = count(land) - count(foe) + left
            for direction in range(4):
                end = target - steps[direction]
                if end >= 0 and end < cells and has(state.legal[direction], end):
                    ship, rival = minus(only(end), inside), minus(other, inside)
                    values[direction * cells + end] = with_ships(value, lead, ship, rival, sea, frame, weights)
    sea = minus(board, either(own, enemy))
    value = value_of_land(own, enemy, sea, board, edge, frame, weights)
    lead = count(own) - count(enemy) + left
    for k in range(WORDS):
        ends = state.legal[NO_MARKER, k]
        while ends:
            end = 64 * k + first_of(ends)
            ends &= ends - _1
            values[NO_MARKER * cells + end] = with_ships(value, lead, only(end), other, sea, frame, weights)


@inlined_kernel
def _targets(state, frame):
    """Return all squares on which a sea action can place a marker."""
    return either(
        either(north(load(state.legal[NORTH]), frame), east(load(state.legal[EAST]), frame)),
        either(south(load(state.legal[SOUTH]), frame), west(load(state.legal[WEST]), frame)),
    )


@kernel
def _static_values(state, weights, values):
    """Write the static value of each action for the turn player into values (A,).

    It is -inf for illegal actions and, if both actions are open, for land actions, which are left for later.
    """
    values[:] = -np.inf
    player = np.int64(state.turn_player)
    own, enemy = load(state.land[player]), load(state.land[1 - player])
    mine, other = only(state.ships[player]), only(state.ships[1 - player])
    left = np.int64(markers_allowed(state)) - np.int64(state.markers_placed)
    if not state.sea_done and state.markers_placed == 0 and not is_empty(mine):
        _sail_values(state, own, enemy, other, 0 if state.land_done else left, weights, values)
    else:
        _land_values(own, enemy, mine, other, load(state.legal[LAND]), left, state, weights, values)
        if state.can_stop:
            values[NUM_PLANES * area_of(state)] = value_of(own, enemy, mine, other, state.format, weights)


@kernel
def _look_ahead(state, action, weights, ahead, values):
    """Return the value of an action if both players continue by static values until the opponent's turn is over.

    `ahead` (an array of one record) and values (A,) are scratch.
    """
    player = np.int64(state.turn_player)
    ahead[0] = state
    future = ahead[0]
    apply(future, action)
    passed = False
    while not future.over and not (passed and future.turn_player == player):
        passed = passed or future.turn_player != player
        if current_player(future) == CHANCE:
            apply(future, LIKELY_ROLL)
        else:
            _static_values(future, weights, values)
            apply(future, np.argmax(values))
    own, enemy = load(future.land[player]), load(future.land[1 - player])
    if future.over:
        return settled(count(own) - count(enemy))
    mine, other = only(future.ships[player]), only(future.ships[1 - player])
    return value_of(own, enemy, mine, other, future.format, weights)


@kernel
def action_values(state, weights, values):
    """Fill values (A,) with the value of each action for the turn player, in squares of land; -inf as in static values.

    The best few actions get the value of looking ahead; all others get lower values.
    """
    _static_values(state, weights, values)
    breadth = np.int64(weights.breadth)
    ahead, scratch = np.empty(1, STATE), np.empty_like(values)
    actions, values_ahead = np.empty(breadth, np.int64), np.empty(breadth)
    tried, least, bound = 0, np.inf, 0.0
    while tried < breadth:
        action = np.argmax(values)
        if values[action] == -np.inf:
            break
        bound = values[action]
        values[action] = -np.inf
        actions[tried] = action
        values_ahead[tried] = _look_ahead(state, action, weights, ahead, scratch)
        least = min(least, values_ahead[tried])
        tried += 1
    for action in range(values.shape[0]):
        values[action] += least - bound
    for i in range(tried):
        values[actions[i]] = values_ahead[i]


@kernel
def heuristic(state):
    """Return the action with the highest value; among equals, the one with the lowest id."""
    values = np.empty(NUM_PLANES * area_of(state) + 1)
    action_values(state, WEIGHTS[0], values)
    return np.argmax(values)


@kernel
def position_features(state, player, viewer, weights, out):
    """Fill `out` (5,) with the features of a player's position, in the order of `VALUES.features`."""
    fill_features(state, player, weights, out)
