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
    ("key: 5 is not a list", lambda: position.entries(5, "key")),
    ("key: .* has 1 entries, not 2", lambda: position.entries(["a"], "key", 2)),
    ("key: 1 is not true or false", lambda: position.truth(1, "key")),
    ("key: None is not true or false", lambda: position.truth(None, "key")),
    ("key: .* has 1 entries, not 2", lambda: position.rows(["xo"], "key", 2, 2, "xo")),
    ("key: 'x' is not a row of 2", lambda: position.rows(["xo", "x"], "key", 2, 2, "xo")),
    ("key: 'xi' is not a row .* out of xo", lambda: position.rows(["xi"], "key", 1, 2, "xo")),
    ("key: 12 is not a row", lambda: position.rows([12], "key", 1, 2, "12")),
    ("key: .* is not an object", lambda: position.counts([1], "key", ("a",), 3)),
    ("key: 'b'", lambda: position.counts({"b": 1}, "key", ("a",), 3)),
    ("key: a: 4", lambda: position.counts({"a": 4}, "key", ("a",), 3)),
    ("key: 'a' is not an object", lambda: position.mapping("a", "key")),
    ("key: .* has not the keys a, b alone", lambda: position.mapping({"a": 1}, "key", ("a", "b"))),
    ("key: .* has not the keys a alone", lambda: position.mapping({"a": 1, "b": 2}, "key", ("a",))),
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
    assert position.entries([None, "a"], "key", 2) == [None, "a"]
    assert position.truth(False, "key") is False
    assert position.rows(["xo", "ox"], "key", 2, 2, "xo") == "xoox"
    assert position.counts({"b": 3}, "key", ("a", "b"), 3) == [0, 3]
    assert position.mapping({}, "key") == {}
    assert position.mapping({"b": 1, "a": 2}, "key", ("a", "b")) == {"b": 1, "a": 2}
    assert position.one_of("b", "key", ("a", "b")) == "b"
