"""Action masks in compiled code, int8 (A,): random choice among the legal actions, and checks."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel, kernel
from edge_envs.core.kernels.bits import bits_at, count_bits, select_bit
from edge_envs.core.kernels.rng import below


@inlined_kernel
def _block(mask, start):
    """Return up to 64 entries of an int8 mask (A,) from `start` on, as bits."""
    size = mask.shape[0]
    if start + 64 <= size:
        return bits_at(mask, start)
    if size >= 64:
        return bits_at(mask, size - 64) >> np.uint64(start + 64 - size)
    bits = np.uint64(0)
    for a in range(size):
        bits |= np.uint64(mask[a] != 0) << np.uint64(a)
    return bits


@inlined_kernel
def random_choice(mask, bits):
    """Return the index of a uniformly random set entry of an int8 mask (A,), from 64 random bits; 0 if none is set."""
    size = mask.shape[0]
    total = 0
    for start in range(0, size, 64):
        total += count_bits(_block(mask, start))
    n = below(bits, total)
    for start in range(0, size, 64):
        block = _block(mask, start)
        count = count_bits(block)
        if n < count:
            return start + select_bit(block, n)
        n -= count
    return 0


@kernel
def first_illegal(masks, actions):
    """Return the first lane whose action is out of range or not set in its mask (N, A), or -1."""
    for i in range(actions.shape[0]):
        action = actions[i]
        if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
            return i
    return -1
