"""Features of `falling_off`: what each reroll would lead to, beside the position.

For each of the eight reroll subsets three numbers are looked up: the chance of a storm, the expected least step (in
places; a storm counts as none), and how many promised turns, as the heuristic player counts them, it is expected to
lose against the best of the eight; for each move how many it loses against the best move that the dice allow. They
depend on the own pawns and the dice alone.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

import numpy as np
import torch

from agents.features.plain import Features, VectorView
from edge_envs import Game
from edge_envs.core.game import Array
from edge_envs.games.falling_off.heuristic import PROMISE, TURNS, TURNS_BY_LOWEST, promises
from edge_envs.games.falling_off.pieces.sets import (
    DICE_MISSING,
    DICE_SET_NUMBER,
    DICE_SETS,
    FIRST_ROLL,
    JOINED,
    KEPT,
    MOVED,
    MOVES_FROM,
    MOVES_TO,
    NUM_DICE,
    NUM_MOVES,
    NUM_PAWNS,
    NUM_PLACES,
    NUM_ROLLS,
    NUM_SUBSETS,
    OUTCOME_PROBABILITIES,
    PAWN_SETS,
    places_named,
)
from edge_envs.games.falling_off.state import MOVE, REROLL

OWED_SHOWN = 6
OUTLOOKS = 3
_LEAST_STEP_SCALE = 1.0 / NUM_PLACES
_LOSS_SCALE = 6.0
_GREATEST_LOSS = -3.0
_PROMISE_SCALE = 0.1


class FallingOffFeatures(Features):
    """(B, observation) to (B, size): pawns, dice, turns owed, and the outlook of each reroll while one is chosen."""

    name = "falling_off"

    def __init__(self, game: Game, hints: bool, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(game, hints, weights)
        if game.name != "falling_off":
            raise ValueError(f"the features falling_off do not fit the game {game.name}")
        self._slices = game.observation_slices()
        self.size = (
            sum(field.size for field in game.observation_layout)
            - 1
            + OWED_SHOWN
            + OUTLOOKS * NUM_SUBSETS
            + NUM_MOVES
            + game.num_players
        )
        pawn_index, outlook = _outlook_tables()
        self.register_buffer("pawn_index", torch.from_numpy(pawn_index), persistent=False)
        self.register_buffer("outlook", torch.from_numpy(outlook), persistent=False)
        self.register_buffer("moves", torch.from_numpy(_move_promises()), persistent=False)
        self.register_buffer("moves_to", torch.from_numpy(MOVES_TO[FIRST_ROLL:] == 1), persistent=False)
        self.register_buffer("roll_index", torch.from_numpy(_roll_table()), persistent=False)
        self.register_buffer("powers", torch.tensor([NUM_PLACES**i for i in range(NUM_PAWNS)]), persistent=False)
        self.register_buffer("turns", torch.from_numpy(TURNS * _PROMISE_SCALE).float(), persistent=False)
        by_lowest = torch.from_numpy(TURNS_BY_LOWEST * _PROMISE_SCALE).float()
        self.register_buffer("turns_by_lowest", by_lowest, persistent=False)
        self.register_buffer("owed", torch.arange(1, OWED_SHOWN + 1).float(), persistent=False)

    def forward(self, observations: torch.Tensor) -> VectorView:
        """Look up the outlook and put everything side by side."""
        x = observations.float()
        parts = {name: x[:, where] for name, where in self._slices.items()}
        pawns = parts["pawns"].reshape(len(x), -1, NUM_PLACES)
        lowest = (pawns > 0).float().argmax(2)
        promises = pawns @ self.get_buffer("turns") + self.get_buffer("turns_by_lowest")[lowest]
        owed = (parts["turns_owed"] >= self.get_buffer("owed")).float()
        own, roll = self._own_pawns(pawns[:, 0]), self._roll(parts["dice"])
        outlook = self.get_buffer("outlook")[own, roll] * parts["phase"][:, REROLL : REROLL + 1]
        moves = self._moves(own, roll) * parts["phase"][:, MOVE : MOVE + 1]
        vectors = torch.cat(
            [
                parts["pawns"] / 2,
                parts["turn_player"],
                parts["phase"],
                parts["dice"],
                parts["fallen"],
                owed,
                promises,
                outlook,
                moves,
            ],
            dim=1,
        )
        return VectorView(vectors)

    def _own_pawns(self, pawns: torch.Tensor) -> torch.Tensor:
        """The number (B,) of each pawn set, from its counts (B, 12)."""
        counts = pawns.cumsum(1)
        places = torch.stack([(counts <= pawn + 0.5).sum(1) for pawn in range(NUM_PAWNS)], dim=1)
        return self.get_buffer("pawn_index")[(places.clamp(max=NUM_PLACES - 1) * self.get_buffer("powers")).sum(1)]

    def _roll(self, dice: torch.Tensor) -> torch.Tensor:
        """The number (B,) of each roll, from one-hot dice (B, 18)."""
        faces = dice.reshape(len(dice), NUM_DICE, 6).argmax(2)
        return self.get_buffer("roll_index")[faces[:, 0] * 36 + faces[:, 1] * 6 + faces[:, 2]]

    def _moves(self, own: torch.Tensor, roll: torch.Tensor) -> torch.Tensor:
        """The promised turns (B, 66) that each legal move loses against the best, scaled; zero where illegal."""
        promises = self.get_buffer("moves")[own].masked_fill(~self.get_buffer("moves_to")[roll], -torch.inf)
        best = promises.max(dim=1, keepdim=True).values.clamp(min=-1e3)
        return ((promises - best) * _LOSS_SCALE).clamp(min=_GREATEST_LOSS).masked_fill(promises.isneginf(), 0.0)


def _roll_table() -> Array:
    """The number of each roll by its faces 0..5, as 36 a + 6 b + c of the sorted dice."""
    table = np.zeros(6**NUM_DICE, np.int64)
    for dice in DICE_SETS[FIRST_ROLL:]:
        table[(dice[0] - 1) * 36 + (dice[1] - 1) * 6 + dice[2] - 1] = DICE_SET_NUMBER[dice] - FIRST_ROLL
    return table


@functools.cache
def _outlook_tables() -> tuple[Array, Array]:
    """The number of each pawn set by its code (12**4,), and the outlook (1365, 56, 24) float32."""
    pawn_sets = np.array(PAWN_SETS)
    pawn_index = np.zeros(NUM_PLACES**NUM_PAWNS, np.int64)
    pawn_index[pawn_sets @ NUM_PLACES ** np.arange(NUM_PAWNS)] = np.arange(len(pawn_sets))
    least = _least_steps(pawn_sets)
    storm = (least == 0).astype(np.float64)
    promise = np.array([_promises(pawns) for pawns in range(len(pawn_sets))])
    outlook = np.zeros((len(pawn_sets), NUM_ROLLS[NUM_DICE], NUM_SUBSETS, OUTLOOKS), np.float32)
    for roll in range(NUM_ROLLS[NUM_DICE]):
        for subset in range(NUM_SUBSETS):
            weights = _final_roll_weights(KEPT[FIRST_ROLL + roll, subset])
            outlook[:, roll, subset, 0] = storm @ weights
            outlook[:, roll, subset, 1] = least @ weights * _LEAST_STEP_SCALE
            outlook[:, roll, subset, 2] = promise @ weights
        outlook[:, roll, :, 2] -= outlook[:, roll, :, 2].max(axis=1, keepdims=True)
    outlook[..., 2] = np.maximum(outlook[..., 2] * _LOSS_SCALE, _GREATEST_LOSS)
    return pawn_index, outlook.reshape(len(pawn_sets), NUM_ROLLS[NUM_DICE], OUTLOOKS * NUM_SUBSETS)


def _move_promises() -> Array:
    """The promise (1365, 66) of what each move leads to, float32; minus infinity where no pawn is to move."""
    return np.where(MOVES_FROM == 1, PROMISE[MOVED], -np.inf).astype(np.float32)


def _promises(pawns: int) -> Array:
    after = np.empty(len(DICE_SETS))
    promises(pawns, after)
    return after[FIRST_ROLL:]


def _final_roll_weights(kept: int) -> Array:
    """The probability of each roll (56,) when the dice that are missing from a dice set are thrown."""
    weights = np.zeros(NUM_ROLLS[NUM_DICE])
    if kept >= FIRST_ROLL:
        weights[kept - FIRST_ROLL] = 1.0
        return weights
    thrown = DICE_MISSING[kept]
    for outcome in range(NUM_ROLLS[thrown]):
        weights[JOINED[kept, outcome] - FIRST_ROLL] += OUTCOME_PROBABILITIES[thrown, outcome]
    return weights


def _least_steps(pawn_sets: Array) -> Array:
    """The least step in places (1365, 56) that each roll allows; 0 for a storm."""
    least = np.zeros((len(pawn_sets), NUM_ROLLS[NUM_DICE]))
    for roll, dice in enumerate(DICE_SETS[FIRST_ROLL:]):
        targets = np.array(sorted(places_named(dice)) or [0])
        steps = targets[None, None, :] - pawn_sets[:, :, None]
        steps = np.where(steps > 0, steps, NUM_PLACES).min(axis=(1, 2))
        least[:, roll] = np.where(steps == NUM_PLACES, 0, steps)
    return least
