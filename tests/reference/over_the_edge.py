"""Reference implementation of `over_the_edge`: the rules in plain Python over names of spaces, cards and ports.

Each rule is a function. Only the map files and the generator of maps are shared with the package, so that an error in
either shows as a difference between them. Maps are not checked. Actions are strings; their ids number

    home PORT (all ports of the map), discard KIND (8 kinds), fair SPACE, winds SPACE, sail SPACE (all spaces each),
    calm, wait, set KIND (8), board PLAYER (6 for any number of players), no boarding, take KIND (8), give KIND (8),
    accept, refuse

in this order, ports and spaces as in the map file: 43 + ports + 3 x spaces ids. In a game on a set of maps, spaces are
numbered by their first cells. A chance outcome is the number of a kind, or of a map of the set.
`drawn` and `position` at the end write maps and positions for tests.
"""

from __future__ import annotations

import copy
import functools
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from edge_envs.games.over_the_edge.map.generator import generate_map

CHANCE = -1
TERMINAL = -4

MAPS = Path(__file__).resolve().parents[2] / "edge_envs" / "games" / "over_the_edge" / "map" / "maps"

Space = str  # its id
Kind = str

KINDS = [
    "fair_weather",
    "favorable_winds",
    "mutiny",
    "scurvy",
    "stormy_seas",
    "severe_damage",
    "dead_calm",
    "loyal_crew",
]
CARDS = {kind: 16 if kind == "fair_weather" else 8 for kind in KINDS}
DRIFTING = ["scurvy", "stormy_seas", "severe_damage"]
HAND = 5
SET = 3
SEATS = 6

VOID = "over the edge"  # a target of drifts besides spaces
LAND = "aground"

IN_PORT = ("trim", "refill", "discard", "depart")
BOARDING = ("board", "take", "give", "answer")
DRAWING = ("deal", "refill", "draw")
PHASES = ("home", "deal", *IN_PORT, "draw", "play", "second_step", "sets", *BOARDING, "over")


class Chart:
    """The geometry of a map, computed on each call without caches."""

    def __init__(self, source: Mapping[str, Any]) -> None:
        """Store the content of a map file."""
        self.rings, self.sectors = source["rings"], source["sectors"]
        self.cells = {space["id"]: [tuple(cell) for cell in space["cells"]] for space in source["spaces"]}
        self.spaces = list(self.cells)
        self.ports = {space["id"]: space["port"] for space in source["spaces"] if "port" in space}
        self.barriers = [set(pair) for pair in source.get("barriers", [])]
        self.owner = {cell: space for space, cells in self.cells.items() for cell in cells}

    def neighbours(self, space: Space) -> list[Space]:
        """Return the spaces one step away, in the order of the file."""
        near = set()
        for ring, sector in self.cells[space]:
            for other in [(ring - 1, sector), (ring + 1, sector), (ring, sector - 1), (ring, sector + 1)]:
                near.add(self.owner.get((other[0], other[1] % self.sectors), space))
        near.discard(space)
        return [other for other in self.spaces if other in near and {space, other} not in self.barriers]

    def _counted_through(self, space: Space) -> list[tuple[int, int]]:
        """Return the cells of a space with unwrapped sectors, relative to the first cell and possibly negative."""
        start = self.cells[space][0][1]
        return [(ring, start + self._shorter(sector - start)) for ring, sector in self.cells[space]]

    def _shorter(self, way: Any) -> Any:
        """Return the shorter way round the circle."""
        while way > Fraction(self.sectors, 2):
            way -= self.sectors
        while way < -Fraction(self.sectors, 2):
            way += self.sectors
        return way

    def angle(self, space: Space) -> Fraction:
        """Return the mean sector of the cells of a space, modulo whole rounds."""
        sectors = [sector for _, sector in self._counted_through(space)]
        return Fraction(sum(sectors), len(sectors))

    def turn(self, start: Space, end: Space) -> Fraction:
        """Return the signed shorter difference of two angles."""
        return Fraction(self._shorter(self.angle(end) - self.angle(start)))

    def edgeward(self, space: Space) -> str:
        """Return the space to which a drift leads, `VOID` or `LAND`."""
        rim = max(ring for ring, _ in self.cells[space])
        if rim == self.rings - 1:
            return VOID
        outermost = sorted(sector for ring, sector in self._counted_through(space) if ring == rim)
        seen = [self.owner.get((rim + 1, sector % self.sectors), LAND) for sector in outermost]
        if set(seen) == {LAND}:
            return LAND
        seen = [target for target in seen if target != LAND]
        most = max(seen.count(target) for target in seen)
        return next(target for target in seen if seen.count(target) == most)


@dataclass
class Ship:
    """A ship. Before the choice of a home it has no space; after a fall it has a home but no space."""

    space: Space | None = None
    home: Space | None = None
    winding: Fraction = Fraction(0)
    skip: int = 0


class OverTheEdge:
    """One game of Over the Edge!"""

    def __init__(
        self,
        num_players: int = 2,
        map: Any = "flat_earth",
        boarding: bool = True,
        max_turns: int = 500,
        hand_size: int = HAND,
        cards: Mapping[Kind, int] | None = None,
        calm_saves: bool = False,
    ) -> None:
        """Set up the start: no ship has a home, player 0 chooses first (1). On a set of maps, one is drawn before."""
        self.seeds = seeds_of(map)
        source = map if isinstance(map, dict) else map_source(map)
        if isinstance(map, str) and not map.startswith("random:") and not (MAPS / f"{map}.json").exists():
            map = source
        self.params = {"num_players": num_players, "map": map, "boarding": boarding, "max_turns": max_turns}
        self.num_players, self.boarding, self.max_turns = num_players, boarding, max_turns
        self.hand_size, self.calm_saves, self.cards = hand_size, calm_saves, {**CARDS, **(cards or {})}
        later = {"hand_size": (hand_size, HAND), "cards": (self.cards, CARDS), "calm_saves": (calm_saves, False)}
        self.params |= {name: value for name, (value, default) in later.items() if value != default}
        self.map_seed: int | None = None
        self.chart = Chart(source)
        self.texts = self._texts()
        self.phase = "map" if self.seeds else "home"
        self.turn_player = 0
        self.turn = 0
        self.check_cards = True
        self.ships = [Ship() for _ in range(num_players)]
        self.hands: list[Counter[Kind]] = [Counter() for _ in range(num_players)]
        self.deck = Counter(self.cards)
        self.discards: Counter[Kind] = Counter()
        self.then: str | None = None
        self.target: int | None = None
        self.take: Kind | None = None
        self.give: Kind | None = None
        self.winner: int | None = None

    def _texts(self) -> list[str]:
        """Return the string of every action id."""
        spaces = [f"{verb} {space}" for verb in ("fair", "winds", "sail") for space in self._numbered()]
        return [
            *(f"home {port}" for port in self.chart.ports.values()),
            *(f"discard {kind}" for kind in KINDS),
            *spaces,
            "calm",
            "wait",
            *(f"set {kind}" for kind in KINDS),
            *(f"board {player}" for player in range(SEATS)),
            "no boarding",
            *(f"take {kind}" for kind in KINDS),
            *(f"give {kind}" for kind in KINDS),
            "accept",
            "refuse",
        ]

    def _numbered(self) -> list[str]:
        """Return the spaces by number: on a set of maps by their first cells, others as `#NUMBER`."""
        if not self.seeds:
            return self.chart.spaces
        first = {min(cells): space for space, cells in self.chart.cells.items()}
        sectors = self.chart.sectors
        return [first.get(divmod(number, sectors), f"#{number}") for number in range(self.chart.rings * sectors)]

    # Players and actions

    def current_player(self) -> int:
        """Return the player to act, `CHANCE` or `TERMINAL`."""
        if self.phase == "over":
            return TERMINAL
        if self.phase in (*DRAWING, "map"):
            return CHANCE
        if self.phase == "sets":
            return self._decider()
        if self.phase == "answer":
            assert self.target is not None
            return self.target
        return self.turn_player

    def legal_actions(self) -> list[int]:
        """Return the sorted action ids, the outcomes at a chance node, or [] at the end."""
        if self.current_player() == CHANCE:
            return [kind for kind, _ in self.chance_outcomes()]
        return sorted(self.texts.index(text) for text in self._choices())

    def chance_outcomes(self) -> list[tuple[int, Fraction]]:
        """Return every kind in the deck with its probability."""
        if self.current_player() != CHANCE:
            raise ValueError("not a chance node")
        if self.phase == "map":
            return [(i, Fraction(1, len(self.seeds))) for i in range(len(self.seeds))]
        return [(i, Fraction(self.deck[kind], size(self.deck))) for i, kind in enumerate(KINDS) if self.deck[kind]]

    def action_to_string(self, action: int) -> str:
        """Return the string of an action or outcome at this node."""
        if self.phase == "map":
            return f"map {self.seeds[action]}"
        return f"draw {KINDS[action]}" if self.current_player() == CHANCE else self.texts[action]

    def _choices(self) -> list[str]:
        """Return the strings of all legal actions."""
        if self.phase == "over":
            return []
        if self.phase == "home":
            return [f"home {port}" for port in self.chart.ports.values()]
        if self.phase in ("trim", "discard"):
            return [f"discard {kind}" for kind in held(self._hand())]
        if self.phase in ("depart", "play"):
            return self._plays()
        if self.phase == "second_step":
            return [f"sail {space}" for space in self.chart.neighbours(self._here())]
        if self.phase == "sets":
            saves = ["calm"] if self._may_save(self._decider()) else []
            return [*(f"set {kind}" for kind in self._acting(self._decider())), *saves]
        if self.phase == "board":
            return [*(f"board {player}" for player in self._boardable()), "no boarding"]
        if self.phase == "take":
            assert self.target is not None
            return [f"take {kind}" for kind in held(self.hands[self.target])]
        if self.phase == "give":
            return [f"give {kind}" for kind in held(self._hand())]
        assert self.phase == "answer"
        return ["accept", "refuse"]

    def _plays(self) -> list[str]:
        hand, near = self._hand(), self.chart.neighbours(self._here())
        plays = [f"fair {space}" for space in near if hand["fair_weather"]]
        plays += [f"winds {space}" for space in near if hand["favorable_winds"]]
        if self.phase == "play" and hand["dead_calm"] >= 3 and hand["stormy_seas"] >= 1:
            plays.append("calm")
        return [*plays, "wait"]

    # Ships and hands

    def _ship(self) -> Ship:
        return self.ships[self.turn_player]

    def _hand(self) -> Counter[Kind]:
        return self.hands[self.turn_player]

    def _here(self) -> Space:
        space = self._ship().space
        assert space is not None
        return space

    def _in_port(self, player: int) -> bool:
        return self.ships[player].space in self.chart.ports

    def _at_sea(self, player: int) -> bool:
        return self.ships[player].space is not None and not self._in_port(player)

    def _fallen(self, player: int) -> bool:
        return self.ships[player].home is not None and self.ships[player].space is None

    def _in_turn_order(self) -> list[int]:
        """Return all players in turn order, the turn player first."""
        return [(self.turn_player + i) % self.num_players for i in range(self.num_players)]

    def _lay_off(self, player: int, kind: Kind, count: int = 1) -> None:
        """Move cards from a hand to the discards."""
        self.hands[player][kind] -= count
        self.discards[kind] += count

    # Transitions

    def apply(self, action: int) -> None:
        """Apply an action or a chance outcome, and everything that follows without a choice."""
        if action not in self.legal_actions():
            raise ValueError(f"illegal action {action} in phase {self.phase}")
        verb, _, thing = self.action_to_string(action).partition(" ")
        if self.phase == "map":
            self._choose_map(int(thing))
            self.phase = "home"
        elif self.phase in DRAWING:
            self._draw(thing)
        elif verb == "home":
            self._pick(thing)
        elif verb == "discard":
            self._discard(thing)
        elif verb in ("fair", "winds"):
            self._lay_off(self.turn_player, "fair_weather" if verb == "fair" else "favorable_winds")
            self._step(thing, then="end" if verb == "fair" else "second_step")
        elif verb == "sail":
            self._step(thing, then="end")
        elif verb == "calm" and self.phase == "sets":
            player = self._decider()
            self._calm(player)
            if player == self.turn_player:
                self.then = "end"
            self._look()
        elif verb == "calm":
            self._calm(self.turn_player)
            self._end_turn()
        elif verb == "wait":
            self._end_turn()
        elif verb == "set":
            self._act(self._decider(), thing)
            self._look()
        else:
            self._board(verb, thing)

    def _choose_map(self, seed: int) -> None:
        """Play on the map of a seed."""
        name = self.params["map"]
        self.map_seed = seed
        self.chart = Chart(map_source(f"random:{seed}{name[name.index(':', 7) :] if ':' in name[7:] else ''}"))
        self.texts = self._texts()

    def _calm(self, player: int) -> None:
        self._lay_off(player, "dead_calm", 3)
        self._lay_off(player, "stormy_seas")

    # Cards

    def _can_draw(self) -> bool:
        """Return whether a card can be drawn; an empty deck takes the discards first."""
        if not size(self.deck):
            self.deck, self.discards = self.discards, Counter()
        return size(self.deck) > 0

    def _draw(self, kind: Kind) -> None:
        self.deck[kind] -= 1
        self._hand()[kind] += 1
        if self.phase == "deal":
            self._deal()
        elif self.phase == "refill":
            self._fill_up()
        else:
            self._drawn()

    # 1. Setup

    def _pick(self, port: str) -> None:
        """Choose a home; the deal starts after the last choice."""
        (home,) = [space for space, name in self.chart.ports.items() if name == port]
        self.ships[self.turn_player] = Ship(home, home)
        self.turn_player += 1
        if self.turn_player == self.num_players:
            self._deal()

    def _deal(self) -> None:
        """Deal the next card, or start the first turn."""
        for player, hand in enumerate(self.hands):
            if size(hand) < self.hand_size and self._can_draw():
                self.phase, self.turn_player = "deal", player
                return
        self.turn_player = 0
        self._begin_turn()

    # 2, 3. The turn

    def _begin_turn(self) -> None:
        if not self._in_port(self.turn_player):
            self._draw_one()
        elif size(self._hand()) > self.hand_size:
            self.phase = "trim"
        else:
            self._fill_up()

    def _fill_up(self) -> None:
        """Draw up to five cards while cards remain; then draw the card of the turn."""
        if size(self._hand()) < self.hand_size and self._can_draw():
            self.phase = "refill"
        else:
            self._draw_one()

    def _draw_one(self) -> None:
        if self._can_draw():
            self.phase = "draw"
        else:
            self._drawn()

    def _drawn(self) -> None:
        """Continue after the card of the turn, or without it if both heaps are empty."""
        if not self._in_port(self.turn_player):
            self.then = "play"
            self._look()
        elif size(self._hand()):
            self.phase = "discard"
        else:
            self.phase = "depart"

    def _discard(self, kind: Kind) -> None:
        self._lay_off(self.turn_player, kind)
        if self.phase == "discard":
            self.phase = "depart"
        elif size(self._hand()) == self.hand_size:
            self._draw_one()

    def _end_turn(self) -> None:
        """Start the turn of the next ship; missed turns also count as turns (7)."""
        self.then = None
        self.turn += 1
        while self.turn < self.max_turns:
            self.turn_player = (self.turn_player + 1) % self.num_players
            while self._fallen(self.turn_player):
                self.turn_player = (self.turn_player + 1) % self.num_players
            if not self._ship().skip:
                self._begin_turn()
                return
            self._ship().skip -= 1
            self.turn += 1
        self.phase = "over"

    # 4, 8. Steps

    def _step(self, space: Space, then: str) -> None:
        """Move to an adjacent space; then resolve boarding, sets, and the rest of the turn."""
        self.then = then
        if self._enter(self.turn_player, space):
            return
        if self._boardable():
            self.phase = "board"
        else:
            self._look()

    def _enter(self, player: int, space: Space) -> bool:
        """Enter a space by a step or a drift; return whether the ship wins."""
        ship = self.ships[player]
        assert ship.space is not None
        ship.winding += self.chart.turn(ship.space, space)
        ship.space = space
        if space == ship.home and ship.winding != 0:
            self.phase, self.winner, self.then = "over", player, None
            return True
        return False

    # 5. Sets of three

    def _acting(self, player: int) -> list[Kind]:
        """Return the kinds of which a set of three acts."""
        hand = self.hands[player]
        if not self._at_sea(player):
            return []
        harmless = ["mutiny"] if hand["loyal_crew"] else []
        return [kind for kind in ["mutiny", *DRIFTING] if hand[kind] >= SET and kind not in harmless]

    def _decider(self) -> int:
        """Return the player who chooses the next set in `sets`."""
        return next(player for player in self._in_turn_order() if self._has_choice(player))

    def _has_choice(self, player: int) -> bool:
        return len(self._acting(player)) > 1 or self._may_save(player)

    def _may_save(self, player: int) -> bool:
        """Return whether three dead calm may be discarded with a stormy seas that is about to act."""
        return self.calm_saves and "stormy_seas" in self._acting(player) and self.hands[player]["dead_calm"] >= 3

    def _look(self) -> None:
        """Check the sets of all ships until none acts or a player must choose one; then continue the turn."""
        for player in self._in_turn_order():
            while self.phase != "over" and (acting := self._acting(player)):
                if self._has_choice(player):
                    self.phase = "sets"
                    return
                self._act(player, acting[0])
        if self.phase != "over":
            self._go_on()

    def _go_on(self) -> None:
        if self.then == "end":
            self._end_turn()
        else:
            assert self.then is not None
            self.phase, self.then = self.then, None

    def _act(self, player: int, kind: Kind) -> None:
        """Apply a set of three."""
        self._lay_off(player, kind, SET)
        if player == self.turn_player:
            self.then = "end"
        ship = self.ships[player]
        if kind == "mutiny":
            ship.space, ship.winding = ship.home, Fraction(0)
        else:
            self._drift(player)

    def _drift(self, player: int) -> None:
        """Drift one space towards the edge."""
        ship = self.ships[player]
        assert ship.space is not None
        target = self.chart.edgeward(ship.space)
        if target == VOID:
            self._fall(player)
        elif target == LAND:
            ship.skip += 1
        else:
            self._enter(player, target)

    # 9. Falling

    def _fall(self, player: int) -> None:
        self.discards += self.hands[player]
        self.hands[player] = Counter()
        self.ships[player] = Ship(home=self.ships[player].home)
        if all(self._fallen(other) for other in range(self.num_players)):
            self.phase, self.then = "over", None

    # 6. Boarding

    def _boardable(self) -> list[int]:
        """Return whom the mover, with a card, can board: ships with a card in the same space at sea."""
        if not self.boarding or not self._at_sea(self.turn_player) or not size(self._hand()):
            return []
        others = [player for player in range(self.num_players) if player != self.turn_player]
        return [p for p in others if self.ships[p].space == self._here() and size(self.hands[p])]

    def _board(self, verb: str, thing: str) -> None:
        if verb == "board":
            self.phase, self.target = "take", int(thing)
        elif verb == "take":
            self.phase, self.take = "give", thing
        elif verb == "give":
            self.give = thing
            assert self.target is not None
            if self.hands[self.target]["loyal_crew"] >= SET:
                self.phase = "answer"
            else:
                self._end_boarding(trade=True)
        else:
            self._end_boarding(trade=verb == "accept")

    def _end_boarding(self, trade: bool) -> None:
        if trade:
            assert self.target is not None
            assert self.take is not None
            assert self.give is not None
            for hand, lost, won in [
                (self.hands[self.target], self.take, self.give),
                (self._hand(), self.give, self.take),
            ]:
                hand[lost] -= 1
                hand[won] += 1
        self.target = self.take = self.give = None
        self._look()

    # 10. Rewards

    def rewards(self) -> list[Fraction]:
        """Return the rewards of the last transition: zero until the end, then +1 for the winner, paid by the others."""
        if self.winner is None:
            return [Fraction(0)] * self.num_players
        return [
            Fraction(1 if p == self.winner else Fraction(-1, self.num_players - 1)) for p in range(self.num_players)
        ]

    def _by_limit(self) -> bool:
        return self.winner is None and not all(self._fallen(player) for player in range(self.num_players))

    # JSON

    def to_dict(self) -> dict[str, Any]:
        """Return the position as a JSON object."""
        d: dict[str, Any] = {
            "game": "over_the_edge",
            "params": copy.deepcopy(self.params),
            "phase": self.phase,
            "turn_player": self.turn_player,
            "turn": self.turn,
        }
        if self.seeds:
            d["map"] = self.map_seed
        if not self.check_cards:
            d["check_cards"] = False
        d["ships"] = [
            {"space": ship.space, "home": ship.home, "winding": number(ship.winding), "skip": ship.skip}
            for ship in self.ships
        ]
        d["hands"] = [heap(hand) for hand in self.hands]
        d["deck"], d["discards"] = heap(self.deck), heap(self.discards)
        for key in own_keys(self.phase):
            d[key] = self._by_limit() if key == "by_limit" else getattr(self, key)
        return d

    @classmethod
    def from_dict(cls, d: dict[str, Any]) -> OverTheEdge:
        """Create the game at a position. Raises ValueError that starts with the invalid key."""
        game = cls(**d["params"])
        game.phase = one_of(d.get("phase"), [*PHASES, *(["map"] if game.seeds else [])], "phase")
        check_keys(d, game.phase, ["map"] if game.seeds else [])
        if game.seeds:
            game._read_map(d["map"])
        game.turn_player = integer(d["turn_player"], 0, game.num_players - 1, "turn_player")
        game.turn = integer(d["turn"], 0, game.max_turns, "turn")
        game.check_cards = d.get("check_cards", True)
        refuse("check_cards", not isinstance(game.check_cards, bool), "true or false is wanted")
        game.ships = [game._read_ship(ship) for ship in entries(d["ships"], game.num_players, "ships")]
        game.hands = [read_heap(hand, "hands") for hand in entries(d["hands"], game.num_players, "hands")]
        game.deck, game.discards = read_heap(d["deck"], "deck"), read_heap(d["discards"], "discards")
        game._read_own(d)
        game._check_cards()
        game._check_ships()
        game._check_phase()
        if game.phase == "over":
            game._check_end(d["by_limit"])
        return game

    def _read_map(self, seed: Any) -> None:
        if self.phase == "map":
            refuse("map", seed is not None, "the map has not been drawn")
        else:
            self._choose_map(integer(seed, self.seeds[0], self.seeds[-1], "map"))

    def _read_ship(self, d: Any) -> Ship:
        refuse("ships", not isinstance(d, dict) or set(d) != {"space", "home", "winding", "skip"}, "other keys")
        for key, spaces in [("space", self.chart.spaces), ("home", list(self.chart.ports))]:
            refuse("ships", d[key] is not None and d[key] not in spaces, f"{key}: {d[key]!r} is not possible")
        skip = integer(d["skip"], 0, None, "ships")
        return Ship(d["space"], d["home"], fraction(d["winding"], "ships"), skip)

    def _read_own(self, d: dict[str, Any]) -> None:
        """Read the keys that only some phases have."""
        if "then" in own_keys(self.phase):
            self.then = one_of(d["then"], ["play", "second_step", "end"][self.phase != "sets" :], "then")
        if "target" in own_keys(self.phase):
            self.target = integer(d["target"], 0, self.num_players - 1, "target")
        if "take" in own_keys(self.phase):
            self.take = one_of(d["take"], KINDS, "take")
        if "give" in own_keys(self.phase):
            self.give = one_of(d["give"], KINDS, "give")
        if self.phase == "over" and d["winner"] is not None:
            self.winner = integer(d["winner"], 0, self.num_players - 1, "winner")

    def _check_cards(self) -> None:
        """Check that all cards exist once, fallen ships have none, and a draw finds a card."""
        heaps = [*self.hands, self.deck, self.discards]
        for kind in KINDS if self.check_cards else []:
            there = sum(cards[kind] for cards in heaps)
            refuse("deck", there != self.cards[kind], f"{there} of {self.cards[kind]} cards {kind} are there")
        for player in range(self.num_players):
            refuse("hands", self._fallen(player) and size(self.hands[player]) > 0, f"player {player} has fallen")
        refuse("deck", self.phase in DRAWING and not self._can_draw(), "no card to draw")

    def _check_ships(self) -> None:
        """Check that homes are chosen in turn, windings match places, and a ship home from a voyage has won."""
        for player, ship in enumerate(self.ships):
            picked = self.phase not in ("map", "home") or (self.phase == "home" and player < self.turn_player)
            refuse("ships", (ship.home is not None) != picked, f"player {player} has a home, or has none")
            if ship.space is None or ship.home is None:
                nothing = ship.winding == 0 and ship.skip == 0
                refuse("ships", ship.space != ship.home and not picked, f"player {player} has no home yet")
                refuse("ships", not nothing, f"player {player} is nowhere and has neither winding nor skip")
                refuse("winner", player == self.winner, f"player {player} is nowhere")
                continue
            way = self.chart.angle(ship.space) - self.chart.angle(ship.home)
            refuse(
                "ships", (ship.winding - way) % self.chart.sectors != 0, f"player {player}: winding and angle differ"
            )
            won = ship.space == ship.home and ship.winding != 0
            refuse("ships", won != (player == self.winner), f"player {player} has come home, or has not")

    def _check_phase(self) -> None:
        """Check that the turn player can be at this point of a turn."""
        ended = self.phase == "over"
        if self.phase in ("map", "home", "deal"):
            self._check_setup()
            return
        refuse("turn", self.turn == self.max_turns and not ended, "the game has ended")
        gone = self._fallen(self.turn_player)
        refuse("turn_player", gone and self.phase not in ("sets", "over"), "this ship has fallen")
        refuse("phase", self.phase in IN_PORT and not self._in_port(self.turn_player), "the ship is not in port")
        afloat = ("play", *BOARDING)
        refuse("phase", self.phase in afloat and not self._at_sea(self.turn_player), "the ship is not at sea")
        cards = size(self._hand())
        refuse("phase", self.phase == "trim" and cards <= self.hand_size, "there is nothing to discard")
        refuse("phase", self.phase == "refill" and cards >= self.hand_size, "the hand is full")
        refuse("phase", self.phase == "discard" and cards == 0, "there is nothing to discard")
        if self.phase == "sets":
            self._check_sets(gone)
        if self.phase in BOARDING:
            self._check_boarding()

    def _check_setup(self) -> None:
        """Check that only choices of homes and deals have happened."""
        refuse("turn", self.turn != 0, "the first turn has not begun")
        for player, (ship, hand) in enumerate(zip(self.ships, self.hands, strict=True)):
            begun = ship.space == ship.home and ship.winding == 0 and ship.skip == 0
            refuse("ships", not begun, f"player {player} is not in his home port")
            dealt = self.hand_size if self.phase == "deal" and player < self.turn_player else 0
            if self.phase != "deal" or player != self.turn_player:
                refuse("hands", size(hand) != dealt, f"player {player} has {dealt} cards at this point")
            else:
                refuse("hands", size(hand) >= self.hand_size, f"player {player} has been dealt to")
        refuse("turn_player", self.phase == "map" and self.turn_player != 0, "nobody has a turn yet")

    def _check_sets(self, gone: bool) -> None:
        choice = any(self._has_choice(player) for player in range(self.num_players))
        refuse("phase", not choice, "nobody has a choice of sets")
        refuse("then", gone and self.then != "end", "the ship in turn has fallen")
        refuse("then", self.then == "play" and not self._at_sea(self.turn_player), "the ship in turn is not at sea")

    def _check_boarding(self) -> None:
        refuse("phase", not self.boarding, "boarding is disabled in this game")
        refuse("phase", not self._boardable(), "nobody can be boarded")
        refuse("target", self.target is not None and self.target not in self._boardable(), "he cannot be boarded")
        if self.take is not None and self.target is not None:
            refuse("take", not self.hands[self.target][self.take], "the target has no such card")
        refuse("give", self.give is not None and not self._hand()[self.give], "the mover has no such card")
        if self.phase == "answer" and self.target is not None:
            refuse("phase", self.hands[self.target]["loyal_crew"] < SET, "the target cannot refuse")

    def _check_end(self, by_limit: Any) -> None:
        refuse("by_limit", not isinstance(by_limit, bool), "true or false is wanted")
        refuse("by_limit", by_limit != self._by_limit(), "inconsistent with the winner and the fallen ships")
        refuse("turn", by_limit != (self.turn == self.max_turns), "the turn does not fit the end")


def own_keys(phase: str) -> list[str]:
    """Return the keys that only some phases have."""
    if phase == "over":
        return ["winner", "by_limit"]
    if phase in BOARDING:
        return ["then", "target", "take", "give"][: BOARDING.index(phase) + 1]
    return ["then"] if phase == "sets" else []


def size(cards: Counter[Kind]) -> int:
    """Return the number of cards."""
    return sum(cards.values())


def held(cards: Counter[Kind]) -> list[Kind]:
    """Return the kinds with at least one card."""
    return [kind for kind in KINDS if cards[kind]]


def heap(cards: Counter[Kind]) -> dict[Kind, int]:
    """Return cards as JSON."""
    return {kind: cards[kind] for kind in held(cards)}


def number(value: Fraction) -> int | str:
    """Return a winding as JSON."""
    return int(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


# Validation


def refuse(key: str, condition: bool, message: str) -> None:
    """Raise ValueError if the condition holds."""
    if condition:
        raise ValueError(f"{key}: {message}")


def check_keys(d: dict[str, Any], phase: str, more: list[str]) -> None:
    """Check that the keys are exactly those of this phase, with `more`."""
    keys = [
        *more,
        "game",
        "params",
        "phase",
        "turn_player",
        "turn",
        "ships",
        "hands",
        "deck",
        "discards",
        *own_keys(phase),
    ]
    for key in [*keys, *d]:
        refuse(key, key not in d or key not in [*keys, "check_cards"], "missing or unknown")


def integer(value: Any, low: int, high: int | None, key: str) -> int:
    """Check an integer and its range; return it."""
    refuse(key, type(value) is not int, f"{value!r} is not an integer")
    refuse(key, value < low or (high is not None and value > high), f"{value} is out of range")
    return int(value)


def fraction(value: Any, key: str) -> Fraction:
    """Check an integer, or a string such as `7/2` in lowest terms; return its value."""
    if type(value) is int:
        return Fraction(value)
    form = r"-?[1-9][0-9]*/[1-9][0-9]*"
    refuse(key, not isinstance(value, str) or not re.fullmatch(form, value), f"winding {value!r} is not a number")
    refuse(key, number(Fraction(value)) != value, f"winding {value} is not in lowest terms")
    return Fraction(value)


def one_of(value: Any, choices: Sequence[str], key: str) -> str:
    """Check that a value is one of some strings; return it."""
    refuse(key, not isinstance(value, str) or value not in choices, f"{value!r} is not possible")
    return str(value)


def entries(value: Any, count: int, key: str) -> Iterator[Any]:
    """Yield the entries of a list, one per player."""
    refuse(key, not isinstance(value, list) or len(value) != count, f"{count} entries are wanted")
    return iter(value)


def read_heap(value: Any, key: str) -> Counter[Kind]:
    """Read cards from JSON."""
    refuse(key, not isinstance(value, dict) or not set(value) <= set(KINDS), f"{value!r} are not cards")
    return Counter({kind: integer(count, 0, None, key) for kind, count in value.items()})


# Maps and positions for tests


@functools.cache
def map_source(name: str) -> dict[str, Any]:
    """Return the content of a map given by name or path; of a set of maps, its first one."""
    if not name.startswith("random:"):
        shipped = MAPS / f"{name}.json"
        return dict(json.loads((shipped if shipped.exists() else Path(name)).read_text(encoding="utf-8")))
    seed, colon, options = name.removeprefix("random:").partition(":")
    return generate_map(f"random:{seed.partition('-')[0]}{colon}{options}")


def seeds_of(map: Any) -> Sequence[int]:
    """Return the seeds of a set of maps; nothing for a single map."""
    seeds = map.removeprefix("random:").partition(":")[0] if isinstance(map, str) else ""
    first, dash, last = seeds.partition("-")
    return range(int(first), int(last) + 1) if dash and map.startswith("random:") else ()


def drawn(*rows: str, ports: str = "", barriers: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a map from its rings, inner ring first, a letter per cell: `#` is land, equal letters form a space."""
    cells: dict[str, list[list[int]]] = {}
    for ring, row in enumerate(rows):
        for sector, letter in enumerate(row):
            cells.setdefault(letter, []).append([ring, sector])
    land = cells.pop("#", [])
    spaces: list[dict[str, Any]] = [{"id": letter, "cells": own} for letter, own in sorted(cells.items())]
    for space in spaces:
        if space["id"] in (ports or "a"):
            space["port"] = f"Port {space['id']}"
    return {
        "name": "drawn",
        "rings": len(rows),
        "sectors": len(rows[0]),
        "spaces": spaces,
        "land": land,
        "barriers": [list(pair) for pair in barriers],
    }


def position(
    ships: Sequence[str],
    hands: Sequence[dict[Kind, int]] = (),
    phase: str = "play",
    map: Any = "pond",
    boarding: bool = True,
    max_turns: int = 500,
    **entries: Any,
) -> dict[str, Any]:
    """Return a position in turn 10, by default of player 0, with a full additional deck and unchecked cards.

    A ship is written as space, home, winding (default: the shorter way from home) and turns to miss (default: none):
    `A3 A0`, `B2 A0 -6 1`. A ship over the edge is `- A0`, one without a home `- -`.
    """
    params = {"num_players": len(ships), "map": map, "boarding": boarding, "max_turns": max_turns}
    hands = [dict(hand) for hand in hands]
    d: dict[str, Any] = {
        "game": "over_the_edge",
        "params": params,
        "phase": phase,
        "turn_player": 0,
        "turn": 10,
        "check_cards": False,
        "ships": [ship_entry(OverTheEdge(**params).chart, text) for text in ships],
        "hands": hands + [{} for _ in range(len(ships) - len(hands))],
        "deck": dict(CARDS),
        "discards": {},
    }
    return d | entries


def ship_entry(chart: Chart, text: str) -> dict[str, Any]:
    """Parse a ship."""
    place, port, *rest = text.split()
    space, home = (None if name == "-" else name for name in (place, port))
    winding: int | str = number(chart.turn(home, space)) if space and home else 0
    if rest:
        winding = int(rest[0]) if "/" not in rest[0] else rest[0]
    return {"space": space, "home": home, "winding": winding, "skip": int(rest[1]) if len(rest) > 1 else 0}


Twin = OverTheEdge
