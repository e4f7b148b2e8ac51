"""Read integers from callers: every API accepts the same types for seeds, actions, players and lanes."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

_INTEGER, _DURATION = np.integer, np.timedelta64
MOST_IDS = 2**31
"""Ids of actions and outcomes are below this number in every game."""


def integer_of(value: Any) -> int | None:
    """Return a value as an int, or None for anything but one integer.

    Python's and NumPy's integers, arrays and tensors without dimensions and objects with `__index__` are integers.
    Booleans, floats and arrays of one element are not.
    """
    if type(value) is int:
        return value
    if isinstance(value, _INTEGER) and not isinstance(value, _DURATION):  # NumPy calls durations integers
        return int(value)
    try:
        if isinstance(value, bool | np.bool_) or getattr(value, "ndim", False):
            return None
        if str(getattr(value, "dtype", "")).endswith("bool"):
            return None
        return operator.index(value)
    except Exception:  # not an integer, or a faulty class
        return None


def action_of(value: Any) -> int:
    """Return an action or outcome as an int from 0 to 2**31 - 1, or -1, which is never legal, for anything else."""
    number = value if type(value) is int else integer_of(value)
    return number if number is not None and 0 <= number < MOST_IDS else -1
