"""The cheapest routes round the world, by Dijkstra's algorithm (1959) on pairs of a space and the rounds sailed."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator

import numpy as np

from edge_envs.core.spec import Array
from edge_envs.games.over_the_edge.map.charts import Map

Place = tuple[int, int]  # space, rounds

StepCost = Callable[[int], float]
"""The cost of entering a space; infinite for spaces to avoid."""


class Routes:
    """The costs of the routes home round the world from all places. A ship that has won is at cost 0."""

    def __init__(self, chart: Map, home: int, step_cost: StepCost) -> None:
        self._chart, self._home = chart, home
        self._step_costs = [step_cost(space) for space in range(len(chart.spaces))]
        self._most = chart.rings + 1  # rounds; with more, the routes home are the same
        self._costs = self._measure()

    def cost(self, space: int, rounds: int) -> float:
        """Return the cost of the cheapest route home; infinite if there is none."""
        return self._costs.get((space, max(-self._most, min(self._most, rounds))), math.inf)

    def next_place(self, space: int, rounds: int) -> Place:
        """Return the next place on the cheapest route home, or the cheapest step without a route."""
        return min(self._near(space, rounds), key=lambda place: self._step_costs[place[0]] + self.cost(*place))

    def route(self, space: int, rounds: int) -> Iterator[Place]:
        """Yield the places of the cheapest route home, up to home itself."""
        while True:
            space, rounds = self.next_place(space, rounds)
            yield space, rounds
            if space == self._home and rounds:
                return

    def _near(self, space: int, rounds: int) -> list[Place]:
        targets, crossings = self._chart.neighbours[space], self._chart.crossings[space]
        return [(target, rounds + crossing) for target, crossing in zip(targets, crossings, strict=True)]

    def _measure(self) -> dict[Place, float]:
        """Search backwards from home, over twice the rounds that callers can ask for."""
        laps = 2 * self._most
        costs = {(self._home, rounds): 0.0 for rounds in range(-laps, laps + 1) if rounds}
        waiting = [(0.0, place) for place in costs]
        while waiting:
            cost, place = heapq.heappop(waiting)
            if cost > costs[place] or math.isinf(self._step_costs[place[0]]):
                continue
            cost += self._step_costs[place[0]]
            for before in self._near(*place):
                if abs(before[1]) <= laps and cost < costs.get(before, math.inf):
                    costs[before] = cost
                    heapq.heappush(waiting, (cost, before))
        return costs


def unit_cost(space: int) -> float:
    """Return the step cost of the shortest route."""
    return 1.0


def off_the_rim(chart: Map) -> StepCost:
    """Return a step cost that allows only ports and spaces at least two drifts from the void."""
    return lambda space: math.inf if _drifts(chart, space) == 1 else 1.0


def avoid_rim(chart: Map, extra_costs: tuple[float, ...]) -> StepCost:
    """Return a step cost of 1, plus an extra cost at sea near the rim.

    Args:
        chart: The map.
        extra_costs: The extra costs of a space one drift from the void, two drifts, and so on.
    """

    def step_cost(space: int) -> float:
        drifts = _drifts(chart, space)
        return 1.0 + (extra_costs[drifts - 1] if drifts is not None and drifts <= len(extra_costs) else 0.0)

    return step_cost


def _drifts(chart: Map, space: int) -> int | None:
    """Return the number of drifts to the void; None if land stops them, and for a port, where ships do not drift."""
    return None if chart.spaces[space].port is not None else chart.drifts_to_void[space]


MOST_STEPS = 63
"""The largest number of steps that `steps_to_win` counts."""


def steps_to_win(chart: Map) -> Array:
    """Return the fewest steps from each place to a win, clockwise or anticlockwise, whatever the cards.

    A clockwise win is an entry of the home port with a positive winding. Rounds beyond `chart.reach` are not counted.

    Returns:
        uint8 (S, H, 2 R + 1, 2) by space, home port, rounds + R, and direction (clockwise first), at most `MOST_STEPS`.
    """
    reach = chart.reach
    steps = np.full((len(chart.spaces), len(chart.ports), 2 * reach + 1, 2), MOST_STEPS, np.uint8)
    for number, home in enumerate(chart.ports):
        for direction, sign in enumerate((1, -1)):
            for (space, rounds), count in _steps_to_wins(chart, home, sign).items():
                if abs(rounds) <= reach:
                    steps[space, number, rounds + reach, direction] = min(count, MOST_STEPS)
    return steps


def _steps_to_wins(chart: Map, home: int, sign: int) -> dict[Place, int]:
    """Search backwards from the wins in one direction (breadth-first search). A ship that has won sails no further."""
    most = 2 * chart.reach
    edge = [(home, sign * rounds) for rounds in range(1, most + 1)]
    steps, count = dict.fromkeys(edge, 0), 0
    while edge:
        count += 1
        near = []
        for space, rounds in edge:
            for target, crossing in zip(chart.neighbours[space], chart.crossings[space], strict=True):
                place = (target, rounds + crossing)
                if abs(place[1]) <= most and place not in steps and (target != home or place[1] == 0):
                    steps[place] = count
                    near.append(place)
        edge = near
    return steps
