"""The tutorial of `over_the_edge`: out of port, bad cards at sea, a boarding, and home from round the world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.interactive.tutorials import Step, Tutorial
from edge_envs.games.over_the_edge.pieces.cards import COUNTS, KINDS


def _at_sea(
    phase: str, turn: int, own: tuple[str, int], other: tuple[str, int], *hands: Mapping[str, int]
) -> Mapping[str, Any]:
    """A turn of player 0, from Jetty, against player 1, from Mill: spaces and windings of both ships, and hands."""
    held = {kind: sum(hand.get(kind, 0) for hand in hands) for kind in KINDS}
    return {
        "phase": phase, "turn_player": 0, "turn": turn, "hands": list(hands), "discards": {},
        "deck": {kind: count - held[kind] for kind, count in zip(KINDS, COUNTS, strict=True)},
        "ships": [
            {"space": space, "home": home, "winding": winding, "skip": 0}
            for home, (space, winding) in (("A0", own), ("A3", other))
        ],
    }  # fmt: skip


def _drawn(*kinds: str) -> tuple[str, ...]:
    return tuple(f"draw {kind}" for kind in kinds)


TUTORIAL = Tutorial(
    params={"num_players": 2, "map": "pond"},
    steps=(
        Step(
            "The earth is flat",
            "The earth is a disc of sea with the Old World in its middle. At its edge the water pours into the dark. "
            "Your ship leaves its home port, sails once right round the Old World, and comes back home. Who does that "
            "first has won. Both ways round are fine.",
        ),
        Step(
            "A home port",
            "First of all, everyone picks a home. Places with a name and an anchor are ports. This small map has three "
            "of them: Jetty, Mill and Reeds. Click Jetty.",
            action="home Jetty",
        ),
        Step(
            "Five cards, and one more",
            "Everybody's cards lie open in the rows below. Above the cards you read what each kind does. A turn in "
            "port begins like this: your hand is filled up to five, or cut down to five. Then you draw one card, and "
            "discard one. Click scurvy, a bad card, to get rid of it.",
            before=(
                "home Mill",
                *_drawn("fair_weather", "fair_weather", "favorable_winds", "scurvy", "dead_calm"),
                *_drawn("fair_weather", "fair_weather", "loyal_crew", "mutiny", "stormy_seas"),
                *_drawn("loyal_crew"),
            ),
            action="discard scurvy",
        ),
        Step(
            "Set sail",
            "A card called fair is good for one step, into a space that touches yours along a line, not only at a "
            "corner. Click your card fair, then the space A1. With the button wait you would stay, to collect better "
            "cards: nothing bad ever happens in port.",
            action="fair A1",
        ),
        Step(
            "Two steps",
            "Player 1 stayed at Mill. At sea you draw one card when your turn begins; then you play a card, or wait. "
            "Bad cards stay in your hand there, and you have just drawn a mutiny. The card winds is good for two "
            "steps. Click winds, then B1.",
            before=(*_drawn("loyal_crew"), "discard stormy_seas", "wait", *_drawn("mutiny")),
            action="winds B1",
        ),
        Step(
            "The second step",
            "It has to be made, but it may lead anywhere, even back. Ships cannot cross land, nor the wall beside "
            "Mill. Click B3. The ring round your number below grows with your way round the world; its small mark "
            "shows where home is.",
            action="sail B3",
        ),
        Step(
            "Three of a kind!",
            "Some turns later, with your ship on B3, you drew a third scurvy. At sea, such a set of three acts by "
            "itself: it is discarded, your ship drifts outward, from B3 to C3, and your turn is over. Three storm or "
            "three damage do the same. From C3, another drift would take you over the edge: out of the game!",
            position=_at_sea(
                "draw", 8, ("B3", 3), ("A3", 0), {"fair_weather": 1, "scurvy": 2, "loyal_crew": 1}, {"fair_weather": 2}
            ),
            before=_drawn("scurvy"),
            marks=("space-B3", "space-C3"),
        ),
        Step(
            "What saves you",
            "A thick frame warns you: two of a bad kind. But three calm take away one storm, which fills your turn. "
            "Press the button calm. Also good to know: where only land lies outward, you run aground and miss a turn. "
            "And three mutiny send you home, and your way is lost, unless you hold a crew.",
            position=_at_sea(
                "play", 14, ("C3", 3), ("A3", 0),
                {"fair_weather": 1, "stormy_seas": 2, "dead_calm": 3, "loyal_crew": 1}, {"fair_weather": 2},
            ),
            action="calm",
            marks=("card-0-dead_calm",),
        ),
        Step(
            "Meet another ship",
            "Much later. You are nearly round: the ring at your number is almost closed. Player 1 is on C0, right at "
            "the edge. Whoever sails into a space at sea where another ship is may board it. Click fair, then C0.",
            position=_at_sea(
                "play", 30, ("C7", 7), ("C0", 5),
                {"fair_weather": 1, "scurvy": 1, "loyal_crew": 1}, {"favorable_winds": 2, "scurvy": 2},
            ),
            action="fair C0",
        ),
        Step(
            "Board",
            "To board means to swap a card: you take one and give one, and you choose both. You could also press no "
            "boarding. Click the ship of player 1.",
            action="board 1",
        ),
        Step(
            "Take",
            "First you say what you take. Two steps would bring you home! Click the winds of player 1.",
            action="take favorable_winds",
        ),
        Step(
            "Give",
            "Now what you give. Player 1 has two scurvy already: give yours! Only who holds three crew or more may "
            "refuse a swap, and is asked with the buttons accept and refuse.",
            action="give scurvy",
        ),
        Step(
            "Over the edge",
            "Now player 1 had three scurvy and drifted over the edge: that ship is in the dark, out of the game. You "
            "sail on alone, and still want to come home. You have drawn fair. Click winds, then B0.",
            before=_drawn("fair_weather"),
            action="winds B0",
        ),
        Step(
            "Home",
            "One more step to Jetty. Only a ship that has been right round the world wins there. Going out and coming "
            "back the same way does not count. Click A0, the space of Jetty.",
            action="sail A0",
        ),
        Step(
            "You have won!",
            "You are the first to come home from round the world. If all ships fall, or nobody is back after 500 "
            "turns, nobody wins. One last thing: if two kinds of bad cards have three each, their owner clicks the one "
            "that acts first.",
        ),
    ),
)  # fmt: skip
