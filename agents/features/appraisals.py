"""What a heuristic thinks of each action, asked in batches and remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edge_envs import Game
from edge_envs.core.game import Array

MOST_REMEMBERED = 20_000  # observations, give or take a batch

Appraiser = Callable[[Game, Array, Array], None]


class Appraisals:
    """Asks an appraiser of the game and remembers the answers.

    A learner asks of each position once while it plays and again in every epoch. The appraiser fills rows (B, width)
    float32 from observations (B, *observation_shape): `appraise(game, observations, rows)`. A row begins with the
    promises (A,) of the actions and may depend on its own observation only. The appraiser is a function of a module,
    so that copies and pickles can name it.
    """

    def __init__(self, game: Game, appraise: Appraiser, more: int = 0) -> None:
        self._game = game
        self._appraise = appraise
        self._width = game.num_distinct_actions + more
        self._known: dict[bytes, Array] = {}

    def __call__(self, observations: Array) -> Array:
        """Rows (B, width) float32 from observations (B, *observation_shape)."""
        observations = np.ascontiguousarray(observations, self._game.observation_dtype)
        keys = [observation.tobytes() for observation in observations]
        if len(self._known) > MOST_REMEMBERED:
            self._known.clear()
        new = {key: i for i, key in enumerate(keys) if key not in self._known}
        rows = np.empty((len(new), self._width), np.float32)
        self._appraise(self._game, observations[list(new.values())], rows)
        self._known.update(zip(new, rows, strict=True))
        return np.stack([self._known[key] for key in keys])

    def __getstate__(self) -> dict[str, Any]:
        """A copy remembers nothing."""
        return {**vars(self), "_known": {}}
