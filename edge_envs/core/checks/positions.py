"""Check positions read from JSON. Every check raises InvalidPositionError with the invalid key in front."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from edge_envs.core.errors import InvalidPositionError, in_short

DEEPEST = 12
"""The maximal nesting depth of objects and lists in an entry of a position."""
LONGEST_KEY = 100
"""Characters of an unknown key that a message shows."""
GREATEST = 2**63
"""The largest absolute value of an integer in a position."""


def check_values(d: Mapping[str, Any]) -> None:
    """Check that nesting depths and integers are small enough to be quoted in a message."""
    for key, value in d.items():
        level = [value]
        for _ in range(DEEPEST + 1):
            long = any(isinstance(entry, int) and abs(entry) > GREATEST for entry in level)
            check(not long, str(key), "an integer of more than 64 bits")
            level = [inner for outer in level for inner in _within(outer)]
        check(not level, str(key), f"objects and lists within each other more than {DEEPEST} deep")


def _within(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, (list, tuple)) else []


def check_keys(d: Mapping[str, Any], keys: Iterable[str]) -> None:
    """Check that a position has exactly these keys."""
    expected = list(keys)
    for key in expected:
        if key not in d:
            raise InvalidPositionError(f"{key}: missing; a position has game, params, {', '.join(expected)}")
    for key in d:
        if key not in expected:
            named = str(key)[:LONGEST_KEY]
            raise InvalidPositionError(f"{named}: unknown key; a position has game, params, {', '.join(expected)}")


def check(condition: bool, key: str, message: str) -> None:
    """Raise the message for a key unless the condition holds."""
    if not condition:
        raise InvalidPositionError(f"{key}: {message}")


def integer(value: Any, key: str, low: int, high: int) -> int:
    """Return an integer from `low` to `high`."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidPositionError(f"{key}: {in_short(value)} is not an integer from {low} to {high}")
    return value


def integers(value: Any, key: str, low: int, high: int, length: int | None = None) -> list[int]:
    """Return a list of integers from `low` to `high`, of the given length unless it is None."""
    return [integer(entry, key, low, high) for entry in entries(value, key, length)]


def entries(value: Any, key: str, length: int | None = None) -> list[Any]:
    """Return a list of anything, of the given length unless it is None."""
    if not isinstance(value, list):
        raise InvalidPositionError(f"{key}: {in_short(value)} is not a list")
    if length is not None and len(value) != length:
        raise InvalidPositionError(f"{key}: has {len(value)} entries, not {length}")
    return value


def truth(value: Any, key: str) -> bool:
    """Return a boolean; numbers are rejected."""
    if not isinstance(value, bool):
        raise InvalidPositionError(f"{key}: {in_short(value)} is not true or false")
    return value


def rows(value: Any, key: str, height: int, width: int, characters: str) -> str:
    """Join the rows of a board, `height` strings of `width` characters out of `characters`."""
    for row in entries(value, key, height):
        if not isinstance(row, str) or len(row) != width or not set(row) <= set(characters):
            raise InvalidPositionError(f"{key}: {in_short(row)} is not a row of {width} characters out of {characters}")
    return "".join(value)


def counts(value: Any, key: str, names: Sequence[str], most: int) -> list[int]:
    """Return the count of each name, from 0 to `most`, from an object of counts; a missing name counts 0."""
    found = mapping(value, key)
    for name in found:
        one_of(name, key, names)
    return [integer(found.get(name, 0), f"{key}: {name}", 0, most) for name in names]


def mapping(value: Any, key: str, keys: Sequence[str] | None = None) -> dict[str, Any]:
    """Return an object, with exactly the given keys unless they are None."""
    if not isinstance(value, dict):
        raise InvalidPositionError(f"{key}: {in_short(value)} is not an object")
    if keys is not None and set(value) != set(keys):
        raise InvalidPositionError(f"{key}: {in_short(value)} does not have exactly the keys {', '.join(keys)}")
    return value


def one_of(value: Any, key: str, choices: Sequence[str]) -> str:
    """Return one of some strings."""
    if not isinstance(value, str) or value not in choices:
        raise InvalidPositionError(f"{key}: {in_short(value)} is not one of {', '.join(choices)}")
    return value
