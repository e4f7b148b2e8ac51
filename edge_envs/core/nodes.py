"""Special values of players, as in OpenSpiel: chance and terminal nodes, and a viewer who sees everything."""

from __future__ import annotations

CHANCE = -1
TERMINAL = -4

REVEALED = -2
"""The viewer in narration after the end of a game, when nothing is hidden."""
