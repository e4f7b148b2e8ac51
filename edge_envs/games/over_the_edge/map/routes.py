"""The cheapest ways round the world, by Dijkstra over places: a space with the rounds that a ship in it has made."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator

from edge_envs.games.over_the_edge.map.charts import Map

Place = tuple[int, int]  # space, rounds

Toll = Callable[[int], float]
"""What entering a space costs; infinite where no ship is to go."""


class Routes:
    """What it costs to sail home, round the world, from every place; a ship that has won is at cost 0."""

    def __init__(self, chart: Map, home: int, toll: Toll) -> None:
        self._chart, self._home = chart, home
        self._tolls = [toll(space) for space in range(len(chart.spaces))]
        self._most = chart.rings + 1  # rounds; with more, the ways home are the same
        self._costs = self._measure()

    def cost(self, space: int, rounds: int) -> float:
        """The cost of the cheapest way home; infinite if there is none."""
        return self._costs.get((space, max(-self._most, min(self._most, rounds))), math.inf)

    def onward(self, space: int, rounds: int) -> Place:
        """Where the next step of the cheapest way leads, or the least costly step if there is no way."""
        return min(self._near(space, rounds), key=lambda place: self._tolls[place[0]] + self.cost(*place))

    def way(self, space: int, rounds: int) -> Iterator[Place]:
        """The places of the cheapest way home, one by one; it ends at home."""
        while True:
            space, rounds = self.onward(space, rounds)
            yield space, rounds
            if space == self._home and rounds:
                return

    def _near(self, space: int, rounds: int) -> list[Place]:
        targets, crossings = self._chart.neighbours[space], self._chart.crossings[space]
        return [(target, rounds + crossing) for target, crossing in zip(targets, crossings, strict=True)]

    def _measure(self) -> dict[Place, float]:
        """From home outward, against the way the ships sail; twice as far round as is asked for."""
        laps = 2 * self._most
        costs = {(self._home, rounds): 0.0 for rounds in range(-laps, laps + 1) if rounds}
        waiting = [(0.0, place) for place in costs]
        while waiting:
            cost, place = heapq.heappop(waiting)
            if cost > costs[place] or math.isinf(self._tolls[place[0]]):
                continue
            cost += self._tolls[place[0]]
            for before in self._near(*place):
                if abs(before[1]) <= laps and cost < costs.get(before, math.inf):
                    costs[before] = cost
                    heapq.heappush(waiting, (cost, before))
        return costs


def step(space: int) -> float:
    """The toll of the shortest way."""
    return 1.0


def stay_inside(chart: Map) -> Toll:
    """The toll of the shortest way through ports, and through spaces from which two drifts or more lead to the void."""
    return lambda space: math.inf if _drifts(chart, space) == 1 else 1.0


def keep_off(chart: Map, tolls: tuple[float, ...]) -> Toll:
    """A step costs 1, and at sea an entry of `tolls` more: the first one drift from the void, the next two."""

    def toll(space: int) -> float:
        drifts = _drifts(chart, space)
        return 1.0 + (tolls[drifts - 1] if drifts is not None and drifts <= len(tolls) else 0.0)

    return toll


def _drifts(chart: Map, space: int) -> int | None:
    """How many drifts lead to the void; None if land stops them, and in a port, where ships do not drift."""
    return None if chart.spaces[space].port is not None else chart.drifts_to_void[space]
