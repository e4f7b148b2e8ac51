"""Network features of `falling_off`: the position, and the expected consequences of each reroll and move.

Each of the eight reroll subsets has three features: the probability of a storm, the expected smallest step (in places;
0 for a storm), and the expected loss in turns against the best of the eight, by the heuristic's values. Each move has
one feature: its loss in turns against the best legal move. These features depend only on the viewer's pawns and dice.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from edge_envs.core.features import Array, VectorFeatures, VectorView
from edge_envs.games.falling_off.heuristic import TURNS, TURNS_BY_LOWEST, TURNS_LEFT, WEIGHTS, turns_after_rolls
from edge_envs.games.falling_off.pieces.sets import (
    DICE_COUNT,
    DICE_SET_BY_CODE,
    DICE_SETS,
    FIRST_OF,
    JOINED_OF,
    KEPT,
    MOVED,
    MOVES_FROM,
    MOVES_TO_OF,
    NUM_DICE,
    NUM_MOVES,
    NUM_PAWNS,
    NUM_PLACES,
    NUM_ROLLS,
    NUM_SUBSETS,
    OUTCOME_PROBABILITIES,
    PAWN_SET_BY_CODE,
    PAWN_SETS,
    ROLLS,
    places_named,
)
from edge_envs.games.falling_off.state import MOVE, REROLL

if TYPE_CHECKING:
    from edge_envs.core.game import Game

OWED_SHOWN = 6
OUTLOOKS = 3
_LEAST_STEP_SCALE = 1.0 / NUM_PLACES
_LOSS_SCALE = np.float32(6.0)
_GREATEST_LOSS = np.float32(-3.0)
_TURNS_SCALE = 0.1


class FallingOffFeatures(VectorFeatures):
    """Feature vector: pawns, dice, turns owed, and the consequences of rerolls and moves in their phases."""

    def __init__(self, game: Game, hints: bool = False, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(game, hints, weights)
        self._slices = game.observation_slices()
        self._dice, self._spaces = int(game.params["dice"]), int(game.params["spaces"])
        self._outlook = _outlook_table(self._dice, self._spaces)
        self._moves = np.where(MOVES_FROM == 1, TURNS_LEFT[MOVED], -np.inf).astype(np.float32)
        self._turns = (TURNS * _TURNS_SCALE).astype(np.float32)
        self._turns_by_lowest = (TURNS_BY_LOWEST * _TURNS_SCALE).astype(np.float32)
        self._owed = np.arange(1, OWED_SHOWN + 1, dtype=np.float32)
        fields = sum(field.size for field in game.observation_layout) - 1 + OWED_SHOWN
        self._rerolls = np.float32(game.params["rerolls"])
        self.size = fields + OUTLOOKS * NUM_SUBSETS + NUM_MOVES + game.num_players

    def __call__(self, observations: Array) -> VectorView:
        """Return the feature vectors of observations (B, C) of any dtype."""
        x = observations.astype(np.float32)
        parts = {name: x[:, where] for name, where in self._slices.items()}
        pawns = parts["pawns"].reshape(len(x), -1, NUM_PLACES)
        turns = pawns @ self._turns + self._turns_by_lowest[(pawns > 0).argmax(axis=2)]
        own, roll = _own_pawns(pawns[:, 0]), _roll(parts["dice"], self._dice)
        vectors = [
            parts["pawns"] / np.float32(2.0), parts["turn_player"], parts["phase"], parts["dice"], parts["fallen"],
            (parts["turns_owed"] >= self._owed).astype(np.float32), turns,
            self._outlook[own, roll] * parts["phase"][:, REROLL : REROLL + 1],
            self._losses_of_moves(own, roll) * parts["phase"][:, MOVE : MOVE + 1],
            *([parts["rerolls_left"] / self._rerolls] if "rerolls_left" in parts else []),
        ]  # fmt: skip
        return VectorView(np.concatenate(vectors, axis=1), self.observed(observations).hints if self.observed else None)

    def _losses_of_moves(self, own: Array, roll: Array) -> Array:
        """Return the loss (B, 66) of each legal move against the best one, in scaled turns; 0 if illegal."""
        turns = np.where(
            MOVES_TO_OF[self._spaces, FIRST_OF[self._dice] + roll] == 1, self._moves[own], np.float32(-np.inf)
        )
        best = np.maximum(turns.max(axis=1, keepdims=True), np.float32(-1e3))
        return np.where(turns == -np.inf, np.float32(0.0), np.maximum((turns - best) * _LOSS_SCALE, _GREATEST_LOSS))


VECTORS = FallingOffFeatures


def _own_pawns(pawns: Array) -> Array:
    """Return the pawn set numbers (B,) of counts by place (B, 12)."""
    counts = pawns.cumsum(axis=1)
    places = np.stack([(counts <= pawn + 0.5).sum(axis=1) for pawn in range(NUM_PAWNS)], axis=1)
    return PAWN_SET_BY_CODE[places.clip(max=NUM_PLACES - 1) @ NUM_PLACES ** np.arange(NUM_PAWNS)[::-1]]


def _roll(dice: Array, count: int) -> Array:
    """Return the roll numbers (B,) of `count` one-hot dice (B, 18); arbitrary where dice are missing."""
    values = dice.reshape(len(dice), NUM_DICE, 6).argmax(axis=2) + 1
    values[:, count:] = 0
    numbers = DICE_SET_BY_CODE[values @ 7 ** np.arange(NUM_DICE)[::-1]].astype(np.int64)
    return (numbers - FIRST_OF[count]).clip(min=0)


@functools.cache
def _outlook_table(dice: int, spaces: int) -> Array:
    """Return the reroll features (1365, rolls, 24) float32 of each pawn set and roll."""
    pawn_sets, rolls, first = np.array(PAWN_SETS), NUM_ROLLS[dice], int(FIRST_OF[dice])
    least = _least_steps(pawn_sets, dice, spaces)
    storm = (least == 0).astype(np.float64)
    turns = np.array([_turns_after(pawns, dice, spaces) for pawns in range(len(pawn_sets))])
    outlook = np.zeros((len(pawn_sets), rolls, NUM_SUBSETS, OUTLOOKS), np.float32)
    for roll in range(rolls):
        for subset in range(NUM_SUBSETS):
            weights = _final_roll_weights(KEPT[first + roll, subset], dice)
            outlook[:, roll, subset, 0] = storm @ weights
            outlook[:, roll, subset, 1] = least @ weights * _LEAST_STEP_SCALE
            outlook[:, roll, subset, 2] = turns @ weights
        outlook[:, roll, :, 2] -= outlook[:, roll, :, 2].max(axis=1, keepdims=True)
    outlook[..., 2] = np.maximum(outlook[..., 2] * _LOSS_SCALE, _GREATEST_LOSS)
    return outlook.reshape(len(pawn_sets), rolls, OUTLOOKS * NUM_SUBSETS)


def _turns_after(pawns: int, dice: int, spaces: int) -> Array:
    """The turns (rolls,) that a pawn set has left after each roll."""
    after, first = np.empty(len(DICE_SETS)), int(FIRST_OF[dice])
    turns_after_rolls(pawns, dice, spaces, WEIGHTS[0], after)
    return after[first : first + NUM_ROLLS[dice]]


def _final_roll_weights(kept: int, dice: int) -> Array:
    """Return the probability of each final roll (rolls,) after a reroll that keeps the dice set `kept`."""
    weights, first = np.zeros(NUM_ROLLS[dice]), int(FIRST_OF[dice])
    if kept >= first:
        weights[kept - first] = 1.0
        return weights
    thrown = dice - DICE_COUNT[kept]
    for outcome in range(NUM_ROLLS[thrown]):
        weights[JOINED_OF[dice, kept, outcome] - first] += OUTCOME_PROBABILITIES[thrown, outcome]
    return weights


def _least_steps(pawn_sets: Array, dice: int, spaces: int) -> Array:
    """Return the smallest step in places (1365, rolls) that each roll allows; 0 for a storm."""
    least = np.zeros((len(pawn_sets), NUM_ROLLS[dice]))
    for roll, values in enumerate(ROLLS[dice]):
        targets = np.array(sorted(places_named(values, spaces)) or [0])
        steps = targets[None, None, :] - pawn_sets[:, :, None]
        steps = np.where(steps > 0, steps, NUM_PLACES).min(axis=(1, 2))
        least[:, roll] = np.where(steps == NUM_PLACES, 0, steps)
    return least
