"""Reading one-hot slices of observations back."""

from __future__ import annotations

from typing import Any

from edge_envs.core.compiler.jit import inlined_kernel


@inlined_kernel
def hot_index(observation: Any, at: Any, count: Any) -> Any:
    """The index, from 0, of the first entry that is set among `count` entries from `at` on; -1 if none is."""
    for k in range(count):
        if observation[at + k] != 0:
            return k
    return -1
