"""Network features of `over_the_edge`: the observation, and with hints the heuristic's values of ships and actions.

Where to sail, which cards to keep and whom to board depends on distances on the map. Hints give these to a network,
which learns when to trust them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from edge_envs.core.features import Array, CompiledVectors, VectorFeatures, VectorView
from edge_envs.games.over_the_edge.actions import (
    ACCEPT,
    CALM,
    FIRST_BOARD,
    FIRST_GIVE,
    FIRST_SET,
    FIRST_TAKE,
    NUM_OTHERS,
)
from edge_envs.games.over_the_edge.heuristic import VALUES
from edge_envs.games.over_the_edge.pieces.deck import NUM_KINDS

if TYPE_CHECKING:
    from edge_envs.core.game import Game

FAR = np.float32(40.0)  # turns; the scale of ship values
CARDS = 8.0  # the scale of card counts
SKIPS = 3.0
MOST = np.float32(3.0)  # the limit of scaled numbers

# First ids of the groups of actions that share a weight of their hints, counted from `first_other`.
_OTHER_GROUPS = (CALM, FIRST_SET, FIRST_BOARD, FIRST_TAKE, FIRST_GIVE, ACCEPT, NUM_OTHERS)


class OverTheEdgeFeatures(VectorFeatures):
    """The scaled observation; with hints also the value of each ship and of the best action."""

    def __init__(self, game: Game, hints: bool = False, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(game, hints, weights)
        layout = game.observation_slices()
        self._scale = np.ones(game.observation_shape, np.float32)
        for name in ("hands", "deck", "discards"):
            self._scale[layout[name]] = 1.0 / CARDS
        self._scale[layout["skip"]] = 1.0 / SKIPS
        if "port" in layout:
            self._scale[layout["port"]] = 1.0 / game.observation_bounds[1][layout["port"]].max()
            self._scale[layout["drifts"]] = 1.0 / game.observation_bounds[1][layout["drifts"]].max()
        for name in ("turns_used", "turns_left"):
            self._scale[layout[name]] = 1.0 / 127.0
        self.size = self._scale.size + hints * (game.num_players + 1)
        self.action_groups = action_groups(game)

    def __call__(self, observations: Array) -> VectorView:
        """Scale observations (B, C) of any dtype, and add the heuristic's values if there are hints."""
        vectors = (observations.astype(np.float32) * self._scale).clip(-MOST, MOST)
        if self.observed is None:
            return VectorView(vectors)
        seen = self.observed(observations)
        values = np.concatenate([seen.features[:, :, VALUES.feature("value")], seen.best], axis=1)
        return VectorView(np.concatenate([vectors, values.clip(-2 * FAR, 2 * FAR) / FAR], axis=1), seen.hints)

    def compiled(self) -> CompiledVectors:
        """Return the same features as a kernel; ValueError with hints."""
        return self._scaled(self._scale, float(MOST))


VECTORS = OverTheEdgeFeatures


def action_groups(game: Game) -> Array:
    """Return the group (A,) of each action: homes, discards, each kind of step, and each other verb."""
    others = game.num_distinct_actions - NUM_OTHERS
    spaces = game.observation_slices()["space"]
    count = (spaces.stop - spaces.start) // game.num_players
    homes = others - NUM_KINDS - 3 * count
    starts = [0, homes, *(homes + NUM_KINDS + k * count for k in range(3)), *(others + k for k in _OTHER_GROUPS)]
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))
