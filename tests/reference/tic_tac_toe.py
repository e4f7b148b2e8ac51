"""Reference implementation of `tic_tac_toe`: the rules in plain Python over a dict of squares."""

from __future__ import annotations

from typing import Any

TERMINAL = -4
SQUARES = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


class TicTacToe:
    """One game of noughts and crosses."""

    def __init__(self, max_turns: int = 9) -> None:
        self.max_turns = max_turns
        self.stones: dict[str, str] = {}

    def _winner(self) -> str | None:
        for one in "abc":
            for stone in "xo":
                columns = [self.stones.get(f"{one}{row}") for row in (1, 2, 3)]
                rows = [self.stones.get(f"{column}{'abc'.index(one) + 1}") for column in "abc"]
                falling = [self.stones.get(square) for square in ("a1", "b2", "c3")]
                rising = [self.stones.get(square) for square in ("a3", "b2", "c1")]
                if [stone] * 3 in (columns, rows, falling, rising):
                    return stone
        return None

    def current_player(self) -> int:
        """Return the player to act, or `TERMINAL`."""
        over = self._winner() is not None or len(self.stones) == self.max_turns
        return TERMINAL if over else len(self.stones) % 2

    def legal_actions(self) -> list[int]:
        """Return the empty squares."""
        if self.current_player() == TERMINAL:
            return []
        return [SQUARES.index(square) for square in SQUARES if square not in self.stones]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Raise an error: the game has no chance nodes."""
        raise ValueError("not a chance node")

    def action_to_string(self, action: int) -> str:
        """Return the name of a square."""
        return SQUARES[action]

    def apply(self, action: int) -> None:
        """Place a mark on a square."""
        self.stones[SQUARES[action]] = "xo"[len(self.stones) % 2]

    def rewards(self) -> list[float]:
        """Return the rewards of the last transition."""
        return {None: [0.0, 0.0], "x": [1.0, -1.0], "o": [-1.0, 1.0]}[self._winner()]

    def to_dict(self) -> dict[str, Any]:
        """Return the position as a JSON object."""
        return {
            "game": "tic_tac_toe",
            "params": {"max_turns": self.max_turns},
            "board": ["".join(self.stones.get(f"{column}{row}", ".") for column in "abc") for row in (1, 2, 3)],
            "by_limit": self._winner() is None and len(self.stones) == self.max_turns < 9,
        }


Twin = TicTacToe
