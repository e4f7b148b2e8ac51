"""The fields of the observation of `ghost_ship`: what they hold, and where they begin.

A plane has 9 x 12 entries, row by row: the board with the board-edge circles around it, so that A1 is in row 1 and
column 1; the corners stay empty. Players are listed in turn order from the viewer on.

The vector has the planes of the board, as the rules keep them; two planes for each player; the numbers of `_ALONE`;
those of `_EACH`, field by field for each player; claims and showings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from edge_envs.core.spec import Layout, ObservationField
from edge_envs.games.ghost_ship.map.geometry import COMPASS, NUM_SPOTS, NUM_WAYS
from edge_envs.games.ghost_ship.pieces.tiles import (
    CLASSES,
    KINDS,
    NUM_CLASSES,
    NUM_KINDS,
    NUM_STACKS,
    NUM_SYMBOLS,
    SYMBOLS,
)
from edge_envs.games.ghost_ship.state import (
    DRAWN,
    MOST,
    MOST_SAVED,
    MOST_SKIPPED,
    NUM_GOLD,
    NUM_NUMBERS,
    NUM_VALUES,
    PHASES,
    PLANE,
)
from edge_envs.games.ghost_ship.state import NUM_CHITS as MOST_CHITS

MOST_SHOWN = 127
MOST_OF_A_KIND, MOST_DROPPED = 23, 5
"""Of the drawn tiles of a kind, or of a stack; of the symbol tiles of a class."""
NUM_UNSEEN = NUM_SYMBOLS + 1
"""The symbols, and `UNSEEN` in the place of one that is not known."""
NUM_ACTS, ACTS_AFTER = 6, 3
"""Declarations without whom is stolen from, and by how much those after stealing have lower numbers then."""
ON_RIM = NUM_SPOTS
BOAT_SPOTS, BOAT_ON_RIM = 4, 3
NUM_TOLD = NUM_VALUES + 3
"""Numbers that tell what another player has shown."""


def _planes(name: str, count: int, high: int, description: str) -> ObservationField:
    return ObservationField(name, count * PLANE, 0, high, description)


_BOARD = (
    _planes("tile", 1, 1, "a plane: 1 where a tile lies"),
    _planes("land", 4, 1, "planes for the edges N, E, S, W: 1 where the edge of the tile is land"),
    _planes("corners", 4, 1, "planes for the corners NE, SE, SW, NW: 1 where the finished map has the place K0..K3"),
    _planes("symbols", NUM_UNSEEN, 1, f"planes for {', '.join(SYMBOLS)}, unseen: 1 where that symbol is"),
    _planes("six", 1, 1, "a plane: 1 where a tile takes gold"),
    _planes("gold", 1, 1, "a plane: 1 where gold lies"),
    _planes("chits", 1, MOST_CHITS, "a plane: the number of chits on the tile"),
    _planes("ghost", 1, 1, "a plane: 1 where the ghost is"),
)
_ALONE = (
    ObservationField("phase", len(PHASES), 0, 1, f"one of {', '.join(PHASES)}"),
    ObservationField("turns_used", 1, 0, MOST_SHOWN, "the turns begun in 127ths of max_turns"),
    ObservationField("turns_left", 1, 0, MOST_SHOWN, "the turns that may still begin, at most 127"),
    ObservationField("hand", NUM_KINDS, 0, DRAWN, f"the tiles in hand: {', '.join(KINDS)}"),
    ObservationField("hand_symbol", NUM_UNSEEN, 0, 1, "the symbol of the symbol tile in hand, or unseen"),
    ObservationField("hand_class", NUM_CLASSES, 0, 1, f"the class of the symbol tile in hand: {', '.join(CLASSES)}"),
    ObservationField("to_draw", 1, 0, DRAWN, "the tiles that are still to be drawn for the hand"),
    ObservationField("stacks", NUM_STACKS, 0, MOST_OF_A_KIND, "the tiles in each stack"),
    ObservationField("discards", NUM_KINDS, 0, MOST_OF_A_KIND, "the discarded tiles of each kind"),
    ObservationField(
        "dropped", NUM_UNSEEN * NUM_CLASSES, 0, MOST_DROPPED,
        "the symbol tiles that left the game, for each symbol, or unseen, of each class",
    ),
    ObservationField("declared", NUM_ACTS, 0, 1, "what was declared: travel, swim, search, steal, salvage, drift"),
    ObservationField("spun_number", NUM_NUMBERS, 0, 1, "the number 2..5 of a spin that waits for its losses"),
    ObservationField("spun_way", NUM_WAYS, 0, 1, f"the direction of that spin: {', '.join(COMPASS)}"),
    ObservationField("result", NUM_NUMBERS, 0, 1, "the result 2..5 of a travel"),
    ObservationField("points", 1, -1, MOST, "the movement points left; -1 when nobody travels"),
    ObservationField("movement_over", 1, 0, 1, "1 if a storm or a skull has ended the movement"),
    ObservationField("taking_over", 1, 0, 1, "1 if a step out of a symbol has ended taking, too"),
    ObservationField("arriving", 1, 0, 1, "1 if the turn player has come to a tile and has not met anybody there yet"),
    ObservationField("extra", 2, 0, 1, "the extra act that a triple gives: a chit, or the ghost, may be moved"),
    ObservationField("neighbour_decides", 1, 0, 1, "1 if the right neighbour of the turn player decides this travel"),
    ObservationField("pool", 1, 0, MOST_CHITS, "the chits never taken"),
    ObservationField("own_chits", NUM_VALUES, 0, MOST_CHITS, "the viewer's chits of each value"),
    ObservationField("own_lost", NUM_VALUES, 0, MOST_CHITS, "the chits of each value that the viewer has lost"),
)  # fmt: skip
_EACH = (
    ObservationField("seat", 1, 0, 1, "the viewer's seat, from player 0 on"),
    ObservationField("decider", 1, 0, 1, "who is to decide, the viewer first; nobody at chance and the end"),
    ObservationField("turn_player", 1, 0, 1, "whose turn it is, the viewer first"),
    ObservationField("victim", 1, 0, 1, "from whom a boat is being stolen, the viewer first"),
    ObservationField("losers", 1, 0, 1, "1 for each player who is still to lose a chit"),
    ObservationField("spot", NUM_SPOTS + 1, 0, 1, "for each player where the pawn is: S, C0, C1, K0..K3, H, the rim"),
    ObservationField("boat_spot", BOAT_SPOTS, 0, 1, "for each player where the boat is: S, C0, C1, the rim"),
    ObservationField("ashore", 1, 0, 1, "for each player 1 if the active pawn is the scout"),
    ObservationField("num_chits", 1, 0, MOST_CHITS, "for each player the number of chits"),
    ObservationField("num_lost", 1, 0, MOST_CHITS, "for each player the number of chits lost to the ghost"),
    ObservationField("gold_held", 1, 0, NUM_GOLD, "for each player the gold"),
    ObservationField("saved", 1, -MOST_SAVED, MOST_SAVED, "for each player the saved points"),
    ObservationField("triple_number", NUM_NUMBERS, 0, 1, "for each player the number 2..5 that counts for a triple"),
    ObservationField("triple_count", 1, 0, 2, "for each player in how many turns in a row it was spun"),
    ObservationField("skip", 1, 0, MOST_SKIPPED, "for each player the turns owed"),
)
# Where fields begin: those of `_ALONE` behind the planes; those of `_EACH` behind them, times the number of players.
(
    PHASE, TURNS_USED, TURNS_LEFT, HAND, HAND_SYMBOL, HAND_CLASS, TO_DRAW, STACKS, DISCARDS,
    DROPPED, DECLARED, SPUN_NUMBER, SPUN_WAY, RESULT, POINTS, MOVEMENT_OVER, TAKING_OVER,
    ARRIVING, EXTRA, NEIGHBOUR_DECIDES, POOL, OWN_CHITS, OWN_LOST, SIZE_ALONE,
) = accumulate((field.size for field in _ALONE), initial=0)  # fmt: skip
(
    SEAT, DECIDER, TURN_PLAYER, VICTIM, LOSERS, SPOT, BOAT_SPOT, ASHORE, NUM_CHITS,
    NUM_LOST, GOLD_HELD, SAVED, TRIPLE_NUMBER, TRIPLE_COUNT, SKIP, SIZE_EACH,
) = accumulate((field.size for field in _EACH), initial=0)  # fmt: skip


def layout(params: Mapping[str, Any]) -> Layout:
    """The slices of the observation, in order."""
    players = params["num_players"]
    return Layout((
        *_BOARD,
        _planes("pawns", players, 1, "a plane for each player: 1 where the active pawn is, scout or boat"),
        _planes("boats", players, 1, "a plane for each player: 1 where the boat is"),
        *_ALONE,
        *_times(players, _EACH),
        ObservationField("claim", players * players, 0, 1, "for each player who has stolen the boat, the viewer first"),
        ObservationField(
            "shown", (players - 1) * NUM_TOLD, 0, MOST_CHITS,
            "for each other player: 1 if chits have been shown to the viewer, the chits of each value then, "
            "how many were gained and lost since",
        ),
    ))  # fmt: skip


def _times(players: int, fields: Sequence[ObservationField]) -> list[ObservationField]:
    return [replace(field, size=players * field.size) for field in fields]
