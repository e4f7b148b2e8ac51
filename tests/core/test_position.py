"""Checks on positions from JSON: each names the key at fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from edge_envs import InvalidPositionError
from edge_envs.core import position

REFUSED: list[tuple[str, Callable[[], Any]]] = [
    ("b: missing", lambda: position.check_keys({"a": 1}, ("a", "b"))),
    ("c: unknown", lambda: position.check_keys({"a": 1, "c": 2}, ("a",))),
    ("key: why", lambda: position.check(False, "key", "why")),
    ("key: 7", lambda: position.integer(7, "key", 0, 6)),
    ("key: -1", lambda: position.integer(-1, "key", 0, 6)),
    ("key: True", lambda: position.integer(True, "key", 0, 6)),
    ("key: 1.0", lambda: position.integer(1.0, "key", 0, 6)),
    ("key: None", lambda: position.integer(None, "key", 0, 6)),
    ("key: '12'", lambda: position.integers("12", "key", 0, 6)),
    ("key: 7", lambda: position.integers(7, "key", 0, 6)),
    ("key: 9", lambda: position.integers([1, 9], "key", 0, 6)),
    ("key: .* has 1 entries, not 2", lambda: position.integers([1], "key", 0, 6, 2)),
    ("key: 'c'", lambda: position.one_of("c", "key", ("a", "b"))),
    ("key: 0", lambda: position.one_of(0, "key", ("a", "b"))),
]


@pytest.mark.parametrize(("message", "reading"), REFUSED, ids=[message for message, _ in REFUSED])
def test_what_does_not_fit_is_refused_with_its_key(message: str, reading: Callable[[], Any]) -> None:
    with pytest.raises(InvalidPositionError, match=f"^{message}"):
        reading()


def test_what_fits_is_given_back() -> None:
    position.check_keys({"a": 1, "b": 2}, ("b", "a"))
    position.check(True, "key", "why")
    assert position.integer(6, "key", 0, 6) == 6
    assert position.integers([0, 6], "key", 0, 6, 2) == [0, 6]
    assert position.one_of("b", "key", ("a", "b")) == "b"
