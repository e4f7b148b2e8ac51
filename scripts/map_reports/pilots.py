"""Sensible pilots: players of `over_the_edge` in plain Python, by which maps are measured.

In port a pilot throws away what harms it most and keeps one loyal crew. It leaves when its cards carry it four spaces,
or to the next port of its way, or home. At sea it sails whenever it can; it stops in ports on its way if it has the
card for it. It boards whenever that gives it a better card for a worse one, and gives what completes a set if it can.
Where its home is to be, it draws.

A careful pilot takes the way that stays far from the rim, a plain one the shortest.
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
from edge_envs.games.over_the_edge.map.routes import Place, Routes, keep_off, step
from edge_envs.games.over_the_edge.pieces.cards import SET

REACH = 4
"""Cards for so many spaces are enough to leave a port."""
HARM = ("mutiny", "scurvy", "stormy_seas", "severe_damage")
"""The kinds of which three act."""
TOLLS = (3.0, 1.0)
"""What a careful pilot would sail further for each space one drift from the void, and two."""


@dataclass(frozen=True)
class View:
    """What a pilot looks at in a position."""

    chart: Map
    player: int
    position: dict[str, Any]

    @property
    def ship(self) -> dict[str, Any]:
        """The pilot's own."""
        return self.position["ships"][self.player]

    @functools.cached_property
    def place(self) -> Place:
        """Where the ship is."""
        space, home = self.chart.index[self.ship["space"]], self.chart.index[self.ship["home"]]
        return space, _rounds(self.chart, space, home, self.ship["winding"])

    @functools.cached_property
    def hand(self) -> Counter[str]:
        """The pilot's own cards."""
        return self.hand_of(self.player)

    def hand_of(self, player: int) -> Counter[str]:
        """The cards of a player."""
        return Counter(self.position["hands"][player])

    def beside(self) -> list[int]:
        """The players that can be boarded, the ship being at sea."""
        ships, hands = self.position["ships"], self.position["hands"]
        others = (player for player in range(len(ships)) if player != self.player)
        return [player for player in others if ships[player]["space"] == self.ship["space"] and hands[player]]


def _rounds(chart: Map, space: int, home: int, winding: int | str) -> int:
    return int((Fraction(winding) - chart.winding(space, home, 0)) / chart.sectors)


class Pilot:
    """A careful pilot or a plain one, for one map and any seat."""

    def __init__(self, chart: Map, kind: str = "careful") -> None:
        self._chart = chart
        self._toll = keep_off(chart, TOLLS) if kind == "careful" else step
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
        """The text of an action that is legal in a position in which a player is to act."""
        position = state.to_dict()
        if position["phase"] == "home":
            return f"home {rng.choice(self._chart.port_names)}"
        return self._by_phase[position["phase"]](View(self._chart, state.current_player(), position))

    # In port

    def _discard(self, view: View) -> str:
        return f"discard {least_useful(view.hand)}"

    def _depart(self, view: View) -> str:
        return self._sail(view) if reach(view.hand) >= self._wanted(view) else "wait"

    def _wanted(self, view: View) -> int:
        """The spaces that the cards must reach before the ship leaves a port."""
        for steps, (space, _) in enumerate(self._way(view), start=1):
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
        return f"sail {self._name(next(self._way(view)))}"

    def _sail(self, view: View) -> str:
        """With a card that there is; a second step would lead on from a port."""
        target = next(self._way(view))
        fair, winds = view.hand["fair_weather"], view.hand["favorable_winds"]
        card = "fair" if not winds or (fair and self._is_port(target[0])) else "winds"
        return f"{card} {self._name(target)}"

    def _set(self, view: View) -> str:
        """A mutiny saves from the void; any other drift is over with before a mutiny, which may then not act."""
        kinds = [kind for kind in HARM if view.hand[kind] >= SET]
        if view.hand["loyal_crew"]:
            kinds = [kind for kind in kinds if kind != "mutiny"]
        falls = self._chart.edgeward[view.place[0]] == OVER_THE_EDGE
        return f"set {kinds[0] if falls else kinds[-1]}"

    # Boarding

    def _board(self, view: View) -> str:
        gains = {player: self._gain(view, player) for player in view.beside()}
        best = max(gains, key=lambda player: gains[player])
        return f"board {best}" if gains[best] > 0 else "no boarding"

    def _gain(self, view: View, target: int) -> float:
        theirs = view.hand_of(target)
        return worth(most_wanted(view.hand, theirs), view.hand) - worth_held(gift(view.hand, theirs), view.hand)

    def _take(self, view: View) -> str:
        return f"take {most_wanted(view.hand, view.hand_of(view.position['target']))}"

    def _give(self, view: View) -> str:
        return f"give {gift(view.hand, view.hand_of(view.position['target']))}"

    def _answer(self, view: View) -> str:
        loses, gets = view.position["take"], view.position["give"]
        return "accept" if worth(gets, view.hand) > worth_held(loses, view.hand) else "refuse"

    # The way

    def _way(self, view: View) -> Iterator[Place]:
        home = self._chart.index[view.ship["home"]]
        if home not in self._routes:
            self._routes[home] = Routes(self._chart, home, self._toll)
        return self._routes[home].way(*view.place)

    def _name(self, place: Place) -> str:
        return self._chart.spaces[place[0]].id

    def _is_port(self, space: int) -> bool:
        return self._chart.spaces[space].port is not None


# Cards


def reach(hand: Counter[str]) -> int:
    """How many steps the cards of a hand are good for."""
    return hand["fair_weather"] + 2 * hand["favorable_winds"]


def may_calm(hand: Counter[str]) -> bool:
    """Whether a hand has the cards for `calm`."""
    return hand["dead_calm"] >= SET and hand["stormy_seas"] >= 1


def worth(kind: str, hand: Counter[str]) -> float:
    """What one more card of a kind is worth to a hand."""
    if kind == "loyal_crew":
        return 0.0 if hand[kind] else 3.0
    if kind in HARM:
        return -1.0 - hand[kind]
    return {"favorable_winds": 5.0, "fair_weather": 4.0, "dead_calm": -0.5}[kind]


def worth_held(kind: str, hand: Counter[str]) -> float:
    """What a card of a kind that is in a hand is worth to it."""
    return worth(kind, hand - Counter([kind]))


def least_useful(hand: Counter[str]) -> str:
    """The kind that a hand is best rid of."""
    return min(+hand, key=lambda kind: worth_held(kind, hand))


def most_wanted(hand: Counter[str], theirs: Counter[str]) -> str:
    """The kind of another's cards that is worth most to a hand."""
    return max(+theirs, key=lambda kind: worth(kind, hand))


def gift(hand: Counter[str], theirs: Counter[str]) -> str:
    """The kind that a hand gives away most gladly; rather one that completes another's set of three."""

    def cost(kind: str) -> float:
        completes = kind in HARM and theirs[kind] == SET - 1
        return worth_held(kind, hand) - (2.0 if completes else 0.0)

    return min(+hand, key=cost)
