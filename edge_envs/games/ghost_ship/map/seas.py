"""The seas of `ghost_ship`: the values of the parameter `sea`, and their squares.

The small sea is the middle of the full one, so squares and places have the same names and numbers in both.
"""

from __future__ import annotations

from typing import Final

SEAS = ("full", "small")
"""The names of the seas; a state's record has their numbers."""
NUM_SEAS: Final = len(SEAS)
FULL_SEA, SMALL_SEA = range(NUM_SEAS)
SEA_ROWS, SEA_COLUMNS = (range(7), range(1, 6)), (range(10), range(2, 8))
"""The rows and columns of each sea."""
