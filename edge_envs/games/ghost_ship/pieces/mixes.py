"""The mixes of symbols of `ghost_ship`: the values of the parameter `symbol_mix`, and the tiles of each."""

from __future__ import annotations

from typing import Final

MIXES = ("standard", "easy", "hard")
"""The values of the parameter `symbol_mix`; a state's record has their numbers."""
MIXED_TILES: Final[tuple[dict[str, dict[str, str]], ...]] = (
    {
        "standard": {
            "skull": "WWWW LWWW LLWW",
            "storm": "WWWW WWWW LWWW LWLW",
            "hostile": "LWWW LLWW LLLW",
            "ruins": "LWLW LLWW LLLW",
            "friendly": "LWWW LWLW LLWW LLLW",
            "chest": "WWWW LWWW LLLW",
        },
        "easy": {
            "skull": "LLWW",
            "storm": "WWWW",
            "hostile": "LWWW LLLW",
            "ruins": "LWWW LWLW LLWW LLLW",
            "friendly": "LWWW LWWW LWLW LWLW LLWW LLWW LLLW",
            "chest": "WWWW WWWW WWWW LWWW LLLW",
        },
        "hard": {
            "skull": "WWWW WWWW LWWW LWWW LLWW LLWW LLLW",
            "storm": "WWWW WWWW LWWW LWLW LWLW",
            "hostile": "LWWW LWWW LWLW LLWW LLLW LLLW",
            "ruins": "LLWW",
            "friendly": "",
            "chest": "LLLW",
        },
    },
    {
        "standard": {
            "skull": "LLWW",
            "storm": "WWWW",
            "hostile": "LWWW",
            "ruins": "LLWW",
            "friendly": "LWWW LWLW",
            "chest": "WWWW LLLW",
        },
        "easy": {
            "skull": "",
            "storm": "",
            "hostile": "",
            "ruins": "LWWW LLWW",
            "friendly": "LWWW LWLW LLWW",
            "chest": "WWWW WWWW LLLW",
        },
        "hard": {
            "skull": "WWWW LLWW LLLW",
            "storm": "WWWW LWWW LWLW",
            "hostile": "LWWW LLWW",
            "ruins": "",
            "friendly": "",
            "chest": "",
        },
    },
)
"""For each sea, by mix and symbol: the classes of its symbol tiles."""
