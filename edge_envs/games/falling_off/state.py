"""State record of `falling_off`.

Legend:

    place     on the board    start   4   5   6   7   8   9  10  11  12  13   off
              in JSON             0   4   5   6   7   8   9  10  11  12  13    14
              index               0   1   2   3   4   5   6   7   8   9  10    11

    pawns[p]     the number of player p's pawn set, see `pieces.sets`
    dice         the number of the dice set: all dice in `reroll` and `move`, the kept ones in `rerolled`, else none
    fallen[j]    the player who fell after j others, for j < num_fallen; otherwise -1
    turn_player  the player whose turn it is
    turns_owed   the turns that this player owes, including this one
    phase        what is to be done now, an index of PHASES
    play_on      the parameter `play_on`
    num_dice, spaces    the parameters `dice` and `spaces`
    setup        the parameters `pawns`, `landing` and `rerolls`: the bits PAWNS_EACH, SENDS_BACK, and those from
                 REROLLS_AT on; one number keeps the record at 40 bytes, as short as possible
    rerolls_left rerolls that the player may still choose, in `reroll` and `rerolled`; otherwise 0

Source of the rules: Sandra Snan, "Falling off the Edge of the World" (idiomdrottning.org); see the docs page in
`edge_envs.games.falling_off`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.spec import Record, Records
from edge_envs.games.falling_off.pieces.sets import FIRST_SPACE, PAWN_SETS, PLACES

MAX_PLAYERS = 6
LANDINGS = ("share", "back_to_start")
"""The values of the parameter `landing`."""
MAX_TURNS_OWED = 1_000_000_000  # the limit for positions read from JSON; play may exceed it

PAWNS_EACH, SENDS_BACK, REROLLS_AT = 0b0111, 0b1000, 4
"""The bits of `setup` with the pawns of each player, the bit of the landing rule, and the first bit of the rerolls."""
SEVERAL_REROLLS = 2 << REROLLS_AT
"""The least `setup` with more than one reroll."""

PHASES = ("roll", "reroll", "rerolled", "move", "over")
ROLL, REROLL, REROLLED, MOVE, OVER = range(len(PHASES))

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rng", np.uint64),
                ("turns_owed", np.int32),
                ("num_players", np.uint8),
                ("play_on", np.uint8),
                ("phase", np.uint8),
                ("turn_player", np.uint8),
                ("num_fallen", np.uint8),
                ("dice", np.uint8),
                ("setup", np.uint8),
                ("num_dice", np.uint8),
                ("spaces", np.uint8),
                ("rerolls_left", np.uint8),
                ("fallen", np.int8, (MAX_PLAYERS,)),
                ("pawns", np.uint16, (MAX_PLAYERS,)),
            ],
            align=True,
        ),
    )
)


def layout_of(records: Records) -> dict[str, Any]:
    """Return the parameters of records on which the sizes of arrays depend."""
    rerolls = np.maximum(records["setup"] >> REROLLS_AT, 1)  # up to one is not shown
    return {"num_players": records["num_players"], "rerolls": rerolls}


def set_params(record: Record, params: Mapping[str, Any]) -> None:
    """Write the parameters into a blank record."""
    record.num_players = params["num_players"]
    record.play_on = params["play_on"]
    record.num_dice, record.spaces = params["dice"], params["spaces"]
    landing = SENDS_BACK if params["landing"] == LANDINGS[1] else 0
    record.setup = params["pawns"] | landing | params["rerolls"] << REROLLS_AT


def pawns_each(record: Record) -> int:
    """Return the parameter `pawns`."""
    return int(record.setup) & PAWNS_EACH


def num_rerolls(record: Record) -> int:
    """Return the parameter `rerolls`."""
    return int(record.setup) >> REROLLS_AT


def pawn_places(record: Record, player: int) -> list[int]:
    """Return the sorted places of a player's pawns as in JSON: 0 for the start, the spaces from 4, 14 for off."""
    places = [PLACES[index] for index in PAWN_SETS[record.pawns[player]]]
    return places[: pawns_each(record)]  # the last ones are those that the game leaves out


def spaces_of(record: Record) -> range:
    """Return the numbers of the spaces."""
    return range(FIRST_SPACE, FIRST_SPACE + int(record.spaces))
