"""Uniform picks among legal actions from Python that cost little beside the games."""

from __future__ import annotations

from random import random

import numpy as np

from edge_envs.core.spec import Array

_SPARE = 1 << 16


def pick(mask: Array) -> int:
    """A uniform legal action of one mask (A,); `numpy.random.Generator.choice` would cost more than a game's step."""
    legal = mask.nonzero()[0]
    return legal[int(random() * len(legal))]


class LanePicker:
    """A uniform legal action for each of N lanes: where noise, drawn once and shifted each time, is greatest."""

    def __init__(self, lanes: int, actions: int) -> None:
        self._size = lanes * actions
        self._noise = np.random.default_rng(0).integers(1, 2**15, self._size + _SPARE, np.int16)
        self._masked = np.empty((lanes, actions), np.int16)

    def __call__(self, masks: Array) -> Array:
        """Actions (N,) for int8 masks (N, A)."""
        start = int(random() * _SPARE)
        noise = self._noise[start : start + self._size].reshape(masks.shape)
        return np.multiply(masks, noise, out=self._masked).argmax(axis=1)
