"""Checks on positions read from JSON: each raises InvalidPositionError with the key at fault in front."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from edge_envs.core.errors import InvalidPositionError


def check_keys(d: Mapping[str, Any], keys: Iterable[str]) -> None:
    """Exactly these keys."""
    expected = list(keys)
    for key in expected:
        if key not in d:
            raise InvalidPositionError(f"{key}: missing; a position has game, params, {', '.join(expected)}")
    for key in d:
        if key not in expected:
            raise InvalidPositionError(f"{key}: unknown key; a position has game, params, {', '.join(expected)}")


def check(condition: bool, key: str, message: str) -> None:
    """The condition holds, or the message is raised."""
    if not condition:
        raise InvalidPositionError(f"{key}: {message}")


def integer(value: Any, key: str, low: int, high: int) -> int:
    """An integer within low..high."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidPositionError(f"{key}: {value!r} is not an integer from {low} to {high}")
    return value


def integers(value: Any, key: str, low: int, high: int, length: int | None = None) -> list[int]:
    """A list of integers within low..high, of the given length if there is one."""
    if not isinstance(value, list):
        raise InvalidPositionError(f"{key}: {value!r} is not a list")
    if length is not None and len(value) != length:
        raise InvalidPositionError(f"{key}: {value!r} has {len(value)} entries, not {length}")
    return [integer(entry, key, low, high) for entry in value]


def one_of(value: Any, key: str, choices: Sequence[str]) -> str:
    """One of some strings."""
    if not isinstance(value, str) or value not in choices:
        raise InvalidPositionError(f"{key}: {value!r} is not one of {', '.join(choices)}")
    return value
