"""Uniform random choice of legal actions from Python, fast compared with the games."""

from __future__ import annotations

from random import random

import numpy as np

from edge_envs.core.spec import Array

_SPARE = 1 << 16


def choose(mask: Array) -> int:
    """Return a uniformly random legal action of a mask (A,). NumPy's `Generator.choice` is slower than a game step."""
    legal = mask.nonzero()[0]
    return legal[int(random() * len(legal))]


class LaneChooser:
    """Choose a uniformly random legal action in each of N lanes, as the argmax of precomputed, shifted noise."""

    def __init__(self, lanes: int, actions: int) -> None:
        self._size = lanes * actions
        self._noise = np.random.default_rng(0).integers(1, 2**15, self._size + _SPARE, np.int16)
        self._masked = np.empty((lanes, actions), np.int16)

    def __call__(self, masks: Array) -> Array:
        """Return actions (N,) for int8 masks (N, A)."""
        start = int(random() * _SPARE)
        noise = self._noise[start : start + self._size].reshape(masks.shape)
        return np.multiply(masks, noise, out=self._masked).argmax(axis=1)
