"""Cells of `ghost_ship`, from which values are learned: counts, expected turns to treasure, and tours.

All cells follow from the rules and from what the viewer knows. The expected turns are exact over the numbers of the
spinner, see `planning.expected_turns` for what they leave out. Tours plan over them, with generic discounts, see
`planning.tours`. No constant was tuned, and nothing is taken from the heuristic.

Most of the work is the same for all positions of a turn. Search calls `prepare(state, viewer, memory)` where it starts,
and `cells_from(state, viewer, memory, out)` for positions that follow in the same turn; `cells` does both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.cells import CellField, CellLayout
from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.map.geometry import NUM_COLUMNS, NUM_SPOTS, RIM, RIM_COLUMN, RIM_ROW
from edge_envs.games.ghost_ship.pieces.tiles import NO_SYMBOL
from edge_envs.games.ghost_ship.planning.expected_turns import NEVER
from edge_envs.games.ghost_ship.planning.tours import (
    DISCOUNTS,
    MEMORY,
    NEAR,
    evaluate_player,
    known_chits,
    mean_of_unseen,
    prepare,
    taken_since,
)
from edge_envs.games.ghost_ship.planning.turn_reach import PER_TURN
from edge_envs.games.ghost_ship.state import (
    DECLARE_PHASE,
    MOST,
    MOST_SAVED,
    NUM_CHITS,
    NUM_GOLD,
    OVER,
    PHASES,
    SYMBOL,
    VALUE,
)

__all__ = ["MEMORY", "cell_layout", "cells", "cells_from", "prepare"]

LEAD, HELD, OWED, NEAR_GHOST = 40, 7, 3, 5
QUARTER = PER_TURN // 4
MOST_QUARTERS = 63
TOUR_UNIT, MOST_TOUR = 64, 1023

PER_GAME = 8
PER_PLAYER = 9 + NEAR + len(DISCOUNTS)


def cell_layout(params: Mapping[str, Any]) -> CellLayout:
    """Return the fields of the cells: those of the position, then those of each player, the viewer first."""
    players = params["num_players"]
    fields = [
        CellField("phase", len(PHASES), "the phase, in the order of the observation"),
        CellField("mover", players, "whose turn it is: 0 the viewer, 1 the next player, and so on"),
        CellField("points", MOST + 2, "the remaining points of a travel plus 1, or 0"),
        CellField("result", MOST + 1, "the result of a travel, or 0"),
        CellField("extra", 3, "what a triple still allows to be moved: nothing, a chit, the ghost"),
        CellField("chits_left", NUM_CHITS + 1, "chits on the map"),
        CellField("gold_left", NUM_GOLD + 1, "gold on the map"),
        CellField("lead", 2 * LEAD + 1, f"half points ahead of the best other, clipped to ±{LEAD}"),
    ]
    for k in range(players):
        fields += _player_fields("own" if k == 0 else f"next_{k}")
    return CellLayout(tuple(fields))


def _player_fields(name: str) -> list[CellField]:
    order = ("", "_second", "_third")
    near = "expected quarters of a turn to the nearest treasures"
    return [
        CellField(f"{name}_place", 3, "boat at sea, scout with the boat, scout whose boat is elsewhere"),
        CellField(f"{name}_symbol", NO_SYMBOL + 1, "symbol of the pawn's tile, the last two: hidden, none"),
        CellField(f"{name}_chits", HELD + 1, f"chits held, at most {HELD}"),
        CellField(f"{name}_gold", NUM_GOLD + 1, "gold held"),
        CellField(f"{name}_saved", 2 * MOST_SAVED + 1, f"saved points plus {MOST_SAVED}"),
        CellField(f"{name}_owed", OWED + 1, f"turns owed, at most {OWED}"),
        CellField(f"{name}_ghost", NEAR_GHOST + 1, f"distance from the ghost, at most {NEAR_GHOST}"),
        CellField(f"{name}_boat", MOST_QUARTERS + 1, "expected quarters of a turn to walk to the boat"),
        CellField(f"{name}_first", NUM_CHITS + NUM_GOLD + 1, "tiles with treasure that nobody else reaches as soon"),
        *(CellField(f"{name}_near{order[n]}", MOST_QUARTERS + 1, near) for n in range(NEAR)),
        *(
            CellField(f"{name}_tour_{round(100 * discount)}", MOST_TOUR + 1, f"tour in points / {TOUR_UNIT}")
            for discount in DISCOUNTS
        ),
    ]


@kernel
def cells(state, viewer, out):
    """Fill `out` with a position as `viewer` knows it; see `cell_layout`."""
    memories = np.zeros(1, MEMORY)
    if state.phase >= DECLARE_PHASE:
        prepare(state, viewer, memories[0])
    cells_from(state, viewer, memories[0], out)


@kernel
def cells_from(state, viewer, memory, out):
    """Fill `out` with a position that follows, in the same turn, from the one that `memory` was prepared for."""
    players, tour = np.int64(state.num_players), state.phase >= DECLARE_PHASE
    out[0] = state.phase
    out[1] = (np.int64(state.turn_player) - viewer) % players
    out[2] = np.int64(state.points) + 1
    out[3] = state.result
    out[4] = state.extra
    out[5] = state.chits_left
    out[6] = state.gold_left
    out[7] = min(max(np.int64(np.rint(2.0 * _lead(state, viewer))), -LEAD), LEAD) + LEAD
    gone = taken_since(state, memory) if tour else np.int64(0)
    for k in range(players):
        player, cell = (viewer + k) % players, PER_GAME + k * PER_PLAYER
        _fill_player(state, player, out[cell : cell + PER_PLAYER])
        if tour and state.phase != OVER:
            evaluate_player(state, memory, player, gone)
            _fill_travel(memory, out[cell : cell + PER_PLAYER])
        else:
            _fill_no_travel(out[cell : cell + PER_PLAYER])
    if tour and state.phase != OVER:
        for k in range(players):
            out[PER_GAME + k * PER_PLAYER + 8] = _count_first(memory, players, (viewer + k) % players)


@kernel
def _lead(state, viewer):
    """Return the viewer's score minus the best other score, by expected values; a chit that is being taken counts."""
    mean, ones = mean_of_unseen(state, viewer)
    own, others = 0.0, -np.inf
    for player in range(np.int64(state.num_players)):
        held, own_ones = known_chits(state, player, viewer, mean, ones)
        if state.phase == VALUE and player == state.turn_player:
            held += mean
            own_ones += ones
        score = held + np.float64(state.num_gold[player]) * max(1.0, own_ones)
        if player == viewer:
            own = score
        else:
            others = max(others, score)
    return own - others


@kernel
def _fill_player(state, player, out):
    """Write what does not need the times of travels."""
    place = np.int64(state.pawn[player])
    out[0] = 0 if not state.ashore[player] else 1 if state.boat[player] == place else 2
    out[1] = NO_SYMBOL if place >= RIM else state.squares[place // NUM_SPOTS, SYMBOL]
    chits = np.int64(state.num_chits[player])
    if state.phase == VALUE and player == state.turn_player:
        chits += 1
    out[2] = min(chits, HELD)
    out[3] = state.num_gold[player]
    out[4] = np.int64(state.saved[player]) + MOST_SAVED
    out[5] = min(np.int64(state.skip[player]), OWED)
    out[6] = _from_ghost(state, place)


@kernel
def _from_ghost(state, place):
    """Return the distance of a place from the ghost, the largest one before the ghost is placed."""
    ghost = np.int64(state.ghost)
    if ghost < 0:
        return NEAR_GHOST
    if place >= RIM:
        row, column = np.int64(RIM_ROW[place - RIM]), np.int64(RIM_COLUMN[place - RIM])
    else:
        row, column = place // NUM_SPOTS // NUM_COLUMNS, place // NUM_SPOTS % NUM_COLUMNS
    away = max(abs(row - ghost // NUM_COLUMNS), abs(column - ghost % NUM_COLUMNS))
    return min(away, NEAR_GHOST)


@kernel
def _quarters(time):
    return min(time // QUARTER, MOST_QUARTERS)


@kernel
def _fill_travel(memory, out):
    """Write the times and tours of `evaluate_player`."""
    out[7] = _quarters(np.int64(memory.home))
    for n in range(NEAR):
        out[9 + n] = _quarters(memory.near[n])
    for d in range(len(DISCOUNTS)):
        out[9 + NEAR + d] = min(np.int64(TOUR_UNIT * memory.value[d]), MOST_TOUR)


@kernel
def _fill_no_travel(out):
    """Write that there is nothing to reach, in phase 1 and at the end."""
    out[7] = 0
    out[8] = 0
    for n in range(NEAR):
        out[9 + n] = MOST_QUARTERS
    for d in range(len(DISCOUNTS)):
        out[9 + NEAR + d] = 0


@kernel
def _count_first(memory, players, player):
    """Return the number of tiles with treasure that a player reaches sooner than all others."""
    count = 0
    for treasure in range(memory.treasures):
        time, least = memory.until[player, treasure], np.int64(NEVER)
        for other in range(players):
            if other != player:
                least = min(least, memory.until[other, treasure])
        count += time < least
    return count
