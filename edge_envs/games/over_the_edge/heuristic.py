"""A sensible pilot for `over_the_edge`: it plans its way home, keeps a hand for it, and boards to gain and to hurt.

It looks at every way to go through with its turn, boardings and second steps included, and takes the one after which
its ship is worth most against the others. The worth of a ship is counted in turns: the cheapest way home round the
world, which keeps clear of the rim and calls at ports; the cards for the way to the next port; what its bad cards
threaten where it lies; and whether others may come and board it.

The weights were tuned by self-play.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.jit import inlined_kernel, kernel
from edge_envs.games.over_the_edge.actions import NUM_OTHERS
from edge_envs.games.over_the_edge.atlas import FIRST_WAY, PORT, chart_of
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
from edge_envs.games.over_the_edge.routes import best_route, depth_of, find_routes, leg, num_layers
from edge_envs.games.over_the_edge.rules import apply, current_player, first_other, legal_action_mask
from edge_envs.games.over_the_edge.state import (
    BOARD,
    DEPART,
    DISCARD,
    HAND,
    HOME,
    MAX_PLAYERS,
    OVER,
    STATE,
    TRIM,
)
from edge_envs.games.over_the_edge.voyages import (
    AT_SEA,
    IN_PORT,
    LONGEST,
    MOST_FAIR,
    MOST_OTHERS,
    MOST_WINDS,
    ON_ARRIVAL,
    TURNS,
)

# In turns; tuned by self-play.
STEP = 2.3  # on the way home, each
STEPS = np.array([0.0, 4.0, 4.2, 3.7, STEP])  # a step into a space at sea, by its depth: 1 at the rim, .. SAFE
PORT_STEP = 1.3  # a step into a port
LOSSES = np.array([0.0, 40.0, 8.0, 4.0, 2.0])  # by a drift, by depth
MUTINY_LOSS = 3.0  # by a mutiny, besides the way that is lost
THREATS = np.array([0.0, 0.05, 0.25])  # what part of a loss counts with so many of the kind in hand
CREW = 1.0  # a loyal crew
MORE_CREW = 0.06  # the second and the third
JUNK_IN_PORT = -0.1  # a bad card in port
SKIPPED = -1.0  # a turn that will be skipped
EXPOSED = -3.0  # lying where another may come and board
PATIENCE = 100  # turns of all players; an observation shows up to 127
FALLEN = -60.0
RIVALS = 0.5  # the worth of all others together, against the own
WON = 1000.0
HOPELESS = -1e6  # no legal action is worth less

MOST_DEPTH = 8  # decisions of a turn that are looked into: play, board, take, give, second step, sets


@kernel
def _worth_of_ship(state, player, cost, following):
    """What a ship that has not fallen is worth; the routes to its home are known."""
    space, hand = np.int64(state.space[player]), state.hands[player]
    fair, winds = number_of(hand, FAIR_WEATHER), number_of(hand, FAVORABLE_WINDS)
    crew, mutinies = number_of(hand, LOYAL_CREW), number_of(hand, MUTINY)
    in_port = chart_of(state).places[space, PORT] >= 0
    where = AT_SEA
    if in_port:
        is_leaving = state.phase == DEPART and state.turn_player == player
        where = IN_PORT if is_leaving or size(hand) == HAND else ON_ARRIVAL
    others = min(size(hand) - fair - winds, MOST_OTHERS)
    route = best_route(state, cost, space, np.int64(state.rounds[player]))
    way = min(leg(state, following, route), LONGEST)
    turns = TURNS[where, way, min(fair, MOST_FAIR), min(winds, MOST_WINDS), others]
    worth = SKIPPED * state.skip[player] - turns - (cost[route] - way * STEP)
    if crew > 0:
        worth += CREW + min(crew - 1, 2) * MORE_CREW
    if in_port:
        for kind in range(MUTINY, SEVERE_DAMAGE + 1):
            worth += JUNK_IN_PORT * number_of(hand, kind)
        return worth
    loss = LOSSES[depth_of(state, space)]
    for kind in range(SCURVY, SEVERE_DAMAGE + 1):
        worth -= loss * THREATS[min(number_of(hand, kind), 2)] * _next(state, kind)
    if crew == 0 and mutinies > 0:
        whole = cost[best_route(state, cost, np.int64(state.home[player]), 0)]
        loss = MUTINY_LOSS + max(whole - cost[route], 0.0)
        worth -= loss * THREATS[min(mutinies, 2)] * _next(state, MUTINY)
    return worth + (EXPOSED if _is_exposed(state, player) else 0.0)


@kernel
def _is_exposed(state, player):
    """Whether another has the cards to come and board a ship at sea in the next turn.

    With fewer than PATIENCE turns left nobody lies in wait any more.
    """
    chart, space = chart_of(state), np.int64(state.space[player])
    if state.boarding == 0 or state.max_turns - state.turn < PATIENCE:
        return False
    for other in range(state.num_players):
        place, hand = state.space[other], state.hands[other]
        two_steps = number_of(hand, FAVORABLE_WINDS) > 0
        if other == player or place < 0 or (number_of(hand, FAIR_WEATHER) == 0 and not two_steps):
            continue
        for k in range(chart.places[space, FIRST_WAY], chart.places[space + 1, FIRST_WAY]):
            near = np.int64(chart.ways[k])
            if near == place:
                return True
            if two_steps:
                for j in range(chart.places[near, FIRST_WAY], chart.places[near + 1, FIRST_WAY]):
                    if chart.ways[j] == place:
                        return True
    return False


@inlined_kernel
def _next(state, kind):
    """How likely the next card is of a kind, against a full deck's 1 in 9."""
    heap = state.deck if state.deck != NO_CARDS else state.discards
    return 9.0 * number_of(heap, kind) / max(size(heap), 1)


@kernel
def _worth_of(state, player, costs, followings, known):
    """What a ship is worth, in turns; finds the routes to its home if they are not known yet."""
    if state.phase == OVER and state.winner >= 0:
        return WON if state.winner == player else -WON
    if state.space[player] < 0:
        return FALLEN
    if not known[player]:
        known[player] = True
        home = np.int64(state.home[player])
        find_routes(state, home, STEPS, PORT_STEP, costs[player], followings[player])
    return _worth_of_ship(state, player, costs[player], followings[player])


@kernel
def _worth_against_others(state, before, player, costs, followings, known):
    """What a position is worth to a player; of the others, what has changed since `before`."""
    worth = _worth_of(state, player, costs, followings, known)
    players = np.int64(state.num_players)
    for other in range(players):
        changed = state.hands[other] != before.hands[other] or state.space[other] != before.space[other]
        if other != player and (changed or state.skip[other] != before.skip[other]):
            change = _worth_of(state, other, costs, followings, known)
            change -= _worth_of(before, other, costs, followings, known)
            worth -= RIVALS / (players - 1) * change
    return worth


@kernel
def appraise_actions(state, values):
    """Into values (A,) what each action promises the player to act, in turns; -inf for illegal ones."""
    player = np.int64(current_player(state))
    num_actions, nodes = values.shape[0], np.int64(state.num_spaces) * num_layers(state)
    costs, followings = np.empty((MAX_PLAYERS, nodes)), np.empty((MAX_PLAYERS, nodes), np.int64)
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
        position = stack[ahead]
        apply(position, action)
        goes_on = position.turn == state.turn and current_player(position) == player
        if (position.phase == BOARD and level > 2) or state.phase == TRIM or state.phase == DISCARD:
            goes_on = False  # a second boarding, and what comes after discards, is thought of in its time
        if goes_on and ahead < MOST_DEPTH - 1:
            legal_action_mask(position, masks[ahead])
            tried[ahead] = 0
            level = ahead
        else:
            known[player] = known[player] and state.phase != HOME  # where it lies with the action
            worth = _worth_against_others(position, state, player, costs, followings, known)
            values[root] = max(values[root], worth if worth > HOPELESS else HOPELESS)


@kernel
def heuristic(state):
    """The action that promises most; of several the one with the lowest id."""
    values = np.empty(first_other(state) + NUM_OTHERS)
    appraise_actions(state, values)
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
            appraise_actions(state, values[i])
        _worths_of_ships(state, viewer, worths[i])


@kernel
def _worths_of_ships(state, viewer, worths):
    players, nodes = np.int64(state.num_players), np.int64(state.num_spaces) * num_layers(state)
    costs, followings = np.empty((players, nodes)), np.empty((players, nodes), np.int64)
    known = np.zeros(players, np.bool_)
    for i in range(players):
        player = (viewer + i) % players
        worths[i] = 0.0
        if state.phase != HOME:
            worths[i] = _worth_of(state, player, costs, followings, known)
