"""Random numbers that agents are handed: they follow from the seeds, but lead nobody back to them.

SplitMix64's mixing can be undone, and a NumPy generator tells what it was seeded with. An agent that knew the seed of
its game could foresee the dice. So what agents get is seeded with hashes of the seeds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from edge_envs.core.spec import Array


def _hash(purpose: bytes, seeds: Sequence[int], size: int) -> int:
    """A number of `size` bytes from seeds of 64 bits, by BLAKE2b; another one for each purpose."""
    text = b"".join(seed.to_bytes(8, "little") for seed in seeds)
    return int.from_bytes(hashlib.blake2b(text, digest_size=size, person=purpose).digest(), "little")


def agents_generator(seeds: Sequence[int]) -> np.random.Generator:
    """The generator that the agents of an environment draw from; `seeds` are those of its lanes."""
    return np.random.default_rng(_hash(b"agents", seeds, 16))


def wrappers_generator(seed: int) -> np.random.Generator:
    """The generator that an environment has for its wrappers; the game draws nothing from it."""
    return np.random.default_rng(_hash(b"wrappers", [seed], 16))


def shown_words(seeds: Sequence[int]) -> Array:
    """For each seed the word (N,) uint64 from which the words of the states that a lane hands out are drawn."""
    return np.array([_hash(b"shown states", [seed], 8) for seed in seeds], np.uint64)
