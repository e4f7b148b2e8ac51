"""Numbers that stand where a seat is expected: nobody to act (with OpenSpiel's values), and a viewer of everything."""

from __future__ import annotations

CHANCE = -1
TERMINAL = -4

REVEALED = -2
"""The viewer in narration once the game is over: nothing is hidden any more."""
