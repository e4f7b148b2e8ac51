"""What a player sees of `falling_off`: everything, from the own seat.

Players are listed in turn order from the viewer on; the layout names the slices of the vector.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.game import Layout, ObservationField
from edge_envs.core.jit import kernel
from edge_envs.games.falling_off.actions import NUM_PLACES
from edge_envs.games.falling_off.rules import PLACE_INDEX
from edge_envs.games.falling_off.state import NUM_DICE, NUM_PAWNS, PHASES

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


@kernel
def observe(state, player, out):
    """All of the position, seen from the seat of `player`."""
    out[:] = 0
    players = np.int64(state.num_players)
    for seat in range(players):
        p = player + seat
        if p >= players:
            p -= players
        for i in range(NUM_PAWNS):
            out[seat * NUM_PLACES + PLACE_INDEX[state.pawns[p, i]]] += 1
    at = players * NUM_PLACES
    seat = np.int64(state.turn_player) - player
    out[at + (seat if seat >= 0 else seat + players)] = 1
    at += players
    out[at + state.phase] = 1
    at += NUM_PHASES
    for i in range(NUM_DICE):
        if state.dice[i] > 0:
            out[at + 6 * i + state.dice[i] - 1] = 1
    at += 6 * NUM_DICE
    out[at] = min(state.turns_owed, TURNS_OWED_SHOWN)
    at += 1
    for j in range(state.num_fallen):
        seat = np.int64(state.fallen[j]) - player
        out[at + (seat if seat >= 0 else seat + players)] = j + 1
