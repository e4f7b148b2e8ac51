"""Write boards as planes of bytes into observations and action masks."""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import inlined_kernel
from edge_envs.core.kernels.bits import write_bits

_1, _FULL = np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)


@inlined_kernel
def write_plane(out, start, board, cells, value):
    """Write `value` for each square of the board, and 0 elsewhere, into `cells` entries from `start` on.

    `out` is a C-contiguous int8 array.
    """
    left = np.int64(cells)
    at = np.int64(start)
    if left < 64:
        word = board[0]
        for _ in range(left):
            out.flat[at] = value if word & _1 else 0
            word >>= _1
            at += 1
        return
    # Whole words; the last one ends with the plane and overlaps the previous one.
    before = board[0]
    write_bits(out, at, before, value)
    for k in range(1, 6):
        left -= 64
        if left >= 64:
            before = board[k]
            write_bits(out, at + 64 * k, before, value)
        elif left > 0:
            rest = np.uint64(64 - left)
            write_bits(out, at + 64 * k + left - 64, board[k] << rest | before >> (np.uint64(64) - rest), value)


@inlined_kernel
def fill_plane(out, start, cells, value):
    """Write `value` into `cells` entries of a C-contiguous int8 array from `start` on."""
    left = np.int64(cells)
    at = np.int64(start)
    if left < 64:
        for k in range(left):
            out.flat[at + k] = value
        return
    while left >= 64:
        write_bits(out, at, _FULL, value)
        at += 64
        left -= 64
    write_bits(out, at + left - 64, _FULL, value)
