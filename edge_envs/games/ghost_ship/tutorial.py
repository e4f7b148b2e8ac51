"""The tutorial of `ghost_ship`: tiles of the archipelago, then the last treasures of a tour."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.interactive.tutorials import Step, Tutorial

_SYMBOLS = {
    "A4": "ruins", "A6": "storm", "A8": "friendly", "B2": "friendly", "B5": "chest", "B10": "hostile", "C4": "ruins",
    "C6": "skull", "C8": "ruins", "D1": "friendly", "D10": "chest", "E3": "storm", "E5": "friendly", "E8": "hostile",
    "F1": "storm", "F10": "skull", "G3": "chest", "G6": "skull", "G8": "hostile", "G9": "storm",
}  # fmt: skip
_NOTHING_UNDER_WAY = {
    "discards": {}, "dropped": [], "hand_tiles": {}, "to_draw": 0, "losers": [], "extra": None, "declared": None,
    "spun": None, "result": None, "points": None, "movement_over": False, "taking_over": False, "arriving": False,
    "by_limit": False,
}  # fmt: skip


def _afloat(place: str, chits: Mapping[str, int], lost: Mapping[str, int], gold: int) -> Mapping[str, Any]:
    """A player at sea, with what is held and what the ghost has taken."""
    return {
        "pawn": place, "boat": place, "ashore": False, "chits": chits, "lost": lost, "gold": gold, "saved": 0,
        "triple": [0, 0], "skip": 0, "claim": None, "shown": [None, None],
    }  # fmt: skip


_SYMBOLS_LAID = {
    **_NOTHING_UNDER_WAY,
    "phase": "stack", "turn_player": 0, "decider": 0, "turn": 0,
    "tiles": ["0..e.a.e.0", ".6f.1..f.c", "...3.4.5..", "1...ff...0", "..4.5..7..", "0.f....f.9", "0.b..0.100"],
    "six": ["B3", "B8", "D5", "D6", "F3", "F8"], "symbols": _SYMBOLS, "chits": {}, "gold": [], "ghost": None,
    "pool": {"1": 8, "2": 6, "3": 4, "4": 2}, "stacks": [23, 23, 22, 22],
    "players": [_afloat("A1.S", {}, {}, 0), _afloat("G10.S", {}, {}, 0)],
}  # fmt: skip
_LAST_TREASURES = {
    **_NOTHING_UNDER_WAY,
    "phase": "declare", "turn_player": 0, "decider": 0, "turn": 111,
    "tiles": ["006eeaaec0", "06fd12affc", "47d3c40579", "1512ff8550", "29405547fc", "02f8393fb9", "02b8000100"],
    "six": ["B3", "B8", "B9", "D5", "D6", "F3", "F8"], "symbols": _SYMBOLS, "chits": {"B2": 1}, "gold": ["B3"],
    "ghost": "D4", "pool": {"3": 1}, "stacks": [0, 0, 0, 0],
    "players": [
        _afloat("A2.S", {"1": 4, "2": 3, "3": 2, "4": 1}, {"2": 1}, 3),
        _afloat("G7.S", {"1": 4, "2": 2, "3": 1, "4": 1}, {}, 3),
    ],
}  # fmt: skip

TUTORIAL = Tutorial(
    params={"num_players": 2, "creation": "players"},
    steps=(
        Step(
            "Treasure islands",
            "The crew of a ghost ship has hidden treasure on many islands. First you and player 1 lay out the islands, "
            "tile by tile. Then you travel: over the sea by boat, and over land with a scout. You collect chits worth "
            "1 to 4 points each, and gold. When all is taken, the player with the most points has won.",
        ),
        Step(
            "Lay a tile",
            "You have turned up a friendly village. Each tile with a symbol will get a chit. The edges of a tile must "
            "match what lies beside it: land next to land, water next to water, and water along the rim of the map. On "
            "the right you see all ways to turn it. Click the square B2, then the second small tile.",
            before=("symbol friendly LLWW",),
            action="tile B2 WLLW",
        ),
        Step(
            "Pick a stack",
            "You and player 1 have laid all twenty symbol tiles by turns. All other tiles lie in four stacks, face "
            "down. Now you take turns to pick a stack and draw ten tiles from it. Click the first stack.",
            position=_SYMBOLS_LAID,
            action="stack 1",
        ),
        Step(
            "Fill the map",
            "These are your ten tiles, in all ways to turn them; a small number says how many you have of a kind. You "
            "lay them in any order until none fits any more; the rest goes away. Keep the way to your village open: "
            "click the square A2, then the tile that is all water.",
            before=(
                "draw LWWW", "draw WWWW", "draw LLWW", "draw LWWW", "draw LWLW", "draw LLLW", "draw LWWW", "draw LLWW",
                "draw LLLL", "draw WWWW",
            ),
            action="tile A2 WWWW",
        ),
        Step(
            "Late on the tour",
            "Much later the map is full. Before the first journey the last player put the ghost on D5 or D6; now it is "
            "on D4. One chit is left, the red disc with a ? in your village on B2, and one piece of gold, on the hill "
            "B3. Your boat is on A2. The row with the frame shows what you hold: your score is 32.",
            position=_LAST_TREASURES,
            marks=("sq-B2", "sq-B3", "place-A2.S"),
        ),
        Step(
            "Say what you will do",
            "At the beginning of a turn you say what you will do. Most often that is to travel. Then the spinner on "
            "the right turns by itself. It tells a number from 2 to 5, which is how many points you may spend, and a "
            "direction, in which the ghost moves by one square. Click the button travel.",
            action="travel",
        ),
        Step(
            "Sail",
            "You spun 4 and NW, north-west. So the ghost went from D4 to C3, and the yellow dots below the spinner are "
            "your four points. Boats sail from the circle in the middle of a tile to the next, over a side that is "
            "water. That costs 1 point. Click the marked place on B2.",
            before=("spin 4 NW",),
            action="go B2.S",
        ),
        Step(
            "Go ashore",
            "On land your scout goes on alone, while the boat waits where you left it. To go ashore costs 2 points. "
            "Click the marked place, where the land of this tile begins.",
            action="go B2.C0",
        ),
        Step(
            "Take it",
            "To take a chit costs 1 point, or 3 points on a tile with a chest. Afterwards your turn is over, so you "
            "can take one thing in a turn. To stop without taking anything you would press end the turn. Click take "
            "the chit.",
            action="take chit",
        ),
        Step(
            "A secret",
            "It is a 3. Only you see what your chits are worth. But players who meet on a tile, both at sea or both on "
            "the same land, show each other theirs. Mind the symbols, too: the list on the right tells with which "
            "numbers you get out of their circles. A friendly village lets you go with 3, 4 or 5.",
            before=("value 3",),
        ),
        Step(
            "The ghost!",
            "Player 1 spun NW, so the ghost came to your tile and took one of your chits, a 1. That chit is out of the "
            "game. If you come to the tile of the ghost, it takes one, too. Gold is safe. When the ghost would leave "
            "the map, the player who spun puts it back on D5 or D6.",
            before=("travel", "spin 2 NW", "lose 1", "go G8.S", "end"),
        ),
        Step(
            "Other things to do",
            "Instead of spinning you can save a point, up to three, to add it to your next number, or take it off. A "
            "scout away from its boat can search for it, or steal one that lies there. Where water parts two shores of "
            "a tile, it can swim across. A boat in a storm can only drift, save, or salvage a chit there. Click save "
            "+1.",
            action="save +",
        ),
        Step(
            "Three alike",
            "What if you spin the same number in three turns in a row? The column spun keeps count. If you travel in "
            "the third, then after 2s you choose the number, and with a 2 you may move the ghost. After 3s you may "
            "move a chit by one tile. After 4s you get one point only. After 5s the player before you makes your "
            "moves! But now click travel.",
            before=("travel", "spin 3 S", "end"),
            action="travel",
        ),
        Step(
            "Over the land",
            "You spun 3, and the point that you saved makes it 4. With that the village lets you go. A step over land "
            "costs 3 points; along the coast a step costs only 2, but that does not lead up the hill. Click the top of "
            "the hill on B3.",
            before=("spin 3 E",),
            action="go B3.H",
        ),
        Step(
            "Gold",
            "Gold lies on hills with a 6, and a scout on top takes it for 1 point. You have just that one left. Click "
            "take the gold.",
            action="take gold",
        ),
        Step(
            "You have won!",
            "All treasure is taken, so the game is over; else it ends after turn 400. Your chits add up to 22 points. "
            "Each piece of gold is worth as many points as you have chits of value 1, but at least 1. You have three "
            "of them and four pieces of gold: 12 points. Together that is 34, more than player 1 has.",
        ),
    ),
)  # fmt: skip
