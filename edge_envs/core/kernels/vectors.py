"""The kernel of features that scale and clip the numbers of an observation."""

from __future__ import annotations

from typing import Any, NamedTuple

from edge_envs.core.compiler.jit import kernel


class ScaledTables(NamedTuple):
    """The factor of each number of the flat observation, float32 (V,), and the greatest absolute value (1,)."""

    scale: Any
    most: Any


@kernel
def fill_scaled(observation, tables, vector):
    """Fill `vector` with scaled numbers; return 0, the only row of actions."""
    numbers, most = observation.reshape(-1), tables.most[0]
    for i in range(vector.shape[0]):
        vector[i] = min(max(numbers[i] * tables.scale[i], -most), most)
    return 0
