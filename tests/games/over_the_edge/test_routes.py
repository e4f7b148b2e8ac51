"""The heuristic's routes home cost the same as those of an independent search, on all maps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs.games.over_the_edge.map.charts import Map, load_map
from edge_envs.games.over_the_edge.map.routes import MOST_STEPS, Routes, steps_to_win
from edge_envs.games.over_the_edge.player.routes_home import (
    SAFE,
    best_route,
    depth_of,
    find_routes,
    num_layers,
    steps_to_next_port,
)
from tests.games.over_the_edge.test_heuristic import spiral
from tests.games.over_the_edge.test_twin import drawn_map

BAY = json.loads((Path(__file__).parent / "bay.json").read_text(encoding="utf-8"))
COSTS = np.array([0.0, 4.0, 3.0, 2.5, 2.0])  # a step into a space at sea, by its depth
PORT_COST = 1.5
LAST_STEP = 1.0

MAPS: dict[str, Any] = {"pond": "pond", "flat_earth": "flat_earth", "bay": BAY}
MAPS |= {f"spiral {turns}": spiral(turns) for turns in (1, 2, 4, 7)}
MAPS |= {f"drawn {seed}": drawn_map(seed) for seed in range(30)}


def record_of(source: Any) -> Any:
    """Return a record with the map."""
    return edge_envs.load_game("over_the_edge", map=source).new_records(1)[0]


def found_routes(record: Any, home: int) -> tuple[Any, Any]:
    """Return the cost of coming home from every node, and the next node on the route."""
    nodes = int(record.num_spaces) * num_layers(record)
    cost, following = np.empty(nodes), np.empty(nodes, np.int64)
    find_routes(record, home, COSTS, PORT_COST, cost, following)
    return cost, following


def step_cost(chart: Map, space: int) -> float:
    """Return the cost of entering a space."""
    if chart.spaces[space].port is not None:
        return PORT_COST
    drifts = chart.drifts_to_void[space]
    return float(COSTS[SAFE if drifts is None else min(drifts, 3)])


@pytest.mark.parametrize("name", MAPS)
def test_the_depth_of_a_space_is_the_number_of_drifts_over_the_edge(name: str) -> None:
    record, chart = record_of(MAPS[name]), load_map(MAPS[name])
    for space, drifts in enumerate(chart.drifts_to_void):
        assert depth_of(record, space) == (SAFE if drifts is None else min(drifts, 3))


@pytest.mark.parametrize("name", MAPS)
def test_the_cost_of_the_best_route_agrees_with_an_independent_search(name: str) -> None:
    record, chart = record_of(MAPS[name]), load_map(MAPS[name])
    for home in chart.ports:
        cost, _ = found_routes(record, home)
        routes = Routes(chart, home, lambda space: step_cost(chart, space))
        for space in range(len(chart.spaces)):
            for rounds in range(-chart.rings, chart.rings + 1) if space != home else [0]:
                wanted = routes.cost(space, rounds) - PORT_COST + LAST_STEP
                assert cost[best_route(record, cost, space, rounds)] == pytest.approx(wanted)


@pytest.mark.parametrize("name", MAPS)
def test_a_route_leads_step_by_step_round_the_world_at_its_cost(name: str) -> None:
    record, chart = record_of(MAPS[name]), load_map(MAPS[name])
    layers = num_layers(record)
    for home in chart.ports:
        cost, following = found_routes(record, home)
        node, spent, rounds, space = best_route(record, cost, home, 0), 0.0, 0, home
        start, steps, first_port = node, 0, 0
        while space != home or not rounds:
            node = following[node]
            target = int(node) // layers
            rounds += chart.crossings[space][chart.neighbours[space].index(target)]
            space, steps = target, steps + 1
            spent += step_cost(chart, space)
            if chart.spaces[space].port is not None and not first_port:
                first_port = steps
        assert spent - PORT_COST + LAST_STEP == pytest.approx(cost[start])
        assert steps_to_next_port(record, following, start) == first_port


@pytest.mark.parametrize("source", MAPS.values(), ids=MAPS)
def test_the_fewest_steps_to_a_win_are_those_of_the_shortest_voyage(source: Any) -> None:
    chart = load_map(source)
    steps = steps_to_win(chart)
    for number, port in enumerate(chart.ports):
        assert min(steps[port, number, chart.reach]) == min(chart.shortest_voyage(port), MOST_STEPS)
