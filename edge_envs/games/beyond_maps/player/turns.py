"""Enumeration of all turns from a decision on, keeping the best ones by a quick score."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.beyond_maps.map.bitboard import WORDS, area_of, first_of
from edge_envs.games.beyond_maps.player.chains import begin_chain, next_stop
from edge_envs.games.beyond_maps.player.land import settled, with_ways_out
from edge_envs.games.beyond_maps.player.scene import ahead, fill, find_sails, is_end, read_scene, sail, ways_out
from edge_envs.games.beyond_maps.state import LAND, NO_MARKER, NUM_PLANES

_1 = np.uint64(1)
DEPTH = 3  # markers of a land action that are enumerated as one chain
NO_LIMIT = 1000  # more sea actions than there are squares
ANSWER_SAILS = 4  # sea actions of an answer that are continued with land actions


@kernel
def find_turns(state, weights, everything, stack, scratch, turns, scores):
    """Fill `turns` with the turns that have the highest scores, and return their number.

    Turns are scenes at the end of the turn, in no particular order. If several sea actions have the same marker, only
    the one that leaves the ship the most ways out is continued with land actions, unless `everything` is set.

    Args:
        state: the state at a decision.
        weights: the weights of the heuristic.
        everything: whether all sea actions are continued.
        stack: scratch scenes (DEEPEST,).
        scratch: scratch boards of shape `wins.SCRATCH`.
        turns: receives the turns.
        scores: (A,) receives the highest score of each action.
    """
    read_scene(state, stack[0])
    for direction in range(NO_MARKER + 1):
        scratch[1, direction] = state.legal[direction]
    return _find(state.can_stop, weights, everything, NO_LIMIT, stack, scratch, turns, scores)


@kernel
def find_answers(weights, stack, scratch, turns, scores):
    """Do the same for a turn that begins in stack[0]; only the `ANSWER_SAILS` best sea actions are continued."""
    find_sails(stack[0], scratch[1])
    return _find(False, weights, False, ANSWER_SAILS, stack, scratch, turns, scores)


@kernel
def _find(can_stop, weights, everything, followed, stack, scratch, turns, scores):
    scene = stack[0]
    scene.left = min(scene.left, DEPTH)
    kept = np.zeros(2, np.int64)  # their number and, once all places are taken, the index of the lowest score
    if scene.reach > 0 and scene.last < 0:
        _sea_first(scratch[1], weights, everything, followed, stack, turns, kept, scores)
    else:
        _land_first(can_stop, weights, stack, scratch, turns, kept, scores)
    return kept[0]


@kernel
def _score(scene, weights):
    """Return the quick score of the position at the end of a turn: the lead, corrected for the ways out."""
    lead = np.float64(scene.lead)
    if is_end(scene):
        return settled(lead)
    return with_ways_out(lead, lead, ways_out(scene, 0), ways_out(scene, 1), weights)


@kernel
def _keep(turns, kept, end, action, weights, scores):
    """Store a turn if it is among the best."""
    score = _score(end, weights)
    scores[action] = max(scores[action], score)
    place = kept[0]
    if place < turns.shape[0]:
        kept[0] += 1
    else:
        place = kept[1]
        if score <= turns[place].score:
            return
    turns[place] = end
    turns[place].score = score
    turns[place].action = action
    if kept[0] == turns.shape[0]:
        for i in range(kept[0]):
            if turns[i].score < turns[kept[1]].score:
                kept[1] = i


@kernel
def _sea_first(sails, weights, everything, followed, stack, turns, kept, scores):
    """Enumerate all sea actions, given as ends by direction of the marker, and the land actions after them."""
    scene, width, cells = stack[0], stack[0].width, area_of(stack[0])
    favourites, most_ways = np.full(cells + 1, -1), np.full(cells + 1, -1)  # by the square of the marker
    for direction in range(NO_MARKER + 1):
        for k in range(WORDS):
            left = sails[direction, k]
            while left:
                end = 64 * k + first_of(left)
                left &= left - _1
                target = cells if direction == NO_MARKER else ahead(end, direction, width)
                stack[1] = scene
                stack[1].ships[0] = end
                ways = ways_out(stack[1], 0)
                if ways > most_ways[target]:
                    favourites[target], most_ways[target] = direction * cells + end, ways
    if followed <= cells:
        _keep_best_sails(favourites, followed, weights, stack)
    for direction in range(NO_MARKER + 1):
        for k in range(WORDS):
            left = sails[direction, k]
            while left:
                end = 64 * k + first_of(left)
                left &= left - _1
                target = cells if direction == NO_MARKER else ahead(end, direction, width)
                action = direction * cells + end
                stack[1] = scene
                sail(stack[1], end, direction)
                if everything or favourites[target] == action:
                    _then_land(stack, action, weights, turns, kept, scores)
                else:
                    scores[action] = _score(stack[1], weights)


@kernel
def _keep_best_sails(favourites, followed, weights, stack):
    """Keep the `followed` sea actions of `favourites` (cells + 1,) with the highest scores, including ties."""
    cells = favourites.shape[0] - 1
    scores = np.full(cells + 1, -np.inf)
    for target in range(cells + 1):
        if favourites[target] >= 0:
            stack[1] = stack[0]
            sail(stack[1], favourites[target] % cells, favourites[target] // cells)
            scores[target] = _score(stack[1], weights)
    least = np.sort(scores)[cells + 1 - followed]
    for target in range(cells + 1):
        if scores[target] < least:
            favourites[target] = -1


@kernel
def _then_land(stack, action, weights, turns, kept, scores):
    """Enumerate all land actions after a sea action, if the land action is still open."""
    scene = stack[1]
    if scene.left > 0:
        begin_chain(scene)
    if scene.left == 0 or not scene.more:
        _keep(turns, kept, scene, action, weights, scores)
        return
    level = next_stop(stack, 1, 1)
    while level >= 1:
        stack[level + 1] = stack[level]
        fill(stack[level + 1])
        _keep(turns, kept, stack[level + 1], action, weights, scores)
        level = next_stop(stack, 1, level)


@kernel
def _land_first(can_stop, weights, stack, scratch, turns, kept, scores):
    """Enumerate all continuations of a land action, and the sea actions after it if still open."""
    cells = area_of(stack[0])
    begin_chain(stack[0])
    if can_stop:
        _then_sea(stack, 0, scratch, NUM_PLANES * cells, weights, turns, kept, scores)
    level = next_stop(stack, 0, 0)
    while level >= 0:
        _then_sea(stack, level, scratch, LAND * cells + stack[1].last, weights, turns, kept, scores)
        level = next_stop(stack, 0, level)


@kernel
def _then_sea(stack, level, scratch, action, weights, turns, kept, scores):
    """End the land action, and enumerate all sea actions if the sea action is still open."""
    scene = stack[level + 1]
    stack[level + 1] = stack[level]
    fill(scene)
    if scene.reach == 0 or scene.ships[0] < 0:
        _keep(turns, kept, scene, action, weights, scores)
        return
    find_sails(scene, scratch[0])
    for direction in range(NO_MARKER + 1):
        for k in range(WORDS):
            left = scratch[0, direction, k]
            while left:
                end = 64 * k + first_of(left)
                left &= left - _1
                stack[level + 2] = scene
                sail(stack[level + 2], end, direction)
                _keep(turns, kept, stack[level + 2], action, weights, scores)
