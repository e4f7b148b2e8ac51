"""The rules of `falling_off` as kernels over its state record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.kernels.bits import count_bits, select_bit
from edge_envs.core.kernels.rng import below, draw
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.spec import Spec
from edge_envs.games.falling_off.actions import FIRST_MOVE, NUM_ACTIONS
from edge_envs.games.falling_off.pieces.sets import (
    ALL_OFF,
    ALL_START,
    DICE_MISSING,
    FIRST_ROLL,
    HIGHEST_NAMED,
    JOINED,
    KEPT,
    LOWEST,
    MOVED,
    MOVES_FROM,
    MOVES_FROM_BITS,
    MOVES_TO,
    MOVES_TO_BITS,
    NUM_DICE,
    NUM_MOVES,
    NUM_ROLLS,
    NUM_SUBSETS,
    OUTCOME_PROBABILITIES,
    REROLL_COUNT,
    REROLL_LIST,
    REROLLS,
    THROWS,
)
from edge_envs.games.falling_off.state import MAX_PLAYERS, MOVE, OVER, REROLL, REROLLED, ROLL

MAX_CHANCE_OUTCOMES = NUM_ROLLS[NUM_DICE]


def spec(params: Mapping[str, Any]) -> Spec:
    """Return the sizes and utilities of the game with these parameters."""
    players = params["num_players"]
    return Spec(
        num_distinct_actions=NUM_ACTIONS,
        max_chance_outcomes=MAX_CHANCE_OUTCOMES,
        max_game_length=None,  # the number of storms is not limited
        min_utility=-1.0,
        max_utility=1.0 if params["play_on"] else 1.0 / (players - 1),
        utility_sum=0.0,
    )


@kernel
def new_game(state):
    """Write the start position: all pawns in the starting area, player 0 owes one turn."""
    state.phase = ROLL
    state.turn_player = 0
    state.turns_owed = 1
    state.num_fallen = 0
    state.dice = 0
    for p in range(MAX_PLAYERS):
        state.fallen[p] = -1
        state.pawns[p] = ALL_START


@kernel
def current_player(state):
    """Return the turn player in `reroll` and `move`, `TERMINAL` in `over`, otherwise `CHANCE`."""
    if state.phase == REROLL or state.phase == MOVE:
        return np.int64(state.turn_player)
    if state.phase == OVER:
        return np.int64(TERMINAL)
    return np.int64(CHANCE)


@kernel
def legal_action_mask(state, out):
    """Fill `out` with the legal reroll subsets or moves.

    A legal move starts from one of the player's pawns and leads to a place that the dice name.
    """
    # The empty dice set has no rerolls and names no place, so lookups replace branches.
    to_reroll = state.dice if state.phase == REROLL else np.uint8(0)
    to_move = state.dice if state.phase == MOVE else np.uint8(0)
    pawns = state.pawns[state.turn_player]
    for subset in range(NUM_SUBSETS):
        out[subset] = REROLLS[to_reroll, subset]
    for move in range(NUM_MOVES):
        out[FIRST_MOVE + move] = MOVES_FROM[pawns, move] & MOVES_TO[to_move, move]


@kernel
def chance_probabilities(state, out):
    """Fill `out` with the probability of each outcome of the dice to be thrown."""
    thrown = DICE_MISSING[state.dice]
    for outcome in range(MAX_CHANCE_OUTCOMES):
        out[outcome] = OUTCOME_PROBABILITIES[thrown, outcome]


@kernel
def sample_chance(state):
    """Return an outcome of the dice, drawn with the state's own random generator."""
    thrown = DICE_MISSING[state.dice]
    return np.int64(THROWS[thrown, below(draw(state), 6**thrown)])


@kernel
def apply(state, action):
    """Apply a roll, a reroll decision, the outcome of a reroll, or a move."""
    if state.phase == ROLL:
        state.dice = FIRST_ROLL + action
        state.phase = REROLL
    elif state.phase == REROLL:
        state.dice = KEPT[state.dice, action]
        if action == 0:
            _use_dice(state)
        else:
            state.phase = REROLLED
    elif state.phase == REROLLED:
        state.dice = JOINED[state.dice, action]
        _use_dice(state)
    else:
        _move_pawn(state, action - FIRST_MOVE)


@kernel
def _use_dice(state):
    """Continue with the move, or with a storm if no move exists: this turn is spent and two more are owed."""
    if HIGHEST_NAMED[state.dice] > LOWEST[state.pawns[state.turn_player]]:
        state.phase = MOVE
    else:
        state.turns_owed += 1
        state.dice = 0
        state.phase = ROLL


@kernel
def _move_pawn(state, move):
    player = state.turn_player
    pawns = MOVED[state.pawns[player], move]
    state.pawns[player] = pawns
    state.dice = 0
    state.phase = ROLL
    state.turns_owed -= 1
    if pawns == ALL_OFF:
        state.fallen[state.num_fallen] = player
        state.num_fallen += 1
        state.turns_owed = 0
        if state.play_on == 0 or state.num_fallen == state.num_players - 1:
            state.phase = OVER
            return
    if state.turns_owed == 0:
        _pass_turn(state)


@kernel
def _pass_turn(state):
    """Start the turn of the next player still in play, who owes one turn."""
    player = state.turn_player
    while True:
        player = player + 1 if player + 1 < state.num_players else 0
        if state.pawns[player] != ALL_OFF:
            break
    state.turn_player = player
    state.turns_owed = 1


@kernel
def rewards(state, out):
    """Fill `out` with zeros before the end, and then with the rewards of the loser and winners or of the places."""
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
def turn_of(state):
    """Return a number that changes with every turn: it combines the turn player and the turns owed."""
    return np.int64(state.turns_owed) * MAX_PLAYERS + np.int64(state.turn_player)


@kernel
def random_action(state, bits):
    """Return a uniform legal action, without the mask."""
    if state.phase == REROLL:
        return np.int64(REROLL_LIST[state.dice, below(bits, REROLL_COUNT[state.dice])])
    pawns = state.pawns[state.turn_player]
    low = MOVES_FROM_BITS[pawns, 0] & MOVES_TO_BITS[state.dice, 0]
    high = MOVES_FROM_BITS[pawns, 1] & MOVES_TO_BITS[state.dice, 1]
    in_low = count_bits(low)
    n = below(bits, in_low + count_bits(high))
    if n < in_low:
        return FIRST_MOVE + select_bit(low, n)
    return FIRST_MOVE + 64 + select_bit(high, n - in_low)
