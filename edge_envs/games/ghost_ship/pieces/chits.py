"""The parameter `chits`: how many of the round chits have each value."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from edge_envs.core.errors import in_short
from edge_envs.core.spec import Parameter

VALUES = ("1", "2", "3", "4")
"""As JSON has them: keys are texts there."""
IN_ALL = 20

DEFAULT = {"1": 8, "2": 6, "3": 4, "4": 2}


class ChitsParameter(Parameter):
    """A parameter that is a dict of counts by values; values that are left out count 0.

    Values and counts may be integers of any type, values also texts such as `"1"`. What is kept is a new dict of all
    four values as texts, in their order.
    """

    @property
    def possible(self) -> str:
        """What is accepted, in words."""
        return f"a dict of counts by the values {VALUES[0]} to {VALUES[-1]}, {IN_ALL} in all"

    @property
    def annotation(self) -> str:
        """What is accepted, as type checkers read it."""
        return "Mapping[str, int] | Mapping[int, int]"

    def check(self, game: str, value: Any) -> dict[str, int]:
        """The dict that is kept; ValueError if it is not possible."""
        counts = _read(value)
        if counts is None:
            raise ValueError(f"{game}: {self.name}={in_short(value)} is not possible; it must be {self.possible}")
        return counts

    def format_value(self, value: Any) -> str:
        """Possible counts in few characters, as Python reads them: {1:8,2:6,3:4,4:2}."""
        counts = _read(value)
        return in_short(value) if counts is None else f"{{{','.join(f'{key}:{n}' for key, n in counts.items())}}}"

    def same(self, one: Any, other: Any) -> bool:
        """Whether two values give the same counts."""
        return _read(one) == _read(other)


def _read(value: Any) -> dict[str, int] | None:
    """All counts, None if they are not possible."""
    if not isinstance(value, Mapping):
        return None
    pairs = [(_value(key), _count(count)) for key, count in value.items()]
    found = {key: count for key, count in pairs if key is not None and count is not None}
    if len(found) < len(pairs) or sum(found.values()) != IN_ALL:
        return None  # something was no value or no count, or a value came twice
    return {key: found.get(key, 0) for key in VALUES}


def _value(key: Any) -> str | None:
    text = str(key) if isinstance(key, str) else str(_integer(key))
    return text if text in VALUES else None


def _count(count: Any) -> int | None:
    number = _integer(count)
    return number if number is not None and number >= 0 else None


def _integer(value: Any) -> int | None:
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None
