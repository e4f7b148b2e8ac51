"""Derive random generators for agents from the seeds of an environment, without revealing those seeds.

SplitMix64 (Steele, Lea & Flood 2014) is invertible, and a NumPy generator exposes its seed. An agent that learned the
seed of its game could predict the dice. Agents therefore get generators seeded with hashes of the seeds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from edge_envs.core.spec import Array


def _hash(purpose: bytes, seeds: Sequence[int], size: int) -> int:
    """Hash 64-bit seeds with BLAKE2b into an integer of `size` bytes; each purpose gives a different integer."""
    text = b"".join(seed.to_bytes(8, "little") for seed in seeds)
    return int.from_bytes(hashlib.blake2b(text, digest_size=size, person=purpose).digest(), "little")


def agents_generator(seeds: Sequence[int]) -> np.random.Generator:
    """Return the generator for the agents of an environment whose lanes have these seeds."""
    return np.random.default_rng(_hash(b"agents", seeds, 16))


def wrappers_generator(seed: int) -> np.random.Generator:
    """Return the generator for the wrappers of an environment; the game does not draw from it."""
    return np.random.default_rng(_hash(b"wrappers", [seed], 16))


def shown_words(seeds: Sequence[int]) -> Array:
    """Return one generator word per seed, uint64 (N,), for the states that lanes show to agents.

    Each state shown to an agent gets a fresh word and resampled hidden parts drawn from its lane's word.
    """
    return np.array([_hash(b"shown states", [seed], 8) for seed in seeds], np.uint64)
