"""What a player of `ghost_ship` may hope for: treasures, how far they are, who else is after them, and the ghost.

All of it is what `viewer`, who decides, knows; `mover` is the player whose turn it is. Worths are in ticks.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.jit import inlined_kernel, kernel
from edge_envs.games.ghost_ship.geometry import C0, C1, HILL, NUM_COLUMNS, NUM_PLACES, NUM_SPOTS, NUM_SQUARES, RIM, H, S
from edge_envs.games.ghost_ship.laying import KIND_OF
from edge_envs.games.ghost_ship.record import (
    CHEST,
    CHITS,
    FRIENDLY,
    GOLD,
    HOSTILE,
    KNOWN,
    MAX_PLAYERS,
    NO_SYMBOL,
    NUM_SYMBOLS,
    NUM_VALUES,
    RUINS,
    SKULL,
    STORM,
    SYMBOL,
    TILE,
    UNSEEN,
)
from edge_envs.games.ghost_ship.routes import (
    FAR,
    RING,
    TURN,
    clear_times,
    draw_chart,
    set_goal,
    spread_back,
    spread_out,
)

MOST_SITES = 32
MOST_GOALS = 64
RIVALS_HORIZON = 7 * TURN
OWN_HORIZON = 10 * TURN
AGROUND = 100
"""Ticks for landing from a storm."""

REACH = 4
"""How far the ghost comes in the turns of four players."""

PLAN = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("mover", np.int64),
                ("viewer", np.int64),
                ("chit", np.float64),  # the mean value of a chit never seen
                ("gold", np.float64),  # what a piece of gold is worth
                ("score", np.float64),  # of the mover, as far as it is known
                ("loss", np.float64),  # ticks that a chit lost to the ghost is worth
                ("sites", np.int64),
                ("square", np.int16, (MOST_SITES,)),
                ("site", np.int8, (NUM_SQUARES,)),
                ("share", np.float64, (MOST_SITES,)),  # of a treasure's worth that the mover may count on
                ("rest", np.float64, (MOST_SITES,)),  # the ticks after it was taken
                ("beside", np.int32, (MOST_SITES,)),
                ("own", np.int32, (MOST_SITES,)),
                ("rival", np.int32, (MOST_SITES,)),
                ("base", np.float64),
                ("left", np.int8, (NUM_PLACES,)),  # within a turn: the points left
                ("count", np.int64, (6,)),
                ("queue", np.int16, (6, 128)),
            ],
            align=True,
        ),
    )
)


def _visits() -> np.ndarray:
    """VISITS[moves, rows, columns]: how often the ghost is expected to come in so many moves, by its distance."""
    size = 4 * REACH + 1
    visits = np.zeros((MAX_PLAYERS + 1, REACH + 2, REACH + 2))
    for row in range(REACH + 2):
        for column in range(REACH + 2):
            here = np.zeros((size, size))
            here[size // 2 + row - size, size // 2 + column - size] = 1.0
            for moves in range(1, MAX_PLAYERS + 1):
                ways = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]
                here = sum(np.roll(here, way, (0, 1)) for way in ways) / 8
                visits[moves, row, column] = visits[moves - 1, row, column] + here[size // 2, size // 2]
    return visits


VISITS = _visits()


@kernel
def look_around(state, mover, viewer, weights, plan, chart):
    """Make the plan of the mover on a chart: its field of times leads to the best treasures."""
    plan.mover = mover
    plan.viewer = viewer
    draw_chart(state, chart)
    _set_ticks(state, weights, chart)
    _weigh_values(state, weights, plan)
    _find_sites(state, plan)
    _race(state, weights, plan, chart)
    _set_boat(state, mover, weights, chart)
    _spread_from_sites(state, weights, plan, chart)


@kernel
def _toll_of(symbol, afloat, weights):
    if symbol == SKULL:
        return weights.skull
    if symbol == STORM:
        return weights.storm if afloat else weights.storm_ashore
    if symbol == HOSTILE:
        return weights.hostile
    if symbol == RUINS:
        return weights.ruins
    return weights.friendly if symbol == FRIENDLY else 0.0


@kernel
def _toll_unseen(state, mask, afloat, weights):
    """The mean over the symbols that the tile may have."""
    column = np.int64(KIND_OF[mask])
    total, count = 0.0, 0
    for symbol in range(NUM_SYMBOLS):
        left = np.int64(state.tiles_left[symbol, column])
        total += left * _toll_of(symbol, afloat, weights)
        count += left
    return total / max(count, 1)


@kernel
def _set_ticks(state, weights, chart):
    """What steps and symbols cost."""
    chart.step[1] = np.int64(weights.sail)
    chart.step[2] = np.int64(weights.coast)
    chart.step[3] = np.int64(weights.overland)
    toll, landing = chart.toll, chart.landing
    for place in range(NUM_PLACES):
        toll[place] = 0
    for square in range(NUM_SQUARES):
        landing[square] = np.int64(weights.coast)
        symbol = np.int64(state.squares[square, SYMBOL])
        if symbol == NO_SYMBOL:
            continue
        mask = np.int64(state.squares[square, TILE])
        if symbol == UNSEEN:
            at_sea, ashore = _toll_unseen(state, mask, True, weights), _toll_unseen(state, mask, False, weights)
        else:
            at_sea, ashore = _toll_of(symbol, True, weights), _toll_of(symbol, False, weights)
            if symbol == STORM:
                landing[square] = AGROUND
        toll[square * NUM_SPOTS + S] = np.int64(at_sea)
        toll[square * NUM_SPOTS + C0] = np.int64(ashore)
        toll[square * NUM_SPOTS + C1] = np.int64(ashore)


@kernel
def _set_boat(state, player, weights, chart):
    """Putting to sea takes a search for the boat, but where it lies."""
    launch = chart.launch
    for square in range(NUM_SQUARES):
        symbol = state.squares[square, SYMBOL]
        ticks = np.float64(RING - 1)
        if symbol == NO_SYMBOL:
            ticks = weights.search
        elif symbol == FRIENDLY:
            ticks = weights.ask_friends
        elif symbol in (HOSTILE, RUINS):
            ticks = weights.ask
        ticks = min(ticks + weights.coast, np.float64(RING - 1))
        launch[square * NUM_SPOTS + C0] = np.int64(ticks)
        launch[square * NUM_SPOTS + C1] = np.int64(ticks)
    if state.ashore[player]:
        launch[state.boat[player]] = np.int64(weights.coast)


@kernel
def _weigh_values(state, weights, plan):
    """What a chit and a piece of gold are worth to the mover, and a chit that is lost."""
    viewer, mover = np.int64(plan.viewer), np.int64(plan.mover)
    total, count, ones = 0, 0, 0
    for k in range(NUM_VALUES):
        left = np.int64(state.full[k]) - np.int64(state.own[viewer, k]) - np.int64(state.lost[viewer, k])
        for other in range(np.int64(state.num_players)):
            if other != viewer and state.shown[viewer, other, KNOWN]:
                left -= np.int64(state.shown[viewer, other, k])
        left = max(left, 0)
        ones += left if k == 0 else 0
        total += left * (k + 1)
        count += left
    plan.chit = total / max(count, 1)
    own_ones, held = 0.0, 0.0
    if mover == viewer:
        own_ones = np.float64(state.own[viewer, 0])
        for k in range(NUM_VALUES):
            held += np.float64(state.own[viewer, k]) * (k + 1)
    else:
        own_ones = np.int64(state.num_chits[mover]) * ones / max(count, 1)
        held = np.int64(state.num_chits[mover]) * plan.chit
    more_ones = weights.gold_ones * ones / max(np.int64(state.num_players), 1)
    plan.gold = max(1.0, own_ones + more_ones)
    plan.score = held + np.int64(state.num_gold[mover]) * max(1.0, own_ones)
    plan.chit += ones / max(count, 1) * np.int64(state.num_gold[mover])
    chits = np.int64(state.num_chits[mover])
    plan.loss = plan.chit
    if chits > 0:
        plan.loss = (held + own_ones * np.int64(state.num_gold[mover])) / chits
    plan.loss *= weights.ghost


@kernel
def _find_sites(state, plan):
    """The squares with treasure."""
    sites = 0
    for square in range(NUM_SQUARES):
        plan.site[square] = -1
        if (state.squares[square, CHITS] or state.squares[square, GOLD]) and sites < MOST_SITES:
            plan.site[square] = sites
            plan.square[sites] = square
            sites += 1
    plan.sites = sites


@inlined_kernel
def _first_goal(state, square):
    """The first place from which the treasure of a tile is taken; the second of two is the next place."""
    mask = state.squares[square, TILE]
    return square * NUM_SPOTS + (H if mask == HILL else S if mask == 0 else C0)


@inlined_kernel
def _second_goal(state, square):
    """The other place, or the same."""
    mask = state.squares[square, TILE]
    return square * NUM_SPOTS + (C1 if mask == 5 or mask == 10 else H if mask == HILL else S if mask == 0 else C0)


@kernel
def _times_to_sites(state, player, weights, plan, chart, limit, times):
    """The least of `times` (sites,) and the player's own times to the treasures."""
    _set_boat(state, player, weights, chart)
    spread_out(chart, np.int64(state.pawn[player]), limit)
    late = TURN * np.int64(state.skip[player])
    for site in range(plan.sites):
        square = np.int64(plan.square[site])
        ticks = min(chart.time[_first_goal(state, square)], chart.time[_second_goal(state, square)])
        times[site] = min(times[site], ticks + late)


@kernel
def _race(state, weights, plan, chart):
    """What part of the worth of each treasure the mover may count on."""
    own, rival = plan.own, plan.rival
    for site in range(plan.sites):
        own[site] = FAR
        rival[site] = FAR
    mover = np.int64(plan.mover)
    for other in range(np.int64(state.num_players)):
        if other != mover:
            _times_to_sites(state, other, weights, plan, chart, RIVALS_HORIZON, rival)
    _times_to_sites(state, mover, weights, plan, chart, OWN_HORIZON, own)
    for site in range(plan.sites):
        lead = np.float64(rival[site]) - np.float64(own[site])
        sure = min(max(0.5 + 0.5 * lead / weights.race, 0.0), 1.0)
        share = weights.lost_race + (1.0 - weights.lost_race) * sure
        close = max(1.0 - abs(lead) / weights.race, 0.0)
        plan.share[site] = share + weights.contest * close


@inlined_kernel
def _worth_at(state, plan, square):
    """The worth of the best treasure on a tile, in points."""
    chit = plan.chit if state.squares[square, CHITS] else 0.0
    return max(chit, plan.gold if state.squares[square, GOLD] else 0.0)


@kernel
def _spread_from_sites(state, weights, plan, chart):
    """The field of times, and what is left after each treasure."""
    sites, beside = np.int64(plan.sites), plan.beside
    clear_times(chart)
    waiting = 0
    for site in range(sites):
        beside[site] = FAR
        square = np.int64(plan.square[site])
        first, second = _first_goal(state, square), _second_goal(state, square)
        waiting = set_goal(chart, waiting, first, 0, site)
        if second != first:
            waiting = set_goal(chart, waiting, second, 0, site)
    spread_back(chart, waiting, beside)
    least = np.inf
    for site in range(sites):
        square = np.int64(plan.square[site])
        ticks = min(np.float64(beside[site]), 10.0 * TURN) + chart.toll[_first_goal(state, square)]
        plan.rest[site] = weights.next * ticks
        if np.int64(state.squares[square, CHITS]) + np.int64(state.squares[square, GOLD]) > 1:
            plan.rest[site] = 0.0
        least = min(least, plan.rest[site] - weights.point * plan.share[site] * _worth_at(state, plan, square))
    plan.base = least
    clear_times(chart)
    waiting = 0
    for site in range(sites):
        square = np.int64(plan.square[site])
        first, second = _first_goal(state, square), _second_goal(state, square)
        ticks = plan.rest[site] - weights.point * plan.share[site] * _worth_at(state, plan, square) - least
        ticks += weights.take + (weights.chest if state.squares[square, SYMBOL] == CHEST else 0.0)
        tick = min(np.int64(ticks), RING - 1)
        waiting = set_goal(chart, waiting, first, tick, site)
        if second != first:
            waiting = set_goal(chart, waiting, second, tick, site)
    spread_back(chart, waiting, beside)


# What it is worth to be somewhere, and to take something


@inlined_kernel
def visits_at(ghost, square, moves):
    """How often the ghost is expected to come to a square in so many moves."""
    rows = abs(ghost // NUM_COLUMNS - square // NUM_COLUMNS)
    columns = abs(ghost % NUM_COLUMNS - square % NUM_COLUMNS)
    if rows > REACH or columns > REACH:
        return 0.0
    return VISITS[moves, rows, columns]


@kernel
def danger(state, plan, place, more):
    """Ticks that the ghost is likely to cost a mover who ends the turn at a place, having taken `more` chits."""
    if place >= RIM or np.int64(state.num_chits[plan.mover]) + more == 0:
        return 0.0
    return plan.loss * visits_at(np.int64(state.ghost), place // NUM_SPOTS, np.int64(state.num_players))


@kernel
def worth_of_ending(state, plan, chart, place):
    """What it is worth to end the turn at a place."""
    return -np.float64(chart.time[place]) - danger(state, plan, place, 0)


@kernel
def worth_of_landing(state, plan, chart, weights, place):
    """The same where the boat was left in this turn."""
    ticks = min(chart.time[place], np.int64(weights.coast) + chart.time[place - place % NUM_SPOTS + S])
    return -np.float64(ticks) - danger(state, plan, place, 0)


@kernel
def worth_of_taking(state, plan, weights, place, gold):
    """What it is worth to take the chit or the gold at a place."""
    site = np.int64(plan.site[place // NUM_SPOTS])
    points = plan.gold if gold else plan.chit
    worth = weights.point * plan.share[site] * points - plan.rest[site] + plan.base
    return worth - danger(state, plan, place, 0 if gold else 1)
