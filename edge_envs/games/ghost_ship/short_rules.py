"""Short rules of `ghost_ship` as a string, for language models and other readers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMES = (
    "chit", "gold", "ghost", "scout", "boat", "skull", "storm", "hostile", "ruins", "friendly", "chest", "travel",
    "swim", "search", "steal", "salvage", "drift", "save", "tile", "hill", "land", "water", "end",
    "symbol", "stack", "claim", "go",
)  # fmt: skip

LAYING = """
First you lay the map{symbols}, then draw {drawn} tiles from a stack, "stack \
2", and place them: "tile C4 LWLW" has north, east, south, west edges of land (L) or water (W). Edges must match, \
with water at the rim. Last, place the ghost: "ghost D5" or D6.
"""


def text(params: Mapping[str, Any]) -> str:
    """Return the rules for these parameters."""
    values = ", ".join(f"{count} of {value}" for value, count in params["chits"].items() if count)
    most = "and by how much" if params["score_reward"] else "not by how much"
    small = params["sea"] == "small"
    heading = {"standard": "Symbols", "easy": "Few traps", "hard": "Many traps"}[params["symbol_mix"]]
    laying = ""
    where = " The sea has rows B to F and columns 3 to 8. Only eight of the chits are used." if small else ""
    if params["creation"] == "random" and params["open_symbols"]:
        where += " All symbols lie face up."
    if params["creation"] == "players":
        symbols = ". In turn, place symbol tiles apart from each other"
        if small:
            symbols, where = ", B3 to F8, eight chits. Place symbol tiles apart", ""
        laying = LAYING.format(symbols=symbols, drawn="nine" if small else "ten")
    return f"""\
{params["num_players"]} players tour an archipelago for treasure. Score: your chits ({values}; values are hidden) and, \
for each gold, the number of your 1-chits, at least 1. The highest score wins. Rewards depend on who wins, \
{most}.{where}
{laying}
Places: C4.S is a boat at sea on C4; C4.C0, C4.C1 a scout ashore in its circle, the boat left there; C4.K0 to K3 a \
scout at a corner (NE, SE, SW, NW); C4.H on a hill; B0 to B{21 if small else 33} boats \
around the board. You move the scout if ashore, \
else the boat.

A turn: declare an act. The spinner gives your points, 2 to 5, and a direction; the ghost moves one square there.
- travel: steps, "go C4.S", then "take chit", "take gold" or "end". Points: sail over water 1, B to B 3, land or put \
to sea 2, coast 2, overland 3; a chit 1 from its circle (3 on a chest), gold 1 from its hill. Taking ends the turn.
- save +, save -: no spin; one point more or less, up to three, for your next other turn. Results stay 2 to 5.
- swim: across a strait with 4, 5. search: your boat comes to your scout: always if friendly; with 4, 5 if hostile \
(2: you miss a turn) or ruins; 5 without a symbol; else never. steal 1: exchange boats with that absent player, who \
may claim it back. salvage: a chit on rocks in a storm. drift: the only way out of a storm at sea.

{heading}: to step out of the circle you need the result 5 for skull, 4, 5 for storm (one step, then no more steps or \
taking), 2, 3 for hostile, 2 to 4 for ruins, 3 to 5 for friendly. Sailing into a storm, or putting to sea there, ends \
movement.

The ghost takes a random chit from a player whose active pawn is on its tile when it comes, or who comes to its \
tile. B places and gold are safe. If it leaves the board, you put it on D5 or D6.
Players at sea on one tile, or on the same land of it, show each other their chits.

If you spin the same number in three turns, the third a travel: twos: you choose the result, "number 3" (2: you may \
move the ghost, "ghost NE"); threes: you may move a chit by land, "chit C4 E"; fours: one point; fives: your right \
neighbour plays the turn, free of symbols.

The game ends when all treasure is taken, or after {params["max_turns"]} turns. If scores are equal, the player \
farther from the ghost wins.
"""
