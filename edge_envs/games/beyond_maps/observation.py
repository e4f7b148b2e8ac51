"""Observation of `beyond_maps`: the whole position as planes over the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.core.spec import Layout, ObservationField
from edge_envs.games.beyond_maps.map.bitboard import area_of, both, has, is_empty, load, only, put
from edge_envs.games.beyond_maps.phases.choices import markers_allowed, sailing_range, update_derived
from edge_envs.games.beyond_maps.state import dimensions
from edge_envs.games.beyond_maps.views.planes import fill_plane, write_plane

MOST_SHOWN = 127

OWN_LAND, OTHER_LAND, OWN_SHIP, OTHER_SHIP, LAST_MARKER, SEAT, OWN_TURN, SEA_TO_DO, LAND_TO_DO = range(9)
MARKERS_PLACED, LAND_MARKERS, SEA_RANGE, TURNS_USED, TURNS_LEFT = range(9, 14)


def layout(params: Mapping[str, Any]) -> Layout:
    """Return the planes of the observation in order; constant planes have their value on every square."""
    width, height = dimensions(params)
    most = 6 if params["dice"] else max(params["sea_range"], params["land_markers"])
    return Layout(
        (
            ObservationField("own_land", 1, 0, 1, "the viewer's land"),
            ObservationField("other_land", 1, 0, 1, "the other player's land"),
            ObservationField("own_ship", 1, 0, 1, "the viewer's ship; nowhere once it is captured"),
            ObservationField("other_ship", 1, 0, 1, "the other player's ship"),
            ObservationField("last_marker", 1, 0, 1, "the last marker of the land action in progress"),
            ObservationField("seat", 1, 0, 1, "constant: the viewer's seat"),
            ObservationField("own_turn", 1, 0, 1, "constant: 1 if it is the viewer's turn"),
            ObservationField("sea_to_do", 1, 0, 1, "constant: 1 until the sea action is done"),
            ObservationField("land_to_do", 1, 0, 1, "constant: 1 until the land action is done"),
            ObservationField("markers_placed", 1, 0, most, "constant: markers placed by the land action in progress"),
            ObservationField("land_markers", 1, 0, most, "constant: most markers of this turn; 0 before the roll"),
            ObservationField("sea_range", 1, 0, most, "constant: most steps of this turn; 0 before the roll"),
            ObservationField("turns_used", 1, 0, MOST_SHOWN, "constant: completed turns in 127ths of max_turns"),
            ObservationField("turns_left", 1, 0, MOST_SHOWN, "constant: turns that can follow this one, at most 127"),
        ),
        board_shape=(height, width),
    )


@inlined_kernel
def observe(state, player, out):
    """Fill `out` with the whole position as seen by `player`."""
    p = np.int64(player)
    cells = area_of(state)
    turns = np.int64(state.turn) + state.over
    write_plane(out, OWN_LAND * cells, load(state.land[p]), cells, 1)
    write_plane(out, OTHER_LAND * cells, load(state.land[1 - p]), cells, 1)
    write_plane(out, OWN_SHIP * cells, only(state.ships[p]), cells, 1)
    write_plane(out, OTHER_SHIP * cells, only(state.ships[1 - p]), cells, 1)
    write_plane(out, LAST_MARKER * cells, only(state.last_marker), cells, 1)
    fill_plane(out, SEAT * cells, cells, p)
    fill_plane(out, OWN_TURN * cells, cells, p == state.turn_player)
    fill_plane(out, SEA_TO_DO * cells, cells, 1 - state.sea_done)
    fill_plane(out, LAND_TO_DO * cells, cells, 1 - state.land_done)
    fill_plane(out, MARKERS_PLACED * cells, cells, state.markers_placed)
    fill_plane(out, LAND_MARKERS * cells, cells, markers_allowed(state))
    fill_plane(out, SEA_RANGE * cells, cells, sailing_range(state))
    fill_plane(out, TURNS_USED * cells, cells, turns * MOST_SHOWN // state.max_turns)
    fill_plane(out, TURNS_LEFT * cells, cells, min(state.max_turns - turns - 1 + state.over, MOST_SHOWN))


@kernel
def read_observation(observation, state):
    """Write a position that agrees with `observation` (C, height, width) int8 into a state whose parameters are set.

    The observation does not contain the number of earlier turns, nor the exact number of turns left above 127.

    Returns:
        The viewer's seat; -1 if the observation does not describe a position.
    """
    player = np.int64(observation[SEAT, 0, 0])
    own, other = state.land[player], state.land[1 - player]
    for k in range(own.shape[0]):
        own[k] = 0
        other[k] = 0
    state.ships[0] = -1
    state.ships[1] = -1
    state.last_marker = -1
    for row in range(observation.shape[1]):
        for column in range(observation.shape[2]):
            square = row * observation.shape[2] + column
            if observation[OWN_LAND, row, column]:
                put(own, square)
            if observation[OTHER_LAND, row, column]:
                put(other, square)
            if observation[OWN_SHIP, row, column]:
                state.ships[player] = square
            if observation[OTHER_SHIP, row, column]:
                state.ships[1 - player] = square
            if observation[LAST_MARKER, row, column]:
                state.last_marker = square
    state.turn_player = player if observation[OWN_TURN, 0, 0] else 1 - player
    state.sea_done = 1 - observation[SEA_TO_DO, 0, 0]
    state.land_done = 1 - observation[LAND_TO_DO, 0, 0]
    state.markers_placed = observation[MARKERS_PLACED, 0, 0]
    state.over = state.sea_done and state.land_done
    if state.dice:
        state.high = observation[SEA_RANGE, 0, 0]
        state.low = observation[LAND_MARKERS, 0, 0]
    state.islands_left = 0
    state.turn = 1
    state.max_turns = 2 + observation[TURNS_LEFT, 0, 0]
    if not _is_possible(state):
        return np.int64(-1)  # the rules would follow a path between the ships that does not exist
    update_derived(state)
    if not state.over and (not state.dice or state.high > 0) and state.choices < 2:
        return np.int64(-1)  # not a decision
    return player


@inlined_kernel
def _is_possible(state):
    """Return whether lands and ships do not overlap, and the last marker belongs to a land action in progress."""
    last = np.int64(state.last_marker)
    if not is_empty(both(load(state.land[0]), load(state.land[1]))):
        return False
    for player in range(2):
        ship = np.int64(state.ships[player])
        if ship >= 0 and (ship == state.ships[1 - player] or has(state.land[0], ship) or has(state.land[1], ship)):
            return False
    if state.markers_placed == 0:
        return last < 0
    return last >= 0 and has(state.land[state.turn_player], last) and state.markers_placed < markers_allowed(state)
