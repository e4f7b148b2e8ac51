"""The rules of `beyond_maps` as kernels over its state record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.core.kernels.bits import count_bits, select_bit
from edge_envs.core.kernels.rng import below, draw
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.spec import Spec
from edge_envs.games.beyond_maps.actions import ROLLS, num_actions
from edge_envs.games.beyond_maps.map.bitboard import (
    ALL,
    EDGE,
    EMPTY,
    MAX_SIZE,
    WORDS,
    area_of,
    around,
    both,
    count,
    drop,
    either,
    first_of,
    flood,
    frame_of,
    has,
    is_empty,
    load,
    minus,
    only,
    peninsulas,
    put,
    store,
)
from edge_envs.games.beyond_maps.map.seas import add_land, beside, ended, island_squares, label_land, open_sea
from edge_envs.games.beyond_maps.phases.choices import find_choices, markers_allowed, no_choices
from edge_envs.games.beyond_maps.state import HIGHEST_DIE, LAND, NO_MARKER, NUM_PLANES, dimensions
from edge_envs.games.beyond_maps.views.planes import write_plane

MAX_CHANCE_OUTCOMES = MAX_SIZE * MAX_SIZE  # squares of islands
HIGH = np.array([high for high, _ in ROLLS], np.uint8)
LOW = np.array([low for _, low in ROLLS], np.uint8)
PROBABILITIES = np.array([(1 if high == low else 2) / HIGHEST_DIE**2 for high, low in ROLLS])

# SPLITS[bits]: the 3x3 test of `bitboard.splitting` for one square. The bits are the eight squares around it in reading
# order from the north-west. The entry is 1 if the set orthogonal neighbours are not connected within these eight.
SPLITS = np.zeros(256, np.uint8)
_ROUND = (1, 2, 4, 7, 6, 5, 3, 0)  # n, ne, e, se, s, sw, w, nw
for _bits in range(256):
    _set = [_bits >> place & 1 for place in _ROUND]
    SPLITS[_bits] = sum(_set[k] and not (_set[k + 1] and _set[(k + 2) % 8]) for k in range(0, 8, 2)) > 1

_1 = np.uint64(1)


def spec(params: Mapping[str, Any]) -> Spec:
    """Return the sizes and utilities of the game with these parameters."""
    markers = HIGHEST_DIE if params["dice"] else params["land_markers"]
    width, height = dimensions(params)
    rolls, squares = len(ROLLS) * params["dice"], width * height * (params["islands"] > 0)
    return Spec(
        num_distinct_actions=num_actions(width * height),
        max_chance_outcomes=max(rolls, squares),
        max_game_length=1 + (params["max_turns"] - 1) * (1 + markers),
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
    )


@kernel
def new_game(state):
    """Write the start position: open sea, ships in opposite corners, player 0 with a sea action only.

    With islands, chance places them first.
    """
    cells = area_of(state)
    for player in range(2):
        store(state.land[player], EMPTY)
        state.unsettled[player] = 0
    state.ships[0] = 0
    state.ships[1] = cells - 1
    state.parted = 0
    state.over = 0
    state.turn = 0
    state.turn_player = 0
    state.islands_left = state.islands
    label_land(state)
    _begin_turn(state)
    state.land_done = 1
    if state.islands_left > 0:
        no_choices(state)
    elif not state.dice:
        _advance(state)


@inlined_kernel
def current_player(state):
    """Return the turn player, `CHANCE` before the roll or before all islands are placed, or `TERMINAL` at the end."""
    if state.over:
        return np.int64(TERMINAL)
    if (state.dice and state.high == 0) or state.islands_left > 0:
        return np.int64(CHANCE)
    return np.int64(state.turn_player)


@inlined_kernel
def legal_action_mask(state, out):
    """Fill `out` with the six planes and `stop`."""
    cells = area_of(state)
    for plane in range(NUM_PLANES):
        write_plane(out, plane * cells, load(state.legal[plane]), cells, 1)
    out[NUM_PLANES * cells] = state.can_stop


@kernel
def random_action(state, bits):
    """Return a uniform legal action, without the mask."""
    n = below(bits, state.choices)
    cells = area_of(state)
    for plane in range(NUM_PLANES):
        for k in range(WORDS):
            word = state.legal[plane, k]
            here = count_bits(word)
            if n < here:
                return plane * cells + 64 * k + select_bit(word, n)
            n -= here
    return NUM_PLANES * cells


@kernel
def chance_probabilities(state, out):
    """Fill `out` with the probabilities of the rolls of two dice, or of the squares of the next island."""
    for outcome in range(out.shape[0]):
        out[outcome] = 0.0
    if state.islands_left > 0:
        squares = island_squares(state)
        store(state.work, squares)
        for square in range(out.shape[0]):
            if has(state.work, square):
                out[square] = 1.0 / count(squares)
        return
    for outcome in range(PROBABILITIES.shape[0]):
        out[outcome] = PROBABILITIES[outcome]


@kernel
def sample_chance(state):
    """Return a roll of two dice, or the square of an island, drawn with the state's own random generator."""
    if state.islands_left > 0:
        store(state.work, island_squares(state))
        n = below(draw(state), count(load(state.work)))
        for k in range(WORDS):
            here = count_bits(state.work[k])
            if n < here:
                return 64 * k + select_bit(state.work[k], n)
            n -= here
    thrown = below(draw(state), HIGHEST_DIE * HIGHEST_DIE)
    a, b = thrown // HIGHEST_DIE, thrown % HIGHEST_DIE
    high, low = max(a, b), min(a, b)
    return high * (high + 1) // 2 + low


@kernel
def apply(state, action):
    """Apply a roll, an island or a decision, and everything that follows without a choice."""
    if state.islands_left > 0:
        _add_island(state, np.int64(action))
        if state.dice or state.islands_left > 0:
            return
    elif state.dice and state.high == 0:
        state.high = HIGH[action]
        state.low = LOW[action]
    else:
        _act(state, action)
    _advance(state)


@kernel
def _add_island(state, square):
    """Add an island of player 0 and, on the opposite square, one of player 1."""
    opposite = area_of(state) - 1 - square
    put(state.land[0], square)
    put(state.land[1], opposite)
    add_land(state, square)
    add_land(state, opposite)
    state.islands_left -= 1
    if is_empty(island_squares(state)):
        state.islands_left = 0


@kernel
def _advance(state):
    """Perform actions without a choice until the next decision, chance node or end."""
    while True:
        if state.land_done and not state.sea_done and state.ships[state.turn_player] < 0:
            state.sea_done = 1  # the ship is captured
        if state.sea_done and state.land_done:
            if state.turn + 1 == state.max_turns or ended(state):
                state.over = 1
                state.high = 0
                state.low = 0
                no_choices(state)
                return
            state.turn += 1
            state.turn_player = 1 - state.turn_player
            _begin_turn(state)
            if state.dice:
                no_choices(state)
                return
        find_choices(state)
        if state.choices > 1:
            return
        if state.choices == 1:
            _act(state, random_action(state, np.uint64(0)))
        else:
            _finish_land(state)  # no further marker is possible


@kernel
def _begin_turn(state):
    state.sea_done = 0
    state.land_done = 0
    state.markers_placed = 0
    state.last_marker = -1
    state.high = 0
    state.low = 0


@kernel
def _act(state, action):
    """Perform one action."""
    cells = area_of(state)
    plane = action // cells
    square = action - plane * cells
    if plane > LAND:
        _finish_land(state)
    elif plane == LAND:
        place(state, square)
        state.markers_placed += 1
        state.last_marker = square
        if state.markers_placed == markers_allowed(state):
            _finish_land(state)
    else:
        state.ships[state.turn_player] = square
        if plane != NO_MARKER:
            place(state, beside(state, square, plane))
        fill(state)
        state.sea_done = 1


@kernel
def _finish_land(state):
    fill(state)
    state.land_done = 1
    state.markers_placed = 0
    state.last_marker = -1


@kernel
def place(state, square):
    """Place a marker of the turn player on an empty square or on enemy land."""
    player = np.int64(state.turn_player)
    if has(state.land[1 - player], square):
        drop(state.land[1 - player], square)
    else:
        add_land(state, square)
    put(state.land[player], square)
    if SPLITS[others_around(state, player, square)]:
        state.unsettled[player] = 1


@kernel
def others_around(state, player, square):
    """Return, as bits in reading order, which of the eight squares around a square are not land of a player.

    Squares off the board count as not land. `SPLITS` says whether a marker of that player on the square may enclose
    something.
    """
    return 255 - around(state.land[player], state, square)


@kernel
def fill(state):
    """Fill the squares that the turn player's land encloses, if a marker has split its surroundings."""
    player = np.int64(state.turn_player)
    if not state.unsettled[player]:
        return
    state.unsettled[player] = 0
    own, enemy = load(state.land[player]), load(state.land[1 - player])
    frame = frame_of(state.format)
    inside = enclosed(own, load(ALL[state.format]), load(EDGE[state.format]), frame)
    if is_empty(inside):
        return
    store(state.work, both(inside, open_sea(state)))
    for k in range(WORDS):
        left = state.work[k]
        while left:
            add_land(state, 64 * k + first_of(left))
            left &= left - _1
    for ship in range(2):
        if not is_empty(both(inside, only(state.ships[ship]))):
            state.ships[ship] = -1
    secure = surviving(enemy, inside, frame)  # the enemy's land stays settled: it encloses no more than before
    store(state.land[player], either(own, minus(inside, secure)))
    store(state.land[1 - player], secure)


@inlined_kernel
def enclosed(own, board, edge, frame):
    """Return the squares that a player's land cuts off from the edge of the board."""
    others = minus(board, own)
    return minus(others, flood(both(edge, others), others, frame))


@inlined_kernel
def surviving(enemy, inside, frame):
    """Return the enemy land that survives when its peninsulas inside the enclosure are removed repeatedly."""
    peeled = both(peninsulas(enemy, frame), inside)
    while not is_empty(peeled):
        enemy = minus(enemy, peeled)
        peeled = both(peninsulas(enemy, frame), inside)
    return enemy


@kernel
def turn_of(state):
    """Return the number of completed turns."""
    return np.int64(state.turn)


@kernel
def score(state, player):
    """Return the number of squares of a player's land; player 1 also gets the handicap."""
    return count(load(state.land[player])) + (np.int64(state.handicap) if player == 1 else 0)


@kernel
def rewards(state, out):
    """Fill `out` with zeros before the end; at the end, the player with more land wins."""
    out[0] = 0.0
    out[1] = 0.0
    if state.over:
        lead = score(state, 0) - score(state, 1)
        if lead != 0:
            out[0] = 1.0 if lead > 0 else -1.0
            out[1] = -out[0]
