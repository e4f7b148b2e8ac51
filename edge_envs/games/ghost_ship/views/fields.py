"""The fields of the observation of `ghost_ship`: their contents and offsets.

A plane has 9 x 12 entries, row by row: the board with the board-edge circles around it, so that A1 is in row 1 and
column 1. The corners are always 0. Players are listed in turn order, beginning with the viewer.

The vector consists of the planes of the board, which the rules maintain; two planes for each player; the numbers of
`_ALONE`; those of `_EACH`, field by field for each player; claims and showings.
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
"""The largest number of drawn tiles of a kind or in a stack, and of symbol tiles of a class."""
NUM_UNSEEN = NUM_SYMBOLS + 1
"""The number of symbols, including `UNSEEN` for a hidden one."""
NUM_ACTS, ACTS_AFTER = 6, 3
"""The number of declarations without the victims of stealing, and the difference of ids after stealing."""
ON_RIM = NUM_SPOTS
BOAT_SPOTS, BOAT_ON_RIM = 4, 3
NUM_SHOWN_FIELDS = NUM_VALUES + 3
"""The number of entries about the chits that another player has shown."""


def _planes(name: str, count: int, high: int, description: str) -> ObservationField:
    return ObservationField(name, count * PLANE, 0, high, description)


_BOARD = (
    _planes("tile", 1, 1, "a plane: 1 for squares with a tile"),
    _planes("land", 4, 1, "planes for the edges N, E, S, W: 1 if that edge of the tile is land"),
    _planes("corners", 4, 1, "planes for the corners NE, SE, SW, NW: 1 if the finished map has the place K0..K3"),
    _planes("symbols", NUM_UNSEEN, 1, f"planes for {', '.join(SYMBOLS)}, hidden: 1 for tiles with that symbol"),
    _planes("six", 1, 1, "a plane: 1 for tiles that receive gold"),
    _planes("gold", 1, 1, "a plane: 1 for tiles with gold"),
    _planes("chits", 1, MOST_CHITS, "a plane: the number of chits on the tile"),
    _planes("ghost", 1, 1, "a plane: 1 for the square of the ghost"),
)
_ALONE = (
    ObservationField("phase", len(PHASES), 0, 1, f"one of {', '.join(PHASES)}"),
    ObservationField("turns_used", 1, 0, MOST_SHOWN, "turns begun in 127ths of max_turns"),
    ObservationField("turns_left", 1, 0, MOST_SHOWN, "turns that may still begin, at most 127"),
    ObservationField("hand", NUM_KINDS, 0, DRAWN, f"the tiles in hand: {', '.join(KINDS)}"),
    ObservationField("hand_symbol", NUM_UNSEEN, 0, 1, "the symbol of the symbol tile in hand, or hidden"),
    ObservationField("hand_class", NUM_CLASSES, 0, 1, f"the class of the symbol tile in hand: {', '.join(CLASSES)}"),
    ObservationField("to_draw", 1, 0, DRAWN, "the tiles still to be drawn for the hand"),
    ObservationField("stacks", NUM_STACKS, 0, MOST_OF_A_KIND, "the tiles in each stack"),
    ObservationField("discards", NUM_KINDS, 0, MOST_OF_A_KIND, "the discarded tiles by kind"),
    ObservationField(
        "dropped", NUM_UNSEEN * NUM_CLASSES, 0, MOST_DROPPED,
        "the symbol tiles that left the game, for each symbol, and hidden ones, by class",
    ),
    ObservationField("declared", NUM_ACTS, 0, 1, "the declaration: travel, swim, search, steal, salvage, drift"),
    ObservationField("spun_number", NUM_NUMBERS, 0, 1, "the spun number 2..5 until the result is fixed"),
    ObservationField("spun_way", NUM_WAYS, 0, 1, f"the spun direction until then: {', '.join(COMPASS)}"),
    ObservationField("result", NUM_NUMBERS, 0, 1, "the result 2..5 of a travel"),
    ObservationField("points", 1, -1, MOST, "the remaining points of a travel; -1 outside a travel"),
    ObservationField("movement_over", 1, 0, 1, "1 if a storm or a skull has ended the movement"),
    ObservationField("taking_over", 1, 0, 1, "1 if a step out of a symbol has also ended taking"),
    ObservationField("arriving", 1, 0, 1, "1 if the turn player has come to a tile and has not met anybody there yet"),
    ObservationField("extra", 2, 0, 1, "the additional act of a triple: moving a chit, moving the ghost"),
    ObservationField("neighbour_decides", 1, 0, 1, "1 if the right neighbour of the turn player decides this travel"),
    ObservationField("pool", 1, 0, MOST_CHITS, "the number of chits never taken"),
    ObservationField("own_chits", NUM_VALUES, 0, MOST_CHITS, "the viewer's chits by value"),
    ObservationField("own_lost", NUM_VALUES, 0, MOST_CHITS, "the viewer's lost chits by value"),
)  # fmt: skip
_EACH = (
    ObservationField("seat", 1, 0, 1, "the viewer's seat, counted from player 0"),
    ObservationField("decider", 1, 0, 1, "the player to act, the viewer first; zeros at chance nodes and at the end"),
    ObservationField("turn_player", 1, 0, 1, "the turn player, the viewer first"),
    ObservationField("victim", 1, 0, 1, "the player whose boat is being stolen, the viewer first"),
    ObservationField("losers", 1, 0, 1, "1 for each player who is still to lose a chit"),
    ObservationField(
        "spot", NUM_SPOTS + 1, 0, 1, "the place of each player's active pawn: S, C0, C1, K0..K3, H, the rim"
    ),
    ObservationField("boat_spot", BOAT_SPOTS, 0, 1, "the place of each player's boat: S, C0, C1, the rim"),
    ObservationField("ashore", 1, 0, 1, "whether each player's active pawn is the scout"),
    ObservationField("num_chits", 1, 0, MOST_CHITS, "the number of chits of each player"),
    ObservationField("num_lost", 1, 0, MOST_CHITS, "the number of chits that each player has lost to the ghost"),
    ObservationField("gold_held", 1, 0, NUM_GOLD, "the gold of each player"),
    ObservationField("saved", 1, -MOST_SAVED, MOST_SAVED, "the saved points of each player, with their sign"),
    ObservationField("triple_number", NUM_NUMBERS, 0, 1, "the number 2..5 of each player that counts for a triple"),
    ObservationField("triple_count", 1, 0, 2, "the number of turns in a row with this number"),
    ObservationField("skip", 1, 0, MOST_SKIPPED, "the turns that each player owes"),
)
# Offsets: those of `_ALONE` after the planes; those of `_EACH` after these, times the number of players.
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
    """Return the slices of the observation, in order."""
    players = params["num_players"]
    return Layout((
        *_BOARD,
        _planes("pawns", players, 1, "a plane for each player: 1 for the place of the active pawn"),
        _planes("boats", players, 1, "a plane for each player: 1 for the place of the boat"),
        *_ALONE,
        *_times(players, _EACH),
        ObservationField("claim", players * players, 0, 1, "for each player the thief of the boat, the viewer first"),
        ObservationField(
            "shown", (players - 1) * NUM_SHOWN_FIELDS, 0, MOST_CHITS,
            "for each other player: 1 if chits have been shown to the viewer, these chits by value, and the numbers "
            "gained and lost since",
        ),
    ))  # fmt: skip


def _times(players: int, fields: Sequence[ObservationField]) -> list[ObservationField]:
    return [replace(field, size=players * field.size) for field in fields]
