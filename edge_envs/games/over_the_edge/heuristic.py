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
from edge_envs.games.over_the_edge.observation import position_seen
from edge_envs.games.over_the_edge.routes import LAYERS, SAFE, best_route, depth_of, find_routes, leg
from edge_envs.games.over_the_edge.rules import apply, current_player, legal_action_mask
from edge_envs.games.over_the_edge.state import DEPART, DISCARD, HOME, MAX_PLAYERS, OVER, STATE, TRIM
from edge_envs.games.over_the_edge.voyages import (
    AT_SEA,
    HAND,
    IN_PORT,
    LONGEST,
    MOST_FAIR,
    MOST_OTHERS,
    MOST_WINDS,
    ON_ARRIVAL,
    TURNS,
)

# The weights, in turns.
RIM = 0  # of a step into a space at sea by its depth, 1.. SAFE
PORT = RIM + SAFE + 1  # of one into a port
CALLED = PORT + 1  # being in port
PAIR = CALLED + 1  # of the loss by a drift, two of a kind in hand at sea
SINGLE = PAIR + 1  # the same for one
LOSS = SINGLE + 1  # the loss by a drift, by depth
JUNK = LOSS + SAFE + 1  # a bad card in hand at sea
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
WEIGHTS[RIM : RIM + SAFE + 1] = (0.0, 4.0, 2.6, 2.3, 2.3)
WEIGHTS[PORT] = 1.3
WEIGHTS[CALLED] = 0.0
WEIGHTS[PAIR] = 0.25
WEIGHTS[SINGLE] = 0.05
WEIGHTS[LOSS : LOSS + SAFE + 1] = (0.0, 40.0, 8.0, 4.0, 2.0)
WEIGHTS[JUNK] = 0.0
WEIGHTS[JUNK_IN_PORT] = -0.1
WEIGHTS[MUTINY_PAIR] = 0.25
WEIGHTS[MUTINY_SINGLE] = 0.05
WEIGHTS[MUTINY_LOSS] = 3.0
WEIGHTS[CREW] = 1.0
WEIGHTS[MORE_CREW] = 0.1
WEIGHTS[FALLEN] = -60.0
WEIGHTS[SKIPPED] = -1.0
WEIGHTS[EXPOSED] = 0.0
WEIGHTS[RIVAL] = 0.5

WON = 1000.0
MOST_DEPTH = 10  # decisions of a turn that are looked into


@kernel
def _worth_of_ship(state, player, cost, following, w):
    """What a ship is worth that has not fallen, in steps; the routes to its home are known."""
    space = np.int64(state.space[player])
    hand = state.hands[player]
    fair, winds = number_of(hand, FAIR_WEATHER), number_of(hand, FAVORABLE_WINDS)
    crew, mutinies = number_of(hand, LOYAL_CREW), number_of(hand, MUTINY)
    in_port = state.port[space] >= 0
    where = AT_SEA
    if in_port:
        turn_goes_on = state.phase == DEPART and state.turn_player == player
        where = IN_PORT if turn_goes_on or size(hand) == HAND else ON_ARRIVAL
    others = min(size(hand) - fair - winds, MOST_OTHERS)
    route = best_route(cost, space, np.int64(state.rounds[player]))
    way = min(leg(state, following, route), LONGEST)
    turns = cost[route] - way * w[RIM + SAFE]
    turns += TURNS[where, way, min(fair, MOST_FAIR), min(winds, MOST_WINDS), others]
    worth = (w[CALLED] if in_port else 0.0) + w[SKIPPED] * state.skip[player] - turns
    if crew > 0:
        worth += w[CREW] + min(crew - 1, 2) * w[MORE_CREW]
    if in_port:
        for kind in range(MUTINY, SEVERE_DAMAGE + 1):
            worth += w[JUNK_IN_PORT] * number_of(hand, kind)
        return worth
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


@kernel
def appraise_observations(observations, states, values, worths):
    """What each action and each ship is worth, in turns, from observations (B, C) int8 of the players to act.

    Into values (B, A) what each action promises: -inf for illegal ones; where the viewer is not to act, all are. Into
    worths (B, P) what the ships are worth by themselves, the viewer's first; 0 before all have a home. `states` is an
    array of one record with parameters set.
    """
    state = states[0]
    for i in range(observations.shape[0]):
        viewer = position_seen(observations[i], state)
        values[i] = -np.inf
        if current_player(state) == viewer:
            appraise_actions(state, WEIGHTS, values[i])
        _worths_of_ships(state, viewer, worths[i])


@kernel
def _worths_of_ships(state, viewer, worths):
    players, nodes = np.int64(state.num_players), np.int64(state.num_spaces) * LAYERS
    costs, followings = np.empty((players, nodes)), np.empty((players, nodes), np.int64)
    known = np.zeros(players, np.bool_)
    for i in range(players):
        player = (viewer + i) % players
        worths[i] = 0.0
        if state.phase != HOME:
            worths[i] = _worth_of(state, player, costs, followings, known, WEIGHTS)
