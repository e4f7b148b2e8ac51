"""The cheapest ways home round the world, for ships that keep clear of the rim and like to call at ports."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.over_the_edge.map.atlas import DRIFT, FIRST_WAY, PORT, chart_of, crossing
from edge_envs.games.over_the_edge.map.charts import OVER_THE_EDGE

SAFE = 4
"""The depth of a space from which drifts lead aground."""


@inlined_kernel
def num_layers(state):
    """How many numbers of crossings are looked at: from -reach to reach."""
    return 2 * chart_of(state).reach + 1


@kernel
def depth_of(state, space):
    """How many drifts lead over the edge: 1 at the rim, 3 for three and more, SAFE if land stops them before."""
    chart, depth = chart_of(state), 1
    target = np.int64(chart.places[space, DRIFT])
    while target >= 0:
        depth += 1
        target = np.int64(chart.places[target, DRIFT])
    return min(depth, 3) if target == OVER_THE_EDGE else SAFE


@kernel
def find_routes(state, home, costs, port_cost, cost, following):
    """Into cost (S * num_layers,) what it takes to come home from each space, into `following` where to go next.

    Entry space * num_layers + reach + k is for a ship that has still to cross the line k times, clockwise less
    anticlockwise. `costs` (SAFE + 1,) are those of entering a space at sea by its depth, `port_cost` that of a port.
    """
    chart, spaces, layers = chart_of(state), np.int64(state.num_spaces), num_layers(state)
    entry = np.empty(spaces)
    for space in range(spaces):
        entry[space] = port_cost if chart.places[space, PORT] >= 0 else costs[depth_of(state, space)]
    size = spaces * layers
    waiting, is_waiting = np.empty(size, np.int64), np.zeros(size, np.bool_)
    for node in range(size):
        cost[node] = np.inf
        following[node] = -1
    goal = home * layers + chart.reach
    cost[goal] = 0.0
    waiting[0] = goal
    first, count = 0, 1
    while count > 0:
        node = waiting[first]
        first = first + 1 if first + 1 < size else 0
        count -= 1
        is_waiting[node] = False
        target = node // layers
        layer = node - target * layers
        through = cost[node] + (1.0 if node == goal else entry[target])
        for k in range(chart.places[target, FIRST_WAY], chart.places[target + 1, FIRST_WAY]):
            near = np.int64(chart.ways[k])
            before = layer - crossing(chart, target, near)  # the way back crosses the line the other way
            if before < 0 or before >= layers:
                continue
            other = near * layers + before
            if through < cost[other] - 1e-9 and other != goal:
                cost[other] = through
                following[other] = node
                if not is_waiting[other]:
                    is_waiting[other] = True
                    last = first + count
                    waiting[last if last < size else last - size] = other
                    count += 1


@kernel
def best_route(state, cost, space, rounds):
    """The entry of the cheapest way home that leads round the world, for a ship with so many rounds."""
    reach = chart_of(state).reach
    best = -1
    for k in range(-reach, reach + 1):
        node = space * num_layers(state) + reach + k
        if k + rounds != 0 and (best < 0 or cost[node] < cost[best]):
            best = node
    return best


@kernel
def leg(state, following, node):
    """How many steps it is to the next port on a way home."""
    chart, steps, layers = chart_of(state), 0, num_layers(state)
    while following[node] >= 0:
        node = following[node]
        steps += 1
        if chart.places[node // layers, PORT] >= 0:
            break
    return steps
