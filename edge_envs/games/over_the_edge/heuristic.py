"""A sensible pilot for `over_the_edge`: it plans its way home, keeps a hand for it, and boards to gain and to hurt.

It looks at every way to go through with its turn, boardings and second steps included, and takes the one after which
its ship is worth most against the others. The worth of a ship is counted in steps: what is left of the cheapest way
home round the world, which keeps clear of the rim and calls at ports; cards that make way, as far as they are wanted
before the next port; and what its bad cards threaten where it lies.

The weights were tuned by self-play.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.jit import inlined_kernel, kernel
from edge_envs.games.over_the_edge.cards import (
    FAIR_WEATHER,
    FAVORABLE_WINDS,
    LOYAL_CREW,
    MUTINY,
    NO_CARDS,
    SCURVY,
    SEVERE_DAMAGE,
    number_of,
    size,
)
from edge_envs.games.over_the_edge.routes import LAYERS, SAFE, best_route, depth_of, find_routes, leg
from edge_envs.games.over_the_edge.rules import apply, current_player, legal_action_mask
from edge_envs.games.over_the_edge.state import DISCARD, MAX_PLAYERS, OVER, STATE, TRIM

# The weights, in steps.
RIM = 0  # cost of entering a space at sea by its depth, 1.. SAFE
PORT = RIM + SAFE + 1  # of entering a port
IN_PORT = PORT + 1  # being in port with 0.. points of way in hand
MOST_POINTS = 8
USEFUL = IN_PORT + MOST_POINTS + 1  # a point of way at sea that is wanted before the next port
SURPLUS = USEFUL + 1  # one that is not
SHORT = SURPLUS + 1  # a point that is wanted and not in hand
WINDS = SHORT + 1  # a card of favorable winds, besides its two points
PAIR = WINDS + 1  # of the loss by a drift, two of a kind in hand at sea
SINGLE = PAIR + 1  # the same for one
LOSS = SINGLE + 1  # the loss by a drift, by depth
JUNK = LOSS + SAFE + 1  # a bad card in hand
JUNK_IN_PORT = JUNK + 1
MUTINY_PAIR = JUNK_IN_PORT + 1  # of the loss by a mutiny, two in hand at sea without crew
MUTINY_SINGLE = MUTINY_PAIR + 1
MUTINY_LOSS = MUTINY_SINGLE + 1  # the loss by a mutiny besides the way that is lost
CREW = MUTINY_LOSS + 1  # one loyal crew
MORE_CREW = CREW + 1  # the second and third
FALLEN = MORE_CREW + 1
SKIPPED = FALLEN + 1  # a turn that will be skipped
EXPOSED = SKIPPED + 1  # a rival who may come and board
RIVAL = EXPOSED + 1  # the worth of the others, in all
NUM_WEIGHTS = RIVAL + 1

WEIGHTS = np.zeros(NUM_WEIGHTS)
WEIGHTS[RIM : RIM + SAFE + 1] = (0.0, 1.6, 1.2, 1.0, 1.0)
WEIGHTS[PORT] = 0.5
WEIGHTS[IN_PORT : IN_PORT + MOST_POINTS + 1] = (0.5, 1.2, 1.9, 2.5, 3.0, 3.4, 3.6, 3.8, 4.0)
WEIGHTS[USEFUL] = 0.7
WEIGHTS[SURPLUS] = 0.4
WEIGHTS[SHORT] = -0.15
WEIGHTS[WINDS] = 0.2
WEIGHTS[PAIR] = 0.25
WEIGHTS[SINGLE] = 0.05
WEIGHTS[LOSS : LOSS + SAFE + 1] = (0.0, 30.0, 6.0, 3.0, 1.0)
WEIGHTS[JUNK] = -0.1
WEIGHTS[JUNK_IN_PORT] = -0.1
WEIGHTS[MUTINY_PAIR] = 0.25
WEIGHTS[MUTINY_SINGLE] = 0.05
WEIGHTS[MUTINY_LOSS] = 3.0
WEIGHTS[CREW] = 1.0
WEIGHTS[MORE_CREW] = 0.05
WEIGHTS[FALLEN] = -40.0
WEIGHTS[SKIPPED] = -0.8
WEIGHTS[RIVAL] = 0.5

WON = 1000.0
MOST_DEPTH = 16  # decisions of a turn that are looked into


@kernel
def _worth_of_ship(state, player, cost, following, w):
    """What a ship is worth that has not fallen, in steps; the routes to its home are known."""
    space = np.int64(state.space[player])
    hand = state.hands[player]
    fair, winds = number_of(hand, FAIR_WEATHER), number_of(hand, FAVORABLE_WINDS)
    crew, mutinies = number_of(hand, LOYAL_CREW), number_of(hand, MUTINY)
    points = fair + 2 * winds
    route = best_route(cost, space, np.int64(state.rounds[player]))
    worth = -cost[route] + winds * w[WINDS] + w[SKIPPED] * state.skip[player]
    if crew > 0:
        worth += w[CREW] + min(crew - 1, 2) * w[MORE_CREW]
    if state.port[space] >= 0:
        worth += w[IN_PORT + min(points, MOST_POINTS)]
        for kind in range(SCURVY, SEVERE_DAMAGE + 1):
            worth += w[JUNK_IN_PORT] * number_of(hand, kind)
        return worth + w[JUNK_IN_PORT] * mutinies
    wanted = leg(state, following, route)
    useful = min(points, wanted)
    worth += w[USEFUL] * useful + w[SURPLUS] * (points - useful) + w[SHORT] * (wanted - useful)
    loss = w[LOSS + depth_of(state, space)]
    for kind in range(SCURVY, SEVERE_DAMAGE + 1):
        held = number_of(hand, kind)
        threat = (w[PAIR] if held >= 2 else w[SINGLE] if held == 1 else 0.0) * _next(state, kind)
        worth += w[JUNK] * held - loss * threat
    if crew == 0 and mutinies > 0:
        whole = cost[best_route(cost, np.int64(state.home[player]), 0)]
        loss = w[MUTINY_LOSS] + max(whole - cost[route], 0.0)
        worth -= loss * (w[MUTINY_PAIR] if mutinies >= 2 else w[MUTINY_SINGLE]) * _next(state, MUTINY)
    return worth + w[EXPOSED] * _boarders(state, player, space)


@inlined_kernel
def _next(state, kind):
    """How likely the next card is of a kind, against a full deck's 1 in 9."""
    heap = state.deck if state.deck != NO_CARDS else state.discards
    return 9.0 * number_of(heap, kind) / max(size(heap), 1)


@kernel
def _boarders(state, player, space):
    """How many rivals may come and board a ship at sea in their next turn by one step."""
    count = 0
    if state.boarding == 0:
        return count
    for k in range(state.first_way[space], state.first_way[space + 1]):
        near = state.ways[k] >> 2
        for other in range(state.num_players):
            count += other != player and state.space[other] == near
    return count


@kernel
def _worth_of(state, player, costs, followings, known, w):
    """What a ship is worth, in steps; finds the routes to its home if they are not known yet."""
    if state.phase == OVER and state.winner >= 0:
        return WON if state.winner == player else -WON
    if state.space[player] < 0:
        return w[FALLEN]
    if not known[player]:
        known[player] = True
        home = np.int64(state.home[player])
        find_routes(state, home, w[RIM : RIM + SAFE + 1], w[PORT], costs[player], followings[player])
    return _worth_of_ship(state, player, costs[player], followings[player], w)


@kernel
def _worth_against_others(state, before, player, costs, followings, known, w):
    """What a position is worth to a player; of the others, what has changed since `before`."""
    worth = _worth_of(state, player, costs, followings, known, w)
    players = np.int64(state.num_players)
    for other in range(players):
        changed = state.hands[other] != before.hands[other] or state.space[other] != before.space[other]
        if other != player and (changed or state.skip[other] != before.skip[other]):
            change = _worth_of(state, other, costs, followings, known, w)
            change -= _worth_of(before, other, costs, followings, known, w)
            worth -= w[RIVAL] / (players - 1) * change
    return worth


@kernel
def appraise_actions(state, w, values):
    """Into values (A,) what each action promises the player to act, in steps of its ship; -inf for illegal ones."""
    player = np.int64(current_player(state))
    num_actions, spaces = values.shape[0], np.int64(state.num_spaces)
    costs, followings = np.empty((MAX_PLAYERS, spaces * LAYERS)), np.empty((MAX_PLAYERS, spaces * LAYERS), np.int64)
    known = np.zeros(MAX_PLAYERS, np.bool_)
    stack = np.empty(MOST_DEPTH, STATE)
    masks = np.empty((MOST_DEPTH, num_actions), np.int8)
    tried = np.zeros(MOST_DEPTH, np.int64)
    values[:] = -np.inf
    stack[0] = state
    legal_action_mask(stack[0], masks[0])
    level, root = 0, 0
    while level >= 0:
        action = tried[level]
        while action < num_actions and masks[level, action] == 0:
            action += 1
        if action == num_actions:
            level -= 1
            continue
        tried[level] = action + 1
        if level == 0:
            root = action
        ahead = level + 1
        stack[ahead] = stack[level]
        apply(stack[ahead], action)
        goes_on = stack[ahead].turn == state.turn and current_player(stack[ahead]) == player
        if goes_on and ahead + 1 < MOST_DEPTH and state.phase != TRIM and state.phase != DISCARD:
            legal_action_mask(stack[ahead], masks[ahead])
            tried[ahead] = 0
            level = ahead
        else:
            worth = _worth_against_others(stack[ahead], state, player, costs, followings, known, w)
            values[root] = max(values[root], worth)


@kernel
def heuristic(state):
    """The action that promises most; of several the one with the lowest id."""
    values = np.empty(np.int64(state.num_ports) + 43 + 3 * np.int64(state.num_spaces))
    appraise_actions(state, WEIGHTS, values)
    return np.argmax(values)
