"""Read one-hot slices of observations."""

from __future__ import annotations

from typing import Any

from edge_envs.core.compiler.jit import inlined_kernel


@inlined_kernel
def hot_index(observation: Any, at: Any, count: Any) -> Any:
    """Return the index, from 0, of the first set entry among `count` entries from `at` on; -1 if none is set."""
    for k in range(count):
        if observation[at + k] != 0:
            return k
    return -1
