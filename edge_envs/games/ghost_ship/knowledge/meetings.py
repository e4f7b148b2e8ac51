"""Who is together with whom in `ghost_ship`, and what they learn of each other."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.map.geometry import NUM_SPOTS, REGION, RIM
from edge_envs.games.ghost_ship.state import GAINED, KNOWN, LOST, NUM_VALUES, TILE


@kernel
def group_at(state, place):
    """The number of the tile and its region, or the sea, that a place is in; -1 for a board-edge circle.

    Players at places with equal numbers are together.
    """
    if place >= RIM:
        return np.int64(-1)
    square, spot = place // NUM_SPOTS, place % NUM_SPOTS
    return 4 * square + 1 + np.int64(REGION[state.squares[square, TILE], spot])


@kernel
def group_of(state, player):
    """The number of `group_at` for a player's active pawn; -1 while it arrives, when it is with nobody."""
    if state.arriving and player == state.turn_player:
        return np.int64(-1)
    return group_at(state, np.int64(state.pawn[player]))


@kernel
def are_together(state, one, other):
    """Whether two players' active pawns are on one tile, both at sea or both on one region, and have met."""
    return one != other and group_of(state, one) >= 0 and group_of(state, one) == group_of(state, other)


@kernel
def show(state, viewer, player):
    """Show `viewer` all chits of `player`."""
    for k in range(NUM_VALUES):
        state.shown[viewer, player, k] = state.own[player, k]
    state.shown[viewer, player, GAINED] = 0
    state.shown[viewer, player, LOST] = 0
    state.shown[viewer, player, KNOWN] = 1


@kernel
def meet(state):
    """Let players who are together see each other's chits."""
    for one in range(np.int64(state.num_players)):
        group = group_of(state, one)
        for other in range(one):
            if group >= 0 and group == group_of(state, other):
                show(state, one, other)
                show(state, other, one)


@kernel
def show_all(state):
    """Let all players see each other's chits, as they do when the game is over."""
    for viewer in range(np.int64(state.num_players)):
        for player in range(np.int64(state.num_players)):
            if viewer != player:
                show(state, viewer, player)


@kernel
def count_for_others(state, player, column):
    """Count one more gained, or lost, since, for those whom `player` has shown chits."""
    for viewer in range(np.int64(state.num_players)):
        if state.shown[viewer, player, KNOWN]:
            state.shown[viewer, player, column] += 1
