"""The cells of `ghost_ship` in plain Python, from a position and what a player knows of it.

Nodes are the places, and `boat PLACE` for a circle ashore with the boat in it. Times are sixtieths of a turn.
"""

from __future__ import annotations

import functools
import heapq
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from tests.reference.ghost_ship import (
    NUMBERS,
    PASSED,
    PHASES,
    SYMBOL_TILES,
    SYMBOLS,
    GhostShip,
    Player,
    total,
)
from tests.reference.ghost_ship_map import PLACES, SQUARES, WAYS, Chart, class_of, spot_of, tile_of, where_is

NEVER = 40 * 60
SEARCHES = {None: 240, "friendly": 60, "hostile": 150, "ruins": 120}
DISCOUNTS = (0.7, 0.8, 0.9)
EXTRAS = (None, "chit", "ghost")


class Times:
    """Expected times on a finished map with these symbols."""

    def __init__(self, tiles: tuple[str, ...], symbols: tuple[tuple[str, str], ...]) -> None:
        self.tiles = dict(zip(SQUARES, tiles, strict=True))
        self.symbols = dict(symbols)
        self.chart = Chart(self.tiles)
        places = [place for place in PLACES if self.chart.exists(place)]
        self.nodes = [*places, *(f"boat {place}" for place in places if spot_of(place)[0] == "C")]
        self.into: dict[str, list[tuple[str, dict[int, int]]]] = defaultdict(list)
        for node in self.nodes:
            for end, left in self.turns(node).items():
                self.into[end].append((node, left))

    # Symbols

    def hidden(self, square: str) -> Counter[str]:
        """Return the symbols that a hidden one may be."""
        name = class_of(self.tiles[square])
        seen = [symbol for where, symbol in self.symbols.items() if class_of(self.tiles[where]) == name]
        return Counter(tile.split()[0] for tile in SYMBOL_TILES if tile.split()[1] == name) - Counter(seen)

    def passes(self, square: str, result: int, at_sea: bool) -> bool:
        """Return whether a step out of the circle counts as legal."""
        symbol = self.symbols.get(square)
        if symbol != "?":
            return result in PASSED.get(symbol or "", NUMBERS) and not (at_sea and symbol == "storm")
        return True

    @functools.cache  # noqa: B019  few maps, which live as long as the tests
    def wait(self, node: str) -> int:
        """Return the mean time of waiting for a result that a hidden symbol lets pass."""
        square = tile_of(node.removeprefix("boat ")) or ""
        if self.symbols.get(square) != "?" or spot_of(node)[0] not in "SC":
            return 0
        unseen = self.hidden(square)
        waits = {s: 60 * (4 / len(PASSED.get(s, NUMBERS)) - 1) for s in SYMBOLS}
        if spot_of(node) == "S":
            waits["storm"] = 60
        return int(sum(waits[s] * count for s, count in unseen.items()) / max(total_of(unseen), 1))

    # Turns

    def steps(self, node: str, result: int, left: int) -> Iterator[tuple[str, int, bool]]:
        """Yield the steps from a node: the next one, the cost, and whether the turn ends without taking."""
        place = node.removeprefix("boat ")
        square, spot, chart = tile_of(place), spot_of(place), self.chart
        stays = self.symbols.get(square or "") == "?" and left < result  # out of the circle only in a new turn
        if square is None or spot == "S":
            for end, cost in {**chart.sail(place), **chart.rim(place)}.items():
                if square is None or (self.passes(square, result, True) and not stays):
                    yield end, cost, self.symbols.get(square or "") == "skull"
            for end, cost in chart.land(place).items():
                yield f"boat {end}", cost, False
            return
        if node != place:
            for end, cost in chart.put_to_sea(place).items():
                yield end, cost, False
        if spot[0] == "C" and (stays or not self.passes(square, result, False)):
            return
        last = spot[0] == "C" and self.symbols.get(square) in ("skull", "storm")
        for end, cost in {**chart.overland(place), **chart.coast(place)}.items():
            yield end, cost, last

    def is_storm(self, node: str) -> bool:
        """Return whether a node is at sea in a storm."""
        return spot_of(node) == "S" and self.symbols.get(tile_of(node) or "") == "storm"

    def turns(self, node: str) -> dict[str, dict[int, int]]:
        """Return for each end of a turn the points left for taking, by result; -1 if nothing may be taken."""
        ends: dict[str, dict[int, int]] = defaultdict(dict)
        for result in NUMBERS if not self.is_storm(node) else []:
            best = {node: result}
            waiting = [(-result, node)]
            while waiting:
                left, here = heapq.heappop(waiting)
                left = -left
                if best[here] != left:
                    continue
                ends[here][result] = max(ends[here].get(result, -1), left)
                if here != node and self.is_storm(here):
                    continue
                for end, cost, last in self.steps(here, result, left):
                    if cost > left:
                        continue
                    if last:
                        ends[end].setdefault(result, -1)
                    elif left - cost > best.get(end, -1):
                        best[end] = left - cost
                        heapq.heappush(waiting, (cost - left, end))
        return ends

    # Expected times

    def goals(self, square: str) -> list[str]:
        """Return the nodes where the treasure of a tile is taken."""
        tile = self.tiles[square]
        if tile in ("LLLL", "WWWW"):
            return [f"{square}.{'H' if tile == 'LLLL' else 'S'}"]
        circles = [f"{square}.C{region}" for region in self.chart.regions(square)]
        return [*circles, *(f"boat {circle}" for circle in circles)]

    @functools.cached_property
    def drifts(self) -> dict[str, list[str]]:
        """For each storm, the nodes where drifts end."""
        game = GhostShip()
        game.tiles, game.chart = self.tiles, self.chart
        storms = [s for s, symbol in self.symbols.items() if symbol == "storm" and self.tiles[s] != "LLLL"]
        found = {square: [game.drift_end(square, way) for way in WAYS] for square in storms}
        return {
            f"{square}.S": [f"boat {end}" if spot_of(end)[0] == "C" else end for end in ends if end]
            for square, ends in found.items()
        }

    def spread(self, times: dict[str, int], after: dict[str, dict[int, int]], on_foot: bool) -> dict[str, int]:
        """Settle all nodes in the order of their times. `after` has the times after results that are known."""
        settled: set[str] = set()
        waiting = [(time, node) for node, time in times.items()]
        heapq.heapify(waiting)

        def lower(node: str, time: int) -> None:
            if time < min(times.get(node, NEVER), NEVER):
                times[node] = time
                heapq.heappush(waiting, (time, node))

        while waiting:
            now, node = heapq.heappop(waiting)
            if node in settled or times[node] != now:
                continue
            settled.add(node)
            for before, left in self.into[node]:
                new = {result: now for result in left if result not in after[before]}
                if new and before not in settled:
                    after[before] |= new
                    lower(before, (240 + sum(after[before].values())) // len(after[before]) + self.wait(before))
            if on_foot:
                continue
            if node.startswith("boat"):
                circle = node.removeprefix("boat ")
                lower(circle, now + SEARCHES.get(self.symbols.get(tile_of(circle) or ""), NEVER))
            elif spot_of(node)[0] == "C" and self.chart.has_strait(tile_of(node) or ""):
                lower(node[:-1] + "10"[int(node[-1])], now + 120)
            for storm, ends in self.drifts.items():
                if node in ends:
                    known = [times[end] for end in ends if end in settled]
                    lower(storm, (60 * len(ends) + sum(known)) // len(known))
        return {node: min(times.get(node, NEVER), NEVER) for node in PLACES + self.nodes}

    @functools.cache  # noqa: B019  few maps, which live as long as the tests
    def to_treasure(self, square: str) -> dict[str, int]:
        """Return the times until the treasure of a tile is taken."""
        cost = 3 if self.symbols.get(square) == "chest" and self.tiles[square] != "LLLL" else 1
        after: dict[str, dict[int, int]] = defaultdict(dict)
        for goal in self.goals(square):
            for node, left in self.into[goal]:
                after[node] |= {result: 0 for result, points in left.items() if points >= cost}
        times = {node: (240 + sum(known.values())) // len(known) for node, known in after.items() if known}
        if self.symbols.get(square) == "storm" and self.tiles[square] == "WWWW":
            times[f"{square}.S"] = 60
        return self.spread(times, after, False)

    @functools.cache  # noqa: B019
    def to_boat(self, circle: str) -> dict[str, int]:
        """Return the times of walking to a boat."""
        return self.spread({circle: 0}, defaultdict(dict), True)

    @functools.cache  # noqa: B019
    def leg(self, start: str, end: str) -> int:
        """Return the time from taking a treasure until taking another."""
        times, tile = self.to_treasure(end), self.tiles[start]
        if tile == "WWWW":
            return times[f"{start}.S"]
        if tile != "LLLL":
            nodes = [goal for goal in self.goals(start) if goal.startswith("boat")]
            return min(times[node] for node in nodes)
        there = self.to_treasure(start)
        boats = [node for node in self.nodes if node.startswith("boat") and there[node] < NEVER]
        hill = f"{start}.H"
        if not boats:
            return times[hill]
        landing = min(boats, key=lambda node: (there[node], PLACES.index(node.removeprefix("boat "))))
        return min(times[hill], self.to_boat(landing.removeprefix("boat "))[hill] + times[landing])


def total_of(things: Counter[str]) -> int:
    """Return the number of things."""
    return sum(things.values())


@functools.lru_cache(maxsize=4)
def times_on(tiles: tuple[str, ...], symbols: tuple[tuple[str, str], ...]) -> Times:
    """Return the times of a map; consecutive positions share them."""
    return Times(tiles, symbols)


class PlainCells:
    """The cells of a position as a viewer knows it."""

    def __init__(self, d: dict[str, Any], viewer: int) -> None:
        self.game, self.viewer = GhostShip.from_dict(d), viewer
        game = self.game
        self.order = [(viewer + k) % game.num_players for k in range(game.num_players)]
        self.is_tour = game.phase in PHASES[PHASES.index("declare") : PHASES.index("over")]
        self.taking = tile_of(game.players[game.turn_player].pawn) if game.phase == "value" else None
        if self.is_tour:
            self.times = times_on(tuple(game.tiles[q] for q in SQUARES), tuple(sorted(game.symbols.items())))

    # Chits

    def unseen(self) -> Counter[int]:
        """Return the chits whose values the viewer has never seen."""
        me = self.game.players[self.viewer]
        shown = [seen.chits for seen in me.shown if seen]
        return self.game.full - me.chits - me.lost - sum(shown, Counter())

    def known(self, player: int) -> tuple[float, float]:
        """Return the expected value of a player's chits, and the expected number of value 1."""
        own, unseen = self.game.players[player], self.unseen()
        mean, ones = mean_of(unseen)
        if player == self.viewer:
            return float(sum(own.chits.elements())), float(own.chits[1])
        shown = self.game.players[self.viewer].shown[player]
        before, gained = (shown.chits, shown.gained) if shown else (Counter[int](), total(own.chits))
        kept = total(own.chits) / max(total(before) + gained, 1)
        return kept * (sum(before.elements()) + gained * mean), kept * (before[1] + gained * ones)

    def score(self, player: int) -> float:
        """Return a player's expected score, with a chit that is being taken."""
        held, ones = self.known(player)
        if self.taking and player == self.game.turn_player:
            mean, share = mean_of(self.unseen())
            held, ones = held + mean, ones + share
        return held + self.game.players[player].gold * max(1.0, ones)

    # Treasure

    def before(self) -> list[str]:
        """Return the tiles with treasure, also if the last chit of a tile is being taken."""
        return [square for square in SQUARES if self.game.chits[square] or square in self.game.gold]

    def treasures(self) -> list[str]:
        """Return the tiles with treasure, without the one whose last chit is being taken."""
        gone = self.taking if self.taking and self.game.chits[self.taking] == 1 else None
        return [square for square in self.before() if square != gone]

    def points(self, player: int, square: str) -> float:
        """Return what the best treasure of a tile is worth."""
        mean = mean_of(self.unseen())[0] if self.game.chits[square] else 0.0
        return max(mean, max(1.0, self.known(player)[1]) if square in self.game.gold else 0.0)

    def until(self, own: Player, square: str) -> tuple[int, int]:
        """Return the times until the treasure of a tile is taken: without first walking to the boat, and by boat."""
        times = self.times.to_treasure(square)
        if not own.ashore:
            return times[own.pawn], times[own.pawn]
        return times[own.pawn], self.home(own) + times[f"boat {own.boat}"]

    def home(self, own: Player) -> int:
        """Return the time of walking to the boat."""
        return self.times.to_boat(own.boat)[own.pawn] if own.ashore and own.pawn != own.boat else 0

    def soonest(self, player: int) -> dict[str, int]:
        """Return the time until each treasure is taken."""
        own = self.game.players[player]
        return {square: min(*self.until(own, square), NEVER) for square in self.treasures()}

    @functools.cache  # noqa: B019
    def nearest(self, start: str) -> list[tuple[int, str]]:
        """Return the other treasures with their legs, the nearest first."""
        legs = [(self.times.leg(start, end), end) for end in self.before() if end != start]
        return sorted(legs, key=lambda leg: (leg[0], SQUARES.index(leg[1])))

    @functools.cache  # noqa: B019
    def tour(self, player: int, discount: float, start: str, gone: tuple[str, ...] = (), legs: int = 4) -> float:
        """Return the value of the best tour from a treasure."""
        gone, best = (*gone, start), 0.0
        for leg, end in [pair for pair in self.nearest(start) if pair[1] not in gone][: 3 if legs else 0]:
            rest = self.tour(player, discount, end, gone, legs - 1)
            best = max(best, power(discount, leg) * (self.points(player, end) + rest))
        return best

    def best_tour(self, player: int, discount: float) -> float:
        """Return the value of the best tour from the player's pawn."""
        own, best = self.game.players[player], 0.0
        for square in self.treasures():
            direct, by_boat = self.until(own, square)
            points, rest = self.points(player, square), self.tour(player, discount, square)
            if by_boat < direct or not own.ashore:
                best = max(best, power(discount, min(by_boat, NEVER)) * (points + rest))
            if own.ashore and self.game.chart.is_all_sea(square):
                best = max(best, power(discount, direct) * (points + rest))
            elif own.ashore:
                rest = min(rest, self.tour_on_foot(player, discount, square))
                best = max(best, power(discount, direct) * (points + rest))
        return best

    def tour_on_foot(self, player: int, discount: float, square: str) -> float:
        """Return the value of the best tour after walking to a treasure."""
        own, best = self.game.players[player], 0.0
        goals = [goal for goal in self.times.goals(square) if not goal.startswith("boat")]
        back = min(self.times.to_boat(own.boat)[goal] for goal in goals)
        for other in self.treasures():
            if other == square:
                continue
            times = self.times.to_treasure(other)
            time = min(back + times[f"boat {own.boat}"], *(times[goal] for goal in goals))
            value = self.points(player, other) + self.tour(player, discount, other)
            best = max(best, power(discount, min(time, NEVER)) * value)
        return best

    # Cells

    def cells(self) -> dict[str, int]:
        """Return all cells by name."""
        game = self.game
        lead = self.score(self.viewer) - max(self.score(player) for player in self.order[1:])
        found = {
            "phase": PHASES.index(game.phase),
            "mover": self.order.index(game.turn_player),
            "points": 0 if game.points is None else game.points + 1,
            "result": game.result or 0,
            "extra": EXTRAS.index(game.extra),
            "chits_left": sum(game.chits.values()),
            "gold_left": len(game.gold),
            "lead": min(max(round(2 * lead), -40), 40) + 40,
        }
        for k, player in enumerate(self.order):
            found |= {f"{'own' if k == 0 else f'next_{k}'}_{name}": cell for name, cell in self.of_player(player)}
        return found

    def of_player(self, player: int) -> Iterator[tuple[str, int]]:
        """Yield the cells of a player."""
        game, own = self.game, self.game.players[player]
        square = tile_of(own.pawn)
        symbol = game.symbols.get(square or "")
        taken = self.taking is not None and player == game.turn_player
        yield "place", 0 if not own.ashore else 1 if own.pawn == own.boat else 2
        yield "symbol", 7 if symbol is None else [*SYMBOLS, "?"].index(symbol)
        yield "chits", min(total(own.chits) + taken, 7)
        yield "gold", own.gold
        yield "saved", own.saved + 3
        yield "owed", min(own.skip, 3)
        yield "ghost", self.from_ghost(own)
        times = self.soonest(player) if self.is_tour else {}
        yield "boat", min(self.home(own) // 15, 63) if self.is_tour else 0
        others = [self.soonest(other) for other in self.order if other != player] if self.is_tour else []
        yield "first", sum(all(time < other[square] for other in others) for square, time in times.items())
        near = [*sorted(times.values()), NEVER, NEVER, NEVER]
        for name, time in zip(("near", "near_second", "near_third"), near, strict=False):
            yield name, min(time // 15, 63)
        for discount in DISCOUNTS:
            value = self.best_tour(player, discount) if self.is_tour else 0.0
            yield f"tour_{round(100 * discount)}", min(int(64 * value), 1023)

    def from_ghost(self, own: Player) -> int:
        """Return the distance of a pawn from the ghost."""
        if self.game.ghost is None:
            return 5
        (row, column), (down, right) = where_is(f"{self.game.ghost}.S"), where_is(own.pawn)
        return min(max(abs(row - down), abs(column - right)), 5)


def mean_of(unseen: Counter[int]) -> tuple[float, float]:
    """Return the mean of chits, and the share of the value 1."""
    count = max(total(unseen), 1)
    return sum(unseen.elements()) / count, unseen[1] / count


def power(discount: float, time: int) -> float:
    """Return the discount for a time."""
    return discount ** (time / 60) if time < NEVER else 0.0
