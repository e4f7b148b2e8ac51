"""Find the cheapest routes home round the world for ships that avoid the rim and prefer to visit ports."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.over_the_edge.map.atlas import DRIFT, FIRST_NEIGHBOUR, PORT, chart_of, crossing
from edge_envs.games.over_the_edge.map.charts import OVER_THE_EDGE

SAFE = 4
"""The depth of a space from which drifts lead aground."""


@inlined_kernel
def num_layers(state):
    """Return the number of crossing counts considered: from -reach to reach."""
    return 2 * chart_of(state).reach + 1


@kernel
def depth_of(state, space):
    """Return the number of drifts from a space over the edge, at most 3, or SAFE if land stops them before."""
    chart, depth = chart_of(state), 1
    target = np.int64(chart.places[space, DRIFT])
    while target >= 0:
        depth += 1
        target = np.int64(chart.places[target, DRIFT])
    return min(depth, 3) if target == OVER_THE_EDGE else SAFE


@kernel
def find_routes(state, home, costs, port_cost, cost, following):
    """Find the cheapest routes home from all nodes, by Bellman-Ford with a FIFO queue (label correcting).

    Node space * num_layers + reach + k stands for a ship in a space that has still to cross the line before sector 0
    k times, counted clockwise minus anticlockwise.

    Args:
        state: A state on the map.
        home: The space of the home port.
        costs: (SAFE + 1,) costs of entering a space at sea, by its depth.
        port_cost: The cost of entering a port.
        cost: Filled with the cost of the route home (S * num_layers,).
        following: Filled with the next node on the route (S * num_layers,); -1 at home.
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
        for k in range(chart.places[target, FIRST_NEIGHBOUR], chart.places[target + 1, FIRST_NEIGHBOUR]):
            near = np.int64(chart.neighbours[k])
            before = layer - crossing(chart, target, near)  # in the opposite direction
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
    """Return the node of the cheapest route home round the world for a ship with this number of rounds."""
    reach = chart_of(state).reach
    best = -1
    for k in range(-reach, reach + 1):
        node = space * num_layers(state) + reach + k
        if k + rounds != 0 and (best < 0 or cost[node] < cost[best]):
            best = node
    return best


@kernel
def steps_to_next_port(state, following, node):
    """Return the number of steps to the next port on a route home."""
    chart, steps, layers = chart_of(state), 0, num_layers(state)
    while following[node] >= 0:
        node = following[node]
        steps += 1
        if chart.places[node // layers, PORT] >= 0:
            break
    return steps
