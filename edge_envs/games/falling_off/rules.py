"""The rules of `falling_off` as kernels over its state record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.game import Spec
from edge_envs.core.jit import kernel
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.rng import below, draw
from edge_envs.games.falling_off.actions import (
    FIRST_MOVE,
    MOVE_BASE,
    MOVES,
    NUM_ACTIONS,
    NUM_PLACES,
    NUM_ROLLS,
    PLACES,
    ROLLS,
    outcome_counts,
)
from edge_envs.games.falling_off.state import (
    MAX_PLAYERS,
    MOVE,
    NUM_DICE,
    NUM_PAWNS,
    OFF,
    OVER,
    REROLL,
    REROLLED,
    ROLL,
)

MAX_SUM = 6 * NUM_DICE
MAX_CHANCE_OUTCOMES = NUM_ROLLS[NUM_DICE]

# OUTCOME_DICE[k, o] = sorted values of outcome o of k dice; OUTCOME_PROBABILITIES[k, o]; THROWS[k, t] = outcome of the
# t-th of the 6**k equally likely throws.
OUTCOME_DICE = np.zeros((NUM_DICE + 1, MAX_CHANCE_OUTCOMES, NUM_DICE), np.uint8)
OUTCOME_PROBABILITIES = np.zeros((NUM_DICE + 1, MAX_CHANCE_OUTCOMES), np.float64)
THROWS = np.zeros((NUM_DICE + 1, 6**NUM_DICE), np.uint8)
for _k in range(NUM_DICE + 1):
    _counts = outcome_counts(_k)
    for _o, _roll in enumerate(ROLLS[_k]):
        OUTCOME_DICE[_k, _o, :_k] = _roll
        OUTCOME_PROBABILITIES[_k, _o] = _counts[_o] / 6**_k
    THROWS[_k, : 6**_k] = np.repeat(np.arange(NUM_ROLLS[_k]), _counts)

PLACE_INDEX = np.zeros(OFF + 1, np.int64)
PLACE_INDEX[list(PLACES)] = np.arange(NUM_PLACES)
MOVE_SOURCE = np.array([source for source, _ in MOVES], np.uint8)
MOVE_TARGET = np.array([target for _, target in MOVES], np.uint8)

# SUM_PLACE[s] = the bit of the place index that a sum of s names, 0 below 4.
SUM_PLACE = np.array([0] * 4 + [1 << int(PLACE_INDEX[min(s, OFF)]) for s in range(4, MAX_SUM + 1)], np.int64)


def spec(params: Mapping[str, Any]) -> Spec:
    """The sizes of the game with its parameters chosen."""
    players = params["num_players"]
    return Spec(
        num_distinct_actions=NUM_ACTIONS,
        max_chance_outcomes=MAX_CHANCE_OUTCOMES,
        max_game_length=None,  # storms have no cap
        min_utility=-1.0,
        max_utility=1.0 if params["play_on"] else 1.0 / (players - 1),
    )


@kernel
def new_game(state):
    """The start: all pawns in the starting area, player 0 owes one turn."""
    state.phase = ROLL
    state.turn_player = 0
    state.turns_owed = 1
    state.num_fallen = 0
    for i in range(NUM_DICE):
        state.dice[i] = 0
    for p in range(MAX_PLAYERS):
        state.fallen[p] = -1
        for i in range(NUM_PAWNS):
            state.pawns[p, i] = 0


@kernel
def current_player(state):
    """The turn player at `reroll` and `move`; else nature, or nobody."""
    if state.phase == REROLL or state.phase == MOVE:
        return np.int64(state.turn_player)
    if state.phase == OVER:
        return np.int64(TERMINAL)
    return np.int64(CHANCE)


@kernel
def reroll_subsets(state):
    """The legal reroll subsets as bits 0..7: of subsets with the same values only the lowest."""
    first_two = state.dice[0] == state.dice[1]
    last_two = state.dice[1] == state.dice[2]
    subsets = 0xFF
    if first_two:
        subsets &= ~((1 << 0b010) | (1 << 0b110))
    if last_two:
        subsets &= ~((1 << 0b100) | (1 << 0b101))
    if first_two and last_two:
        subsets &= ~(1 << 0b110)
    return subsets


@kernel
def named_places(state):
    """The places that sums of the three dice name, as bits by place index."""
    a, b, c = np.int64(state.dice[0]), np.int64(state.dice[1]), np.int64(state.dice[2])
    return (
        SUM_PLACE[a]
        | SUM_PLACE[b]
        | SUM_PLACE[c]
        | SUM_PLACE[a + b]
        | SUM_PLACE[a + c]
        | SUM_PLACE[b + c]
        | SUM_PLACE[a + b + c]
    )


@kernel
def move_targets(state, i, places):
    """Where pawn `i` of the turn player may go, as bits by place index; none if it is off or equals pawn i - 1."""
    pawn = state.pawns[state.turn_player, i]
    if pawn == OFF or (i > 0 and pawn == state.pawns[state.turn_player, i - 1]):
        return np.int64(0)
    return places & ~((np.int64(2) << PLACE_INDEX[pawn]) - 1)


@kernel
def legal_action_mask(state, out):
    """The reroll subsets, or the moves."""
    out[:] = 0
    if state.phase == REROLL:
        subsets = reroll_subsets(state)
        for subset in range(FIRST_MOVE):
            out[subset] = (subsets >> subset) & 1
        return
    places = named_places(state)
    for i in range(NUM_PAWNS):
        targets = move_targets(state, i, places)
        if targets:
            base = MOVE_BASE[PLACE_INDEX[state.pawns[state.turn_player, i]]]
            for target in range(1, NUM_PLACES):
                if (targets >> target) & 1:
                    out[base + target] = 1


@kernel
def dice_thrown(state):
    """How many dice a chance node throws."""
    if state.phase == ROLL:
        return NUM_DICE
    thrown = 0
    for i in range(NUM_DICE):
        if state.dice[i] == 0:
            thrown += 1
    return thrown


@kernel
def chance_probabilities(state, out):
    """Of the sorted values of the dice thrown."""
    thrown = dice_thrown(state)
    for outcome in range(MAX_CHANCE_OUTCOMES):
        out[outcome] = OUTCOME_PROBABILITIES[thrown, outcome]


@kernel
def sample_chance(state):
    """A throw of the dice."""
    thrown = dice_thrown(state)
    return np.int64(THROWS[thrown, below(draw(state), 6**thrown)])


@kernel
def apply(state, action):
    """A roll, a reroll decision, a reroll, or a move."""
    if state.phase == ROLL:
        for i in range(NUM_DICE):
            state.dice[i] = OUTCOME_DICE[NUM_DICE, action, i]
        state.phase = REROLL
    elif state.phase == REROLL:
        if action == 0:
            _use_dice(state)
        else:
            _take_up_dice(state, action)
    elif state.phase == REROLLED:
        _merge_dice(state, action)
        _use_dice(state)
    else:
        _move_pawn(state, MOVE_SOURCE[action - FIRST_MOVE], MOVE_TARGET[action - FIRST_MOVE])


@kernel
def _take_up_dice(state, subset):
    """Keep the dice outside the subset, in front, and leave the others to chance."""
    kept = 0
    for i in range(NUM_DICE):
        if not (subset >> i) & 1:
            state.dice[kept] = state.dice[i]
            kept += 1
    for i in range(kept, NUM_DICE):
        state.dice[i] = 0
    state.phase = REROLLED


@kernel
def _merge_dice(state, outcome):
    """Join the kept dice and those thrown again, sorted."""
    thrown = dice_thrown(state)
    for j in range(thrown):
        die = OUTCOME_DICE[thrown, outcome, j]
        i = NUM_DICE - thrown + j
        while i > 0 and state.dice[i - 1] > die:
            state.dice[i] = state.dice[i - 1]
            i -= 1
        state.dice[i] = die


@kernel
def _use_dice(state):
    """Go on to the move, or let a storm roll in: its turn is spent and two more are owed."""
    total = np.int64(state.dice[0]) + np.int64(state.dice[1]) + np.int64(state.dice[2])
    if total >= 4 and total > state.pawns[state.turn_player, 0]:
        state.phase = MOVE
    else:
        state.turns_owed += 1
        _start_roll(state)


@kernel
def _start_roll(state):
    for i in range(NUM_DICE):
        state.dice[i] = 0
    state.phase = ROLL


@kernel
def _move_pawn(state, source, target):
    player = state.turn_player
    i = 0
    while state.pawns[player, i] != source:
        i += 1
    while i < NUM_PAWNS - 1 and state.pawns[player, i + 1] < target:
        state.pawns[player, i] = state.pawns[player, i + 1]
        i += 1
    state.pawns[player, i] = target

    _start_roll(state)
    if state.pawns[player, 0] == OFF:
        state.fallen[state.num_fallen] = player
        state.num_fallen += 1
        if state.play_on == 0 or state.num_fallen == state.num_players - 1:
            state.phase = OVER
            state.turns_owed = 0
            return
        state.turns_owed = 0
    else:
        state.turns_owed -= 1
    if state.turns_owed == 0:
        _pass_turn(state)


@kernel
def _pass_turn(state):
    """The next player still in play owes one turn."""
    player = state.turn_player
    while True:
        player = player + 1 if player + 1 < state.num_players else 0
        if state.pawns[player, 0] != OFF:
            break
    state.turn_player = player
    state.turns_owed = 1


@kernel
def rewards(state, out):
    """Zero until the end; then the loser against the others, or the places."""
    players = np.int64(state.num_players)
    if state.phase != OVER:
        for p in range(players):
            out[p] = 0.0
    elif state.play_on == 0:
        for p in range(players):
            out[p] = 1.0 / (players - 1)
        out[state.fallen[0]] = -1.0
    else:
        for p in range(players):
            out[p] = 1.0
        for j in range(players - 1):
            out[state.fallen[j]] = -1.0 + 2.0 * j / (players - 1)


@kernel
def random_action(state, bits):
    """A uniform legal action, without the mask."""
    if state.phase == REROLL:
        return _nth_bit(reroll_subsets(state), bits)
    places = named_places(state)
    total = 0
    for i in range(NUM_PAWNS):
        total += _popcount(move_targets(state, i, places))
    n = below(bits, total)
    for i in range(NUM_PAWNS):
        targets = move_targets(state, i, places)
        count = _popcount(targets)
        if n < count:
            base = MOVE_BASE[PLACE_INDEX[state.pawns[state.turn_player, i]]]
            return base + _select(targets, n)
        n -= count
    return np.int64(-1)


@kernel
def _popcount(bits):
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@kernel
def _select(bits, n):
    """The index of set bit number n."""
    for _ in range(n):
        bits &= bits - 1
    index = 0
    while not (bits >> index) & 1:
        index += 1
    return np.int64(index)


@kernel
def _nth_bit(bits, random_bits):
    return _select(bits, below(random_bits, _popcount(bits)))
