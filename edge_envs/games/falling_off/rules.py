"""The rules of `falling_off` as kernels over its state record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.errors import ParameterError
from edge_envs.core.kernels.bits import count_bits, select_bit
from edge_envs.core.kernels.rng import below, draw
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.core.spec import Spec
from edge_envs.games.falling_off.actions import FIRST_MOVE, NUM_ACTIONS
from edge_envs.games.falling_off.pieces.sets import (
    ALL_OFF,
    DICE_COUNT,
    FIRST_OF,
    FIRST_PAWNS,
    FIRST_SPACE,
    HIGHEST_NAMED_OF,
    JOINED_OF,
    KEPT,
    LOWEST,
    MOVE_TARGET,
    MOVED,
    MOVES_FROM,
    MOVES_FROM_BITS,
    MOVES_TO_BITS,
    MOVES_TO_OF,
    NUM_DICE,
    NUM_MOVES,
    NUM_PLACES,
    NUM_ROLLS,
    NUM_SUBSETS,
    NUM_THROWS,
    OUTCOME_PROBABILITIES,
    REROLL_COUNT,
    REROLL_LIST,
    REROLLS,
    SENT_BACK,
    THROWS,
)
from edge_envs.games.falling_off.state import (
    MAX_PLAYERS,
    MOVE,
    OVER,
    PAWNS_EACH,
    REROLL,
    REROLLED,
    REROLLS_AT,
    ROLL,
    SENDS_BACK,
)

MAX_CHANCE_OUTCOMES = NUM_ROLLS[NUM_DICE]


def spec(params: Mapping[str, Any]) -> Spec:
    """Return the sizes and utilities of the game with these parameters."""
    players, dice = params["num_players"], params["dice"]
    most_spaces = 6 * dice - FIRST_SPACE  # so that the highest sum is over the edge
    if params["spaces"] > most_spaces:
        expected = f"expected an integer from 1 to {most_spaces} with dice={dice}"
        raise ParameterError(f"falling_off: invalid spaces={params['spaces']}: {expected}")
    return Spec(
        num_distinct_actions=NUM_ACTIONS,
        max_chance_outcomes=NUM_ROLLS[dice],
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
    state.rerolls_left = 0
    for p in range(MAX_PLAYERS):
        state.fallen[p] = -1
        state.pawns[p] = FIRST_PAWNS[state.setup & PAWNS_EACH]


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
    pawns, spaces = state.pawns[state.turn_player], state.spaces  # loaded once, because `out` could overlap the record
    for subset in range(NUM_SUBSETS):
        out[subset] = REROLLS[to_reroll, subset]
    for move in range(NUM_MOVES):
        out[FIRST_MOVE + move] = MOVES_FROM[pawns, move] & MOVES_TO_OF[spaces, to_move, move]


@kernel
def chance_probabilities(state, out):
    """Fill `out` with the probability of each outcome of the dice to be thrown."""
    thrown = state.num_dice - DICE_COUNT[state.dice]
    for outcome in range(out.shape[0]):
        out[outcome] = OUTCOME_PROBABILITIES[thrown, outcome]


@kernel
def sample_chance(state):
    """Return an outcome of the dice, drawn with the state's own random generator."""
    thrown = state.num_dice - DICE_COUNT[state.dice]
    return np.int64(THROWS[thrown, below(draw(state), NUM_THROWS[thrown])])


@kernel
def apply(state, action):
    """Apply a roll, a reroll decision, the outcome of a reroll, or a move."""
    if state.phase == ROLL:
        state.dice = FIRST_OF[state.num_dice] + action
        state.rerolls_left = state.setup >> REROLLS_AT
        if state.rerolls_left:
            state.phase = REROLL
        else:
            _use_dice(state)
    elif state.phase == REROLL:
        state.dice = KEPT[state.dice, action]
        if action == 0:
            state.rerolls_left = 0
            _use_dice(state)
        else:
            state.rerolls_left -= 1
            state.phase = REROLLED
    elif state.phase == REROLLED:
        state.dice = JOINED_OF[state.num_dice, state.dice, action]
        if state.rerolls_left:
            state.phase = REROLL
        else:
            _use_dice(state)
    else:
        _move_pawn(state, action - FIRST_MOVE)


@kernel
def _use_dice(state):
    """Continue with the move, or with a storm if no move exists: this turn is spent and two more are owed."""
    if HIGHEST_NAMED_OF[state.spaces, state.dice] > LOWEST[state.pawns[state.turn_player]]:
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
    if state.setup & SENDS_BACK:
        _send_back(state, MOVE_TARGET[move])
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
def _send_back(state, place):
    """Return the pawns of all other players on a space to the start."""
    if place == NUM_PLACES - 1:
        return
    mover = state.turn_player
    for player in range(MAX_PLAYERS):
        if player != mover:
            state.pawns[player] = SENT_BACK[state.pawns[player], place]


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
    low = MOVES_FROM_BITS[pawns, 0] & MOVES_TO_BITS[state.spaces, state.dice, 0]
    high = MOVES_FROM_BITS[pawns, 1] & MOVES_TO_BITS[state.spaces, state.dice, 1]
    in_low = count_bits(low)
    n = below(bits, in_low + count_bits(high))
    if n < in_low:
        return FIRST_MOVE + select_bit(low, n)
    return FIRST_MOVE + 64 + select_bit(high, n - in_low)
