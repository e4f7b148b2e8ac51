"""Heuristic of `falling_off`: estimate the turns that the pawns can survive, and look one turn ahead.

`TURNS` is the number of turns that a pawn on each place contributes for a single player who hangs on as long as
possible. `TURNS_BY_LOWEST` corrects the sum by the place of the lowest pawn, which decides how often storms come. Both
are a least-squares fit to the exact expectation of that single-player game over all 1,365 pawn sets (root-mean-square
error 0.3 turns). A storm costs two turns. The heuristic chooses the reroll, and then the move, with the most expected
turns.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.values import Feature, Values, Weight
from edge_envs.games.falling_off.actions import FIRST_MOVE, NUM_ACTIONS
from edge_envs.games.falling_off.pieces.sets import (
    ALL_OFF,
    DICE_COUNT,
    DICE_SETS,
    FIRST_OF,
    JOINED_OF,
    KEPT,
    LOWEST,
    MOST_SPACES,
    MOVE_TARGET,
    MOVED,
    MOVES_FROM,
    MOVES_TO_OF,
    NUM_MOVES,
    NUM_PAWNS,
    NUM_PLACES,
    NUM_ROLLS,
    NUM_SUBSETS,
    OUTCOME_PROBABILITIES,
    PAWN_COUNTS,
    PLACES_NAMED,
    REROLLS,
)
from edge_envs.games.falling_off.state import REROLL

#                       start    4     5     6     7     8     9    10    11    12    13   off
TURNS = np.array([10.46, 9.47, 8.44, 7.35, 6.32, 5.28, 4.28, 3.28, 2.37, 1.54, 0.91, 0.0])
TURNS_BY_LOWEST = np.array([-3.14, -3.24, -3.35, -3.46, -3.54, -3.56, -3.52, -3.38, -3.09, -2.54, -1.73, 0.0])

VALUES = Values(
    unit="turns",
    span=0.5,
    weights=(Weight("storm", 2.0, 0.0, 20.0, "turns that a storm costs"),),
    features=(
        Feature("turns_left", "turns that the pawns can survive, as the heuristic estimates them"),
        Feature("turns_owed", "turns owed by the player whose turn it is; 0 for others"),
        Feature("pawns_left", "pawns that are not over the edge"),
        Feature("has_fallen", "1 once all pawns are over the edge"),
    ),
)
WEIGHTS = VALUES.weights_with()

TURNS_LEFT = PAWN_COUNTS @ TURNS + TURNS_BY_LOWEST[LOWEST]  # of a single player, by pawn set

# TURNS_AFTER_MOVE_TO[pawns, place]: after the best move to that place; -inf if there is none
_after_moves = np.where(MOVES_FROM, TURNS_LEFT[MOVED], -np.inf)
TURNS_AFTER_MOVE_TO = np.full((len(TURNS_LEFT), NUM_PLACES), -np.inf)
for _place in range(1, NUM_PLACES):
    TURNS_AFTER_MOVE_TO[:, _place] = _after_moves[:, _place == MOVE_TARGET].max(axis=1)

# NAMED[spaces, d]: the places that sums of dice set d name; the last one is repeated to fill the row.
NAMED = np.zeros((MOST_SPACES + 1, len(DICE_SETS), NUM_SUBSETS - 1), np.uint8)
for _spaces, _number in np.ndindex(NAMED.shape[:2]):
    _named = np.flatnonzero(PLACES_NAMED[_spaces, _number]).tolist() or [0]
    NAMED[_spaces, _number] = _named + _named[-1:] * (NUM_SUBSETS - 1 - len(_named))


@kernel
def heuristic(state):
    """Return the action with the highest value; among equals, the one with the lowest id."""
    values = np.empty(NUM_ACTIONS)
    action_values(state, WEIGHTS[0], values)
    return np.argmax(values)


@kernel
def action_values(state, weights, values):
    """Fill `values` (74,) with the expected turns left after each legal action; -inf if illegal."""
    values[:] = -np.inf
    pawns = state.pawns[state.turn_player]
    if state.phase == REROLL:
        _reroll_values(state, pawns, weights, values)
        return
    for move in range(NUM_MOVES):
        if MOVES_FROM[pawns, move] & MOVES_TO_OF[state.spaces, state.dice, move]:
            values[FIRST_MOVE + move] = TURNS_LEFT[MOVED[pawns, move]]


@kernel
def _reroll_values(state, pawns, weights, values):
    """Fill `values` at each legal reroll with its mean over all outcomes. Further rerolls are not considered."""
    dice, num_dice = state.dice, np.int64(state.num_dice)
    after = np.empty(len(DICE_SETS))
    turns_after_rolls(pawns, num_dice, state.spaces, weights, after)
    for subset in range(NUM_SUBSETS):
        if REROLLS[dice, subset]:
            kept = KEPT[dice, subset]
            thrown = num_dice - DICE_COUNT[kept]
            expected = after[kept] if thrown == 0 else 0.0
            if thrown > 0:
                for outcome in range(NUM_ROLLS[thrown]):
                    expected += OUTCOME_PROBABILITIES[thrown, outcome] * after[JOINED_OF[num_dice, kept, outcome]]
            values[subset] = expected


@kernel
def turns_after_rolls(pawns, num_dice, spaces, weights, after):
    """Fill `after` (84,) at each set of all dice with the turns left after the best move, or after a storm."""
    to_place = np.empty(NUM_PLACES)
    for place in range(NUM_PLACES):
        to_place[place] = TURNS_AFTER_MOVE_TO[pawns, place]
    first = np.int64(FIRST_OF[num_dice])
    for roll in range(first, first + NUM_ROLLS[num_dice]):
        best = -np.inf
        for i in range(NUM_SUBSETS - 1):
            best = max(best, to_place[NAMED[spaces, roll, i]])
        after[roll] = best if best > -np.inf else TURNS_LEFT[pawns] - weights.storm


@kernel
def position_features(state, player, viewer, weights, out):
    """Fill `out` (4,) with the features of a player's position, in the order of `VALUES.features`."""
    pawns = state.pawns[player]
    out[0] = TURNS_LEFT[pawns]
    out[1] = state.turns_owed if player == state.turn_player else 0
    out[2] = NUM_PAWNS - PAWN_COUNTS[pawns, NUM_PLACES - 1]
    out[3] = pawns == ALL_OFF
