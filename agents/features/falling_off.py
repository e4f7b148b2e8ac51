"""Features of `falling_off`: what each reroll would lead to, beside the position.

For each of the eight reroll subsets two numbers are looked up: the chance of a storm, and the expected least step (in
places; a storm counts as none). They depend on the own pawns and the dice alone.
"""

from __future__ import annotations

import functools
from itertools import combinations_with_replacement

import numpy as np
import torch
from torch import nn

from edge_envs import Game
from edge_envs.core.game import Array
from edge_envs.games.falling_off.actions import NUM_PLACES, NUM_REROLLS, NUM_ROLLS, ROLLS
from edge_envs.games.falling_off.rules import OUTCOME_PROBABILITIES, PLACE_INDEX
from edge_envs.games.falling_off.state import NUM_DICE, NUM_PAWNS, OFF

OWED_SHOWN = 6
_ROLL_INDEX = {roll: index for index, roll in enumerate(ROLLS[NUM_DICE])}
_LEAST_STEP_SCALE = 1.0 / NUM_PLACES


class FallingOffFeatures(nn.Module):
    """(B, observation) to (B, size): pawns, dice, turns owed, and the outlook of each reroll while one is chosen."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        if game.name != "falling_off":
            raise ValueError(f"the features falling_off do not fit the game {game.name}")
        self._slices = game.observation_slices()
        self.size = (
            sum(field.size for field in game.observation_layout) - 1 + OWED_SHOWN + 2 * NUM_REROLLS + game.num_players
        )
        pawn_index, outlook = _outlook_tables()
        self.register_buffer("pawn_index", torch.from_numpy(pawn_index), persistent=False)
        self.register_buffer("outlook", torch.from_numpy(outlook), persistent=False)
        self.register_buffer("roll_index", torch.from_numpy(_roll_table()), persistent=False)
        self.register_buffer("powers", torch.tensor([NUM_PLACES**i for i in range(NUM_PAWNS)]), persistent=False)
        self.register_buffer("steps", torch.arange(NUM_PLACES - 1, -1, -1).float() / 44.0, persistent=False)
        self.register_buffer("owed", torch.arange(1, OWED_SHOWN + 1).float(), persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Look up the outlook and put everything side by side."""
        x = observations.float()
        parts = {name: x[:, where] for name, where in self._slices.items()}
        pawns = parts["pawns"].unflatten(1, (-1, NUM_PLACES))
        steps_left = (pawns * self.get_buffer("steps")).sum(2)
        owed = (parts["turns_owed"] >= self.get_buffer("owed")).float()
        outlook = self._outlook(pawns[:, 0], parts["dice"]) * parts["phase"][:, 1:2]
        return torch.cat(
            [parts["pawns"] / 2, parts["turn_player"], parts["phase"], parts["dice"], parts["fallen"], owed, steps_left]
            + [outlook],
            dim=1,
        )

    def _outlook(self, pawns: torch.Tensor, dice: torch.Tensor) -> torch.Tensor:
        counts = pawns.cumsum(1)
        places = torch.stack([(counts <= pawn + 0.5).sum(1) for pawn in range(NUM_PAWNS)], dim=1)
        own = self.get_buffer("pawn_index")[(places.clamp(max=NUM_PLACES - 1) * self.get_buffer("powers")).sum(1)]
        faces = dice.unflatten(1, (NUM_DICE, 6)).argmax(2)
        roll = self.get_buffer("roll_index")[faces[:, 0] * 36 + faces[:, 1] * 6 + faces[:, 2]]
        return self.get_buffer("outlook")[own, roll]


def _roll_table() -> Array:
    table = np.zeros(6**NUM_DICE, np.int64)
    for roll, index in _ROLL_INDEX.items():
        table[(roll[0] - 1) * 36 + (roll[1] - 1) * 6 + roll[2] - 1] = index
    return table


@functools.cache
def _outlook_tables() -> tuple[Array, Array]:
    """The number of each pawn multiset by its code (12**4,), and the outlook (1365, 56, 16) float32."""
    multisets = list(combinations_with_replacement(range(NUM_PLACES), NUM_PAWNS))
    pawn_index = np.zeros(NUM_PLACES**NUM_PAWNS, np.int64)
    for index, pawns in enumerate(multisets):
        pawn_index[sum(place * NUM_PLACES**i for i, place in enumerate(pawns))] = index
    least = _least_steps(np.array(multisets))
    storm = (least == 0).astype(np.float64)
    outlook = np.zeros((len(multisets), NUM_ROLLS[NUM_DICE], NUM_REROLLS, 2), np.float32)
    for roll, index in _ROLL_INDEX.items():
        for subset in range(NUM_REROLLS):
            weights = _final_roll_weights(roll, subset)
            outlook[:, index, subset, 0] = storm @ weights
            outlook[:, index, subset, 1] = least @ weights * _LEAST_STEP_SCALE
    return pawn_index, outlook.reshape(len(multisets), NUM_ROLLS[NUM_DICE], 2 * NUM_REROLLS)


def _final_roll_weights(roll: tuple[int, ...], subset: int) -> Array:
    """The probability of each roll (56,) after the dice of `subset` are thrown again."""
    kept = [die for i, die in enumerate(roll) if not subset >> i & 1]
    thrown = NUM_DICE - len(kept)
    weights = np.zeros(NUM_ROLLS[NUM_DICE])
    for outcome, values in enumerate(ROLLS[thrown]):
        weights[_ROLL_INDEX[tuple(sorted([*kept, *values]))]] += OUTCOME_PROBABILITIES[thrown, outcome]
    return weights


def _least_steps(multisets: Array) -> Array:
    """The least step in places (1365, 56) that each roll allows; 0 for a storm."""
    least = np.zeros((len(multisets), NUM_ROLLS[NUM_DICE]))
    for roll, index in _ROLL_INDEX.items():
        sums = {sum(die for i, die in enumerate(roll) if subset >> i & 1) for subset in range(1, NUM_REROLLS)}
        targets = np.array(sorted({int(PLACE_INDEX[min(s, OFF)]) for s in sums if s >= 4} or {0}))
        steps = targets[None, None, :] - multisets[:, :, None]
        steps = np.where(steps > 0, steps, NUM_PLACES).min(axis=(1, 2))
        least[:, index] = np.where(steps == NUM_PLACES, 0, steps)
    return least
