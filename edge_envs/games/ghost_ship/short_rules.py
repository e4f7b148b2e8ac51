"""The rules of `ghost_ship` in short, for players who read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMES = (
    "chit", "gold", "ghost", "scout", "boat", "skull", "storm", "hostile", "ruins", "friendly", "chest", "travel",
    "swim", "search", "steal", "salvage", "drift", "save", "tile", "hill", "land", "water", "end",
    "symbol", "stack", "claim", "go",
)  # fmt: skip

LAYING = """
Before, you lay the map. In turn place symbol tiles, away from each other, then draw ten tiles from a stack, "stack \
2", and place them: "tile C4 LWLW" has north, east, south, west edges of land (L) or water (W). Edges must match; \
those at the rim are water. Last the ghost is put on D5 or D6, "ghost D5".
"""


def text(params: Mapping[str, Any]) -> str:
    """The rules as they are with these parameters."""
    values = ", ".join(f"{count} of {value}" for value, count in params["chits"].items() if count)
    most = "and by how much" if params["score_reward"] else "not by how much"
    return f"""\
{params["num_players"]} players tour an archipelago for treasure. Score: your chits ({values}; values are hidden) and, \
for each gold, the number of your 1-chits, at least 1. The highest score wins; it counts who wins, {most}.
{LAYING if params["creation"] == "players" else ""}
Places: C4.S is a boat at sea on C4; C4.C0, C4.C1 a scout ashore in its circle, the boat left there; C4.K0 to K3 a \
scout at a corner, NE, SE, SW, NW; C4.H on a hill; B0 to B33 boats around the board. You move the scout if ashore, \
else the boat.

A turn: declare; the spinner gives 2 to 5, your points, and a direction; the ghost moves one square there.
- travel: steps, "go C4.S", then "take chit", "take gold" or "end". Sail over water 1; B to B 3; land, put to sea 2; \
coast 2; overland 3. A chit costs 1 from its circle (on a chest 3), gold 1 from its hill. Taking ends the turn.
- save +, save -: no spin, a point more or less for your next other turn, up to three. Results stay 2 to 5.
- swim (4, 5): across a strait. search: your boat comes to your scout: always if friendly; with 4, 5 if hostile (2: \
you miss a turn) or ruins; 5 without a symbol; else never. steal 1: change boats with that absent player, who may \
claim it back. salvage: a chit on rocks in a storm. drift: the only way out of a storm at sea.

Symbols: to step out of the circle you need the result: skull 5 and storm 4, 5 (one step, then no more steps or \
taking), hostile 2, 3, ruins 2 to 4, friendly 3 to 5. Sailing into a storm, or putting to sea there, ends movement.

The ghost takes a random chit from a player whose active pawn is on its tile when it comes, or who comes to its \
tile. B places and gold are safe. Off the board, you put it on D5 or D6.
Players at sea on one tile, or on the same land of it, show each other their chits.

The same number spun in three turns, the third a travel: twos, you name the result, "number 3" (2: you may move the \
ghost, "ghost NE"); threes, you may move a chit by land, "chit C4 E"; fours, one point; fives, your right neighbour \
plays the turn, free of symbols.

The game ends when all treasure is taken, or after {params["max_turns"]} turns. If scores are equal, the player \
farther from the ghost wins.
"""
