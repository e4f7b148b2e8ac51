"""The times computed by the heuristic agree with a simple search over the graph of the reference implementation."""

from __future__ import annotations

import functools
import heapq
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs.games.ghost_ship.player.travel_times import FAR, GRAPH, build_graph, clear_times, set_goal, spread_back
from tests.games.ghost_ship.test_twin import creation_positions
from tests.reference.ghost_ship import GhostShip
from tests.reference.ghost_ship_map import PLACES, SQUARES, Chart, spot_of, tile_of
from tests.reference.ghost_ship_setups import position, whole_map

TICKS = {1: 3, 2: 8, 3: 17}
LANDING, LAUNCH = 11, 60
TOLL = {"C3": 40, "D4": 25, "E8": 7, "A5": 90}  # on steps out of the circles of these tiles

MAPS = ("isles", "map", "laid 0", "laid 1", "laid 2")


def position_on(name: str) -> dict[str, Any]:
    """Return a position on one of the maps."""
    if name.startswith("laid "):
        return creation_positions(int(name.removeprefix("laid ")), "players")[-1]
    return position(["A1.S", "A10.S"]) if name == "isles" else whole_map("ghost")


@functools.cache
def steps_of(name: str) -> dict[str, dict[str, int]]:
    """Return the ticks of all steps, by the graph of the reference implementation."""
    graph = Chart(GhostShip.from_dict(position_on(name)).tiles)
    return {place: ticks_from(graph, place) for place in PLACES if graph.exists(place)}


def ticks_from(graph: Chart, place: str) -> dict[str, int]:
    """Return the ticks of the steps from a place."""
    costs: dict[str, int] = {}
    for ends in (graph.overland(place), graph.coast(place), graph.rim(place), graph.sail(place)):
        costs |= {end: min(cost, costs.get(end, cost)) for end, cost in ends.items()}
    square = tile_of(place)
    held = TOLL.get(square or "", 0) if spot_of(place) in ("S", "C0", "C1") else 0
    ticks = {end: TICKS[cost] + held for end, cost in costs.items()}
    return ticks | dict.fromkeys(graph.land(place), LANDING) | dict.fromkeys(graph.put_to_sea(place), LAUNCH)


def slow_times(steps: Mapping[str, Mapping[str, int]], goals: Mapping[str, int]) -> dict[str, int]:
    """Return the time from every place to the nearest goal."""
    back: dict[str, list[tuple[str, int]]] = {place: [] for place in steps}
    for place, ends in steps.items():
        for end, ticks in ends.items():
            back[end].append((place, ticks))
    times: dict[str, int] = {}
    heap = [(ticks, place) for place, ticks in goals.items()]
    heapq.heapify(heap)
    while heap:
        now, place = heapq.heappop(heap)
        if place not in times:
            times[place] = now
            for before, ticks in back[place]:
                heapq.heappush(heap, (now + ticks, before))
    return times


def found(name: str, goals: Mapping[str, int]) -> tuple[Any, Any]:
    """Return the graph after the search from goals, and the times between them."""
    d = position_on(name)
    record = edge_envs.load_game("ghost_ship", **d["params"]).records_from_dict(finished(d))[0]
    graphs = np.zeros(1, GRAPH)
    graph = graphs[0]
    build_graph(record, graph)
    for cost, ticks in TICKS.items():
        graph.step[cost] = ticks
    graph.landing[:] = LANDING
    graph.launch[:] = LAUNCH
    for square, ticks in TOLL.items():
        graph.delay[8 * SQUARES.index(square) : 8 * SQUARES.index(square) + 3] = ticks
    between = np.full((len(goals), len(goals)), FAR, np.int32)
    clear_times(graph)
    waiting = 0
    for treasure, (place, ticks) in enumerate(goals.items()):
        waiting = set_goal(graph, waiting, PLACES.index(place), ticks, treasure)
    spread_back(graph, waiting, between)
    return graph, between


def finished(d: dict[str, Any]) -> dict[str, Any]:
    """Return the position itself if its map is complete."""
    assert all("." not in row for row in d["tiles"])
    return d


def some_goals(name: str, spots: Iterable[str]) -> dict[str, int]:
    """Return a few places of the map with small initial times."""
    places = [place for place in steps_of(name) if spot_of(place) in spots]
    return {place: 13 * k % 50 for k, place in enumerate(places[:: max(len(places) // 6, 1)])}


@pytest.mark.parametrize("spots", [("S",), ("C0", "C1", "H"), ("S", "C0", "K2", "H")], ids=["sea", "land", "both"])
@pytest.mark.parametrize("name", MAPS)
def test_times_agree_with_a_simple_search(name: str, spots: tuple[str, ...]) -> None:
    goals = some_goals(name, spots)
    graph, _ = found(name, goals)
    wanted = slow_times(steps_of(name), goals)
    times = {place: int(graph.time[i]) for i, place in enumerate(PLACES) if graph.time[i] < FAR}
    assert times == {place: ticks for place, ticks in wanted.items() if ticks < FAR}


@pytest.mark.parametrize("name", MAPS)
def test_every_place_has_the_goal_that_it_leads_to(name: str) -> None:
    goals = some_goals(name, ("S", "H"))
    graph, _ = found(name, goals)
    alone = [slow_times(steps_of(name), {place: ticks}) for place, ticks in goals.items()]
    for i, place in enumerate(PLACES):
        if graph.treasure[i] >= 0:
            assert graph.time[i] == alone[graph.treasure[i]][place]


@pytest.mark.parametrize("name", MAPS)
def test_times_between_goals_are_not_too_short(name: str) -> None:
    goals = dict.fromkeys(some_goals(name, ("S", "H")), 0)
    _, between = found(name, goals)
    both_ways: dict[str, dict[str, int]] = {place: dict(ends) for place, ends in steps_of(name).items()}
    for place, ends in steps_of(name).items():
        for end, ticks in ends.items():
            both_ways[end][place] = min(ticks, both_ways[end].get(place, ticks))
    for one, place in enumerate(goals):
        times = slow_times(both_ways, {place: 0})
        for other, end in enumerate(goals):
            if one != other:
                assert between[one, other] >= times[end]
                assert between[one, other] == between[other, one]
        assert min(between[one]) < FAR
