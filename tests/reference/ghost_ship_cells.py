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
LEGS, MOST_POINTS = 4, 10
LEAST_TO_FIND = {None: 5, "friendly": 2, "hostile": 4, "ruins": 4}
DISCOUNTS = {"soon": 0.8, "later": 0.9}
LEVELS = (1, 2, 3, 4, 6, 8, 10)
NOTHING_TO_REACH = [
    *(("first", 0), ("boat", 0), ("safe", 127), ("rival", 127)),
    *((str(level), 127) for level in LEVELS),
    *((when, 0) for when in DISCOUNTS),
]
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

    def chits(self, player: int) -> int:
        """Return the number of a player's chits, with one that is being taken and without one that is being lost."""
        gains = self.taking is not None and player == self.game.turn_player
        return total(self.game.players[player].chits) + gains - (player in self.game.losers)

    def known(self, player: int) -> tuple[float, float]:
        """Return the expected value of a player's chits, and the expected number of value 1."""
        own, unseen = self.game.players[player], self.unseen()
        mean, ones = mean_of(unseen)
        if player == self.viewer:
            held, own_ones = float(sum(own.chits.elements())), float(own.chits[1])
        else:
            shown = self.game.players[self.viewer].shown[player]
            before, gained = (shown.chits, shown.gained) if shown else (Counter[int](), total(own.chits))
            kept = total(own.chits) / max(total(before) + gained, 1)
            held = kept * (sum(before.elements()) + gained * mean)
            own_ones = kept * (before[1] + gained * ones)
        now, count = self.chits(player), total(own.chits)
        if now > count:
            return held + mean, own_ones + ones
        return (held * now / count, own_ones * now / count) if now < count else (held, own_ones)

    def score(self, player: int) -> float:
        """Return a player's expected score."""
        held, ones = self.known(player)
        return held + self.game.players[player].gold * max(1.0, ones)

    def more(self, player: int) -> tuple[int, int]:
        """Return what one more chit and what more gold add to a player's expected score, rounded."""
        mean, share = mean_of(self.unseen())
        ones = self.known(player)[1]
        chit = mean + self.game.players[player].gold * (max(1.0, ones + share) - max(1.0, ones))
        return min(max(round(chit), 1), 7), min(round(max(1.0, ones)), 7)

    # Treasure

    def treasures(self) -> list[str]:
        """Return the tiles with treasure, without a chit that is being taken."""
        return [q for q in SQUARES if self.game.chits[q] - (q == self.taking) > 0 or q in self.game.gold]

    def points(self, player: int, square: str) -> int:
        """Return what the best treasure of a tile is worth."""
        chit, gold = self.more(player)
        is_chit = self.game.chits[square] - (square == self.taking) > 0
        return max(chit if is_chit else 0, gold if square in self.game.gold else 0)

    def at_hand(self, player: int) -> str | None:
        """Return the tile that the player has just entered with points left to take a treasure."""
        game = self.game
        arrives = game.phase in ("reveal", "lose") and player == game.turn_player and (game.points or 0) > 0
        return tile_of(game.players[player].pawn) if arrives else None

    def under_way(self, player: int) -> int:
        """Return the time of a turn in which the player is about to move."""
        moves = self.is_before_act() and player == self.game.turn_player
        return 60 if moves and self.game.declared in ("travel", "salvage", "drift") else 0

    def is_before_act(self) -> bool:
        """Return whether an act has been declared that is still to begin."""
        return self.game.phase in ("spin", "ghost_back", "lose", "number") and self.game.points is None

    def outcomes(self, player: int) -> list[tuple[int, str, str]]:
        """Return the places of a player's pawn and boat after each of the four numbers, with how many lead there."""
        game, own = self.game, self.game.players[player]
        name, *victim = (game.declared or "").split() if self.is_before_act() else [""]
        mover, now = game.players[game.turn_player], (own.pawn, own.boat)
        if name == "steal" and player == int(victim[0]):
            return [(4, own.pawn, mover.boat)]
        if name == "steal" and own is mover:
            return [(4, own.pawn, game.players[int(victim[0])].boat)]
        if own is not mover or name not in ("search", "swim"):
            return [(4, *now)]
        success, least = (own.pawn, own.pawn), LEAST_TO_FIND.get(game.symbols.get(tile_of(own.pawn) or ""), 9)
        if name == "swim":
            success, least = (own.pawn[:-1] + "10"[int(own.pawn[-1])], own.boat), 4
        odds = sum(min(max(number + own.saved, 2), 5) >= least for number in NUMBERS)
        return [(odds, *success), (4 - odds, *now)]

    def home(self, pawn: str, boat: str) -> int:
        """Return the time of walking to the boat."""
        return self.times.to_boat(boat)[pawn] if pawn != boat else 0

    def until(self, player: int, pawn: str, boat: str, square: str) -> tuple[int, int | None]:
        """Return the times until the treasure of a tile is taken: with the boat, and on foot if that is elsewhere."""
        times, here = self.times.to_treasure(square), square == self.at_hand(player)
        ashore = spot_of(boat)[0] == "C"
        by_boat = self.home(pawn, boat) + times[f"boat {boat}" if ashore else pawn]
        if pawn != boat:
            return by_boat, 0 if here else times[pawn]
        return 0 if here else by_boat, None

    def soonest(self, player: int) -> dict[str, int]:
        """Return the expected time until each treasure is taken."""
        found: dict[str, int] = {}
        for square in self.treasures():
            each = [(odds, self.until(player, pawn, boat, square)) for odds, pawn, boat in self.outcomes(player)]
            found[square] = sum(odds * min(NEVER, *(t for t in times if t is not None)) for odds, times in each) // 4
        return found

    @functools.cache  # noqa: B019
    def nearest(self, start: str) -> list[tuple[int, str]]:
        """Return the other treasures with their legs, the nearest first."""
        legs = [(self.times.leg(start, end), end) for end in self.treasures() if end != start]
        return sorted(legs, key=lambda leg: (leg[0], SQUARES.index(leg[1])))

    def tours(
        self, player: int, start: str, gone: tuple[str, ...], time: int, points: int
    ) -> Iterator[tuple[int, int]]:
        """Yield the times and points after each treasure of all tours from a treasure."""
        gone = (*gone, start)
        if len(gone) > LEGS or points >= MOST_POINTS:
            return
        for leg, end in [pair for pair in self.nearest(start) if pair[1] not in gone][:3]:
            if time + leg >= NEVER:
                return
            yield time + leg, points + self.points(player, end)
            yield from self.tours(player, end, gone, time + leg, points + self.points(player, end))

    @functools.cache  # noqa: B019
    def front(self, player: int, start: str) -> list[int]:
        """Return the least times until tours from a treasure yield 0, 1, 2 ... points."""
        found = [*self.tours(player, start, (), 0, 0)]
        return [0, *(min([NEVER, *(t for t, p in found if p >= least)]) for least in range(1, MOST_POINTS + 1))]

    @functools.cache  # noqa: B019
    def front_on_foot(self, player: int, start: str, boat: str) -> list[int]:
        """Return the same after walking to the treasure, with the boat where it is."""
        by_boat = self.front(player, start)
        if self.game.chart.is_all_sea(start):
            return by_boat
        goals = [goal for goal in self.times.goals(start) if not goal.startswith("boat")]
        back = min(self.times.to_boat(boat)[goal] for goal in goals)
        front = [0] + [NEVER] * MOST_POINTS
        for other in self.treasures():
            if other == start:
                continue
            times = self.times.to_treasure(other)
            time = min(back + times[f"boat {boat}"], *(times[goal] for goal in goals))
            self.improve(front, time, self.front(player, other), self.points(player, other))
        return [max(pair) for pair in zip(front, by_boat, strict=True)]

    def improve(self, front: list[int], time: int, after: list[int], worth: int) -> None:
        """Lower a front by tours that begin with a treasure at this time."""
        for least in range(1, MOST_POINTS + 1):
            front[least] = min(front[least], time + after[max(least - worth, 0)])

    def best_front(self, player: int, pawn: str, boat: str) -> list[int]:
        """Return the least times until tours of a player yield 0, 1, 2 ... points."""
        front = [0] + [NEVER] * MOST_POINTS
        for square in self.treasures():
            worth, (by_boat, on_foot) = self.points(player, square), self.until(player, pawn, boat, square)
            self.improve(front, by_boat, self.front(player, square), worth)
            if on_foot is not None:
                self.improve(front, on_foot, self.front_on_foot(player, square, boat), worth)
        return front

    # Cells

    def cells(self) -> dict[str, int]:
        """Return all cells by name."""
        game = self.game
        lead = self.score(self.viewer) - max(self.score(player) for player in self.order[1:])
        declared = (game.declared or "none").split()[0]
        found = {
            "phase": PHASES.index(game.phase),
            "mover": self.order.index(game.turn_player),
            "declared": ["none", "travel", "swim", "search", "steal", "salvage", "drift"].index(declared),
            "points": 0 if game.points is None else game.points + 1,
            "result": game.result or 0,
            "extra": EXTRAS.index(game.extra),
            "chits_left": sum(game.chits.values()),
            "gold_left": len(game.gold),
            "lead": min(max(round(2 * lead), -64), 64) + 64,
        }
        for k, player in enumerate(self.order):
            found |= {f"{'own' if k == 0 else f'next_{k}'}_{name}": cell for name, cell in self.of_player(player)}
        return found

    def of_player(self, player: int) -> Iterator[tuple[str, int]]:
        """Yield the cells of a player."""
        game, own = self.game, self.game.players[player]
        symbol = game.symbols.get(tile_of(own.pawn) or "")
        yield "place", 0 if not own.ashore else 1 if own.pawn == own.boat else 2
        yield "symbol", 7 if symbol is None else [*SYMBOLS, "?"].index(symbol)
        yield "chits", min(self.chits(player), 7)
        yield "gold", own.gold
        yield "saved", own.saved + 3
        yield "owed", min(own.skip, 3)
        yield "ghost", self.from_ghost(own)
        chit_points, gold_points = self.more(player)
        yield "chit_points", chit_points
        yield "gold_points", gold_points
        yield from self.of_travel(player) if self.is_tour else NOTHING_TO_REACH

    def of_travel(self, player: int) -> Iterator[tuple[str, int]]:
        """Yield the cells of a player that need the times of travels."""
        spent = self.under_way(player)
        times = {square: time - spent for square, time in self.soonest(player).items()}
        others = [(self.soonest(other), self.under_way(other)) for other in self.order if other != player]
        rivals = {square: min([NEVER, *(soonest[square] - less for soonest, less in others)]) for square in times}
        safe = [time for square, time in times.items() if time < rivals[square]]
        nearest = min(times, key=lambda square: (times[square], SQUARES.index(square)), default=None)
        yield "first", len(safe)
        outcomes = self.outcomes(player)
        yield "boat", rounded(sum(odds * self.home(pawn, boat) for odds, pawn, boat in outcomes) // 4)
        yield "safe", rounded(min(safe, default=NEVER))
        yield "rival", rounded(rivals[nearest] if nearest and times[nearest] < NEVER else NEVER)
        fronts = [(odds, self.best_front(player, pawn, boat)) for odds, pawn, boat in outcomes]
        for level in LEVELS:
            yield str(level), rounded(sum(odds * front[level] for odds, front in fronts) // 4 - spent)
        for when, discount in DISCOUNTS.items():
            worth = 0.0
            for odds, front in fronts:
                left = [max(time - spent, 0) for time in front[1:]]
                worth += odds / 4 * sum(discount ** (time / 60) for time in left if time < NEVER)
            yield when, min(round(32 * worth), 320)

    def from_ghost(self, own: Player) -> int:
        """Return the distance of a pawn from the ghost."""
        if self.game.ghost is None:
            return 5
        (row, column), (down, right) = where_is(f"{self.game.ghost}.S"), where_is(own.pawn)
        return min(max(abs(row - down), abs(column - right)), 5)


def rounded(time: int) -> int:
    """Return a time in sixths of a turn."""
    return min(max(time // 10, 0), 127)


def mean_of(unseen: Counter[int]) -> tuple[float, float]:
    """Return the mean of chits, and the share of the value 1."""
    count = max(total(unseen), 1)
    return sum(unseen.elements()) / count, unseen[1] / count
