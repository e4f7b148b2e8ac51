"""A sensible player of `falling_off`."""

from __future__ import annotations

import numpy as np

from edge_envs.core.jit import kernel
from edge_envs.games.falling_off.rules import random_action


@kernel
def heuristic(state):
    """The action."""
    return random_action(state, np.uint64(0))
