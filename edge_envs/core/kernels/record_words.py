"""State records as 64-bit words, and hashes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.core.kernels.rng import GAMMA

if TYPE_CHECKING:
    from edge_envs.core.game_type import GameType

_HALF = np.uint64(32)


def records_of(game_type: GameType, count: int) -> tuple[Any, Any]:
    """Allocate state records as 64-bit words (count, W), and return the same memory also as records (count,).

    Raises:
        ValueError: if the size of a record is not a multiple of 8 bytes.
    """
    dtype, name = game_type.state_dtype, game_type.name
    if dtype.itemsize % 8:
        raise ValueError(f"invalid state dtype of {name}: expected a multiple of 8 bytes, not {dtype.itemsize}")
    words = np.zeros((count, dtype.itemsize // 8), np.uint64)
    return words, words.reshape(-1).view(dtype)


@kernel
def hash_of(words, i):
    """Return the hash of the record `words[i]`."""
    a, b, c, d, count = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4), words.shape[1]
    for w in range(0, count - 3, 4):  # four chains of operations that do not wait for each other
        a = (a ^ words[i, w]) * GAMMA
        b = (b ^ words[i, w + 1]) * GAMMA
        c = (c ^ words[i, w + 2]) * GAMMA
        d = (d ^ words[i, w + 3]) * GAMMA
        a ^= a >> _HALF
        b ^= b >> _HALF
        c ^= c >> _HALF
        d ^= d >> _HALF
    for w in range(count & ~3, count):
        a = (a ^ words[i, w]) * GAMMA
        a ^= a >> _HALF
    key = (a ^ ((b ^ ((c ^ (d * GAMMA)) * GAMMA)) * GAMMA)) * GAMMA
    return key ^ (key >> _HALF)
