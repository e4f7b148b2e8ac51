"""What a player sees of `falling_off`: everything, from the own seat.

Players are listed in turn order from the viewer on; the layout names the slices of the vector.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.game import Layout, ObservationField
from edge_envs.core.jit import inlined_kernel
from edge_envs.games.falling_off.sets import DICE_ONE_HOT, NUM_DICE, NUM_PAWNS, NUM_PLACES, PAWN_COUNTS
from edge_envs.games.falling_off.state import PHASES

TURNS_OWED_SHOWN = 127
NUM_PHASES = len(PHASES)


def layout(params: Mapping[str, Any]) -> Layout:
    """The slices of the observation, in order."""
    players = params["num_players"]
    return Layout((
        ObservationField(
            "pawns", players * NUM_PLACES, 0, NUM_PAWNS,
            "for each player, the viewer first, then in turn order: the number of pawns on start, 4, …, 13, off",
        ),
        ObservationField("turn_player", players, 0, 1, "whose turn it is, the viewer first; at the end who fell last"),
        ObservationField("phase", NUM_PHASES, 0, 1, f"one of {', '.join(PHASES)}"),
        ObservationField(
            "dice", NUM_DICE * 6, 0, 1,
            "for each of the sorted dice its value 1..6; kept dice come first in `rerolled`, absent dice are zero",
        ),
        ObservationField(
            "turns_owed", 1, 0, TURNS_OWED_SHOWN, f"turns owed, this one included, at most {TURNS_OWED_SHOWN}"
        ),
        ObservationField(
            "fallen", players, 0, players - 1,
            "for each player, the viewer first: 0 in play, k if the player fell as number k",
        ),
    ))  # fmt: skip


# Rows to be copied whole: longer than their fields, which leaves the rest to be written over by what follows.
_PAWN_ROW = 16
_PAWN_ROWS = np.zeros((len(PAWN_COUNTS), _PAWN_ROW), np.int8)
_PAWN_ROWS[:, :NUM_PLACES] = PAWN_COUNTS
_DICE_ROW = 24  # phase, dice, a cell for the turns owed
_DICE_ROWS = np.zeros((NUM_PHASES, len(DICE_ONE_HOT), _DICE_ROW), np.int8)
_DICE_ROWS[:, :, :NUM_PHASES] = np.eye(NUM_PHASES)[:, None, :]
_DICE_ROWS[:, :, NUM_PHASES : NUM_PHASES + 6 * NUM_DICE] = DICE_ONE_HOT


@inlined_kernel
def observe(state, player, out):
    """All of the position, seen from the seat of `player`."""
    players = np.int64(state.num_players)
    at = 0
    p = player
    for _ in range(players):
        pawns = state.pawns[p]
        for cell in range(_PAWN_ROW):
            out[at + cell] = _PAWN_ROWS[pawns, cell]
        at += NUM_PLACES
        p = p + 1 if p + 1 < players else 0
    turn_seat = np.int64(state.turn_player) - player
    turn_seat = turn_seat if turn_seat >= 0 else turn_seat + players
    for seat in range(players):
        out[at + seat] = seat == turn_seat
    at += players
    for cell in range(_DICE_ROW):
        out[at + cell] = _DICE_ROWS[state.phase, state.dice, cell]
    at += _DICE_ROW
    out[at - 1] = min(state.turns_owed, TURNS_OWED_SHOWN)
    for seat in range(players):
        out[at + seat] = 0
    for j in range(state.num_fallen):
        seat = np.int64(state.fallen[j]) - player
        out[at + (seat if seat >= 0 else seat + players)] = j + 1
