"""Heuristic of `beyond_maps`: enumerate whole turns, and avoid those that let the opponent win at once.

A turn is a sea action and a chain of up to three markers. Each turn first receives a quick score (`player.turns`): the
lead in land at its end and the ways out of both ships. The positions after the turns with the highest scores are then
evaluated (`player.land`), and the best of these turns are examined: a turn after which the opponent can win immediately
counts as almost lost. If all of them are, other turns are tried. A win in the current turn, in either order of actions,
comes first. Both kinds of wins are found exactly (`player.wins`).

With the weight `answers`, the value of an examined turn is the value after the opponent's best answer. This plays
better, but takes four to eight times as long.

If both actions are open, the heuristic sails first unless only land first wins. With dice it assumes that the opponent
rolls 4 and 3.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.values import Weight
from edge_envs.games.beyond_maps.map.bitboard import area_of, load, only
from edge_envs.games.beyond_maps.phases.choices import markers_allowed, sailing_range
from edge_envs.games.beyond_maps.player.chains import DEEPEST
from edge_envs.games.beyond_maps.player.land import WON, fill_features, settled, value_of
from edge_envs.games.beyond_maps.player.scene import SCENE, is_end, pass_turn, read_scene
from edge_envs.games.beyond_maps.player.turns import find_answers, find_turns
from edge_envs.games.beyond_maps.player.weights import values_with
from edge_envs.games.beyond_maps.player.wins import NOWHERE, SCRATCH, winning_action
from edge_envs.games.beyond_maps.state import NUM_PLANES

EVALUATED_TURNS = 32  # turns whose positions are evaluated
FALLBACK_TURNS = 2048  # turns that are examined if the opponent can win after all of these
THREAT_LOSS = 0.8 * WON  # loss of a turn after which the opponent can win at once; less than that of a lost game
LIKELY_SAIL, LIKELY_MARKERS = 4, 3  # the assumed roll of the opponent

VALUES = values_with(
    Weight("breadth", 1.0, 1.0, 32.0, "minimum number of turns to examine; rounded down"),
    Weight("answers", 0.0, 0.0, 32.0, "number of the opponent's answers to evaluate after each of them; rounded down"),
    no_start=-1.0,
    other_no_start=1.0,
    enclosed=0.7,
    other_enclosed=-0.5,
    one_way_out=-2.0,
    two_ways_out=-1.0,
    three_ways_out=-0.3,
    other_one_way_out=0.6,
    other_two_ways_out=0.3,
    other_three_ways_out=0.1,
)
WEIGHTS = VALUES.weights_with()


@kernel
def _value(end, weights):
    """Return the value of the position at the end of a turn."""
    if is_end(end):
        return settled(np.float64(end.lead))
    ships = only(end.ships[0]), only(end.ships[1])
    return value_of(load(end.land[0]), load(end.land[1]), ships[0], ships[1], end.format, weights)


@kernel
def _examine(state, end, weights, stack, scratch, answers, scores):
    """Return the value of a turn with this end: its score or, with `answers`, the value after the best answer.

    If the opponent can win at once, `THREAT_LOSS` is subtracted from the score.
    """
    if is_end(end) or state.turn + 1 == state.max_turns:
        return settled(np.float64(end.lead))
    _begin_answer(state, end, stack)
    is_last = state.turn + 2 == state.max_turns
    if winning_action(stack, scratch, is_last) != NOWHERE:
        return end.score - THREAT_LOSS
    if answers.shape[0] == 0:
        return end.score
    _begin_answer(state, end, stack)
    worst = -np.inf
    for i in range(find_answers(weights, stack, scratch, answers, scores)):
        worst = max(worst, settled(np.float64(answers[i].lead)) if is_last else _value(answers[i], weights))
    return -worst


@kernel
def _begin_answer(state, end, stack):
    """Write the beginning of the opponent's turn, after a turn with this end, into stack[0]."""
    stack[0] = end
    if state.dice:
        pass_turn(stack[0], LIKELY_SAIL, LIKELY_MARKERS)
    else:
        pass_turn(stack[0], sailing_range(state), markers_allowed(state))


@kernel
def _examine_best(state, turns, count, breadth, weights, stack, scratch, examined):
    """Examine turns in descending order: `breadth` of them, and more until one is safe. Return whether one is.

    `examined` (A,) receives the highest value of each action.
    """
    answers, scores = np.empty(np.int64(weights.answers), SCENE), np.zeros(examined.shape[0])
    safe, tried = False, 0
    while tried < count and (tried < breadth or not safe):
        best = 0
        for i in range(1, count):
            if turns[i].score > turns[best].score:
                best = i
        action = turns[best].action
        value = _examine(state, turns[best], weights, stack, scratch, answers, scores)
        examined[action] = max(examined[action], value)
        safe = safe or value > -WON / 2
        turns[best].score = -np.inf
        tried += 1
    return safe


@kernel
def action_values(state, weights, values):
    """Fill values (A,) with the value of each action for the turn player, in squares of land.

    The value is -inf for illegal actions and, if both actions are open, for land actions that do not win. Actions
    without an examined turn get lower values than those with one.
    """
    stack, scratch = np.empty(DEEPEST, SCENE), np.empty(SCRATCH, np.uint64)
    scores, examined = np.full(values.shape[0], -np.inf), np.full(values.shape[0], -np.inf)
    turns = np.empty(EVALUATED_TURNS, SCENE)
    count = find_turns(state, weights, False, stack, scratch, turns, scores)
    for i in range(count):
        turns[i].score = _value(turns[i], weights)
    if not _examine_best(state, turns, count, np.int64(weights.breadth), weights, stack, scratch, examined):
        turns = np.empty(FALLBACK_TURNS, SCENE)
        count = find_turns(state, weights, True, stack, scratch, turns, scores)
        _examine_best(state, turns, count, 0, weights, stack, scratch, examined)
    _merge_values(scores, examined, values)
    read_scene(state, stack[0])
    action = winning_action(stack, scratch, state.turn + 1 == state.max_turns)
    if action != NOWHERE:
        values[action] = max(values.max(), WON + 1.0)


@kernel
def _merge_values(scores, examined, values):
    """Fill values (A,) with the values of examined actions, and rank all others below them by score."""
    best, least = scores.max(), np.inf
    for action in range(values.shape[0]):
        if examined[action] > -np.inf:
            least = min(least, examined[action])
    for action in range(values.shape[0]):
        values[action] = examined[action] if examined[action] > -np.inf else least - 1.0 + (scores[action] - best)


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
