"""Reference implementation of `falling_off`: the rules in plain Python, one simple step at a time.

It shares nothing with the package, so that an error in either shows as a difference between them.
Spaces are numbers: 0 is the start, 4..13 (or fewer) are the world, 14 is over the edge. Positions are not validated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

CHANCE = -1
TERMINAL = -4

START = 0
OFF = 14
PLACES = [START, *range(4, 14), OFF]

SUBSETS = 2**3  # actions 0..7: the dice to reroll, bit i for die i
MOVES = list(combinations(PLACES, 2))  # actions 8..73: (from, to), ordered by from, then to


@cache
def throws(count: int) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
    """Return every throw of `count` dice, as sorted values and probability, in the order of outcome ids."""
    ways = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=count))
    return tuple((dice, Fraction(ways[dice], 6**count)) for dice in sorted(ways))


def place_name(place: int) -> str:
    """Return the name of a place in a move: `start`, `4` … `13` or `off`."""
    return {START: "start", OFF: "off"}.get(place, str(place))


def words(verb: str, values: Sequence[int]) -> str:
    """Join a verb and dice, as in `roll 1 2 4`."""
    return " ".join([verb, *map(str, values)])


class FallingOff:
    """One game of Falling off the Edge of the World."""

    def __init__(
        self,
        num_players: int = 2,
        play_on: bool = False,
        pawns: int = 4,
        dice: int = 3,
        spaces: int = 10,
        rerolls: int = 1,
        landing: str = "share",
    ) -> None:
        """Set up the start: all pawns at the start, player 0 to roll."""
        self.num_players = num_players
        self.play_on = play_on
        self.num_dice, self.last_space, self.rerolls = dice, 3 + spaces, rerolls
        self.sends_back = landing == "back_to_start"
        self.params: dict[str, Any] = {"num_players": num_players, "play_on": play_on}
        defaults: dict[str, Any] = {"pawns": 4, "dice": 3, "spaces": 10, "rerolls": 1, "landing": "share"}
        values = {"pawns": pawns, "dice": dice, "spaces": spaces, "rerolls": rerolls, "landing": landing}
        self.params |= {name: value for name, value in values.items() if value != defaults[name]}
        self.rerolls_left = 0
        self.phase = "roll"
        self.dice: list[int] = []
        self.turn_player = 0
        self.turns_owed = 1
        self.pawns = [[START] * pawns for _ in range(num_players)]
        self.fallen: list[int] = []

    # Players and actions

    def current_player(self) -> int:
        """Return the player to act, `CHANCE` or `TERMINAL`."""
        if self.phase == "over":
            return TERMINAL
        if self.phase in ("roll", "rerolled"):
            return CHANCE
        return self.turn_player

    def legal_actions(self) -> list[int]:
        """Return the sorted action ids, the outcomes at a chance node, or [] at the end."""
        if self.phase == "reroll":
            return self._legal_subsets()
        if self.phase == "move":
            return [SUBSETS + MOVES.index(move) for move in self._moves()]
        if self.phase == "over":
            return []
        return [outcome for outcome, _ in self.chance_outcomes()]

    def chance_outcomes(self) -> list[tuple[int, Fraction]]:
        """Return every outcome of this throw with its probability."""
        if self.current_player() != CHANCE:
            raise ValueError("not a chance node")
        return [(outcome, probability) for outcome, (_, probability) in enumerate(throws(self._dice_in_hand()))]

    def action_to_string(self, action: int) -> str:
        """Return the string of an action or outcome at this node."""
        if self.phase in ("roll", "rerolled"):
            return words(self.phase, self._thrown(action))
        if self.phase == "reroll":
            return "keep" if action == 0 else words("reroll", self._chosen(action))
        start, end = MOVES[action - SUBSETS]
        return f"move {place_name(start)} {place_name(end)}"

    def _dice_in_hand(self) -> int:
        """Return the number of dice to throw: all in `roll`, those that were not kept in `rerolled`."""
        return self.num_dice - len(self.dice)

    def _thrown(self, outcome: int) -> tuple[int, ...]:
        return throws(self._dice_in_hand())[outcome][0]

    def _chosen(self, subset: int) -> list[int]:
        return [die for i, die in enumerate(self.dice) if subset >> i & 1]

    def _legal_subsets(self) -> list[int]:
        """Return every subset of dice; of subsets with equal values, only the one with the lowest id."""
        legal: list[int] = []
        for subset in range(2 ** len(self.dice)):
            if all(self._chosen(subset) != self._chosen(earlier) for earlier in legal):
                legal.append(subset)
        return legal

    def _moves(self) -> list[tuple[int, int]]:
        """Return every possible (from, to): any dice name a space, to which any pawn on a lower number can move."""
        sums = [sum(some) for count in range(1, self.num_dice + 1) for some in combinations(self.dice, count)]
        targets = [total if total <= self.last_space else OFF for total in sums if total >= 4]
        return sorted({(pawn, target) for pawn in self.pawns[self.turn_player] for target in targets if pawn < target})

    # Transitions

    def apply(self, action: int) -> None:
        """Apply an action or a chance outcome."""
        if action not in self.legal_actions():
            raise ValueError(f"illegal action {action} in phase {self.phase}")
        if self.phase == "roll":
            self.dice = list(self._thrown(action))
            self.rerolls_left = self.rerolls
            self._offer_reroll()
        elif self.phase == "reroll":
            self._reroll(action)
        elif self.phase == "rerolled":
            self.dice = sorted([*self.dice, *self._thrown(action)])
            self._offer_reroll()
        else:
            self._move(*MOVES[action - SUBSETS])

    def _reroll(self, subset: int) -> None:
        if subset == 0:
            self._move_or_storm()
        else:
            self.dice = [die for i, die in enumerate(self.dice) if not subset >> i & 1]
            self.rerolls_left -= 1
            self.phase = "rerolled"

    def _offer_reroll(self) -> None:
        if self.rerolls_left:
            self.phase = "reroll"
        else:
            self._move_or_storm()

    def _move_or_storm(self) -> None:
        self.rerolls_left = 0
        if self._moves():
            self.phase = "move"
        else:
            self.turns_owed += 2
            self._end_turn()

    def _move(self, start: int, end: int) -> None:
        pawns = self.pawns[self.turn_player]
        pawns.remove(start)
        pawns.append(end)
        pawns.sort()
        if self.sends_back and end != OFF:
            for player, others in enumerate(self.pawns):
                if player != self.turn_player:
                    self.pawns[player] = sorted(START if place == end else place for place in others)
        if all(place == OFF for place in pawns):
            self._fall()
        else:
            self._end_turn()

    def _fall(self) -> None:
        self.fallen.append(self.turn_player)
        if not self.play_on or len(self.fallen) == self.num_players - 1:
            self.phase = "over"
            self.dice = []
            self.turns_owed = 0
        else:
            self._next_player()

    def _end_turn(self) -> None:
        self.turns_owed -= 1
        if self.turns_owed == 0:
            self._next_player()
        else:
            self._start_turn()

    def _next_player(self) -> None:
        self.turn_player = (self.turn_player + 1) % self.num_players
        while self.turn_player in self.fallen:
            self.turn_player = (self.turn_player + 1) % self.num_players
        self.turns_owed = 1
        self._start_turn()

    def _start_turn(self) -> None:
        self.phase = "roll"
        self.dice = []

    # Rewards

    def rewards(self) -> list[Fraction]:
        """Return the rewards of the last transition: all zero until the game ends."""
        if self.phase != "over":
            return [Fraction(0)] * self.num_players
        if self.play_on:
            return [1 - Fraction(2 * (self._place(p) - 1), self.num_players - 1) for p in range(self.num_players)]
        (loser,) = self.fallen
        return [Fraction(-1) if p == loser else Fraction(1, self.num_players - 1) for p in range(self.num_players)]

    def _place(self, player: int) -> int:
        """Return the place of a player: 1 for the last one left, num_players for the first to fall."""
        return self.num_players - self.fallen.index(player) if player in self.fallen else 1

    # JSON

    def to_dict(self) -> dict[str, Any]:
        """Return the position as a JSON object."""
        return {
            "game": "falling_off",
            "params": dict(self.params),
            "phase": self.phase,
            "dice": list(self.dice),
            "turn_player": self.turn_player,
            "turns_owed": self.turns_owed,
            "pawns": [list(pawns) for pawns in self.pawns],
            "fallen": list(self.fallen),
            **({"rerolls_left": self.rerolls_left} if self.rerolls > 1 else {}),
        }

    @classmethod
    def from_dict(cls, d: dict[str, Any]) -> FallingOff:
        """Create the game at a position."""
        game = cls(**d["params"])
        game.phase = d["phase"]
        game.dice = list(d["dice"])
        game.turn_player = d["turn_player"]
        game.turns_owed = d["turns_owed"]
        game.pawns = [list(pawns) for pawns in d["pawns"]]
        game.fallen = list(d["fallen"])
        game.rerolls_left = d.get("rerolls_left", int(game.phase == "reroll"))
        return game


Twin = FallingOff
