"""Cells of `falling_off`, from which values are learned: pawns, dice, and whose turn it is.

Players are listed in turn order from the viewer, and nothing depends on which of a player's pawns stands where. A
player's pawns appear twice: as numbers of pawns per place, which suit networks, and as the number of the pawn set,
which suits tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.cells import CellField, CellLayout
from edge_envs.core.compiler.jit import kernel
from edge_envs.games.falling_off.pieces.sets import (
    DICE_VALUES,
    NUM_DICE,
    NUM_PAWNS,
    NUM_PLACES,
    PAWN_COUNTS,
    PAWN_SETS,
)
from edge_envs.games.falling_off.state import PHASES, SEVERAL_REROLLS

OWED = 8


def cell_layout(params: Mapping[str, Any]) -> CellLayout:
    """Return the fields of the cells; the player with number 0 is the viewer, and the others follow in turn order."""
    players = range(params["num_players"])
    return CellLayout(
        fields=(
            *(
                CellField(f"pawns_{k}", NUM_PAWNS + 1, f"pawns of player {k} on start, 4, …, 13, off", cells=NUM_PLACES)
                for k in players
            ),
            *(
                CellField(f"set_{k}", len(PAWN_SETS), f"number of the pawn set of player {k}", ordered=False)
                for k in players
            ),
            CellField(
                "fallen", len(players), "for each player, 0 while in play, j for the jth to fall", cells=len(players)
            ),
            CellField("turn_player", len(players), "whose turn it is; at the end, who fell last", ordered=False),
            CellField("turns_owed", OWED + 1, f"turns owed, including this one, at most {OWED}; 0 at the end"),
            CellField("phase", len(PHASES), ", ".join(PHASES), ordered=False),
            CellField("dice", 7, "sorted values of the dice; 0 for missing dice, which come last", cells=NUM_DICE),
            *(
                [CellField("rerolls_left", params["rerolls"] + 1, "rerolls that the player may still choose")]
                if params["rerolls"] > 1
                else []
            ),
        )
    )


@kernel
def cells(state, viewer, out):
    """Fill `out` with the position as `viewer` sees it; see `cell_layout`."""
    players = np.int64(state.num_players)
    sets = players * NUM_PLACES
    fallen = sets + players
    at = fallen + players
    for k in range(players):
        player = (viewer + k) % players
        pawns = state.pawns[player]
        for place in range(NUM_PLACES):
            out[k * NUM_PLACES + place] = PAWN_COUNTS[pawns, place]
        out[sets + k] = pawns
        out[fallen + k] = 0
    for j in range(state.num_fallen):
        out[fallen + (np.int64(state.fallen[j]) - viewer + players) % players] = j + 1
    out[at] = (np.int64(state.turn_player) - viewer + players) % players
    out[at + 1] = min(state.turns_owed, OWED)
    out[at + 2] = state.phase
    for die in range(NUM_DICE):
        out[at + 3 + die] = DICE_VALUES[state.dice, die]
    if state.setup >= SEVERAL_REROLLS:
        out[at + 3 + NUM_DICE] = state.rerolls_left
