"""Reference implementation of `kuhn`: the rules in plain Python, derived from the history of bids."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

CHANCE = -1
TERMINAL = -4


class Kuhn:
    """One game of Kuhn poker."""

    def __init__(self, num_players: int = 2, pay_at_once: bool = False, deal: str = "first") -> None:
        self.params = {"num_players": num_players, "pay_at_once": pay_at_once, "deal": deal}
        self.players = list(range(num_players))
        self.pay_at_once = pay_at_once
        self.deal = deal
        self.cards: list[int] = []
        self.betting: list[str] = []
        self.last_bet: int | None = None  # the player who added a chip in the last transition

    def _speakers(self) -> list[int]:
        """Return the player of each bid, and the player of the next bid if betting continues."""
        if "bet" not in self.betting:
            return self.players[: len(self.betting) + 1]
        bettor = self.betting.index("bet")
        return [*self.players[: bettor + 1], *self.players[bettor + 1 :], *self.players[:bettor]]

    def _betting_over(self) -> bool:
        if "bet" not in self.betting:
            return len(self.betting) == len(self.players)
        return len(self.betting) == self.betting.index("bet") + len(self.players)

    def _said(self) -> list[tuple[int, str]]:
        return list(zip(self._speakers(), self.betting, strict=False))

    def _standing(self) -> list[int]:
        return [player for player in self.players if (player, "fold") not in self._said()]

    def _dealing(self) -> bool:
        if len(self.cards) == len(self.players):
            return False
        return self.deal == "first" or (self._betting_over() and len(self._standing()) > 1)

    def current_player(self) -> int:
        """Return the player to act, `CHANCE` or `TERMINAL`."""
        if self._dealing():
            return CHANCE
        return TERMINAL if self._betting_over() else self._speakers()[len(self.betting)]

    def legal_actions(self) -> list[int]:
        """Return the sorted action ids, the outcomes at a chance node, or [] at the end."""
        if self._dealing():
            return [outcome for outcome, _ in self.chance_outcomes()]
        return [] if self._betting_over() else [0, 1]

    def chance_outcomes(self) -> list[tuple[int, Fraction]]:
        """Return every card of the deck, equally likely."""
        deck = [card for card in range(1, len(self.players) + 2) if card not in self.cards]
        return [(card - 1, Fraction(1, len(deck))) for card in deck]

    def action_to_string(self, action: int) -> str:
        """Return the string of an action or outcome at this node."""
        if self._dealing():
            return f"deal {action + 1}"
        return (["fold", "call"] if "bet" in self.betting else ["check", "bet"])[action]

    def apply(self, action: int) -> None:
        """Apply an action or a chance outcome."""
        self.last_bet = None
        if self._dealing():
            self.cards.append(action + 1)
            return
        if action == 1:
            self.last_bet = self.current_player()
        self.betting.append(self.action_to_string(action))

    def rewards(self) -> list[Fraction]:
        """Return the rewards of the last transition."""
        paid = {player: 2 if {(player, "bet"), (player, "call")} & set(self._said()) else 1 for player in self.players}
        gains = [0] * len(self.players)
        if self.pay_at_once and self.last_bet is not None:
            gains[self.last_bet] -= 1
        if self.current_player() == TERMINAL:
            standing = self._standing()
            winner = max(standing, key=lambda player: self.cards[player]) if len(standing) > 1 else standing[0]
            for player in self.players:
                gains[player] -= 1 if self.pay_at_once else paid[player]
            gains[winner] += sum(paid.values())
        return [Fraction(gain) for gain in gains]

    def to_dict(self) -> dict[str, Any]:
        """Return the position as a JSON object."""
        return {"game": "kuhn", "params": self.params, "cards": list(self.cards), "betting": list(self.betting)}


Twin = Kuhn
