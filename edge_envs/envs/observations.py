"""Form of the observations that environments return: their dtype, and whether they contain the action mask."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from edge_envs.core.game import Game
from edge_envs.core.spec import Array
from edge_envs.envs.options import check_choice, check_flag

OBSERVATION_DTYPES = ("float32",)
"""Values of `observation_dtype` besides None, which keeps the dtype of the game."""

Observation = Any
"""An array, or a dictionary of arrays if the environment has `mask_in_observation=True`."""


def check_observation_dtype(game: Game, name: str | None) -> np.dtype[Any]:
    """Return the dtype of observations. Raises ParameterError unless `name` is None or "float32"."""
    if name is None:
        return np.dtype(game.observation_dtype)
    return np.dtype(check_choice("observation_dtype", name, OBSERVATION_DTYPES))


def observation_box(game: Game, dtype: np.dtype[Any], copies: int = 1) -> spaces.Box:
    """Return the space of one seat's observation, or of several, concatenated along the first axis."""
    low, high = (np.concatenate([bound] * copies).astype(dtype) for bound in game.observation_bounds)
    return spaces.Box(low, high, dtype=dtype.type)


class ObservationForm:
    """Convert the observations and masks of a game to the form in which an environment returns them.

    Args:
        game: The game.
        observation_dtype: "float32", or None for the dtype of the game.
        mask_in_observation: Whether observations are dictionaries with `observation` and `action_mask`.
        num_actions: Number of actions, if it differs from the game's.

    Raises:
        ParameterError: if `observation_dtype` or `mask_in_observation` is invalid.
    """

    def __init__(
        self, game: Game, observation_dtype: str | None, mask_in_observation: bool, num_actions: int | None = None
    ) -> None:
        self.dtype = check_observation_dtype(game, observation_dtype)
        self.has_mask = check_flag("mask_in_observation", mask_in_observation)
        self._converts = self.dtype != game.observation_dtype
        box = observation_box(game, self.dtype)
        mask = spaces.Box(0, 1, (num_actions or game.num_distinct_actions,), np.int8)
        self.space: spaces.Space[Any] = spaces.Dict({"observation": box, "action_mask": mask}) if self.has_mask else box

    def of(self, observation: Array, mask: Array, copy: bool = True) -> Observation:
        """Return the observation (…, *observation_shape) in this form, with its mask (…, A) if it belongs there.

        Arrays are new; with `copy=False` they may be the given ones.
        """
        array = observation.astype(self.dtype, copy=copy) if copy or self._converts else observation
        if not self.has_mask:
            return array
        return {"observation": array, "action_mask": mask.copy() if copy else mask}
