"""Reference implementation of `two_boxes`: the rules in plain Python, derived from the sequence of lines."""

from __future__ import annotations

from typing import Any

TERMINAL = -4
BOXES = ("acdf", "bdeg")


class TwoBoxes:
    """One game of Dots and Boxes on two squares."""

    def __init__(self) -> None:
        self.lines = ""

    def _completed(self, count: int) -> int:
        """Return the number of complete boxes after `count` lines."""
        return sum(set(box) <= set(self.lines[:count]) for box in BOXES)

    def _player(self, count: int) -> int:
        """Return the player to act after `count` lines: a line that completes no box passes the turn."""
        return sum(self._completed(i) == self._completed(i + 1) for i in range(count)) % 2

    def current_player(self) -> int:
        """Return the player to act, or `TERMINAL`."""
        return TERMINAL if len(self.lines) == 7 else self._player(len(self.lines))

    def legal_actions(self) -> list[int]:
        """Return the lines that are not drawn."""
        return [line for line, name in enumerate("abcdefg") if name not in self.lines]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Raise an error: the game has no chance nodes."""
        raise ValueError("not a chance node")

    def action_to_string(self, action: int) -> str:
        """Return the name of a line."""
        return "abcdefg"[action]

    def apply(self, action: int) -> None:
        """Draw a line."""
        self.lines += "abcdefg"[action]

    def rewards(self) -> list[float]:
        """Return the rewards of the last transition."""
        if not self.lines:
            return [0.0, 0.0]
        last = len(self.lines) - 1
        gain = float(self._completed(last + 1) - self._completed(last))
        return [gain, -gain] if self._player(last) == 0 else [-gain, gain]

    def to_dict(self) -> dict[str, Any]:
        """Return the position as JSON."""
        return {"game": "two_boxes", "params": {}, "lines": list(self.lines)}


Twin = TwoBoxes
