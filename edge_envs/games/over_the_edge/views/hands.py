"""Draw cards: one colour, word and sign for each kind."""

from __future__ import annotations

import functools

from edge_envs.games.over_the_edge.pieces.deck import KINDS
from edge_envs.pictures.canvas import Canvas
from edge_envs.pictures.colours import BLACK, Colour, colour

WORDS = ("fair", "winds", "mutiny", "scurvy", "storm", "damage", "calm", "crew")
EFFECTS = ("one step", "two steps", "three: home", "three: drift", "three: drift", "three: drift", "end a storm",
           "against mutiny")  # fmt: skip
COLOURS = (
    colour("#f7d774", "#d8b857"),
    colour("#9bd8cb", "#79b5a8"),
    colour("#e58a6d", "#cd755a"),
    colour("#bccb7e", "#a1af68"),
    colour("#94abd6", "#7e95bf"),
    colour("#bd9f88", "#a58973"),
    colour("#d3cec6", "#b3aea6"),
    colour("#dba8ca", "#bf8eaf"),
)
"""The colours by kind, like `WORDS` and `EFFECTS`."""
CARD_WIDTH, CARD_HEIGHT = 38.0, 33.0
_MOST_BACKS, _BACK = 4, 3.2  # the visible cards behind the first, and their offset

_SIGNS = (
    "m-3.4 0 a3.4 3.4 0 1 1 6.8 0 a3.4 3.4 0 1 1 -6.8 0 m3.4 -7.4 v1.6 m0 11.6 v1.6 m-7.4 -7.4 h1.6 m11.6 0 h1.6"
    " m-12.6 -5.2 l1.1 1.1 m8.2 8.2 l1.1 1.1 m0 -10.4 l-1.1 1.1 m-8.2 8.2 l-1.1 1.1",  # a sun
    "m-7.5 -2 h9.5 a2.6 2.6 0 1 0 -2.6 -2.6 m-6.9 5.6 h12.4 a2.4 2.4 0 1 1 -2.4 2.4 m-10 0.9 h5.6",  # wind
    "m-6.5 -6.5 l11 11 m2 -11 l-11 11 m-3.2 -4.2 l4.6 4.6 m5 0 l4.6 -4.6 m-10.2 3.2 l-3 3 m9.4 -3 l3 3",  # swords
    "m-3.2 6.5 v-2.6 a6 6 0 1 1 6.4 0 v2.6 z m-0.4 -6.6 a1.2 1.2 0 1 1 2.4 0 a1.2 1.2 0 1 1 -2.4 0"
    " m4.8 0 a1.2 1.2 0 1 1 2.4 0 a1.2 1.2 0 1 1 -2.4 0 m-1.2 4.6 v2",  # a skull
    "m-4.6 1 a3 3 0 0 1 0 -6 a4.2 4.2 0 0 1 8 -0.6 a3.2 3.2 0 0 1 1 6.5 m-3.4 -3.2 l-2.6 4.6 h3.4 l-2.4 4.6",  # a storm
    "m-7.5 0.5 h6 l-1.6 2.4 l2.8 1.2 l-1.4 2.4 h-3.2 z m9 0 h6 l-2.6 6 h-3.4 l1.2 -2.6 l-2.4 -1.2 z"
    " m-2 -1 v-7 m0 0.5 l4.5 4 h-4.5",  # a broken ship
    "m-7.5 -3 h5 m2.6 0 h7.4 m-15 4 h8.6 m2.6 0 h3.8 m-15 4 h3.6 m2.6 0 h8.8",  # still water
    "m-2.3 -4 a2.3 2.3 0 1 1 4.6 0 a2.3 2.3 0 1 1 -4.6 0 m-2.6 10.5 v-2.4 a4.9 4.9 0 0 1 9.8 0 v2.4 z",  # a sailor
)


def sign(canvas: Canvas, kind: int, x: float, y: float) -> None:
    """Draw the sign of a kind around a point."""
    canvas.path(_sign(kind, x, y), stroke=BLACK, stroke_width=1.25, round=True)


@functools.cache
def _sign(kind: int, x: float, y: float) -> str:
    return f"M {x:g} {y:g} {_SIGNS[kind]}"


def cards(canvas: Canvas, kind: int, count: int, x: float, y: float, frame: Colour, heavy: bool) -> None:
    """Draw a fan of `count` cards of a kind with their number.

    Args:
        canvas: The canvas.
        kind: The kind of card.
        count: The number of cards.
        x: The left edge.
        y: The top edge.
        frame: The colour of the frame.
        heavy: Whether the frame is thick.
    """
    for k in range(min(count - 1, _MOST_BACKS), 0, -1):
        canvas.rect(
            x + _BACK * k, y + 0.8 * k, CARD_WIDTH, CARD_HEIGHT - 1.6 * k,
            radius=4, fill=COLOURS[kind], stroke=BLACK, stroke_width=0.6,
        )  # fmt: skip
    canvas.rect(
        x, y, CARD_WIDTH, CARD_HEIGHT, radius=4, fill=COLOURS[kind], stroke=frame, stroke_width=2.6 if heavy else 0.8,
        data=stack_of(kind, count),
    )  # fmt: skip
    sign(canvas, kind, x + 12.5, y + 12.5)
    canvas.text(x + 29, y + 17.5, str(count), size=14, fill=BLACK, anchor="middle", bold=True, room=15)
    canvas.text(x + CARD_WIDTH / 2, y + CARD_HEIGHT - 4, WORDS[kind], size=8, fill=BLACK, anchor="middle", room=34)


def stack_of(kind: int, count: int) -> dict[str, object]:
    """Return the attributes of the drawing of `count` cards, with which pages let cards fly to other stacks."""
    return {"stack": WORDS[kind], "count": count}


def card_key(player: int, kind: int) -> str:
    """Return the key of a player's cards of a kind."""
    return f"card-{player}-{KINDS[kind]}"
