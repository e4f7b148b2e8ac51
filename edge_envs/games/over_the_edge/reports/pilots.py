"""Pilots: scripted players of `over_the_edge` in plain Python, used to measure maps.

- In port a pilot discards the most harmful card and keeps one loyal crew. It leaves when its cards carry it four
  spaces, or to the next port on its route, or home.
- At sea it sails whenever it can. It stops in ports on its route if it has the card for this.
- It boards if it can exchange a card for a better one, and prefers to give a card that completes a set of three.
- It chooses its home port at random.

A careful pilot takes the cheapest route with extra costs near the rim, a plain pilot the shortest.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from edge_envs import State
from edge_envs.games.over_the_edge.map.charts import OVER_THE_EDGE, Map
from edge_envs.games.over_the_edge.map.routes import Place, Routes, avoid_rim, unit_cost
from edge_envs.games.over_the_edge.pieces.cards import SET

REACH = 4
"""Cards for this many spaces are enough to leave a port."""
HARM = ("mutiny", "scurvy", "stormy_seas", "severe_damage")
"""The kinds whose sets of three take effect."""
RIM_COSTS = (3.0, 1.0)
"""The extra cost, in steps, of entering a space one drift and two drifts from the void, for a careful pilot."""


@dataclass(frozen=True)
class View:
    """A position as the pilot of one seat sees it."""

    chart: Map
    player: int
    position: dict[str, Any]

    @property
    def ship(self) -> dict[str, Any]:
        """The pilot's own ship."""
        return self.position["ships"][self.player]

    @functools.cached_property
    def place(self) -> Place:
        """The ship's space and the number of rounds sailed."""
        space, home = self.chart.index[self.ship["space"]], self.chart.index[self.ship["home"]]
        return space, _rounds(self.chart, space, home, self.ship["winding"])

    @functools.cached_property
    def hand(self) -> Counter[str]:
        """The pilot's own cards by kind."""
        return self.hand_of(self.player)

    def hand_of(self, player: int) -> Counter[str]:
        """Count the cards of a player by kind."""
        return Counter(self.position["hands"][player])

    def boardable(self) -> list[int]:
        """Return the players that the ship can board, if it is at sea."""
        ships, hands = self.position["ships"], self.position["hands"]
        others = (player for player in range(len(ships)) if player != self.player)
        return [player for player in others if ships[player]["space"] == self.ship["space"] and hands[player]]


def _rounds(chart: Map, space: int, home: int, winding: int | str) -> int:
    return int((Fraction(winding) - chart.winding(space, home, 0)) / chart.sectors)


class Pilot:
    """A careful or plain pilot for one map and any seat."""

    def __init__(self, chart: Map, kind: str = "careful") -> None:
        self._chart = chart
        self._cost = avoid_rim(chart, RIM_COSTS) if kind == "careful" else unit_cost
        self._routes: dict[int, Routes] = {}
        self._by_phase: dict[str, Callable[[View], str]] = {
            "trim": self._discard,
            "discard": self._discard,
            "depart": self._depart,
            "play": self._play,
            "second_step": self._second_step,
            "sets": self._set,
            "board": self._board,
            "take": self._take,
            "give": self._give,
            "answer": self._answer,
        }

    def choose(self, state: State, rng: np.random.Generator) -> str:
        """Return the string of a legal action at a decision node."""
        position = state.to_dict()
        if position["phase"] == "home":
            return f"home {rng.choice(self._chart.port_names)}"
        return self._by_phase[position["phase"]](View(self._chart, state.current_player(), position))

    # In port

    def _discard(self, view: View) -> str:
        return f"discard {least_useful(view.hand)}"

    def _depart(self, view: View) -> str:
        return self._sail(view) if reach(view.hand) >= self._required_reach(view) else "wait"

    def _required_reach(self, view: View) -> int:
        """Return how many spaces the cards must carry the ship before it leaves a port."""
        for steps, (space, _) in enumerate(self._route(view), start=1):
            if steps == REACH or self._is_port(space):
                return steps
        return REACH

    # At sea

    def _play(self, view: View) -> str:
        threatened = view.hand["stormy_seas"] == SET - 1
        if may_calm(view.hand) and (threatened or not reach(view.hand)):
            return "calm"
        return self._sail(view) if reach(view.hand) else "wait"

    def _second_step(self, view: View) -> str:
        return f"sail {self._name(next(self._route(view)))}"

    def _sail(self, view: View) -> str:
        """Sail with favorable winds if available, but enter a port with fair weather: a second step would leave it."""
        target = next(self._route(view))
        fair, winds = view.hand["fair_weather"], view.hand["favorable_winds"]
        card = "fair" if not winds or (fair and self._is_port(target[0])) else "winds"
        return f"{card} {self._name(target)}"

    def _set(self, view: View) -> str:
        """Resolve a mutiny first if the next drift would be fatal, else last, since it may then have no effect."""
        kinds = [kind for kind in HARM if view.hand[kind] >= SET]
        if view.hand["loyal_crew"]:
            kinds = [kind for kind in kinds if kind != "mutiny"]
        falls = self._chart.drift_targets[view.place[0]] == OVER_THE_EDGE
        return f"set {kinds[0] if falls else kinds[-1]}"

    # Boarding

    def _board(self, view: View) -> str:
        gains = {player: self._gain(view, player) for player in view.boardable()}
        best = max(gains, key=lambda player: gains[player])
        return f"board {best}" if gains[best] > 0 else "no boarding"

    def _gain(self, view: View, target: int) -> float:
        theirs = view.hand_of(target)
        taken, given = best_to_take(view.hand, theirs), best_to_give(view.hand, theirs)
        return value_of_another(taken, view.hand) - value_of_held(given, view.hand)

    def _take(self, view: View) -> str:
        return f"take {best_to_take(view.hand, view.hand_of(view.position['target']))}"

    def _give(self, view: View) -> str:
        return f"give {best_to_give(view.hand, view.hand_of(view.position['target']))}"

    def _answer(self, view: View) -> str:
        loses, gets = view.position["take"], view.position["give"]
        return "accept" if value_of_another(gets, view.hand) > value_of_held(loses, view.hand) else "refuse"

    # The route

    def _route(self, view: View) -> Iterator[Place]:
        home = self._chart.index[view.ship["home"]]
        if home not in self._routes:
            self._routes[home] = Routes(self._chart, home, self._cost)
        return self._routes[home].route(*view.place)

    def _name(self, place: Place) -> str:
        return self._chart.spaces[place[0]].id

    def _is_port(self, space: int) -> bool:
        return self._chart.spaces[space].port is not None


# Cards


def reach(hand: Counter[str]) -> int:
    """Return how many steps the cards of a hand allow."""
    return hand["fair_weather"] + 2 * hand["favorable_winds"]


def may_calm(hand: Counter[str]) -> bool:
    """Return whether a hand has the cards for `calm`."""
    return hand["dead_calm"] >= SET and hand["stormy_seas"] >= 1


def value_of_another(kind: str, hand: Counter[str]) -> float:
    """Return the value of one more card of a kind to a hand."""
    if kind == "loyal_crew":
        return 0.0 if hand[kind] else 3.0
    if kind in HARM:
        return -1.0 - hand[kind]
    return {"favorable_winds": 5.0, "fair_weather": 4.0, "dead_calm": -0.5}[kind]


def value_of_held(kind: str, hand: Counter[str]) -> float:
    """Return the value to a hand of a card that it holds."""
    return value_of_another(kind, hand - Counter([kind]))


def least_useful(hand: Counter[str]) -> str:
    """Return the kind to discard."""
    return min(+hand, key=lambda kind: value_of_held(kind, hand))


def best_to_take(hand: Counter[str], theirs: Counter[str]) -> str:
    """Return the kind among another player's cards with the highest value to a hand."""
    return max(+theirs, key=lambda kind: value_of_another(kind, hand))


def best_to_give(hand: Counter[str], theirs: Counter[str]) -> str:
    """Return the kind to give away: of low value to the hand, or completing a harmful set of the other player."""

    def cost(kind: str) -> float:
        completes = kind in HARM and theirs[kind] == SET - 1
        return value_of_held(kind, hand) - (2.0 if completes else 0.0)

    return min(+hand, key=cost)
