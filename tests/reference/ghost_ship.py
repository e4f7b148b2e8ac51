"""Reference implementation of `ghost_ship`: the rules in plain Python over names of squares, tiles and places.

Each rule is a function. The rules are those of `ghost_ship.md`; nothing is shared with the package, so that an error in
either shows as a difference between them. `ghost_ship_map.py` has the geometry, `ghost_ship_positions.py` reads and
writes positions for tests.

Actions are strings. Their ids number

    tile SQUARE EDGES (70 squares x 17: the masks 0..15, then LLLL6), stack 1..4, ghost D5, ghost D6, travel, swim,
    search, steal 0..3, salvage, drift, save +, save -, go PLACE (594), take chit, take gold, end, number 2..5,
    ghost N NE E SE S SW W NW, chit SQUARE SIDE (70 x 4)

in this order, 2,096 ids. Chance outcomes are numbered from 0 at every kind of node:

    symbol  symbol x 5 + class (with covered symbols: class), in the orders of `SYMBOLS` and `CLASSES`
    draw    the kind of `KINDS`                complete  mask 0..15, LLLL6 16
    spin    (number - 2) x 8 + direction       drift     direction
    reveal  the symbol                         value, lose  value - 1
    place, stack, fill, ghost (with random creation)  the id of the decision, 0..1195

`to_dict` has the same keys in every phase. `view` is the observation of a player, `action_as_seen` an action as a
player sees it.
"""

from __future__ import annotations

import copy
import functools
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.reference.ghost_ship_map import (
    CLASSES,
    FULL,
    OPPOSITE,
    PLACES,
    SIDES,
    SMALL,
    SQUARES,
    TILES,
    WAYS,
    Chart,
    Place,
    Sea,
    Square,
    Tile,
    beside,
    circle_beside,
    class_of,
    position_of,
    rotations,
    spot_of,
    tile_of,
    where_is,
)

CHANCE = -1
TERMINAL = -4

KINDS = ["WWWW", "LWWW", "LWLW", "LLWW", "LLLW", "LLLL6", "LLLL"]
DRAW = Counter({"WWWW": 14, "LWWW": 23, "LWLW": 12, "LLWW": 21, "LLLW": 14, "LLLL6": 2, "LLLL": 4})
STACKS = [23, 23, 22, 22]
SEA_AT_FIRST = ["A1", "A10", "G1", "G10"]
GOLD_AT_FIRST = ["B3", "B8", "D5", "D6", "F3", "F8"]
CENTRE = ["D5", "D6"]

SYMBOLS = ["skull", "storm", "hostile", "ruins", "friendly", "chest"]
SYMBOL_CLASSES = CLASSES[:5]
_MIXES = {
    ("full", "standard"): {
        "skull": ["WWWW", "LWWW", "LLWW"],
        "storm": ["WWWW", "WWWW", "LWWW", "LWLW"],
        "hostile": ["LWWW", "LLWW", "LLLW"],
        "ruins": ["LWLW", "LLWW", "LLLW"],
        "friendly": ["LWWW", "LWLW", "LLWW", "LLLW"],
        "chest": ["WWWW", "LWWW", "LLLW"],
    },
    ("full", "easy"): {
        "skull": ["LLWW"],
        "storm": ["WWWW"],
        "hostile": ["LWWW", "LLLW"],
        "ruins": ["LWWW", "LWLW", "LLWW", "LLLW"],
        "friendly": [*["LWWW"] * 2, *["LWLW"] * 2, *["LLWW"] * 2, "LLLW"],
        "chest": [*["WWWW"] * 3, "LWWW", "LLLW"],
    },
    ("full", "hard"): {
        "skull": [*["WWWW"] * 2, *["LWWW"] * 2, *["LLWW"] * 2, "LLLW"],
        "storm": [*["WWWW"] * 2, "LWWW", *["LWLW"] * 2],
        "hostile": [*["LWWW"] * 2, "LWLW", "LLWW", *["LLLW"] * 2],
        "ruins": ["LLWW"],
        "chest": ["LLLW"],
    },
    ("small", "standard"): {
        "skull": ["LLWW"],
        "storm": ["WWWW"],
        "hostile": ["LWWW"],
        "ruins": ["LLWW"],
        "friendly": ["LWWW", "LWLW"],
        "chest": ["WWWW", "LLLW"],
    },
    ("small", "easy"): {
        "ruins": ["LWWW", "LLWW"],
        "friendly": ["LWWW", "LWLW", "LLWW"],
        "chest": ["WWWW", "WWWW", "LLLW"],
    },
    ("small", "hard"): {
        "skull": ["WWWW", "LLWW", "LLLW"],
        "storm": ["WWWW", "LWWW", "LWLW"],
        "hostile": ["LWWW", "LLWW"],
    },
}
SYMBOL_TILES_OF = {
    board: [f"{symbol} {name}" for symbol, names in mix.items() for name in names] for board, mix in _MIXES.items()
}
SYMBOL_TILES = SYMBOL_TILES_OF["full", "standard"]  # twenty
ALL_SYMBOL_TILES = [f"{symbol} {name}" for symbol in SYMBOLS for name in SYMBOL_CLASSES]
HALF = 10


@dataclass(frozen=True)
class Parts:
    """The parts of a sea: its squares, the tiles set out and to be drawn, and where the boats begin."""

    sea: Sea
    sea_at_first: list[Square]
    gold_at_first: list[Square]
    draw: Counter[str]
    stacks: list[int]
    starts: dict[int, list[Square]]


NUMBERS = [2, 3, 4, 5]
STARTS = {2: ["A1", "G10"], 3: ["A1", "A10", "G1"], 4: ["A1", "A10", "G10", "G1"]}
CHITS = {1: 8, 2: 6, 3: 4, 4: 2}
PARTS = {
    "full": Parts(FULL, SEA_AT_FIRST, GOLD_AT_FIRST, DRAW, STACKS, STARTS),
    "small": Parts(
        SMALL,
        ["B3", "B8", "F3", "F8"],
        ["D5", "D6"],
        Counter({"WWWW": 6, "LWWW": 9, "LWLW": 5, "LLWW": 8, "LLLW": 5, "LLLL6": 1, "LLLL": 2}),
        [9, 9, 9, 9],
        {2: ["B3", "F8"], 3: ["B3", "B8", "F3"], 4: ["B3", "B8", "F8", "F3"]},
    ),
}
PASSED = {"hostile": [2, 3], "ruins": [2, 3, 4], "friendly": [3, 4, 5], "skull": [5], "storm": [4, 5]}

TEXTS = [
    *(f"tile {square} {tile}" for square in SQUARES for tile in [*TILES, "LLLL6"]),
    *(f"stack {stack}" for stack in (1, 2, 3, 4)),
    *(f"ghost {square}" for square in CENTRE),
    *("travel", "swim", "search", "steal 0", "steal 1", "steal 2", "steal 3", "salvage", "drift", "save +", "save -"),
    *(f"go {place}" for place in PLACES),
    *("take chit", "take gold", "end"),
    *(f"number {number}" for number in NUMBERS),
    *(f"ghost {way}" for way in WAYS),
    *(f"chit {square} {side}" for square in SQUARES for side in SIDES),
]
IDS = {text: action for action, text in enumerate(TEXTS)}

SYMBOL_TEXTS = [f"symbol {symbol} {name}" for symbol in SYMBOLS for name in SYMBOL_CLASSES]
CLASS_TEXTS = [f"symbol {name}" for name in SYMBOL_CLASSES]
SPINS = [f"spin {number} {way}" for number in NUMBERS for way in WAYS]

CREATION = ("symbol", "place", "stack", "draw", "fill", "complete", "ghost")
DECIDED = ("place", "stack", "fill", "ghost")  # chance nodes with random creation
TOUR = ("declare", "spin", "ghost_back", "lose", "number", "travel", "drift", "reveal", "value")
PHASES = (*CREATION, *TOUR, "over")
ALWAYS_CHANCE = ("symbol", "draw", "complete", "spin", "lose", "drift", "reveal", "value")


@dataclass
class Shown:
    """The chits that a player last showed to another, and the changes since then."""

    chits: Counter[int]
    gained: int = 0
    lost: int = 0


@dataclass
class Player:
    """A boat, a scout who is the active pawn while ashore, and their treasure."""

    pawn: Place
    boat: Place
    ashore: bool = False
    chits: Counter[int] = field(default_factory=Counter)
    lost: Counter[int] = field(default_factory=Counter)
    gold: int = 0
    saved: int = 0
    triple: tuple[int, int] = (0, 0)
    skip: int = 0
    claim: int | None = None
    shown: list[Shown | None] = field(default_factory=list)


class GhostShip:
    """One game of Ghost Ship."""

    def __init__(
        self,
        num_players: int = 2,
        creation: str = "players",
        chits: Mapping[Any, int] | None = None,
        max_turns: int = 400,
        score_reward: bool = False,
        sea: str = "full",
        symbol_mix: str = "standard",
        open_symbols: bool = False,
    ) -> None:
        """Set up the start: some tiles on the board, the boats in the corners, and the first symbol tile turned up."""
        check_params(num_players, creation, chits, max_turns, score_reward)
        self.parts, self.box = PARTS[sea], SYMBOL_TILES_OF[sea, symbol_mix]
        self.half = len(self.box) // 2
        full = Counter({int(value): count for value, count in (CHITS if chits is None else chits).items()})
        self.params: dict[str, Any] = {
            "num_players": num_players,
            "creation": creation,
            "chits": {str(value): full[value] for value in CHITS},
            "max_turns": max_turns,
            "score_reward": score_reward,
            **({"sea": sea} if sea != "full" else {}),
            **({"symbol_mix": symbol_mix} if symbol_mix != "standard" else {}),
            **({"open_symbols": True} if open_symbols else {}),
        }
        self.num_players, self.max_turns, self.score_reward = num_players, max_turns, score_reward
        self.random = creation == "random"
        self.covered = self.random and not open_symbols
        self.full = full
        self.phase = "symbol"
        self.turn_player = self.decider = self.turn = 0
        self.tiles: dict[Square, Tile] = {
            **dict.fromkeys(self.parts.sea_at_first, "WWWW"),
            **dict.fromkeys(self.parts.gold_at_first, "LLLL"),
        }
        self.chart = Chart(self.tiles, self.parts.sea)
        self.six = set(self.parts.gold_at_first)
        self.symbols: dict[Square, str] = {}
        self.chits: Counter[Square] = Counter()
        self.gold: set[Square] = set()
        self.pool = Counter(full)
        self.stacks = list(self.parts.stacks)
        self.discards: Counter[str] = Counter()
        self.dropped: list[str] = []
        self.hand: Counter[str] = Counter()
        self.to_draw = 0
        self.ghost: Square | None = None
        self.players = [
            Player(f"{corner}.S", f"{corner}.S", shown=[None] * num_players)
            for corner in self.parts.starts[num_players]
        ]
        self.losers: list[int] = []
        self._clear_turn()

    def _clear_turn(self) -> None:
        """Reset the data of a turn: nothing is declared."""
        self.declared: str | None = None
        self.spun: tuple[int, str] | None = None
        self.result: int | None = None
        self.points: int | None = None
        self.movement_over = self.taking_over = False
        self.arriving = False  # the turn player's pawn has entered a tile, and meetings there are pending
        self.extra: str | None = None  # the extra act that a triple gives: "chit" or "ghost"

    # Players and actions

    def current_player(self) -> int:
        """Return the player to act, `CHANCE` or `TERMINAL`."""
        if self.phase == "over":
            return TERMINAL
        if self.phase in ALWAYS_CHANCE or (self.random and self.phase in DECIDED):
            return CHANCE
        return self.decider if self.phase == "travel" else self.turn_player

    def legal_actions(self) -> list[int]:
        """Return the sorted action ids, the outcomes at a chance node, or [] at the end."""
        if self.current_player() == CHANCE:
            return [outcome for outcome, _ in self.chance_outcomes()]
        return sorted(IDS[text] for text in self._choices())

    def chance_outcomes(self) -> list[tuple[int, Fraction]]:
        """Return every possible outcome with its probability."""
        if self.current_player() != CHANCE:
            raise ValueError("not a chance node")
        weights = self._weights()
        texts, total = self._outcome_texts(), sum(weights.values())
        return sorted((texts.index(text), Fraction(weight, total)) for text, weight in weights.items() if weight)

    def action_to_string(self, action: int) -> str:
        """Return the string of an action or outcome at this node."""
        return (self._outcome_texts() if self.current_player() == CHANCE else TEXTS)[action]

    def action_as_seen(self, action: int, viewer: int | None = None) -> str:
        """Return the string of an action as a player or the public sees it: values of chits may be hidden."""
        text = self.action_to_string(action)
        if self.phase not in ("value", "lose"):
            return text
        player = self.turn_player if self.phase == "value" else self.losers[0]
        if viewer is not None and (viewer == player or self.together(viewer, player)):
            return text
        return f"{self.phase} ?"

    def _choices(self) -> list[str]:
        """Return the strings of all decisions, including those that chance makes instead of a player."""
        if self.phase == "place":
            (name,) = self.hand
            return [f"tile {square} {tile}" for square, tile in self.symbol_places(name.split()[-1])]
        if self.phase == "stack":
            return [f"stack {i + 1}" for i, size in enumerate(self.stacks) if size]
        if self.phase == "fill":
            return self.fillings()
        if self.phase in ("ghost", "ghost_back"):
            return [f"ghost {square}" for square in CENTRE]
        if self.phase == "declare":
            return self.declarations()
        if self.phase == "number":
            return [f"number {number}" for number in NUMBERS]
        if self.phase == "travel":
            return [*self.moves(), *self.takings(), *self.extra_acts(), "end"]
        assert self.phase == "over"
        return []

    def _weights(self) -> Mapping[str, int]:
        """Return the chance outcomes with their relative weights."""
        if self.phase == "symbol":
            return Counter({f"symbol {name}": count for name, count in self.symbol_tiles_left().items()})
        if self.phase == "draw":
            return Counter({f"draw {kind}": count for kind, count in self.in_stacks().items()})
        if self.phase == "complete":
            return self.completions()
        if self.phase == "spin":
            return dict.fromkeys(SPINS, 1)
        if self.phase == "lose":
            return {f"lose {value}": count for value, count in self.players[self.losers[0]].chits.items()}
        if self.phase == "drift":
            square = self._square(self.turn_player)
            return {f"drift {way}": 1 for way in WAYS if self.drift_end(square, way)}
        if self.phase == "reveal":
            return {f"reveal {symbol}": count for symbol, count in self.symbols_unseen().items()}
        if self.phase == "value":
            return {f"value {value}": count for value, count in self.pool.items()}
        return dict.fromkeys(self._choices(), 1)

    def _outcome_texts(self) -> list[str]:
        """Return the strings of all outcomes of this node by id, including impossible ones."""
        if self.phase == "symbol":
            return CLASS_TEXTS if self.covered else SYMBOL_TEXTS
        if self.phase == "draw":
            return [f"draw {kind}" for kind in KINDS]
        if self.phase == "complete":
            return [f"complete {self.chart.vacant()[0]} {tile}" for tile in [*TILES, "LLLL6"]]
        if self.phase == "spin":
            return SPINS
        if self.phase == "drift":
            return [f"drift {way}" for way in WAYS]
        if self.phase == "reveal":
            return [f"reveal {symbol}" for symbol in SYMBOLS]
        if self.phase in ("value", "lose"):
            return [f"{self.phase} {value}" for value in CHITS]
        return TEXTS

    def apply(self, action: int) -> None:
        """Apply an action or a chance outcome, and everything that follows without a choice."""
        if action not in self.legal_actions():
            raise ValueError(f"illegal action {action} in phase {self.phase}")
        text = self.action_to_string(action)
        thing = text.partition(" ")[2]
        if self.phase == "symbol":
            self._turned_up(thing)
        elif self.phase == "place":
            self._place_symbol(*thing.split())
        elif self.phase == "stack":
            self._pick_stack(int(thing) - 1)
        elif self.phase == "draw":
            self._draw(thing)
        elif self.phase == "fill":
            self._fill(*thing.split())
        elif self.phase == "complete":
            self._complete(*thing.split())
        elif self.phase == "ghost":
            self.ghost = thing
            self._begin_turn(0)
        elif self.phase == "declare":
            self._declare(text)
        elif self.phase == "spin":
            self._spin(int(thing[0]), thing[2:])
        elif self.phase == "ghost_back":
            self._ghost_comes(thing)
        elif self.phase == "lose":
            self._lose(int(thing))
        elif self.phase == "number":
            self._name_number(int(thing))
        elif self.phase == "drift":
            self._drift(thing)
        elif self.phase == "reveal":
            self.symbols[self._square(self.turn_player)] = thing
            self._revealed()
        elif self.phase == "value":
            self._value(int(thing))
        else:
            self._travel(text)

    # Phase 1. Symbol tiles (2)

    def symbol_tiles_left(self) -> Counter[str]:
        """Return the symbol tiles that are not turned up yet: `skull LLWW`, or their classes if they are covered."""
        box = Counter(tile.split()[-1] if self.covered else tile for tile in self.box)
        gone = [*self.dropped, *self.hand]
        for square, symbol in self.symbols.items():
            name = class_of(self.tiles[square])
            gone.append(name if self.covered else f"{symbol} {name}")
        return box - Counter(gone)

    def _turn_up_next(self) -> None:
        """Turn up the symbol tile of the next player, or start the filling after the last one."""
        turned_up = len(self.symbols) + len(self.dropped)
        if turned_up == len(self.box):
            self.turn_player = self.decider = 0
            self.phase = "stack"
            return
        self.turn_player = self.decider = who_turns_up(turned_up, self.num_players, len(self.box))
        self.phase = "symbol"

    def _turned_up(self, name: str) -> None:
        """Take a symbol tile into the hand; without a place for it, it leaves the game, or all are turned up again."""
        if self.symbol_places(name.split()[-1]):
            self.hand[name] = 1
            self.phase = "place"
        elif self.random:
            for square in self.symbols:
                del self.tiles[square]
            self.symbols.clear()
            self._turn_up_next()
        else:
            self.dropped = sorted([*self.dropped, name], key=symbol_tile_order)
            self._turn_up_next()

    def symbol_places(self, name: str) -> list[tuple[Square, Tile]]:
        """Return the squares for a symbol tile of a class: all that pass the first test that any square passes."""
        fitting = {
            square: [tile for tile in rotations(name) if self.chart.fits(square, tile)]
            for square in self.chart.vacant()
        }
        candidates = [square for square, tiles in fitting.items() if tiles]
        tests: list[Callable[[Square], bool]] = [
            lambda square: self._is_away(square, WAYS) and self._half_has_room(square) and self._leaves_room(square),
            lambda square: self._is_away(square, SIDES) and self._half_has_room(square) and self._leaves_room(square),
            lambda square: self._is_away(square, SIDES) and self._half_has_room(square),
            lambda square: self._is_away(square, SIDES),
            lambda square: True,
        ]
        for test in tests[:2] if self.random else tests:
            passing = [square for square in candidates if test(square)]
            if passing:
                return [(square, tile) for square in passing for tile in fitting[square]]
        return []

    def _is_away(self, square: Square, ways: Iterable[str]) -> bool:
        """Return whether no neighbour in one of these directions is a symbol tile."""
        return not any(beside(square, way, self.parts.sea) in self.symbols for way in ways)

    def _half_has_room(self, square: Square) -> bool:
        """Return whether the half of the board has fewer than ten symbol tiles."""
        return sum(is_west(other) == is_west(square) for other in self.symbols) < self.half

    def _leaves_room(self, square: Square) -> bool:
        """Return whether both halves can still reach ten symbol tiles with one on this square."""
        return self.room_is_left({*self.symbols, square})

    def room_is_left(self, symbols: set[Square]) -> bool:
        """Return whether vacant squares without contact to symbol tiles or each other can bring both halves to ten."""
        free = [
            square
            for square in self.chart.vacant()
            if square not in symbols and not any(beside(square, side, self.parts.sea) in symbols for side in SIDES)
        ]
        west, east = [s for s in free if is_west(s)], [s for s in free if not is_west(s)]
        lacking = [max(self.half - sum(is_west(s) == half for s in symbols), 0) for half in (True, False)]
        at_fold = [square for square in west if square.endswith("5")]
        for size in range(len(at_fold) + 1):
            for closed in itertools.combinations(
                at_fold, size
            ):  # unused in the west, so the east can use the next square
                ours = frozenset(west).difference(closed)
                used = set(at_fold).difference(closed)
                theirs = frozenset(s for s in east if beside(s, "W", self.parts.sea) not in used)
                if most_apart(ours) >= lacking[0] and most_apart(theirs) >= lacking[1]:
                    return True
        return False

    def _place_symbol(self, square: Square, tile: Tile) -> None:
        (name,) = self.hand
        self.tiles[square] = tile
        self.symbols[square] = "?" if self.covered else name.split()[0]
        self.hand.clear()
        self._turn_up_next()

    # Phase 1. Filling (3)

    def set_out(self) -> list[Square]:
        """Return the squares of the initial tiles."""
        return self.parts.sea_at_first + self.parts.gold_at_first

    def plain_tiles(self) -> Counter[str]:
        """Return the kinds of the drawn tiles on the board, without initial tiles and symbol tiles."""
        drawn = [s for s in self.tiles if s not in self.set_out() and s not in self.symbols]
        return Counter("LLLL6" if square in self.six else class_of(self.tiles[square]) for square in drawn)

    def in_stacks(self) -> Counter[str]:
        """Return the content of the stacks, including tiles that are still to be drawn for a hand."""
        return self.parts.draw - self.plain_tiles() - self.hand - self.discards

    def _pick_stack(self, stack: int) -> None:
        self.to_draw = min(10, self.stacks[stack])
        self.stacks[stack] -= self.to_draw
        self.phase = "draw"

    def _draw(self, kind: str) -> None:
        self.hand[kind] += 1
        self.to_draw -= 1
        if self.to_draw:
            return
        if self.fillings():
            self.phase = "fill"
        else:
            self._discard_hand()
            self._begin_completing()

    def fillings(self) -> list[str]:
        """Return the possible placements of the tiles in hand."""
        found = []
        for square in self.chart.vacant():
            for kind in KINDS:
                if self.hand[kind]:
                    found += [f"tile {square} {name}" for name in self._fitting(square, kind)]
        return found

    def _fitting(self, square: Square, kind: str) -> list[str]:
        """Return the names of the possible tiles of a kind on a square."""
        tiles = [tile for tile in rotations(kind[:4]) if self.chart.fits(square, tile)]
        return [kind if kind == "LLLL6" else tile for tile in tiles]

    def _lay(self, square: Square, name: str) -> str:
        """Lay a tile on the board; return its kind."""
        self.tiles[square] = name[:4]
        if name == "LLLL6":
            self.six.add(square)
        return kind_of(name)

    def _fill(self, square: Square, name: str) -> None:
        """Lay a tile of the hand; then continue with the next tile, the next player, or the end of the filling."""
        self.hand[self._lay(square, name)] -= 1
        self.hand += Counter()
        if not self.chart.vacant():
            self._finish_map()
        elif not self.fillings():
            self._discard_hand()
            if any(self.stacks):
                self.turn_player = self.decider = (self.turn_player + 1) % self.num_players
                self.phase = "stack"
            else:
                self._begin_completing()

    def _discard_hand(self) -> None:
        self.discards += self.hand
        self.hand = Counter()

    def _begin_completing(self) -> None:
        """Combine stacks and discards into one heap."""
        self.discards = self.parts.draw - self.plain_tiles()
        self.stacks = [0] * len(self.stacks)
        self.phase = "complete"

    def completions(self) -> dict[str, int]:
        """Return the tiles that fit the first vacant square, weighted by the remaining number of their kind."""
        square = self.chart.vacant()[0]
        names = [name for kind in KINDS for name in self._fitting(square, kind)]
        weights = {f"complete {square} {name}": self.discards[kind_of(name)] for name in names}
        if not any(weights.values()):
            return {f"complete {square} {name}": 1 for name in names if name != "LLLL6"}
        return weights

    def _complete(self, square: Square, name: str) -> None:
        self.discards -= Counter([self._lay(square, name)])
        if not self.chart.vacant():
            self._finish_map()

    # Phase 1. Chits, gold, ghost (4)

    def _finish_map(self) -> None:
        """Put a chit on every symbol tile and gold on every 6; then the last player places the ghost."""
        self.chits = Counter(dict.fromkeys(self.symbols, 1))
        self.gold = set(self.six)
        self.stacks = [0] * len(self.stacks)
        self.hand, self.discards = Counter(), Counter()
        self.turn_player = self.decider = self.num_players - 1
        self.phase = "ghost"

    # Phase 2. Turns

    def _in_turn_order(self) -> list[int]:
        """Return all players in turn order, the turn player first."""
        return [(self.turn_player + i) % self.num_players for i in range(self.num_players)]

    def _begin_turn(self, player: int) -> None:
        """Start the next turn; a player who owes a turn misses it."""
        self.turn += 1
        self.turn_player = self.decider = player
        if self.players[player].skip:
            self.players[player].skip -= 1
            self._end_turn()
        else:
            self.phase = "declare"

    def _end_turn(self) -> None:
        self._clear_turn()
        self.decider = self.turn_player
        if self.turn == self.max_turns:
            self._open_chits()
        else:
            self._begin_turn((self.turn_player + 1) % self.num_players)

    def _end_game(self) -> None:
        self._clear_turn()
        self.decider = self.turn_player
        self._open_chits()

    def _open_chits(self) -> None:
        """Reveal all chits at the end of the game."""
        self.phase = "over"
        for one in range(self.num_players):
            for other in self._others(one):
                self.players[one].shown[other] = Shown(Counter(self.players[other].chits))

    def _me(self) -> Player:
        return self.players[self.turn_player]

    def _square(self, player: int) -> Square:
        """Return the tile of the active pawn of a player, which must not be on a board-edge circle."""
        square = tile_of(self.players[player].pawn)
        assert square is not None
        return square

    def _symbol(self, square: Square | None) -> str | None:
        """Return the symbol of a tile, if it has any."""
        return self.symbols.get(square) if square else None

    def _in_storm(self, player: Player) -> bool:
        """Return whether a boat is at sea on a storm tile."""
        return not player.ashore and self._symbol(tile_of(player.pawn)) == "storm"

    # Declarations

    def declarations(self) -> list[str]:
        """Return the possible declarations of the turn player."""
        found = ["drift"] if self._in_storm(self._me()) else ["travel"]
        found += ["swim"] * self._can_swim()
        found += ["search"] * self._can_search()
        found += [f"steal {player}" for player in range(self.num_players) if self._can_steal(player)]
        found += ["salvage"] * self._can_salvage()
        return found + self._savings()

    def _circle_ashore(self) -> Square | None:
        """Return the tile in whose circle the turn player's scout is."""
        pawn = self._me().pawn
        return tile_of(pawn) if spot_of(pawn)[0] == "C" else None

    def _can_swim(self) -> bool:
        square = self._circle_ashore()
        return square is not None and self.chart.has_strait(square)

    def _can_search(self) -> bool:
        square = self._circle_ashore()
        if square is None or self._me().boat == self._me().pawn:
            return False
        return self._symbol(square) in (None, "friendly", "hostile", "ruins")

    def _can_steal(self, victim: int) -> bool:
        """Return whether the victim's boat is in the circle of the scout, and the victim is ashore on another tile."""
        square, me, other = self._circle_ashore(), self._me(), self.players[victim]
        if square is None or victim == self.turn_player or me.boat == me.pawn:
            return False
        return other.boat == me.pawn and other.ashore and tile_of(other.pawn) != square

    def _can_salvage(self) -> bool:
        me, square = self._me(), tile_of(self._me().pawn)
        return self._in_storm(me) and square is not None and self.chart.is_all_sea(square) and self.chits[square] > 0

    def _savings(self) -> list[str]:
        """Return the possible savings: another point of the saved sign, up to three."""
        saved = self._me().saved
        if abs(saved) == 3:
            return []
        return [text for text, sign in (("save +", 1), ("save -", -1)) if saved * sign >= 0]

    def _declare(self, text: str) -> None:
        if text.startswith("save"):
            self._save(1 if text == "save +" else -1)
        else:
            self.declared = text
            self.phase = "spin"

    def _save(self, sign: int) -> None:
        """Save a point, without a spin."""
        self._me().saved += sign
        self._me().triple = (0, 0)
        self._end_turn()

    # The spin, the ghost, losses

    def _spin(self, number: int, way: str) -> None:
        self.spun = number, way
        assert self.ghost is not None
        square = beside(self.ghost, way, self.parts.sea)
        if square is None:
            self.phase = "ghost_back"
        else:
            self._ghost_comes(square)

    def _ghost_comes(self, square: Square) -> None:
        """Move the ghost to a tile; all players with their active pawn there lose a chit."""
        self.ghost = square
        self._bite([p for p in self._in_turn_order() if tile_of(self.players[p].pawn) == square])

    def _bite(self, players: list[int]) -> None:
        """Let each of these players with chits lose one."""
        self.losers = [player for player in players if total(self.players[player].chits)]
        if self.losers:
            self.phase = "lose"
        else:
            self._after_losses()

    def _lose(self, value: int) -> None:
        player = self.losers.pop(0)
        own = self.players[player]
        own.chits -= Counter([value])
        own.lost[value] += 1
        for other in self._others(player):
            seen = self.players[other].shown[player]
            if seen is not None:
                seen.lost += 1
        self._meet()
        if not self.losers:
            self._after_losses()

    def _after_losses(self) -> None:
        """Continue after losses: the meetings of a step, the act of the turn, or the rest of the travel."""
        if self.arriving:
            self._arrived()
        elif self.spun:
            self._count_triple()
        else:
            self._go_on()

    # Information

    def _others(self, player: int) -> list[int]:
        return [other for other in range(self.num_players) if other != player]

    def together(self, one: int, other: int) -> bool:
        """Return whether two active pawns have met on one tile, both at sea or both on the same region."""
        if self.arriving and self.turn_player in (one, other):
            return False
        return one != other and self.same_region(one, other)

    def same_region(self, one: int, other: int) -> bool:
        """Return whether two active pawns are on one tile, both at sea or both on the same region."""
        pawns = [self.players[one].pawn, self.players[other].pawn]
        if tile_of(pawns[0]) is None or tile_of(pawns[0]) != tile_of(pawns[1]):
            return False
        return self.chart.region_of(pawns[0]) == self.chart.region_of(pawns[1])

    def _meet(self) -> None:
        """Show the chits of players who are together to each other."""
        for one in range(self.num_players):
            for other in self._others(one):
                if self.together(one, other):
                    self.players[one].shown[other] = Shown(Counter(self.players[other].chits))

    def view(self, player: int) -> dict[str, Any]:
        """Return the observation of a player, or of the public (None); hidden parts are counts.

        At the end, all chits of players are revealed. Lost chits and chits never taken are not part of observations.
        """
        d = self.to_dict()
        d["pool"] = sum(d["pool"].values())
        for other, entry in enumerate(d["players"]):
            if other != player:
                if self.phase != "over":
                    entry["chits"] = sum(entry["chits"].values())
                entry["lost"] = sum(entry["lost"].values())
                del entry["shown"]
        return d

    # Triples, saved points, the result

    def _count_triple(self) -> None:
        """Count equal numbers: the third one in a row has an effect on a travel turn."""
        assert self.spun is not None
        number, _ = self.spun
        me = self._me()
        count = me.triple[1] + 1 if me.triple[0] == number else 1
        me.triple = (number, count) if count < 3 else (0, 0)
        self._fix_result(triple=count == 3)

    def _fix_result(self, triple: bool) -> None:
        """Add the saved points to the number, clip it to 2 to 5, and continue with the act."""
        assert self.spun is not None
        (number, way), me = self.spun, self._me()
        result = min(max(number + me.saved, 2), 5)
        me.saved, self.spun = 0, None
        if self.declared == "travel":
            self._begin_travel(result, number if triple else None)
        elif self.declared == "drift":
            self._drift(way)
        elif self.declared == "swim":
            self._swim(result)
        elif self.declared == "search":
            self._search(result)
        elif self.declared == "salvage":
            self.phase = "value"
        else:
            assert self.declared is not None
            self._steal(int(self.declared.split()[1]))

    def _begin_travel(self, result: int, triple: int | None) -> None:
        """Start a travel with the result as points, unless this is a triple."""
        if triple == 2:
            self.phase = "number"
            return
        self.result, self.points = result, 1 if triple == 4 else result
        if triple == 5:
            self.decider = (self.turn_player - 1) % self.num_players
        if triple == 3:
            self.extra = "chit"
        self._go_on()

    def _name_number(self, number: int) -> None:
        """Choose the number after triple twos."""
        self.result = self.points = number
        self.extra = "ghost" if number == 2 else None
        self._go_on()

    def _is_free(self) -> bool:
        """Return whether symbols have no effect: on triple fives, when the right neighbour decides."""
        return self.decider != self.turn_player

    # Acts other than travel

    def _swim(self, result: int) -> None:
        me = self._me()
        if result >= 4:
            me.pawn = f"{self._square(self.turn_player)}.C{1 - int(spot_of(me.pawn)[1])}"
            self._meet()
        self._end_turn()

    def _search(self, result: int) -> None:
        symbol, me = self._symbol(self._square(self.turn_player)), self._me()
        least = {"friendly": 2, "hostile": 4, "ruins": 4, None: 5}[symbol]
        if result >= least:
            me.boat = me.pawn
            self._lapse(self.turn_player)
        if symbol == "hostile" and result == 2:
            me.skip += 1
        self._end_turn()

    def _steal(self, victim: int) -> None:
        """Swap the boats; the victim gets a claim on the thief."""
        self._lapse(self.turn_player, victim)
        self._swap_boats(self.turn_player, victim)
        self.players[victim].claim = self.turn_player
        self._end_turn()

    def _swap_boats(self, one: int, other: int) -> None:
        first, second = self.players[one], self.players[other]
        first.boat, second.boat = second.boat, first.boat

    def _lapse(self, *moved: int) -> None:
        """Remove all claims of or on these players."""
        for player, own in enumerate(self.players):
            if player in moved or own.claim in moved:
                own.claim = None

    # Drifting

    def drift_end(self, square: Square, way: str) -> Place | None:
        """Return the end of a drift: at sea, on the rim, or aground; None for "spin again"."""
        if len(way) == 1:
            if self.chart.is_land(square, way):
                return f"{square}.C{self.chart.region(square, way)}"
            other = beside(square, way, self.parts.sea)
            return f"{other}.S" if other else circle_beside(square, way, self.parts.sea)
        other = beside(square, way, self.parts.sea)
        if other is None:
            return circle_beside(square, way, self.parts.sea)
        back = "".join(OPPOSITE[side] for side in way)
        if len(self.chart.land_sides(square, way)) < 2 and len(self.chart.land_sides(other, back)) < 2:
            return f"{other}.S"
        if self.chart.land_sides(square, way):
            return f"{square}.C{self.chart.corner_region(square, way)}"
        return None

    def _drift(self, way: str) -> None:
        """Drift one space in a direction and end the turn."""
        me = self._me()
        end = self.drift_end(self._square(self.turn_player), way)
        if end is None:
            self.phase = "drift"
            return
        me.pawn = me.boat = end
        if spot_of(end)[0] == "C":
            me.ashore = True
            self._meet()
            self._end_turn()
        elif tile_of(end):
            self._come()
        else:
            self._end_turn()

    # Travelling

    def _go_on(self) -> None:
        """Continue the turn, or end it if no other decision is possible."""
        self.phase = "travel"
        if self._choices() == ["end"]:
            self._end_turn()

    def _travel(self, text: str) -> None:
        """Apply a decision of a travel turn."""
        verb, _, thing = text.partition(" ")
        if text == "end":
            self._end_turn()
        elif verb == "go":
            self._step(thing)
        elif text == "take chit":
            self._take_chit()
        elif text == "take gold":
            self._take_gold()
        elif verb == "chit":
            self._move_chit(*thing.split())
        else:
            self.extra = None
            assert self.ghost is not None
            square = beside(self.ghost, thing, self.parts.sea)
            assert square is not None
            self._ghost_comes(square)

    def steps(self) -> dict[Place, tuple[str, int]]:
        """Return the reachable places of the turn player's pawn with kind of step and cost, ignoring points."""
        me = self._me()
        ways: dict[str, dict[Place, int]] = {
            "overland": self.chart.overland(me.pawn),
            "coast": self.chart.coast(me.pawn),
            "put to sea": self.chart.put_to_sea(me.pawn) if me.boat == me.pawn else {},
            "land": self.chart.land(me.pawn),
            "rim": self.chart.rim(me.pawn),
            "sail": self.chart.sail(me.pawn),
        }  # cheaper kinds are last
        return {end: (kind, cost) for kind, ends in ways.items() for end, cost in ends.items()}

    def _symbol_left(self, kind: str) -> str | None:
        """Return the symbol that affects a step of a kind: the symbol of the circle that the pawn leaves."""
        pawn = self._me().pawn
        leaves = spot_of(pawn)[0] in "SC" and kind not in ("land", "put to sea")
        return self._symbol(tile_of(pawn)) if leaves and not self._is_free() else None

    def moves(self) -> list[str]:
        """Return the steps that points and result permit."""
        assert self.points is not None
        if self.movement_over:
            return []
        return [
            f"go {end}"
            for end, (kind, cost) in self.steps().items()
            if cost <= self.points and self.result in PASSED.get(self._symbol_left(kind) or "", NUMBERS)
        ]

    def _step(self, end: Place) -> None:
        """Move a pawn by one step."""
        me, (kind, cost) = self._me(), self.steps()[end]
        assert self.points is not None
        start, self.points = me.pawn, self.points - cost
        if self._symbol_left(kind) in ("skull", "storm"):
            self.movement_over = self.taking_over = True
        me.pawn = end
        if kind == "put to sea":
            self._lapse(self.turn_player)
        me.ashore = kind in ("land", "coast", "overland")
        if kind in ("sail", "rim", "land", "put to sea"):
            me.boat = end
        if tile_of(end) and tile_of(end) != tile_of(start):
            self._come()
        else:
            self._stop_in_storm()
            self._meet()
            self._go_on()

    def _come(self) -> None:
        """Enter another tile: boats are swapped back, the symbol is revealed."""
        self.arriving = True
        me, square = self._me(), self._square(self.turn_player)
        if me.ashore and me.claim is not None and tile_of(self.players[me.claim].boat) == square:
            self._swap_boats(self.turn_player, me.claim)
            self._lapse(self.turn_player, me.claim)
        if self._symbol(square) == "?":
            self.phase = "reveal"
        else:
            self._revealed()

    def symbols_unseen(self) -> Counter[str]:
        """Return the unseen symbols of the class of the turn player's tile."""
        name = class_of(self.tiles[self._square(self.turn_player)])
        seen = [symbol for square, symbol in self.symbols.items() if class_of(self.tiles[square]) == name]
        return Counter(tile.split()[0] for tile in self.box if tile.split()[1] == name) - Counter(seen)

    def _revealed(self) -> None:
        """Resolve a new tile: a storm at sea ends the movement, the ghost takes a chit; then meetings."""
        self._stop_in_storm()
        self._bite([self.turn_player] if self.ghost == self._square(self.turn_player) else [])

    def _stop_in_storm(self) -> None:
        """End the movement of a travel in a storm at sea."""
        if self.declared == "travel" and self._in_storm(self._me()):
            self.movement_over = True

    def _arrived(self) -> None:
        """Resolve meetings; then continue the travel or end the drift."""
        self.arriving = False
        self._meet()
        if self.declared == "travel":
            self._go_on()
        else:
            self._end_turn()

    # Taking

    def chit_cost(self) -> int | None:
        """Return the cost of the chit at the pawn's place, or None without a chit."""
        me = self._me()
        square, spot = tile_of(me.pawn), spot_of(me.pawn)
        if square is None or not self.chits[square]:
            return None
        if spot[0] in "CH" or (spot == "S" and self.chart.is_all_sea(square)):
            return 3 if self._symbol(square) == "chest" else 1
        return None

    def takings(self) -> list[str]:
        """Return the takings for which the points suffice."""
        assert self.points is not None
        if self.taking_over:
            return []
        cost = self.chit_cost()
        chit = cost is not None and cost <= self.points
        gold = spot_of(self._me().pawn) == "H" and self._square(self.turn_player) in self.gold and self.points >= 1
        return ["take chit"] * chit + ["take gold"] * gold

    def _take_chit(self) -> None:
        """Take a chit: its value is drawn next, and an extra act is lost."""
        cost = self.chit_cost()
        assert self.points is not None
        assert cost is not None
        self.points -= cost
        self.extra = None
        self.phase = "value"

    def _value(self, value: int) -> None:
        """Give the chit to its taker."""
        player, me = self.turn_player, self._me()
        self.chits -= Counter([self._square(player)])
        self.pool -= Counter([value])
        me.chits[value] += 1
        for other in self._others(player):
            seen = self.players[other].shown[player]
            if seen is not None:
                seen.gained += 1
        self._meet()
        self._taken()

    def _take_gold(self) -> None:
        self.gold.remove(self._square(self.turn_player))
        self._me().gold += 1
        self._taken()

    def _taken(self) -> None:
        """End the turn after a taking, and the game after the last treasure."""
        if self._treasure_left():
            self._end_turn()
        else:
            self._end_game()

    def _treasure_left(self) -> bool:
        return total(self.chits) > 0 or len(self.gold) > 0

    # Extra acts

    def extra_acts(self) -> list[str]:
        """Return the extra acts of a triple."""
        if self.extra == "chit":
            there = [square for square in SQUARES if self.chits[square]]
            return [f"chit {square} {side}" for square in there for side in self.chart.land_sides(square)]
        if self.extra == "ghost":
            assert self.ghost is not None
            return [f"ghost {way}" for way in WAYS if beside(self.ghost, way, self.parts.sea)]
        return []

    def _move_chit(self, square: Square, side: str) -> None:
        """Move a chit over a land edge."""
        other = beside(square, side, self.parts.sea)
        assert other is not None
        self.chits -= Counter([square])
        self.chits[other] += 1
        self.extra = None
        self._go_on()

    # The end

    def scores(self) -> list[int]:
        """Return the scores: values of chits, and gold, worth as much as the chits of value 1."""
        return [
            sum(value * count for value, count in own.chits.items()) + own.gold * max(1, own.chits[1])
            for own in self.players
        ]

    def distance(self, player: int) -> int:
        """Return the distance from the active pawn to the ghost."""
        assert self.ghost is not None
        here, there = where_is(self.players[player].pawn, self.parts.sea), where_is(f"{self.ghost}.S")
        return max(abs(here[0] - there[0]), abs(here[1] - there[1]))

    def winners(self) -> list[int]:
        """Return the players with the highest score, and among these the farthest from the ghost."""
        scores = self.scores()
        best = [player for player in range(self.num_players) if scores[player] == max(scores)]
        farthest = max(self.distance(player) for player in best)
        return [player for player in best if self.distance(player) == farthest]

    def rewards(self) -> list[Fraction]:
        """Return the rewards of the last transition: zero until the end."""
        n = self.num_players
        if self.phase != "over":
            return [Fraction(0)] * n
        if self.score_reward:
            scores = self.scores()
            return [Fraction(own * (n - 1) - (sum(scores) - own), 40 * (n - 1)) for own in scores]
        winners = self.winners()
        if len(winners) == n:
            return [Fraction(0)] * n
        lost = Fraction(-1, n - len(winners))
        return [Fraction(1, len(winners)) if player in winners else lost for player in range(n)]

    def by_limit(self) -> bool:
        """Return whether the game has ended with treasure on the map."""
        return self.phase == "over" and self._treasure_left()

    # JSON

    def to_dict(self) -> dict[str, Any]:
        """Return the position as a JSON object."""
        return {
            "game": "ghost_ship",
            "params": copy.deepcopy(self.params),
            "phase": self.phase,
            "turn_player": self.turn_player,
            "decider": self.decider,
            "turn": self.turn,
            "tiles": written_tiles(self.tiles, self.parts.sea),
            "six": in_reading_order(self.six),
            "symbols": {square: self.symbols[square] for square in in_reading_order(self.symbols)},
            "chits": {square: self.chits[square] for square in SQUARES if self.chits[square]},
            "gold": in_reading_order(self.gold),
            "pool": written_values(self.pool),
            "stacks": list(self.stacks),
            "discards": {kind: self.discards[kind] for kind in KINDS if self.discards[kind]},
            "dropped": list(self.dropped),
            "hand_tiles": {name: self.hand[name] for name in [*KINDS, *ALL_SYMBOL_TILES] if self.hand[name]},
            "to_draw": self.to_draw,
            "ghost": self.ghost,
            "losers": list(self.losers),
            "extra": self.extra,
            "players": [written_player(own) for own in self.players],
            "declared": self.declared,
            "spun": list(self.spun) if self.spun else None,
            "result": self.result,
            "points": self.points,
            "movement_over": self.movement_over,
            "taking_over": self.taking_over,
            "arriving": self.arriving,
            "by_limit": self.by_limit(),
        }

    @classmethod
    def from_dict(cls, d: dict[str, Any]) -> GhostShip:
        """Create the game at a position. Raises ValueError that starts with the invalid key."""
        from tests.reference.ghost_ship_positions import read

        return read(cls, d)


# Helpers


def check_params(num_players: Any, creation: Any, chits: Any, max_turns: Any, score_reward: Any) -> None:
    """Raise ValueError that names the invalid parameter."""
    for name, value, possible in [
        ("num_players", num_players, type(num_players) is int and num_players in STARTS),
        ("creation", creation, creation in ("players", "random")),
        ("chits", chits, chits is None or are_chits(chits)),
        ("max_turns", max_turns, type(max_turns) is int and max_turns >= 1),
        ("score_reward", score_reward, isinstance(score_reward, bool)),
    ]:
        if not possible:
            raise ValueError(f"{name}={value!r} is not possible")


def are_chits(chits: Any) -> bool:
    """Return whether these are twenty chits of values 1 to 4."""
    if not isinstance(chits, Mapping) or not {str(value) for value in chits} <= {"1", "2", "3", "4"}:
        return False
    counts = list(chits.values())
    return all(type(count) is int and count >= 0 for count in counts) and sum(counts) == 20


def who_turns_up(number: int, num_players: int, tiles: int = 20) -> int:
    """Return the player who turns up symbol tile `number`; of three players, the first turns up one less."""
    if num_players == 3 and number >= tiles - 2:
        return number - (tiles - 3)
    return number % num_players


def is_west(square: Square) -> bool:
    """Return whether a square is in columns 1 to 5."""
    return int(square[1:]) <= 5


@functools.cache
def most_apart(squares: frozenset[Square]) -> int:
    """Return the maximum number of squares of which no two are adjacent.

    This is the number of squares minus the size of a maximum matching of neighbours (Kőnig 1931), because the squares
    form a bipartite graph, like those of a chessboard.
    """
    partner: dict[Square, Square] = {}

    def pairs(square: Square, tried: set[Square]) -> bool:
        for side in SIDES:
            other = beside(square, side)
            if other in squares and other not in tried:
                tried.add(other)
                if other not in partner or pairs(partner[other], tried):
                    partner[other] = square
                    return True
        return False

    white = [square for square in sorted(squares) if sum(position_of(square)) % 2 == 0]
    return len(squares) - sum(pairs(square, set()) for square in white)


def kind_of(name: str) -> str:
    """Return the kind of a drawn tile from its edges or `LLLL6`."""
    return name if name == "LLLL6" else class_of(name)


def symbol_tile_order(name: str) -> int:
    """Return the sort key of dropped tiles."""
    return [*ALL_SYMBOL_TILES, *SYMBOL_CLASSES].index(name)


def total(things: Counter[Any]) -> int:
    """Return the total count."""
    return sum(things.values())


def in_reading_order(squares: Iterable[Square]) -> list[Square]:
    """Sort squares row by row."""
    return sorted(squares, key=SQUARES.index)


def written_tiles(tiles: Mapping[Square, Tile], sea: Sea = FULL) -> list[str]:
    """Return tiles as seven rows of hexadecimal masks."""
    blank = {square: "." if square in sea.squares else "-" for square in SQUARES}
    marks = [f"{TILES.index(tiles[square]):x}" if square in tiles else blank[square] for square in SQUARES]
    return ["".join(marks[i : i + 10]) for i in range(0, 70, 10)]


def written_values(chits: Counter[int]) -> dict[str, int]:
    """Return chits as JSON."""
    return {str(value): chits[value] for value in CHITS if chits[value]}


def written_player(own: Player) -> dict[str, Any]:
    """Return a player as JSON."""
    return {
        "pawn": own.pawn,
        "boat": own.boat,
        "ashore": own.ashore,
        "chits": written_values(own.chits),
        "lost": written_values(own.lost),
        "gold": own.gold,
        "saved": own.saved,
        "triple": list(own.triple),
        "skip": own.skip,
        "claim": own.claim,
        "shown": [
            seen and {"chits": written_values(seen.chits), "gained": seen.gained, "lost": seen.lost}
            for seen in own.shown
        ],
    }


Twin = GhostShip
