"""A sensible player of `beyond_maps`: it looks at every turn that it may take, and keeps out of blows.

A turn is a sea action and a chain of up to three markers. First each gets a quick score (`player.turns`): the lead in
land at its end, and how many ways out the ships then have. The turns with the greatest scores are valued as positions
(`player.land`). The best of these are looked into: a turn after which the other can win at once is as good as lost. If
all of them are, others are tried. The mover's own way to win in this turn, whatever the order of actions, goes before
all that. Both kinds of wins are found exactly (`player.wins`).

If `answers` are asked for, a turn that is looked into is worth what the other's best answer leaves: better play, for
four to eight times the time.

Sea comes before land where both are open, unless land first wins. With dice the other is supposed to roll 4 and 3.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.values import Weight
from edge_envs.games.beyond_maps.map.bitboard import load, only
from edge_envs.games.beyond_maps.phases.choices import markers_allowed, sailing_range
from edge_envs.games.beyond_maps.player.chains import DEEPEST
from edge_envs.games.beyond_maps.player.land import WON, fill_features, settled, value_of
from edge_envs.games.beyond_maps.player.scene import SCENE, is_end, read_scene, turn_over
from edge_envs.games.beyond_maps.player.turns import find_answers, find_turns
from edge_envs.games.beyond_maps.player.weights import values_with
from edge_envs.games.beyond_maps.player.wins import NOWHERE, SCRATCH, winning_action
from edge_envs.games.beyond_maps.state import NUM_PLANES

KEPT = 32  # turns that are valued as positions
RESERVE = 2048  # turns that are looked into where all of these lose at once
BLOW = 0.8 * WON  # what a turn loses after which the other can win at once; less than a lost game
LIKELY_SAIL, LIKELY_MARKERS = 4, 3  # what the other rolls

VALUES = values_with(
    Weight("breadth", 1.0, 1.0, 32.0, "how many turns are looked into in any case; the fraction is dropped"),
    Weight("answers", 0.0, 0.0, 32.0, "how many of the other's turns are valued after each of them; so, too"),
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
    """The value of the position at the end of a turn."""
    if is_end(end):
        return settled(np.float64(end.lead))
    ships = only(end.ships[0]), only(end.ships[1])
    return value_of(load(end.land[0]), load(end.land[1]), ships[0], ships[1], np.int64(end.side), weights)


@kernel
def _look_into(state, end, weights, stack, scratch, answers, scores):
    """The value of a turn that ends so: its score, or what the best answer leaves, but for a blow of the other's."""
    if is_end(end) or state.turn + 1 == state.max_turns:
        return settled(np.float64(end.lead))
    _begin_answer(state, end, stack)
    is_last = state.turn + 2 == state.max_turns
    if winning_action(stack, scratch, is_last) != NOWHERE:
        return end.score - BLOW
    if answers.shape[0] == 0:
        return end.score
    _begin_answer(state, end, stack)
    worst = -np.inf
    for i in range(find_answers(weights, stack, scratch, answers, scores)):
        worst = max(worst, settled(np.float64(answers[i].lead)) if is_last else _value(answers[i], weights))
    return -worst


@kernel
def _begin_answer(state, end, stack):
    """Write into stack[0] how the other's turn begins after a turn that ends so."""
    stack[0] = end
    if state.dice:
        turn_over(stack[0], LIKELY_SAIL, LIKELY_MARKERS)
    else:
        turn_over(stack[0], sailing_range(state), markers_allowed(state))


@kernel
def _look_into_best(state, turns, count, breadth, weights, stack, scratch, looked):
    """Look into turns from the best on: `breadth` of them, and more until one is safe; return whether one is.

    `looked` (A,) takes the greatest value of each action.
    """
    answers, scores = np.empty(np.int64(weights.answers), SCENE), np.zeros(looked.shape[0])
    safe, tried = False, 0
    while tried < count and (tried < breadth or not safe):
        best = 0
        for i in range(1, count):
            if turns[i].score > turns[best].score:
                best = i
        action = turns[best].action
        value = _look_into(state, turns[best], weights, stack, scratch, answers, scores)
        looked[action] = max(looked[action], value)
        safe = safe or value > -WON / 2
        turns[best].score = -np.inf
        tried += 1
    return safe


@kernel
def action_values(state, weights, values):
    """Fill values (A,) with what each action is worth to the turn player, in squares of land.

    It is -inf for illegal ones and, with both actions to do, for those on land that do not win. Actions of which no
    turn is looked into get less than those of which one is.
    """
    stack, scratch = np.empty(DEEPEST, SCENE), np.empty(SCRATCH, np.uint64)
    scores, looked = np.full(values.shape[0], -np.inf), np.full(values.shape[0], -np.inf)
    turns = np.empty(KEPT, SCENE)
    count = find_turns(state, weights, False, stack, scratch, turns, scores)
    for i in range(count):
        turns[i].score = _value(turns[i], weights)
    if not _look_into_best(state, turns, count, np.int64(weights.breadth), weights, stack, scratch, looked):
        turns = np.empty(RESERVE, SCENE)
        count = find_turns(state, weights, True, stack, scratch, turns, scores)
        _look_into_best(state, turns, count, 0, weights, stack, scratch, looked)
    _put_together(scores, looked, values)
    read_scene(state, stack[0])
    action = winning_action(stack, scratch, state.turn + 1 == state.max_turns)
    if action != NOWHERE:
        values[action] = max(values.max(), WON + 1.0)


@kernel
def _put_together(scores, looked, values):
    """Fill values (A,) with those of actions that were looked into, and the scores of the others behind them."""
    best, least = scores.max(), np.inf
    for action in range(values.shape[0]):
        if looked[action] > -np.inf:
            least = min(least, looked[action])
    for action in range(values.shape[0]):
        values[action] = looked[action] if looked[action] > -np.inf else least - 1.0 + (scores[action] - best)


@kernel
def heuristic(state):
    """The action of the greatest value; of several the one with the lowest id."""
    values = np.empty(NUM_PLANES * np.int64(state.side) ** 2 + 1)
    action_values(state, WEIGHTS[0], values)
    return np.argmax(values)


@kernel
def position_features(state, player, viewer, weights, out):
    """Fill `out` (5,) with numbers about the position of a player, named in `VALUES`: squares, a truth, and ways."""
    fill_features(state, player, weights, out)
