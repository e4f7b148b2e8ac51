"""Observation of `falling_off`: the whole position from the viewer's seat.

Players are listed in turn order, starting with the viewer. `layout` names the slices of the vector.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.core.spec import Layout, ObservationField
from edge_envs.games.falling_off.pieces.sets import (
    DICE_ONE_HOT,
    DICE_SET_BY_CODE,
    NUM_DICE,
    NUM_PAWNS,
    NUM_PLACES,
    PAWN_COUNTS,
    PAWN_SET_BY_CODE,
)
from edge_envs.games.falling_off.state import MAX_PLAYERS, PHASES, REROLL, SEVERAL_REROLLS

TURNS_OWED_SHOWN = 127
NUM_PHASES = len(PHASES)


def layout(params: Mapping[str, Any]) -> Layout:
    """Return the slices of the observation in order."""
    players = params["num_players"]
    return Layout((
        ObservationField(
            "pawns", players * NUM_PLACES, 0, NUM_PAWNS,
            "for each player in turn order, the viewer first: the number of pawns on start, 4, …, 13, off",
        ),
        ObservationField(
            "turn_player", players, 0, 1, "one-hot, the viewer first; at the end, the player who fell last"
        ),
        ObservationField("phase", NUM_PHASES, 0, 1, f"one-hot: {', '.join(PHASES)}"),
        ObservationField(
            "dice", NUM_DICE * 6, 0, 1,
            "one-hot value 1..6 of each sorted die; missing dice come last and are all zero",
        ),
        ObservationField(
            "turns_owed", 1, 0, TURNS_OWED_SHOWN, f"turns owed, including this one, at most {TURNS_OWED_SHOWN}"
        ),
        ObservationField(
            "fallen", players, 0, players - 1,
            "for each player, the viewer first: 0 while in play, k for the kth player to fall",
        ),
        *(() if params["rerolls"] < 2 else (
            ObservationField("rerolls_left", 1, 0, params["rerolls"], "rerolls that the player may still choose"),
        )),
    ))  # fmt: skip


_ONE, _EIGHT, _PLACES = np.uint64(1), np.uint64(8), np.uint64(NUM_PLACES)
_ROW = np.uint64(NUM_PHASES + 6 * NUM_DICE + 1)
_ROWS = np.zeros((NUM_PHASES, len(DICE_ONE_HOT), int(_ROW)), np.int8)
"""Rows that are copied whole: the phase, the dice, and a cell that receives the turns owed."""
_ROWS[:, :, :NUM_PHASES] = np.eye(NUM_PHASES)[:, None, :]
_ROWS[:, :, NUM_PHASES : NUM_PHASES + 6 * NUM_DICE] = DICE_ONE_HOT
# Indices below repeat the order of `layout`, both in `observe` and in `read_observation`.


@inlined_kernel
def observe(state, player, out):
    """Fill `out` with the whole position from the seat of `player`."""
    # Unsigned indices save the check for negative ones and let the compiler copy whole words.
    players = np.uint64(state.num_players)
    turn_player = np.uint64(state.turn_player)
    turn_player_at = players * _PLACES
    phase_at = turn_player_at + players
    fallen_at = phase_at + _ROW
    p = np.uint64(player)
    for seat in range(players):
        at = seat * _PLACES
        pawns = state.pawns[p]
        for cell in range(_EIGHT):
            out[at + cell] = PAWN_COUNTS[pawns, cell]
        for cell in range(_EIGHT, _PLACES):
            out[at + cell] = PAWN_COUNTS[pawns, cell]
        out[turn_player_at + seat] = p == turn_player
        out[fallen_at + seat] = 0
        p += _ONE
        if p == players:
            p = np.uint64(0)
    for cell in range(_ROW):
        out[phase_at + cell] = _ROWS[state.phase, state.dice, cell]
    out[fallen_at - _ONE] = min(state.turns_owed, TURNS_OWED_SHOWN)
    for j in range(state.num_fallen):
        seat = np.uint64(state.fallen[j]) + players - np.uint64(player)
        out[fallen_at + (seat if seat < players else seat - players)] = j + 1
    if state.setup >= SEVERAL_REROLLS:
        out[fallen_at + players] = state.rerolls_left


@inlined_kernel
def _pawns_seen(observation, at):
    """Return the number of the pawn set whose counts by place begin at index `at`; any, if they are not counts."""
    code = 0
    for place in range(NUM_PLACES):
        for _ in range(observation[at + place]):
            code = code * NUM_PLACES + place
    return PAWN_SET_BY_CODE[min(max(code, 0), PAWN_SET_BY_CODE.shape[0] - 1)]


@inlined_kernel
def _dice_seen(observation, at):
    """Return the number of the dice set whose one-hot values begin at index `at`."""
    code = 0
    for die in range(NUM_DICE):
        code *= 7
        for value in range(6):
            code += (value + 1) * np.int64(observation[at + 6 * die + value])
    return DICE_SET_BY_CODE[min(max(code, 0), DICE_SET_BY_CODE.shape[0] - 1)]


@kernel
def read_observation(observation, state):
    """Write a position that agrees with `observation` (C,) int8 into a state whose parameters are set.

    The observation contains neither the viewer's seat number nor the exact number of turns owed above 127.

    Returns:
        The viewer's seat in the reconstructed position, which is always 0.
    """
    players = np.int64(state.num_players)
    turn_player_at = players * NUM_PLACES
    phase_at = turn_player_at + players
    fallen_at = phase_at + np.int64(_ROW)
    state.num_fallen = 0
    for p in range(MAX_PLAYERS):
        state.fallen[p] = -1
    for p in range(players):
        state.pawns[p] = _pawns_seen(observation, p * NUM_PLACES)
        if observation[turn_player_at + p]:
            state.turn_player = p
        if 0 < observation[fallen_at + p] <= MAX_PLAYERS:
            state.fallen[observation[fallen_at + p] - 1] = p
            state.num_fallen += 1
    for phase in range(NUM_PHASES):
        if observation[phase_at + phase]:
            state.phase = phase
    state.dice = _dice_seen(observation, phase_at + NUM_PHASES)
    state.turns_owed = max(observation[fallen_at - 1], 0)
    state.rerolls_left = observation[fallen_at + players] if state.setup >= SEVERAL_REROLLS else state.phase == REROLL
    return 0
