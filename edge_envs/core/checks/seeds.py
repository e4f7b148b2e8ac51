"""Check seeds from callers, and draw fresh ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from edge_envs.core.checks.integers import integer_of
from edge_envs.core.errors import in_short

SEEDS = 2**64
"""The number of seeds: they are the integers from 0 to 2**64 - 1."""


def check_seed(seed: Any, or_none: bool = True) -> int:
    """Return a seed as an int.

    Args:
        seed: The seed.
        or_none: Whether the caller also accepts None, for the message.

    Raises:
        ValueError: if it is not an integer from 0 to 2**64 - 1. Booleans and arrays with dimensions are not integers.
    """
    number = integer_of(seed)
    if number is None or not 0 <= number < SEEDS:
        other = ", or None" if or_none else ""
        raise ValueError(f"invalid seed={in_short(seed)}: expected an integer from 0 to 2**64 - 1{other}")
    return number


def check_generator(rng: Any) -> None:
    """Raise TypeError unless `rng` is a NumPy generator."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"invalid rng={in_short(rng)}: expected a numpy.random.Generator, such as default_rng(0)")


def fresh_seed() -> int:
    """Draw a seed from the operating system."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) >> 1
