"""Values of places in `ghost_ship`: treasures, the time to reach them, their values, and the ghost.

Everything is based on what `viewer`, who decides, knows; `mover` is the player whose turn it is. Values are in ticks.
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
    build_graph,
    clear_times,
    set_goal,
    spread_back,
)
from edge_envs.games.ghost_ship.state import (
    CHITS,
    GAINED,
    GOLD,
    KNOWN,
    MAX_PLAYERS,
    MOST_TREASURES,
    NUM_VALUES,
    SYMBOL,
    TILE,
)

AGROUND = 100
"""The time in ticks for landing from a storm."""
LONGEST_STORM = 150.0
"""The longest delay of a storm in ticks."""
GHOST_REACH = 4
"""The largest distance that the ghost moves in the turns of four players."""

# Treasures are numbered, one for each tile with treasure.
VALUATION = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("mover", np.int64),
                ("viewer", np.int64),
                ("chit", np.float64),  # the value of a chit never seen, in points
                ("gold", np.float64),  # the value of a piece of gold, in points
                ("loss", np.float64),  # the cost of a chit lost to the ghost, in ticks
                ("treasures", np.int64),
                ("square", np.int16, (MOST_TREASURES,)),
                ("treasure", np.int8, (NUM_SQUARES,)),  # by square, NO_TREASURE for none
                ("rest", np.float64, (MOST_TREASURES,)),  # the discounted ticks from a treasure to the next ones
                ("least", np.float64),  # the minimum over all treasures of `rest` minus their value
                ("between", np.int32, (MOST_TREASURES, MOST_TREASURES)),  # ticks between two treasures, or FAR
                ("num_near", np.int64, (MOST_TREASURES,)),
                ("near", np.int8, (MOST_TREASURES, MOST_TREASURES)),  # treasures with adjoining search regions
                ("link", np.int8, (2, MOST_TREASURES)),  # the next treasure on the best way
                ("on", np.float64, (2, 2, MOST_TREASURES)),  # ticks of the best and the second best way on
            ],
            align=True,
        ),
    )
)


def _visits() -> np.ndarray:
    """Return VISITS[moves, rows, columns]: the expected number of visits of the ghost by its distance."""
    size = 4 * GHOST_REACH + 1
    visits = np.zeros((MAX_PLAYERS + 1, GHOST_REACH + 2, GHOST_REACH + 2))
    for row in range(GHOST_REACH + 2):
        for column in range(GHOST_REACH + 2):
            here = np.zeros((size, size))
            here[size // 2 + row - size, size // 2 + column - size] = 1.0
            for moves in range(1, MAX_PLAYERS + 1):
                ways = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]
                here = np.mean([np.roll(here, way, (0, 1)) for way in ways], axis=0)
                visits[moves, row, column] = visits[moves - 1, row, column] + here[size // 2, size // 2]
    return visits


VISITS = _visits()


@kernel
def evaluate_treasures(state, mover, viewer, weights, valuation, graph):
    """Fill the valuation and the graph for the mover: the times of the graph lead to the best treasures."""
    valuation.mover = mover
    valuation.viewer = viewer
    build_graph(state, graph)
    _set_ticks(state, weights, graph)
    _set_boat(state, mover, weights, graph)
    _set_chit_values(state, weights, valuation)
    _find_treasures(state, valuation)
    waiting = _begin_at_treasures(state, valuation, graph)
    spread_back(graph, waiting, valuation.between)
    _find_onward_times(state, weights, valuation, graph)
    _set_storm_delays(state, weights, graph)
    waiting = _begin_at_best_treasures(state, weights, valuation, graph)
    spread_back(graph, waiting, valuation.between)


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
    """Return the mean delay over the symbols that the tile may have."""
    column = np.int64(KIND_OF[mask])
    total, count = 0.0, 0
    for symbol in range(NUM_SYMBOLS):
        left = np.int64(state.tiles_left[symbol, column])
        total += left * _delay_of(symbol, afloat, weights)
        count += left
    return total / max(count, 1)


@inlined_kernel
def _most_delay(graph):
    """Return the longest delay in ticks that the buckets of the search can hold in addition to the longest step."""
    return RING - 1 - np.int64(max(graph.step[1], graph.step[2], graph.step[3]))


@kernel
def _set_ticks(state, weights, graph):
    """Set the costs of steps and the delays of symbols."""
    graph.step[1] = np.int64(weights.sail)
    graph.step[2] = np.int64(weights.coast)
    graph.step[3] = np.int64(weights.overland)
    delay, landing = graph.delay, graph.landing
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
        delay[square * NUM_SPOTS + S] = min(np.int64(at_sea), _most_delay(graph))
        delay[square * NUM_SPOTS + C0] = min(np.int64(ashore), _most_delay(graph))
        delay[square * NUM_SPOTS + C1] = min(np.int64(ashore), _most_delay(graph))


@kernel
def _set_boat(state, player, weights, graph):
    """Set the time of putting to sea: with a search for the boat, except where it lies."""
    launch = graph.launch
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
    """Fill `unseen` (values,) with the number of chits that the viewer has never seen, and return their total."""
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
def _estimate_chits(state, player, viewer, mean, ones):
    """Return the estimated value of a player's chits and the number of value 1, as far as the viewer knows."""
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
def _set_chit_values(state, weights, valuation):
    """Set the values of a chit, of a piece of gold, and of a lost chit for the mover."""
    viewer, mover, players = np.int64(valuation.viewer), np.int64(valuation.mover), np.int64(state.num_players)
    unseen = np.empty(NUM_VALUES)
    count = max(_count_unseen(state, viewer, unseen), 1.0)
    mean, ones = 0.0, unseen[0] / count
    for k in range(NUM_VALUES):
        mean += (k + 1) * unseen[k] / count
    held, own_ones = _estimate_chits(state, mover, viewer, mean, ones)
    gold, chits = np.float64(state.num_gold[mover]), np.float64(state.num_chits[mover])
    valuation.chit = mean + ones * gold
    valuation.gold = max(1.0, own_ones + weights.gold_ones * unseen[0] / players)
    valuation.loss = weights.ghost * ((held + own_ones * gold) / chits if chits else valuation.chit)


@kernel
def score_seen(state, player, viewer):
    """Return the score of a player as far as the viewer knows. Unseen chits count as their mean."""
    unseen = np.empty(NUM_VALUES)
    count = max(_count_unseen(state, viewer, unseen), 1.0)
    mean = 0.0
    for k in range(NUM_VALUES):
        mean += (k + 1) * unseen[k] / count
    held, ones = _estimate_chits(state, player, viewer, mean, unseen[0] / count)
    return held + np.float64(state.num_gold[player]) * max(ones, 1.0)


@kernel
def _find_treasures(state, valuation):
    """List the squares with treasure."""
    treasures = 0
    for square in range(NUM_SQUARES):
        valuation.treasure[square] = NO_TREASURE
        if (state.squares[square, CHITS] or state.squares[square, GOLD]) and treasures < MOST_TREASURES:
            valuation.treasure[square] = treasures
            valuation.square[treasures] = square
            treasures += 1
    valuation.treasures = treasures


@inlined_kernel
def _first_goal(state, square):
    """Return the first place from which the treasure of a tile can be taken."""
    mask = state.squares[square, TILE]
    return square * NUM_SPOTS + (H if mask == HILL else S if mask == 0 else C0)


@inlined_kernel
def _second_goal(state, square):
    """Return the second such place, or the same place if there is only one."""
    mask = state.squares[square, TILE]
    return square * NUM_SPOTS + (C1 if mask in STRAITS else H if mask == HILL else S if mask == 0 else C0)


@inlined_kernel
def _points_at(state, valuation, square):
    """Return the value of the best treasure on a tile, in points."""
    chit = valuation.chit if state.squares[square, CHITS] else 0.0
    return max(chit, valuation.gold if state.squares[square, GOLD] else 0.0)


@inlined_kernel
def _has_more(state, square):
    """Return whether more than one treasure is on a tile."""
    return np.int64(state.squares[square, CHITS]) + np.int64(state.squares[square, GOLD]) > 1


@kernel
def _set_treasure(state, valuation, graph, waiting, treasure, tick):
    """Start a search at the places where a treasure can be taken, and return the number of queued places."""
    square = np.int64(valuation.square[treasure])
    first, second = _first_goal(state, square), _second_goal(state, square)
    waiting = set_goal(graph, waiting, first, tick, treasure)
    return set_goal(graph, waiting, second, tick, treasure) if second != first else waiting


@kernel
def _begin_at_treasures(state, valuation, graph):
    """Start a search at all treasures with equal times, and clear the times between them."""
    treasures = np.int64(valuation.treasures)
    clear_times(graph)
    waiting = 0
    for treasure in range(treasures):
        for other in range(treasures):
            valuation.between[treasure, other] = FAR
        waiting = _set_treasure(state, valuation, graph, waiting, treasure, 0)
    return waiting


@kernel
def _begin_at_best_treasures(state, weights, valuation, graph):
    """Start a search at all treasures; those with a higher value and a better way on start earlier."""
    treasures = np.int64(valuation.treasures)
    least = np.inf
    for treasure in range(treasures):
        points = _points_at(state, valuation, np.int64(valuation.square[treasure]))
        least = min(least, valuation.rest[treasure] - weights.point * points)
    valuation.least = least
    clear_times(graph)
    waiting = 0
    for treasure in range(treasures):
        square = np.int64(valuation.square[treasure])
        ticks = weights.taking + valuation.rest[treasure] - weights.point * _points_at(state, valuation, square) - least
        if state.squares[square, SYMBOL] == CHEST:
            ticks += weights.chest
        waiting = _set_treasure(state, valuation, graph, waiting, treasure, min(np.int64(ticks), RING - 1))
    return waiting


@kernel
def _find_onward_times(state, weights, valuation, graph):
    """Compute the discounted times from each treasure to the next ones into `rest`.

    A way on does not lead back to the treasure before.
    """
    treasures, between, near, on, link = (
        np.int64(valuation.treasures),
        valuation.between,
        valuation.near,
        valuation.on,
        valuation.link,
    )
    links = np.int64(weights.links)
    for treasure in range(treasures):
        count = 0
        for other in range(treasures):
            if between[treasure, other] < FAR:
                near[treasure, count] = other
                count += 1
        valuation.num_near[treasure] = count
        on[0, 0, treasure] = 0.0
        on[0, 1, treasure] = 0.0
        link[0, treasure] = NO_TREASURE
    for level in range(links):
        old, new = level % 2, 1 - level % 2
        for treasure in range(treasures):
            best, second, following = weights.longest, weights.longest, NO_TREASURE
            for k in range(valuation.num_near[treasure]):
                other = np.int64(near[treasure, k])
                later = on[old, 1 if link[old, other] == treasure else 0, other]
                ticks = between[treasure, other] + weights.later * later
                if ticks < best:
                    best, second, following = ticks, best, other
                elif ticks < second:
                    second = ticks
            held = np.float64(graph.delay[_first_goal(state, np.int64(valuation.square[treasure]))])
            on[new, 0, treasure] = best + held
            on[new, 1, treasure] = second + held
            link[new, treasure] = following
    for treasure in range(treasures):
        more = _has_more(state, np.int64(valuation.square[treasure]))
        best, second = on[links % 2, 0, treasure], on[links % 2, 1, treasure]
        valuation.rest[treasure] = 0.0 if more else weights.next * (best + weights.second * (second - best))


@kernel
def _set_storm_delays(state, weights, graph):
    """Set the delay of each storm: the drift's turn plus the mean time from its end, minus that by the best exit."""
    time = graph.time
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
        graph.delay[square * NUM_SPOTS + S] = min(np.int64(min(max(delay, 0.0), LONGEST_STORM)), _most_delay(graph))


# Values of ending a turn and of taking treasure


@inlined_kernel
def visits_at(ghost, square, moves):
    """Return the expected number of visits of the ghost to a square in this many moves."""
    rows = abs(ghost // NUM_COLUMNS - square // NUM_COLUMNS)
    columns = abs(ghost % NUM_COLUMNS - square % NUM_COLUMNS)
    if rows > GHOST_REACH or columns > GHOST_REACH:
        return 0.0
    return VISITS[moves, rows, columns]


@kernel
def danger(state, valuation, place, moves, more):
    """Return the expected loss in ticks to this many moves of the ghost at a place, after taking `more` chits."""
    if place >= RIM or np.int64(state.num_chits[valuation.mover]) + more == 0:
        return 0.0
    return valuation.loss * visits_at(np.int64(state.ghost), place // NUM_SPOTS, moves)


@kernel
def value_of_ending(state, valuation, graph, weights, place, boat):
    """Return the value of ending the turn at a place, with the boat where it is then."""
    ticks = np.float64(graph.time[place])
    if boat == place and place < RIM and place % NUM_SPOTS != S:
        ticks = min(ticks, weights.coast + graph.time[place - place % NUM_SPOTS + S])
    return -ticks - danger(state, valuation, place, np.int64(state.num_players), 0)


@kernel
def value_of_taking(state, valuation, weights, place, gold):
    """Return the value of taking the chit or the gold at a place."""
    treasure = np.int64(valuation.treasure[place // NUM_SPOTS])
    points = valuation.gold if gold else valuation.chit
    value = weights.point * points - valuation.rest[treasure] + valuation.least
    return value - danger(state, valuation, place, np.int64(state.num_players), 0 if gold else 1)
