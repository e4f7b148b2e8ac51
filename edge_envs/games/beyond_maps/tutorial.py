"""Tutorial of `beyond_maps`: both actions of a turn, filling, illegal markers, and an end of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.interactive.tutorials import Step, Tutorial


def _later(board: list[str], ships: list[str], **changes: Any) -> Mapping[str, Any]:
    """Return a position of a later turn in which player 0 has already sailed."""
    return {
        "board": board, "ships": ships, "turn_player": 0, "turn": 20, "sea_done": True, "land_done": False,
        "markers_placed": 0, "last_marker": None, "roll": None, **changes,
    }  # fmt: skip


TUTORIAL = Tutorial(
    params={"size": 5},
    steps=(
        Step(
            "Two ships on an unknown sea",
            "Your ship is marked 0 and lies in the corner a1. The white disc shows that it is your turn. Where ships "
            "sail, land rises from the sea. At the end, the player with more squares of land wins. This sea is small; "
            "a full game has 18 squares on each side.",
            marks=("sq-a1",),
        ),
        Step(
            "Sail",
            "Your ship sails up to six squares and may turn after each one, but never sails diagonally. Land rises one "
            "square ahead of where it stops. So click twice: first c3, where the ship stops, then c4, where land "
            "rises. The ship comes to c3 from the north, so c4 lies ahead.",
            action="sea c3 s",
        ),
        Step(
            "Land",
            "Your land on c4 is dotted. Player 1 has sailed to e3, raised land on e2 ahead of the ship, and then "
            "another square on e1. Player 1's land is striped. The bar below the map counts squares: you have 1, "
            "player 1 has 2.",
            before=("sea e3 n", "land e1", "stop"),
            marks=("sq-c4", "sq-e2", "sq-e1"),
        ),
        Step(
            "Two things in a turn",
            "From now on you have two things to do in each turn, as the two boxes below show: sea and land, in either "
            "order. Let us begin with land. Your land grows from a tip: a square that has at most one other square of "
            "your land next to it. Click the button land, then b4, next to c4.",
            action="land b4",
        ),
        Step(
            "A chain",
            "In one land action you may place up to three markers of land, one after the other. Each must be next to "
            "the previous one. The ring on the map shows the last one, b4. Continue with b3.",
            action="land b3",
        ),
        Step(
            "Enough",
            "You could place a third marker now, on a3 or b2. But you may stop after any marker. Click the button "
            "stop: the land box gets its tick.",
            action="stop",
        ),
        Step(
            "Take land by sea",
            "Now the sea action. If the other player's land is ahead of your ship, it becomes yours! Click d2, then "
            "e2. If your own land, a ship or the edge is ahead, no land rises. You may also stay where you are: then "
            "land rises on any side you like.",
            action="sea d2 e",
        ),
        Step(
            "Surround",
            "Some turns later, your wall around c3 and d3 has a single gap. In this turn you have placed b4 and c4. "
            "Place d4 as your third marker, and see what happens inside!",
            position=_later(
                [".....", "..00.", ".01.0", ".00..", "....."], ["a3", "e5"], markers_placed=2, last_marker="c4"
            ),
            action="land d4",
        ),
        Step(
            "All inside is yours",
            "The empty square d3 has become yours, and so has player 1's land on c3. The squares of a wall only need "
            "to touch at a corner. But the edge of the map is not a wall: a region that reaches the edge is not "
            "surrounded. And a block of 2 by 2 squares of the other player stays theirs.",
            marks=("sq-c3", "sq-d3"),
        ),
        Step(
            "Ships must be able to meet",
            "Another map. Look at d3: land there would divide the sea into two parts, with one ship in each. That is "
            "not allowed, so you cannot place land on d3. The same rule applies to land that rises when you sail.",
            position=_later([".....", ".....", "000.1", ".....", "....."], ["b1", "e5"]),
            marks=("sq-d3",),
        ),
        Step(
            "The exception",
            "You may take the last free square next to the other ship. Here d5 is player 1's last way out of the "
            "corner: e4 is land, and the map ends on the other two sides. Click d5 to close the ship in!",
            position=_later(
                [".....", ".....", ".....", "..001", "....."], ["a1", "e5"], markers_placed=2, last_marker="d4"
            ),
            action="land d5",
        ),
        Step(
            "You have won!",
            "The game ends with the turn in which a ship is closed in, or surrounded as c3 was. Otherwise it ends "
            "after turn 400. It does not matter whose ship it is: the player with more land wins. You have 3 squares, "
            "and player 1 has 1.",
        ),
    ),
)  # fmt: skip
