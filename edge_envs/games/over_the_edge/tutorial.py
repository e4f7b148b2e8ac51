"""The tutorial of `over_the_edge`: leaving port, bad cards at sea, a boarding, and coming home round the world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.interactive.tutorials import Step, Tutorial
from edge_envs.games.over_the_edge.pieces.deck import COUNTS, KINDS


def _at_sea(
    phase: str, turn: int, own: tuple[str, int], other: tuple[str, int], *hands: Mapping[str, int]
) -> Mapping[str, Any]:
    """Return a position in a turn of player 0, with home Jetty, against player 1, with home Mill.

    Args:
        phase: The phase.
        turn: The number of finished turns.
        own: The space and the winding of the ship of player 0.
        other: The space and the winding of the ship of player 1.
        hands: The hands of both players.
    """
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
            "Your ship leaves its home port, sails right round the Old World once, and comes back home. The first to "
            "do so wins. Both directions are fine.",
        ),
        Step(
            "A home port",
            "First of all, everyone chooses a home. Places with a name and an anchor are ports. This small map has "
            "three of them: Jetty, Mill and Reeds. Click Jetty.",
            action="home Jetty",
        ),
        Step(
            "Five cards, and one more",
            "The cards of all players are shown in the rows below. The line above the cards says what each kind does. "
            "A turn in port begins like this: your hand is filled up to five, or cut down to five. Then you draw one "
            "card, and discard one. Click scurvy, a bad card, to get rid of it.",
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
            "The card fair lets you sail one step, into a space that touches yours along a line, not only at a "
            "corner. Click your card fair, then the space A1. With the button wait you would stay, to collect better "
            "cards: nothing bad ever happens in port.",
            action="fair A1",
        ),
        Step(
            "Two steps",
            "Player 1 stayed at Mill. At sea you draw one card when your turn begins; then you play a card, or wait. "
            "Bad cards stay in your hand there, and you have just drawn a mutiny. The card winds lets you sail two "
            "steps. Click winds, then B1.",
            before=(*_drawn("loyal_crew"), "discard stormy_seas", "wait", *_drawn("mutiny")),
            action="winds B1",
        ),
        Step(
            "The second step",
            "It is mandatory, but it may lead in any direction, even back. Ships cannot cross land, nor the wall "
            "beside Mill. Click B3. The ring around your number below grows with your progress round the world. Its "
            "small mark shows where home is.",
            action="sail B3",
        ),
        Step(
            "Three of a kind!",
            "Some turns later, with your ship on B3, you drew a third scurvy. At sea, such a set of three takes effect "
            "at once: it is discarded, your ship drifts outward, from B3 to C3, and your turn is over. Three storm or "
            "three damage do the same. From C3, another drift would take you over the edge: out of the game!",
            position=_at_sea(
                "draw", 8, ("B3", 3), ("A3", 0), {"fair_weather": 1, "scurvy": 2, "loyal_crew": 1}, {"fair_weather": 2}
            ),
            before=_drawn("scurvy"),
            marks=("space-B3", "space-C3"),
        ),
        Step(
            "What saves you",
            "A thick frame warns you of two cards of a bad kind. But in a turn you can discard three calm and one "
            "storm together. Press the button calm. Also good to know: if only land lies outward, you run aground and "
            "miss a turn. And three mutiny send you home and your progress is lost, unless you hold a crew.",
            position=_at_sea(
                "play", 14, ("C3", 3), ("A3", 0),
                {"fair_weather": 1, "stormy_seas": 2, "dead_calm": 3, "loyal_crew": 1}, {"fair_weather": 2},
            ),
            action="calm",
            marks=("card-0-dead_calm",),
        ),
        Step(
            "Meet another ship",
            "Much later, you have almost sailed round: the ring around your number is almost closed. Player 1 is on "
            "C0, right at the edge. If you sail into a space at sea with another ship, you may board it. Click fair, "
            "then C0.",
            position=_at_sea(
                "play", 30, ("C7", 7), ("C0", 5),
                {"fair_weather": 1, "scurvy": 1, "loyal_crew": 1}, {"favorable_winds": 2, "scurvy": 2},
            ),
            action="fair C0",
        ),
        Step(
            "Board",
            "Boarding means exchanging cards: you take one and give one, and you choose both. You could also press no "
            "boarding. Click the ship of player 1.",
            action="board 1",
        ),
        Step(
            "Take",
            "First choose a card to take. Two steps would bring you home! Click the winds of player 1.",
            action="take favorable_winds",
        ),
        Step(
            "Give",
            "Now choose a card to give. Player 1 already has two scurvy: give yours! Only a player with three crew or "
            "more may refuse an exchange, with the buttons accept and refuse.",
            action="give scurvy",
        ),
        Step(
            "Over the edge",
            "Then player 1 had three scurvy and drifted over the edge: that ship is in the dark, out of the game. You "
            "sail on alone and still have to come home. You have drawn fair. Click winds, then B0.",
            before=_drawn("fair_weather"),
            action="winds B0",
        ),
        Step(
            "Home",
            "One more step to Jetty. Only a ship that has sailed right round the world wins there. Sailing out and "
            "back the same way does not count. Click A0, the space of Jetty.",
            action="sail A0",
        ),
        Step(
            "You have won!",
            "You are the first to come home after sailing round the world. If all ships fall, or nobody is home after "
            "500 turns, nobody wins. One last thing: if you have three each of two bad kinds, you click the kind that "
            "takes effect first.",
        ),
    ),
)  # fmt: skip
