"""Ids of actions and chance outcomes of `ghost_ship`, and their strings.

    first id         string                                                          number of ids
    FIRST_TILE       `tile SQUARE EDGES`: 17 x square + mask, 16 for `LLLL6`         1190
    FIRST_STACK      `stack 1` .. `stack 4`                                          4
    FIRST_CENTRE     `ghost D5`, `ghost D6`                                          2
    DECLARE          `travel` .. `drift`, in the order of `DECLARED`                 9
    SAVE_PLUS        `save +`, then `save -`                                         2
    GO               `go PLACE`                                                      594
    TAKE_CHIT        `take chit`, `take gold`, `end`                                 3
    FIRST_NUMBER     `number 2` .. `number 5`                                        4
    FIRST_GHOST_WAY  `ghost N` .. `ghost NW`, clockwise                              8
    FIRST_CHIT       `chit SQUARE EDGE`: 4 x square + edge                           280

Chance outcomes are numbered from 0 at every kind of node:

    symbol         5 x symbol + class; with covered symbols the class
    draw           the kind
    complete       the mask, 16 for `LLLL6`
    spin           8 x (number - 2) + direction
    drift          the direction
    reveal         the symbol
    value, lose    value - 1
    place, stack, fill, ghost   with random creation: the id of the action
"""

from __future__ import annotations

from typing import Final

import numpy as np

from edge_envs.core.spec import Record
from edge_envs.games.ghost_ship.knowledge.meetings import are_together
from edge_envs.games.ghost_ship.map.geometry import COMPASS, NUM_PLACES, NUM_SQUARES
from edge_envs.games.ghost_ship.map.names import EDGE_NAMES, PLACE_NAMES, SQUARE_NAMES, TILE_NAMES, square_name
from edge_envs.games.ghost_ship.pieces.tiles import CLASSES, KINDS, NUM_STACKS, SYMBOLS, TILE_IDS
from edge_envs.games.ghost_ship.state import (
    COMPLETE,
    DECLARED,
    DRAW,
    DRIFT_PHASE,
    FEWEST,
    LOSE,
    MOST,
    NUM_VALUES,
    PHASES,
    REVEAL,
    SPIN,
    SYMBOL_PHASE,
    TILE,
    VACANT,
    VALUE,
    first_loser,
)

CENTRE_NAMES = ("D5", "D6")
NUMBERS = tuple(range(FEWEST, MOST + 1))

FIRST_TILE: Final = 0
FIRST_STACK: Final = FIRST_TILE + NUM_SQUARES * TILE_IDS
FIRST_CENTRE: Final = FIRST_STACK + NUM_STACKS
DECLARE: Final = FIRST_CENTRE + len(CENTRE_NAMES)
SAVE_PLUS: Final = DECLARE + len(DECLARED)
SAVE_MINUS: Final = SAVE_PLUS + 1
GO: Final = SAVE_MINUS + 1
TAKE_CHIT: Final = GO + NUM_PLACES
TAKE_GOLD: Final = TAKE_CHIT + 1
END: Final = TAKE_GOLD + 1
FIRST_NUMBER: Final = END + 1
FIRST_GHOST_WAY: Final = FIRST_NUMBER + len(NUMBERS)
FIRST_CHIT: Final = FIRST_GHOST_WAY + len(COMPASS)
NUM_ACTIONS: Final = FIRST_CHIT + 4 * NUM_SQUARES

_TEXTS = (
    *(f"tile {square} {tile}" for square in SQUARE_NAMES for tile in TILE_NAMES),
    *(f"stack {stack}" for stack in range(1, NUM_STACKS + 1)),
    *(f"ghost {square}" for square in CENTRE_NAMES),
    *DECLARED,
    *("save +", "save -"),
    *(f"go {place}" for place in PLACE_NAMES),
    *("take chit", "take gold", "end"),
    *(f"number {number}" for number in NUMBERS),
    *(f"ghost {way}" for way in COMPASS),
    *(f"chit {square} {edge}" for square in SQUARE_NAMES for edge in EDGE_NAMES),
)

# The strings of outcomes by phase, where they do not depend on the position.
_VALUES = range(1, NUM_VALUES + 1)
_OUTCOMES = {
    DRAW: tuple(f"draw {kind}" for kind in KINDS),
    SPIN: tuple(f"spin {number} {way}" for number in NUMBERS for way in COMPASS),
    DRIFT_PHASE: tuple(f"drift {way}" for way in COMPASS),
    REVEAL: tuple(f"reveal {symbol}" for symbol in SYMBOLS),
    VALUE: tuple(f"value {value}" for value in _VALUES),
    LOSE: tuple(f"lose {value}" for value in _VALUES),
}
_SYMBOL_TILES = tuple(f"symbol {symbol} {name}" for symbol in SYMBOLS for name in CLASSES)
_SYMBOL_CLASSES = tuple(f"symbol {name}" for name in CLASSES)


def action_to_string(record: Record, action: int) -> str:
    """Return the string of an action, or of an outcome if `record` is a chance node."""
    phase = int(record.phase)
    if phase == SYMBOL_PHASE:
        return (_SYMBOL_CLASSES if record.covered else _SYMBOL_TILES)[action]
    if phase == COMPLETE:
        square = int(np.argmax(record.squares[:, TILE] == VACANT))
        return f"complete {square_name(square)} {TILE_NAMES[action]}"
    return _OUTCOMES.get(phase, _TEXTS)[action]


def action_as_seen(record: Record, action: int, viewer: int | None) -> str:
    """Return the string as `viewer` sees it, or as the public sees it (None).

    Values of chits are visible to their player and to players who are together with that player.
    """
    phase = int(record.phase)
    if phase not in (VALUE, LOSE):
        return action_to_string(record, action)
    player = int(record.turn_player) if phase == VALUE else first_loser(record)
    if viewer is not None and (viewer == player or are_together(record, viewer, player)):
        return action_to_string(record, action)
    return f"{PHASES[phase]} ?"
