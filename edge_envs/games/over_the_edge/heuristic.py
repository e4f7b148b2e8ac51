"""A sensible pilot for `over_the_edge`: it plans its way home, keeps a hand for it, and boards to gain and to hurt.

It looks at every way to go through with its turn, boardings and second steps included, and takes the one after which
its ship is best placed against the others. The value of a ship is counted in turns: the cheapest way home round the
world, which keeps clear of the rim and calls at ports; the cards for the way to the next port; what its bad cards
threaten where it lies; and whether others may come and board it.

The weights were tuned by self-play.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.jit import inlined_kernel, kernel
from edge_envs.core.values import Feature, Values, Weight
from edge_envs.games.over_the_edge.actions import NUM_OTHERS
from edge_envs.games.over_the_edge.map.atlas import FIRST_WAY, PORT, chart_of
from edge_envs.games.over_the_edge.pieces.cards import (
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
from edge_envs.games.over_the_edge.player.routes_home import SAFE, best_route, depth_of, find_routes, leg, num_layers
from edge_envs.games.over_the_edge.player.voyage_times import (
    AT_SEA,
    IN_PORT,
    LONGEST,
    MOST_FAIR,
    MOST_OTHERS,
    MOST_WINDS,
    ON_ARRIVAL,
    TURNS,
)
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

WON = 1000.0

VALUES = Values(
    unit="turns",
    span=8.0,
    weights=(
        Weight("step", 2.3, 0.0, 20.0, "a step on the way home, into a space from which drifts lead aground"),
        Weight("step_1", 4.0, 0.0, 20.0, "a step into a space at the rim, from which one drift leads over the edge"),
        Weight("step_2", 4.2, 0.0, 20.0, "a step into a space from which two drifts lead over the edge"),
        Weight("step_3", 3.7, 0.0, 20.0, "a step into a space from which three drifts or more lead over the edge"),
        Weight("port_step", 1.3, 0.0, 20.0, "a step into a port"),
        Weight("loss", 2.0, 0.0, 100.0, "what a drift costs where drifts lead aground"),
        Weight("loss_1", 40.0, 0.0, 100.0, "what a drift costs at the rim"),
        Weight("loss_2", 8.0, 0.0, 100.0, "what a drift costs one space from the rim"),
        Weight("loss_3", 4.0, 0.0, 100.0, "what a drift costs farther from the rim"),
        Weight("mutiny_loss", 3.0, 0.0, 100.0, "what a mutiny costs besides the way that is lost"),
        Weight("threat_1", 0.05, 0.0, 1.0, "what part of a loss counts with one bad card of the kind in hand"),
        Weight("threat_2", 0.25, 0.0, 1.0, "what part of a loss counts with two of the kind"),
        Weight("crew", 1.0, -20.0, 20.0, "a loyal crew"),
        Weight("more_crew", 0.06, -20.0, 20.0, "the second and the third"),
        Weight("bad_card_in_port", -0.1, -20.0, 20.0, "a bad card in port"),
        Weight("skipped", -1.0, -20.0, 20.0, "a turn that will be skipped"),
        Weight("exposed", -3.0, -20.0, 20.0, "lying where another may come and board"),
        Weight("patience", 100.0, 0.0, 127.0, "turns of all players before the limit in which nobody lies in wait"),
        Weight("fallen", -60.0, -1000.0, 0.0, "a ship that has fallen"),
        Weight("rivals", 0.5, 0.0, 5.0, "the change of all others' values together, against the own"),
    ),
    features=(
        Feature("value", "the value of the ship, in turns; the more the better; ±1000 once somebody has won"),
        Feature("way_home", "what the cheapest way home costs by the weights of steps, in turns"),
        Feature("skip", "turns that will be skipped"),
        Feature("fair_weather", "cards of the kind in hand"),
        Feature("favorable_winds", "cards of the kind in hand"),
        Feature("loyal_crew", "cards of the kind in hand"),
        Feature("bad_cards", "cards from mutiny to severe damage in hand"),
        Feature("exposed", "1 if another may come and board"),
    ),
    decided=WON / 2,
)
WEIGHTS = VALUES.weights_with()
HOPELESS = -1e6  # no legal action has less

MOST_DEPTH = 8  # decisions of a turn that are looked into: play, board, take, give, second step, sets


@inlined_kernel
def _by_depth(depth, rim, second, third, safe):
    """The number for a space from which so many drifts lead over the edge."""
    return rim if depth == 1 else second if depth == 2 else third if depth == 3 else safe


@kernel
def _find_routes_home(state, home, weights, cost, following):
    """The routes of `find_routes`, by what steps cost."""
    costs = np.zeros(SAFE + 1)
    for depth in range(1, SAFE + 1):
        costs[depth] = _by_depth(depth, weights.step_1, weights.step_2, weights.step_3, weights.step)
    find_routes(state, home, costs, weights.port_step, cost, following)


@inlined_kernel
def _threat(weights, count):
    """What part of a loss so many bad cards of its kind threaten."""
    return weights.threat_2 if count > 1 else weights.threat_1 if count == 1 else 0.0


@kernel
def _value_of_ship(state, player, weights, cost, following):
    """The value of a ship that has not fallen; the routes to its home are known."""
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
    value = weights.skipped * state.skip[player] - turns - (cost[route] - way * weights.step)
    if crew > 0:
        value += weights.crew + min(crew - 1, 2) * weights.more_crew
    if in_port:
        for kind in range(MUTINY, SEVERE_DAMAGE + 1):
            value += weights.bad_card_in_port * number_of(hand, kind)
        return value
    loss = _by_depth(depth_of(state, space), weights.loss_1, weights.loss_2, weights.loss_3, weights.loss)
    for kind in range(SCURVY, SEVERE_DAMAGE + 1):
        value -= loss * _threat(weights, number_of(hand, kind)) * _next(state, kind)
    if crew == 0 and mutinies > 0:
        whole = cost[best_route(state, cost, np.int64(state.home[player]), 0)]
        loss = weights.mutiny_loss + max(whole - cost[route], 0.0)
        value -= loss * _threat(weights, mutinies) * _next(state, MUTINY)
    return value + (weights.exposed if _is_exposed(state, player, weights) else 0.0)


@kernel
def _is_exposed(state, player, weights):
    """Whether another has the cards to come and board a ship at sea in the next turn.

    Shortly before the limit of turns nobody lies in wait any more.
    """
    chart, space = chart_of(state), np.int64(state.space[player])
    if state.boarding == 0 or state.max_turns - state.turn < weights.patience:
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
def _value_of(state, player, weights, costs, followings, known):
    """The value of a ship, in turns; finds the routes to its home if they are not known yet."""
    if state.phase == OVER and state.winner >= 0:
        return WON if state.winner == player else -WON
    if state.space[player] < 0:
        return weights.fallen
    if not known[player]:
        known[player] = True
        _find_routes_home(state, np.int64(state.home[player]), weights, costs[player], followings[player])
    return _value_of_ship(state, player, weights, costs[player], followings[player])


@kernel
def _value_against_others(state, before, player, weights, costs, followings, known):
    """The value of a position to a player; of the others' ships, what has changed since `before`."""
    value = _value_of(state, player, weights, costs, followings, known)
    players = np.int64(state.num_players)
    for other in range(players):
        changed = state.hands[other] != before.hands[other] or state.space[other] != before.space[other]
        if other != player and (changed or state.skip[other] != before.skip[other]):
            change = _value_of(state, other, weights, costs, followings, known)
            change -= _value_of(before, other, weights, costs, followings, known)
            value -= weights.rivals / (players - 1) * change
    return value


@kernel
def action_values(state, weights, values):
    """Fill values (A,) with what each action is worth to the player to act, in turns; -inf for illegal ones."""
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
            value = _value_against_others(position, state, player, weights, costs, followings, known)
            values[root] = max(values[root], value if value > HOPELESS else HOPELESS)


@kernel
def heuristic(state):
    """The action of the greatest value; of several the one with the lowest id."""
    values = np.empty(first_other(state) + NUM_OTHERS)
    action_values(state, WEIGHTS[0], values)
    return np.argmax(values)


@kernel
def position_features(state, player, viewer, weights, out):
    """Fill `out` (8,) with numbers about the position of a player, named in `VALUES`; the value is in turns.

    All are 0 before every ship has a home.
    """
    out[:] = 0.0
    if state.phase == HOME:
        return
    nodes = np.int64(state.num_spaces) * num_layers(state)
    costs, followings = np.empty((MAX_PLAYERS, nodes)), np.empty((MAX_PLAYERS, nodes), np.int64)
    hand = state.hands[player]
    known = np.zeros(MAX_PLAYERS, np.bool_)
    out[0] = _value_of(state, player, weights, costs, followings, known)
    if known[player]:
        rounds, cost = np.int64(state.rounds[player]), costs[player]
        out[1] = cost[best_route(state, cost, np.int64(state.space[player]), rounds)]
    out[2] = state.skip[player]
    out[3] = number_of(hand, FAIR_WEATHER)
    out[4] = number_of(hand, FAVORABLE_WINDS)
    out[5] = number_of(hand, LOYAL_CREW)
    for kind in range(MUTINY, SEVERE_DAMAGE + 1):
        out[6] += number_of(hand, kind)
    at_sea = state.space[player] >= 0 and chart_of(state).places[state.space[player], PORT] < 0
    out[7] = at_sea and _is_exposed(state, player, weights)
