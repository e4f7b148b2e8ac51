"""The value of a ship of `over_the_edge`, in turns."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.over_the_edge.map.atlas import FIRST_NEIGHBOUR, PORT, chart_of, crossing
from edge_envs.games.over_the_edge.pieces.cards import (
    DEAD_CALM,
    FAIR_WEATHER,
    FAVORABLE_WINDS,
    LOYAL_CREW,
    MUTINY,
    NO_CARDS,
    SCURVY,
    SET,
    SEVERE_DAMAGE,
    number_of,
    size,
)
from edge_envs.games.over_the_edge.player.routes_home import (
    SAFE,
    best_route,
    depth_of,
    find_routes,
    num_layers,
    steps_to_next_port,
)
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
from edge_envs.games.over_the_edge.player.weights import WON
from edge_envs.games.over_the_edge.rules import is_at_sea
from edge_envs.games.over_the_edge.state import DEPART, HOME, MAP, MAX_PLAYERS, OVER


@inlined_kernel
def _select_by_depth(depth, rim, second, third, safe):
    """Select the number for a space by the number of drifts from it over the edge."""
    return rim if depth == 1 else second if depth == 2 else third if depth == 3 else safe


@kernel
def _find_routes_home(state, home, weights, cost, following):
    """Find the routes home with the costs of steps in `weights`."""
    costs = np.zeros(SAFE + 1)
    for depth in range(1, SAFE + 1):
        costs[depth] = _select_by_depth(depth, weights.step_1, weights.step_2, weights.step_3, weights.step)
    find_routes(state, home, costs, weights.port_step, cost, following)


@inlined_kernel
def _threat_share(weights, count):
    """Return the share of a loss that counts with this many bad cards of its kind."""
    return weights.threat_2 if count > 1 else weights.threat_1 if count == 1 else 0.0


@kernel
def _value_of_ship(state, player, weights, costs, followings, known):
    """Return the value of a ship that has not fallen and whose routes home are known."""
    cost, following = costs[player], followings[player]
    space, hand = np.int64(state.space[player]), state.hands[player]
    fair, winds = number_of(hand, FAIR_WEATHER), number_of(hand, FAVORABLE_WINDS)
    crew, mutinies = number_of(hand, LOYAL_CREW), number_of(hand, MUTINY)
    in_port = chart_of(state).places[space, PORT] >= 0
    where = AT_SEA
    if in_port:
        is_leaving = state.phase == DEPART and state.turn_player == player
        where = IN_PORT if is_leaving or size(hand) == state.hand_size else ON_ARRIVAL
    others = min(size(hand) - fair - winds, MOST_OTHERS)
    route = best_route(state, cost, space, np.int64(state.rounds[player]))
    way = min(steps_to_next_port(state, following, route), LONGEST)
    turns = TURNS[where, way, min(fair, MOST_FAIR), min(winds, MOST_WINDS), others]
    value = weights.skipped * state.skip[player] - turns - (cost[route] - way * weights.step)
    if crew > 0:
        value += weights.crew + min(crew - 1, 2) * weights.more_crew
    if winds > 0:
        value += weights.winds
    if _may_win(cost, following, route, fair, winds):
        value += weights.winning
    if in_port:
        for kind in range(MUTINY, SEVERE_DAMAGE + 1):
            value += weights.bad_card_in_port * number_of(hand, kind)
        return value + weights.dead_calm_in_port * number_of(hand, DEAD_CALM)
    loss = _select_by_depth(depth_of(state, space), weights.loss_1, weights.loss_2, weights.loss_3, weights.loss)
    for kind in range(SCURVY, SEVERE_DAMAGE + 1):
        value -= loss * _threat_share(weights, number_of(hand, kind)) * _relative_probability(state, kind)
    if crew == 0 and mutinies > 0:
        whole = cost[best_route(state, cost, np.int64(state.home[player]), 0)]
        loss = weights.mutiny_loss + max(whole - cost[route], 0.0)
        value -= loss * _threat_share(weights, mutinies) * _relative_probability(state, MUTINY)
    return value + _exposure(state, player, weights, costs, followings, known)


@inlined_kernel
def _may_win(cost, following, route, fair, winds):
    """Return whether a ship on this route has the card to come home in its next turn."""
    node = following[route]
    if node < 0 or fair + winds == 0:
        return False
    return cost[node] == 0.0 or (winds > 0 and cost[following[node]] == 0.0)


@kernel
def _exposure(state, player, weights, costs, followings, known):
    """Return the (negative) value of the exposure of a ship at sea to a boarding in the next turn."""
    worst = 0.0
    for other in range(state.num_players):
        chance, steps = _boarding_probability(state, other, player, weights)
        if chance > 0.0:
            value = weights.exposed
            if weights.detour > 0.0:
                value += weights.detour * _detour(state, other, player, steps, weights, costs, followings, known)
            worst = min(worst, chance * value)
    may_refuse = number_of(state.hands[player], LOYAL_CREW) >= SET
    return worst * (1.0 - weights.refusal) if may_refuse else worst


@kernel
def _boarding_probability(state, other, player, weights):
    """Return the probability that another ship has the card to come to a ship at sea, and the number of steps.

    Both are 0 in the last `patience` turns before the limit on turns.
    """
    if other == player or state.space[other] < 0 or state.boarding == 0:
        return 0.0, 0
    if state.max_turns - state.turn < weights.patience:
        return 0.0, 0
    chart, hand = chart_of(state), state.hands[other]
    steps = _steps_between(chart, np.int64(state.space[player]), np.int64(state.space[other]))
    if steps == 0:
        return 0.0, 0
    if number_of(hand, FAVORABLE_WINDS) > 0 or (steps == 1 and number_of(hand, FAIR_WEATHER) > 0):
        return 1.0, steps
    heap = state.deck if state.deck != NO_CARDS else state.discards
    suitable = number_of(heap, FAVORABLE_WINDS) + (number_of(heap, FAIR_WEATHER) if steps == 1 else 0)
    draws = 1
    if chart.places[state.space[other], PORT] >= 0:
        draws += max(np.int64(state.hand_size) - size(hand), 0)
    return weights.drawing * (1.0 - (1.0 - suitable / max(size(heap), 1)) ** draws), steps


@kernel
def _steps_between(chart, space, place):
    """Return the number of steps from one space to another if it is 1 or 2, else 0."""
    steps = 0
    for k in range(chart.places[space, FIRST_NEIGHBOUR], chart.places[space + 1, FIRST_NEIGHBOUR]):
        near = np.int64(chart.neighbours[k])
        if near == place:
            return 1
        for j in range(chart.places[near, FIRST_NEIGHBOUR], chart.places[near + 1, FIRST_NEIGHBOUR]):
            if chart.neighbours[j] == place:
                steps = 2
    return steps


@kernel
def _detour(state, other, player, steps, weights, costs, followings, known):
    """Return what it costs another ship, by the weights of steps, to come to a ship instead of sailing on."""
    home, place, space = np.int64(state.home[other]), np.int64(state.space[other]), np.int64(state.space[player])
    whose = np.int64(player) if home == state.home[player] else np.int64(other)
    cost = costs[whose]
    if not known[whose]:
        known[whose] = True
        _find_routes_home(state, home, weights, cost, followings[whose])
    rounds = np.int64(state.rounds[other])
    before = cost[best_route(state, cost, place, rounds)]
    after = cost[best_route(state, cost, space, rounds + crossing(chart_of(state), place, space))]
    return max(after - before + steps * weights.step, 0.0)


@inlined_kernel
def _relative_probability(state, kind):
    """Return the probability that the next card is of a kind, relative to 1 in 9 in a full deck."""
    heap = state.deck if state.deck != NO_CARDS else state.discards
    return 9.0 * number_of(heap, kind) / max(size(heap), 1)


@kernel
def value_of(state, player, weights, costs, followings, known):
    """Return the value of a ship, in turns. Find the routes to its home if they are not known yet."""
    if state.phase == OVER and state.winner >= 0:
        return WON if state.winner == player else -WON
    if state.space[player] < 0:
        return weights.fallen
    if not known[player]:
        known[player] = True
        _find_routes_home(state, np.int64(state.home[player]), weights, costs[player], followings[player])
    return _value_of_ship(state, player, weights, costs, followings, known)


@kernel
def fill_features(state, player, weights, out):
    """Fill `out` (8,) with the features of a player's position, which `VALUES` names. The value is in turns.

    All features are 0 before every ship has a home.
    """
    out[:] = 0.0
    if state.phase == HOME or state.phase == MAP:
        return
    nodes = np.int64(state.num_spaces) * num_layers(state)
    costs, followings = np.empty((MAX_PLAYERS, nodes)), np.empty((MAX_PLAYERS, nodes), np.int64)
    hand = state.hands[player]
    known = np.zeros(MAX_PLAYERS, np.bool_)
    out[0] = value_of(state, player, weights, costs, followings, known)
    if known[player]:
        rounds, cost = np.int64(state.rounds[player]), costs[player]
        out[1] = cost[best_route(state, cost, np.int64(state.space[player]), rounds)]
    out[2] = state.skip[player]
    out[3] = number_of(hand, FAIR_WEATHER)
    out[4] = number_of(hand, FAVORABLE_WINDS)
    out[5] = number_of(hand, LOYAL_CREW)
    for kind in range(MUTINY, SEVERE_DAMAGE + 1):
        out[6] += number_of(hand, kind)
    if is_at_sea(state, player):
        for other in range(state.num_players):
            chance, _ = _boarding_probability(state, other, player, weights)
            out[7] = max(out[7], chance)
