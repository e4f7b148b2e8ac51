"""What a player of `ghost_ship` may hope for: treasures, how far they are, what they are worth, and the ghost.

All of it is what `viewer`, who decides, knows; `mover` is the player whose turn it is. Values are in ticks.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.games.ghost_ship.map.geometry import (
    C0,
    C1,
    NUM_COLUMNS,
    NUM_PLACES,
    NUM_SPOTS,
    NUM_SQUARES,
    NUM_WAYS,
    RIM,
    H,
    S,
)
from edge_envs.games.ghost_ship.phases.acts import drift_end
from edge_envs.games.ghost_ship.pieces.tiles import (
    CHEST,
    FRIENDLY,
    HILL,
    HOSTILE,
    KIND_OF,
    NO_SYMBOL,
    NUM_SYMBOLS,
    RUINS,
    SKULL,
    STORM,
    STRAITS,
    UNSEEN,
)
from edge_envs.games.ghost_ship.player.travel_times import (
    FAR,
    NO_TREASURE,
    RING,
    clear_times,
    draw_chart,
    set_goal,
    spread_back,
)
from edge_envs.games.ghost_ship.state import CHITS, GAINED, GOLD, KNOWN, MAX_PLAYERS, NUM_VALUES, SYMBOL, TILE

MOST_TREASURES = 32
AGROUND = 100
"""Ticks for landing from a storm."""
LONGEST_STORM = 150.0
"""Ticks that a storm adds at most."""
REACH = 4
"""How far the ghost comes in the turns of four players."""

# The treasures are numbered, one for each tile that has any.
PLAN = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("mover", np.int64),
                ("viewer", np.int64),
                ("chit", np.float64),  # what a chit never seen is worth, in points
                ("gold", np.float64),  # the same of a piece of gold
                ("loss", np.float64),  # ticks that a chit lost to the ghost is worth
                ("treasures", np.int64),
                ("square", np.int16, (MOST_TREASURES,)),
                ("treasure", np.int8, (NUM_SQUARES,)),  # of a square, NO_SITE for none
                ("rest", np.float64, (MOST_TREASURES,)),  # ticks that the ways on from a treasure count
                ("least", np.float64),  # of all treasures, the ticks on from them less their worth
                ("between", np.int32, (MOST_TREASURES, MOST_TREASURES)),  # ticks from one treasure to the other, or FAR
                ("num_near", np.int64, (MOST_TREASURES,)),
                ("near", np.int8, (MOST_TREASURES, MOST_TREASURES)),  # those whose surroundings meet
                ("link", np.int8, (2, MOST_TREASURES)),  # the next one of the best way on
                ("on", np.float64, (2, 2, MOST_TREASURES)),  # ticks of the best and of the second best way on
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
                here = np.mean([np.roll(here, way, (0, 1)) for way in ways], axis=0)
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
    _set_boat(state, mover, weights, chart)
    _weigh_values(state, weights, plan)
    _find_treasures(state, plan)
    waiting = _begin_at_treasures(state, plan, chart)
    spread_back(chart, waiting, plan.between)
    _find_ways_on(state, weights, plan, chart)
    _weigh_storms(state, weights, chart)
    waiting = _begin_at_best_treasures(state, weights, plan, chart)
    spread_back(chart, waiting, plan.between)


@kernel
def _delay_of(symbol, afloat, weights):
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
def _delay_unseen(state, mask, afloat, weights):
    """The mean over the symbols that the tile may have."""
    column = np.int64(KIND_OF[mask])
    total, count = 0.0, 0
    for symbol in range(NUM_SYMBOLS):
        left = np.int64(state.tiles_left[symbol, column])
        total += left * _delay_of(symbol, afloat, weights)
        count += left
    return total / max(count, 1)


@inlined_kernel
def _most_delay(chart):
    """The ticks that a symbol may add to the longest step, so that the ring of a search has room for them."""
    return RING - 1 - np.int64(max(chart.step[1], chart.step[2], chart.step[3]))


@kernel
def _set_ticks(state, weights, chart):
    """What steps and symbols cost."""
    chart.step[1] = np.int64(weights.sail)
    chart.step[2] = np.int64(weights.coast)
    chart.step[3] = np.int64(weights.overland)
    delay, landing = chart.delay, chart.landing
    for place in range(NUM_PLACES):
        delay[place] = 0
    for square in range(NUM_SQUARES):
        landing[square] = np.int64(weights.coast)
        symbol = np.int64(state.squares[square, SYMBOL])
        if symbol == NO_SYMBOL:
            continue
        mask = np.int64(state.squares[square, TILE])
        if symbol == UNSEEN:
            at_sea, ashore = _delay_unseen(state, mask, True, weights), _delay_unseen(state, mask, False, weights)
        else:
            at_sea, ashore = _delay_of(symbol, True, weights), _delay_of(symbol, False, weights)
            if symbol == STORM:
                landing[square] = AGROUND
        delay[square * NUM_SPOTS + S] = min(np.int64(at_sea), _most_delay(chart))
        delay[square * NUM_SPOTS + C0] = min(np.int64(ashore), _most_delay(chart))
        delay[square * NUM_SPOTS + C1] = min(np.int64(ashore), _most_delay(chart))


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
def _count_unseen(state, viewer, unseen):
    """Into unseen (values,) the chits that the viewer has never seen; their number."""
    count = 0.0
    for k in range(NUM_VALUES):
        left = np.int64(state.full[k]) - np.int64(state.own[viewer, k]) - np.int64(state.lost[viewer, k])
        for other in range(np.int64(state.num_players)):
            if other != viewer and state.shown[viewer, other, KNOWN]:
                left -= np.int64(state.shown[viewer, other, k])
        unseen[k] = max(left, 0)
        count += unseen[k]
    return count


@kernel
def _estimate(state, player, viewer, mean, ones):
    """The worth of a player's chits, and how many of value 1, as far as the viewer knows."""
    if player == viewer:
        held = 0.0
        for k in range(NUM_VALUES):
            held += np.int64(state.own[player, k]) * (k + 1)
        return held, np.float64(state.own[player, 0])
    chits = np.float64(state.num_chits[player])
    if not state.shown[viewer, player, KNOWN]:
        return chits * mean, chits * ones
    held, count = 0.0, 0.0
    for k in range(NUM_VALUES):
        held += np.int64(state.shown[viewer, player, k]) * (k + 1)
        count += np.int64(state.shown[viewer, player, k])
    gained = np.float64(state.shown[viewer, player, GAINED])
    held += gained * mean
    known_ones = np.int64(state.shown[viewer, player, 0]) + gained * ones
    part = chits / max(count + gained, 1.0)
    return held * part, known_ones * part


@kernel
def _weigh_values(state, weights, plan):
    """What a chit and a piece of gold are worth to the mover, and a chit that is lost."""
    viewer, mover, players = np.int64(plan.viewer), np.int64(plan.mover), np.int64(state.num_players)
    unseen = np.empty(NUM_VALUES)
    count = max(_count_unseen(state, viewer, unseen), 1.0)
    mean, ones = 0.0, unseen[0] / count
    for k in range(NUM_VALUES):
        mean += (k + 1) * unseen[k] / count
    held, own_ones = _estimate(state, mover, viewer, mean, ones)
    gold, chits = np.float64(state.num_gold[mover]), np.float64(state.num_chits[mover])
    plan.chit = mean + ones * gold
    plan.gold = max(1.0, own_ones + weights.gold_ones * unseen[0] / players)
    plan.loss = weights.ghost * ((held + own_ones * gold) / chits if chits else plan.chit)


@kernel
def score_seen(state, player, viewer):
    """The score of a player as far as the viewer knows: chits that it has never seen count by their mean."""
    unseen = np.empty(NUM_VALUES)
    count = max(_count_unseen(state, viewer, unseen), 1.0)
    mean = 0.0
    for k in range(NUM_VALUES):
        mean += (k + 1) * unseen[k] / count
    held, ones = _estimate(state, player, viewer, mean, unseen[0] / count)
    return held + np.float64(state.num_gold[player]) * max(ones, 1.0)


@kernel
def _find_treasures(state, plan):
    """The squares with treasure."""
    treasures = 0
    for square in range(NUM_SQUARES):
        plan.treasure[square] = NO_TREASURE
        if (state.squares[square, CHITS] or state.squares[square, GOLD]) and treasures < MOST_TREASURES:
            plan.treasure[square] = treasures
            plan.square[treasures] = square
            treasures += 1
    plan.treasures = treasures


@inlined_kernel
def _first_goal(state, square):
    """The first place from which the treasure of a tile is taken; the second of two is the next place."""
    mask = state.squares[square, TILE]
    return square * NUM_SPOTS + (H if mask == HILL else S if mask == 0 else C0)


@inlined_kernel
def _second_goal(state, square):
    """The other place, or the same."""
    mask = state.squares[square, TILE]
    return square * NUM_SPOTS + (C1 if mask in STRAITS else H if mask == HILL else S if mask == 0 else C0)


@inlined_kernel
def _points_at(state, plan, square):
    """The worth of the best treasure on a tile, in points."""
    chit = plan.chit if state.squares[square, CHITS] else 0.0
    return max(chit, plan.gold if state.squares[square, GOLD] else 0.0)


@inlined_kernel
def _has_more(state, square):
    """Whether more than one treasure lies on a tile."""
    return np.int64(state.squares[square, CHITS]) + np.int64(state.squares[square, GOLD]) > 1


@kernel
def _set_treasure(state, plan, chart, waiting, treasure, tick):
    """Begin a search where a treasure can be taken; how many places then wait."""
    square = np.int64(plan.square[treasure])
    first, second = _first_goal(state, square), _second_goal(state, square)
    waiting = set_goal(chart, waiting, first, tick, treasure)
    return set_goal(chart, waiting, second, tick, treasure) if second != first else waiting


@kernel
def _begin_at_treasures(state, plan, chart):
    """All treasures are equally good; nothing is known of the ways between them."""
    treasures = np.int64(plan.treasures)
    clear_times(chart)
    waiting = 0
    for treasure in range(treasures):
        for other in range(treasures):
            plan.between[treasure, other] = FAR
        waiting = _set_treasure(state, plan, chart, waiting, treasure, 0)
    return waiting


@kernel
def _begin_at_best_treasures(state, weights, plan, chart):
    """Sites have a lead by what they are worth and by the ways on from them."""
    treasures = np.int64(plan.treasures)
    least = np.inf
    for treasure in range(treasures):
        points = _points_at(state, plan, np.int64(plan.square[treasure]))
        least = min(least, plan.rest[treasure] - weights.point * points)
    plan.least = least
    clear_times(chart)
    waiting = 0
    for treasure in range(treasures):
        square = np.int64(plan.square[treasure])
        ticks = weights.taking + plan.rest[treasure] - weights.point * _points_at(state, plan, square) - least
        if state.squares[square, SYMBOL] == CHEST:
            ticks += weights.chest
        waiting = _set_treasure(state, plan, chart, waiting, treasure, min(np.int64(ticks), RING - 1))
    return waiting


@kernel
def _find_ways_on(state, weights, plan, chart):
    """How long it takes from each treasure to the next ones, of which later ones count less; into `rest`.

    A way on does not lead back at once.
    """
    treasures, between, near, on, link = np.int64(plan.treasures), plan.between, plan.near, plan.on, plan.link
    links = np.int64(weights.links)
    for treasure in range(treasures):
        count = 0
        for other in range(treasures):
            if between[treasure, other] < FAR:
                near[treasure, count] = other
                count += 1
        plan.num_near[treasure] = count
        on[0, 0, treasure] = 0.0
        on[0, 1, treasure] = 0.0
        link[0, treasure] = NO_TREASURE
    for level in range(links):
        old, new = level % 2, 1 - level % 2
        for treasure in range(treasures):
            best, second, following = weights.longest, weights.longest, NO_TREASURE
            for k in range(plan.num_near[treasure]):
                other = np.int64(near[treasure, k])
                later = on[old, 1 if link[old, other] == treasure else 0, other]
                ticks = between[treasure, other] + weights.later * later
                if ticks < best:
                    best, second, following = ticks, best, other
                elif ticks < second:
                    second = ticks
            held = np.float64(chart.delay[_first_goal(state, np.int64(plan.square[treasure]))])
            on[new, 0, treasure] = best + held
            on[new, 1, treasure] = second + held
            link[new, treasure] = following
    for treasure in range(treasures):
        more = _has_more(state, np.int64(plan.square[treasure]))
        best, second = on[links % 2, 0, treasure], on[links % 2, 1, treasure]
        plan.rest[treasure] = 0.0 if more else weights.next * (best + weights.second * (second - best))


@kernel
def _weigh_storms(state, weights, chart):
    """The delay of a storm is the turn of the drift, and where that leads, against the best way out."""
    time = chart.time
    for square in range(NUM_SQUARES):
        if state.squares[square, SYMBOL] != STORM:
            continue
        total, count, best = 0.0, 0, np.float64(FAR)
        for way in range(NUM_WAYS):
            end = drift_end(state, square, way)
            if end < 0:
                continue
            ticks = np.float64(time[end])
            total += min(ticks, weights.lost)
            count += 1
            aground = end < RIM and end // NUM_SPOTS == square
            if way % 2 == 0 and not aground:
                best = min(best, ticks + weights.sail)
        delay = weights.storm_turn + total / max(count, 1) - best
        chart.delay[square * NUM_SPOTS + S] = min(np.int64(min(max(delay, 0.0), LONGEST_STORM)), _most_delay(chart))


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
def danger(state, plan, place, moves, more):
    """Ticks that so many moves of the ghost are likely to cost a mover at a place who has taken `more` chits."""
    if place >= RIM or np.int64(state.num_chits[plan.mover]) + more == 0:
        return 0.0
    return plan.loss * visits_at(np.int64(state.ghost), place // NUM_SPOTS, moves)


@kernel
def value_of_ending(state, plan, chart, weights, place, boat):
    """What it is worth to end the turn at a place, with the boat where it is then."""
    ticks = np.float64(chart.time[place])
    if boat == place and place < RIM and place % NUM_SPOTS != S:
        ticks = min(ticks, weights.coast + chart.time[place - place % NUM_SPOTS + S])
    return -ticks - danger(state, plan, place, np.int64(state.num_players), 0)


@kernel
def value_of_taking(state, plan, weights, place, gold):
    """What it is worth to take the chit or the gold at a place."""
    treasure = np.int64(plan.treasure[place // NUM_SPOTS])
    points = plan.gold if gold else plan.chit
    value = weights.point * points - plan.rest[treasure] + plan.least
    return value - danger(state, plan, place, np.int64(state.num_players), 0 if gold else 1)
