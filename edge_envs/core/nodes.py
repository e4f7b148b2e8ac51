"""What `current_player` says where no player is to act; the numbers are OpenSpiel's."""

from __future__ import annotations

CHANCE = -1
TERMINAL = -4
