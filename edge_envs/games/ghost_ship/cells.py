"""Cells of `ghost_ship`, from which values are learned: counts, expected turns to treasure, and tours.

All cells follow from the rules and from what the viewer knows. The expected turns are exact over the numbers of the
spinner, see `planning.expected_turns` for what they leave out. Tours are the soonest ways of taking treasure worth so
many points, see `planning.tours`. No constant was tuned, and nothing is taken from the heuristic.

Expected turns change only when a symbol is revealed. `cells_with` keeps them in a memory; `cells` does without one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.cells import CellField, CellLayout
from edge_envs.core.compiler.jit import kernel
from edge_envs.games.ghost_ship.map.geometry import NUM_COLUMNS, NUM_SPOTS, RIM, RIM_COLUMN, RIM_ROW
from edge_envs.games.ghost_ship.phases.acts import SWIMS, least_result_to_find, opposite_circle
from edge_envs.games.ghost_ship.phases.choices import CHIT_COST
from edge_envs.games.ghost_ship.pieces.tiles import NO_SYMBOL
from edge_envs.games.ghost_ship.planning.expected_turns import NEVER
from edge_envs.games.ghost_ship.planning.tours import MEMORY, MOST_POINTS, SUCCESS, fill_outlook, read_treasure
from edge_envs.games.ghost_ship.planning.turn_reach import PER_TURN
from edge_envs.games.ghost_ship.planning.worth import (
    MOST_CHIT_POINTS,
    MOST_GOLD_POINTS,
    chits_held,
    known_chits,
    mean_of_unseen,
    more_points,
)
from edge_envs.games.ghost_ship.state import (
    ACT_DRIFT,
    ACT_SALVAGE,
    ACT_SEARCH,
    ACT_STEAL,
    ACT_SWIM,
    ACT_TRAVEL,
    DECLARE_PHASE,
    FEWEST,
    GHOST_BACK,
    LOSE,
    MOST,
    MOST_SAVED,
    NUM_CHITS,
    NUM_GOLD,
    NUM_NUMBERS,
    NUMBER,
    OVER,
    PHASES,
    REVEAL,
    SPIN,
    SYMBOL,
)

__all__ = ["MEMORY", "cell_layout", "cells", "cells_with"]

LEAD, HELD, OWED, NEAR_GHOST = 64, 7, 3, 5
UNIT = PER_TURN // 6
MOST_TIME = 127
STEAL, SALVAGE, DRIFT = ACT_STEAL + 1, ACT_STEAL + 2, ACT_STEAL + 3
LEVELS = (1, 2, 3, 4, 6, 8, 10)
"""The points of a tour for which times are listed."""

DISCOUNTS = {"soon": 0.8, "later": 0.9}
"""Discounts per turn of the points of tours."""
NUM_DISCOUNTS = len(DISCOUNTS)
PER_POINT, MOST_DISCOUNTED = 32, 32 * MOST_POINTS
# POWERS[k, time]: discount k to the power of a time in turns.
POWERS = np.array(list(DISCOUNTS.values()))[:, None] ** (np.arange(NEVER + 1) / PER_TURN)
POWERS[:, NEVER:] = 0.0

BYTES = MEMORY.itemsize
PER_GAME = 9
PER_PLAYER = 13 + len(LEVELS) + NUM_DISCOUNTS


def cell_layout(params: Mapping[str, Any]) -> CellLayout:
    """Return the fields of the cells: those of the position, then those of each player, the viewer first."""
    players = params["num_players"]
    fields = [
        CellField("phase", len(PHASES), "the phase, in the order of the observation", ordered=False),
        CellField("mover", players, "whose turn it is: 0 the viewer, 1 the next player, and so on", ordered=False),
        CellField(
            "declared", DRIFT + 1, "nothing, or travel, swim, search, steal, salvage or drift declared", ordered=False
        ),
        CellField("points", MOST + 2, "the remaining points of a travel plus 1, or 0"),
        CellField("result", MOST + 1, "the result of a travel, or 0"),
        CellField("extra", 3, "what a triple still allows to be moved: nothing, a chit, the ghost", ordered=False),
        CellField("chits_left", NUM_CHITS + 1, "chits on the map"),
        CellField("gold_left", NUM_GOLD + 1, "gold on the map"),
        CellField("lead", 2 * LEAD + 1, f"half points ahead of the best other, clipped to ±{LEAD}, plus {LEAD}"),
    ]
    for k in range(players):
        fields += _player_fields("own" if k == 0 else f"next_{k}")
    return CellLayout(tuple(fields))


def _player_fields(name: str) -> list[CellField]:
    sixths = "expected sixths of a turn, without one that is under way, until the player"
    more, rival = "adds to the expected score, rounded", "the same until a rival could take the treasure nearest to the"
    return [
        CellField(f"{name}_place", 3, "boat at sea, scout with the boat, scout whose boat is elsewhere", ordered=False),
        CellField(f"{name}_symbol", NO_SYMBOL + 1, "symbol of the pawn's tile, the last: hidden, none", ordered=False),
        CellField(f"{name}_chits", HELD + 1, f"chits held, at most {HELD}"),
        CellField(f"{name}_gold", NUM_GOLD + 1, "gold held"),
        CellField(f"{name}_saved", 2 * MOST_SAVED + 1, f"saved points plus {MOST_SAVED}"),
        CellField(f"{name}_owed", OWED + 1, f"turns owed, at most {OWED}"),
        CellField(f"{name}_ghost", NEAR_GHOST + 1, f"distance from the ghost, at most {NEAR_GHOST}"),
        CellField(f"{name}_chit_points", MOST_CHIT_POINTS + 1, f"what one more chit {more}"),
        CellField(f"{name}_gold_points", MOST_GOLD_POINTS + 1, f"what more gold {more}"),
        CellField(f"{name}_first", NUM_CHITS + NUM_GOLD + 1, "tiles with treasure that nobody else reaches as soon"),
        CellField(f"{name}_boat", MOST_TIME + 1, f"{sixths} has walked to the boat"),
        CellField(f"{name}_safe", MOST_TIME + 1, f"{sixths} takes a treasure that nobody else reaches as soon"),
        CellField(
            f"{name}_rival",
            MOST_TIME + 1,
            f"{rival} player",
        ),
        *(
            CellField(f"{name}_{points}", MOST_TIME + 1, f"{sixths}, alone, has treasure worth {points} more points")
            for points in LEVELS
        ),
        *(
            CellField(
                f"{name}_{when}",
                MOST_DISCOUNTED + 1,
                f"points of the soonest tours, in units of 1/{PER_POINT}, each discounted by {discount} a turn",
            )
            for when, discount in DISCOUNTS.items()
        ),
    ]


@kernel
def cells(state, viewer, out):
    """Fill `out` with a position as `viewer` knows it; see `cell_layout`."""
    memories = np.zeros(BYTES, np.uint8).view(MEMORY)  # records by np.zeros crash when numba loads them from its cache
    cells_with(state, viewer, memories[0], out)


@kernel
def cells_with(state, viewer, memory, out):
    """Fill `out` as `cells` does, with a memory that holds zeros or what an earlier call left."""
    players, is_tour = np.int64(state.num_players), DECLARE_PHASE <= state.phase < OVER
    mean, ones = mean_of_unseen(state, viewer)
    out[0] = state.phase
    out[1] = (np.int64(state.turn_player) - viewer) % players
    out[2] = _declared(np.int64(state.declared))
    out[3] = np.int64(state.points) + 1
    out[4] = state.result
    out[5] = state.extra
    out[6] = state.chits_left
    out[7] = state.gold_left
    out[8] = min(max(np.int64(np.rint(2.0 * _lead(state, viewer, mean, ones))), -LEAD), LEAD) + LEAD
    if is_tour:
        read_treasure(state, memory)
    for k in range(players):
        player, cell = (viewer + k) % players, PER_GAME + k * PER_PLAYER
        _, own_ones = known_chits(state, player, viewer, mean, ones)
        chit_points, gold_points = more_points(state, player, mean, ones, own_ones)
        _fill_player(state, player, out[cell : cell + PER_PLAYER])
        out[cell + 7] = chit_points
        out[cell + 8] = gold_points
        if is_tour:
            pawn, boat, at_hand = np.int64(state.pawn[player]), _boat_of(state, player), _at_hand(state, player)
            fill_outlook(state, player, pawn, boat, chit_points, gold_points, at_hand, memory)
            if _odds(state, player) > 0:
                if state.declared == ACT_SWIM:
                    pawn = opposite_circle(pawn)
                else:
                    boat = pawn
                fill_outlook(state, SUCCESS, pawn, boat, chit_points, gold_points, at_hand, memory)
        else:
            _fill_no_travel(out[cell + 9 : cell + PER_PLAYER])
    if is_tour:
        for k in range(players):
            cell = PER_GAME + k * PER_PLAYER
            _fill_travel(state, memory, players, (viewer + k) % players, out[cell + 9 : cell + PER_PLAYER])


@kernel
def _at_hand(state, player):
    """Return the tile that the player has just entered with points left to take a treasure, -1 for none."""
    if state.phase not in (REVEAL, LOSE) or player != state.turn_player or state.points < CHIT_COST:
        return np.int64(-1)
    place = np.int64(state.pawn[player])
    return np.int64(-1) if place >= RIM else place // NUM_SPOTS


@kernel
def _declared(act):
    """Return the number of a declaration, without the player whose boat is stolen."""
    if act < ACT_STEAL:
        return act + 1
    return np.int64(STEAL) if act < ACT_SALVAGE else act - ACT_SALVAGE + SALVAGE


@kernel
def _lead(state, viewer, mean, ones):
    """Return the viewer's score minus the best other score, by expected values."""
    own, others = 0.0, -np.inf
    for player in range(np.int64(state.num_players)):
        held, own_ones = known_chits(state, player, viewer, mean, ones)
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
    out[2] = min(chits_held(state, player), HELD)
    out[3] = state.num_gold[player]
    out[4] = np.int64(state.saved[player]) + MOST_SAVED
    out[5] = min(np.int64(state.skip[player]), OWED)
    out[6] = _from_ghost(state, place)


@kernel
def _from_ghost(state, place):
    """Return the distance of a place from the ghost, the largest one before the ghost is placed."""
    ghost = np.int64(state.ghost)
    if ghost < 0:
        return np.int64(NEAR_GHOST)
    if place >= RIM:
        row, column = np.int64(RIM_ROW[state.sea, place - RIM]), np.int64(RIM_COLUMN[state.sea, place - RIM])
    else:
        row, column = place // NUM_SPOTS // NUM_COLUMNS, place // NUM_SPOTS % NUM_COLUMNS
    away = max(abs(row - ghost // NUM_COLUMNS), abs(column - ghost % NUM_COLUMNS))
    return min(away, np.int64(NEAR_GHOST))


@kernel
def _rounded(time):
    return min(max(time // UNIT, 0), MOST_TIME)


@kernel
def _fill_travel(state, memory, players, player, out):
    """Write the times of travels, from the outlooks of all players."""
    outlook, success, odds = memory.outlook[player], memory.outlook[SUCCESS], _odds(state, player)
    gone = _under_way(state, player)
    first, safe, near, rival = np.int64(0), np.int64(NEVER), np.int64(NEVER), np.int64(NEVER)
    for treasure in range(memory.treasures):
        if memory.content[treasure] == 0:
            continue
        time, least = _until(state, memory, player, treasure), np.int64(NEVER)
        for other in range(players):
            if other != player:
                least = min(least, _until(state, memory, other, treasure))
        if time < least:
            first += 1
            safe = min(safe, time)
        if time < near:
            near, rival = time, least
    out[0] = first
    out[1] = _rounded(_mean(odds, success.home, outlook.home))
    out[2] = _rounded(safe)
    out[3] = _rounded(rival)
    for k in range(len(LEVELS)):
        out[4 + k] = _rounded(_mean(odds, success.front[LEVELS[k]], outlook.front[LEVELS[k]]) - gone)
    for k in range(NUM_DISCOUNTS):
        points = odds / NUM_NUMBERS * _discounted(success.front, gone, k)
        points += (1.0 - odds / NUM_NUMBERS) * _discounted(outlook.front, gone, k)
        out[4 + len(LEVELS) + k] = min(np.int64(np.rint(points * PER_POINT)), MOST_DISCOUNTED)


@kernel
def _discounted(front, gone, k):
    """Return the points of a front, each discounted by its time."""
    points = 0.0
    for level in range(1, MOST_POINTS + 1):
        points += POWERS[k, max(front[level] - gone, 0)]
    return points


@kernel
def _until(state, memory, player, treasure):
    """Return the expected time until a player alone takes a treasure."""
    time = _mean(_odds(state, player), memory.outlook[SUCCESS].until[treasure], memory.outlook[player].until[treasure])
    return time - _under_way(state, player)


@kernel
def _mean(odds, success, failure):
    """Return the mean of two times, by the number of results, of four, that mean success."""
    return (odds * success + (NUM_NUMBERS - odds) * failure) // NUM_NUMBERS


@kernel
def _is_before_act(state, player):
    """Return whether a player has declared an act that is still to begin."""
    is_waiting = state.phase in (SPIN, GHOST_BACK, LOSE, NUMBER) and state.points < 0
    return is_waiting and player == state.turn_player


@kernel
def _under_way(state, player):
    """Return the time of a turn in which the player is about to move, 0 in other positions."""
    if _is_before_act(state, player) and state.declared in (ACT_TRAVEL, ACT_SALVAGE, ACT_DRIFT):
        return np.int64(PER_TURN)
    return np.int64(0)


@kernel
def _odds(state, player):
    """Return with how many of the four numbers a player's search or swimming succeeds, 0 without either."""
    if not _is_before_act(state, player) or state.declared not in (ACT_SEARCH, ACT_SWIM):
        return np.int64(0)
    least = np.int64(SWIMS)
    if state.declared == ACT_SEARCH:
        least = np.int64(least_result_to_find(state.squares[np.int64(state.pawn[player]) // NUM_SPOTS, SYMBOL]))
    odds = np.int64(0)
    for number in range(FEWEST, MOST + 1):
        odds += min(max(number + np.int64(state.saved[player]), FEWEST), MOST) >= least
    return odds


@kernel
def _boat_of(state, player):
    """Return the place of a player's boat; one that is being stolen changes places with that of the thief."""
    thief = np.int64(state.turn_player)
    if _is_before_act(state, thief) and ACT_STEAL <= state.declared < ACT_SALVAGE:
        victim = np.int64(state.declared) - ACT_STEAL
        if player == thief:
            return np.int64(state.boat[victim])
        if player == victim:
            return np.int64(state.boat[thief])
    return np.int64(state.boat[player])


@kernel
def _fill_no_travel(out):
    """Write that there is nothing to reach, in phase 1 and at the end."""
    out[0] = 0
    out[1] = 0
    for k in range(2, 4 + len(LEVELS)):
        out[k] = MOST_TIME
    for k in range(NUM_DISCOUNTS):
        out[4 + len(LEVELS) + k] = 0
