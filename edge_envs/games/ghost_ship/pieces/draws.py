"""Drawing from the heaps of `ghost_ship`: counts by value, symbol, class or kind, each piece being equally likely."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel
from edge_envs.core.kernels.rng import below


@inlined_kernel
def spread(counts, size, out):
    """Fill `out` with probabilities in proportion to counts."""
    total = np.int64(0)
    for k in range(size):
        total += np.int64(counts[k])
    for k in range(size):
        out[k] = np.int64(counts[k]) / total


@inlined_kernel
def pick(counts, size, bits):
    """Return an index, drawn with 64 random bits, with a probability in proportion to its count."""
    total = np.int64(0)
    for k in range(size):
        total += np.int64(counts[k])
    n = below(bits, total)
    for k in range(size):
        count = np.int64(counts[k])
        if n < count:
            return k
        n -= count
    return 0
