"""Checks of positions from JSON: errors name the invalid key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import edge_envs
from edge_envs import InvalidPositionError
from edge_envs.core.checks import positions

REFUSED: list[tuple[str, Callable[[], Any]]] = [
    ("b: missing", lambda: positions.check_keys({"a": 1}, ("a", "b"))),
    ("c: unknown", lambda: positions.check_keys({"a": 1, "c": 2}, ("a",))),
    ("key: why", lambda: positions.check(False, "key", "why")),
    ("key: 7", lambda: positions.integer(7, "key", 0, 6)),
    ("key: -1", lambda: positions.integer(-1, "key", 0, 6)),
    ("key: True", lambda: positions.integer(True, "key", 0, 6)),
    ("key: 1.0", lambda: positions.integer(1.0, "key", 0, 6)),
    ("key: None", lambda: positions.integer(None, "key", 0, 6)),
    ("key: '12'", lambda: positions.integers("12", "key", 0, 6)),
    ("key: 7", lambda: positions.integers(7, "key", 0, 6)),
    ("key: 9", lambda: positions.integers([1, 9], "key", 0, 6)),
    ("key: has 1 entries, not 2", lambda: positions.integers([1], "key", 0, 6, 2)),
    ("key: 5 is not a list", lambda: positions.entries(5, "key")),
    ("key: has 1 entries, not 2", lambda: positions.entries(["a"], "key", 2)),
    ("key: 1 is not true or false", lambda: positions.truth(1, "key")),
    ("key: None is not true or false", lambda: positions.truth(None, "key")),
    ("key: has 1 entries, not 2", lambda: positions.rows(["xo"], "key", 2, 2, "xo")),
    ("key: 'x' is not a row of 2", lambda: positions.rows(["xo", "x"], "key", 2, 2, "xo")),
    ("key: 'xi' is not a row .* out of xo", lambda: positions.rows(["xi"], "key", 1, 2, "xo")),
    ("key: 12 is not a row", lambda: positions.rows([12], "key", 1, 2, "12")),
    ("key: .* is not an object", lambda: positions.counts([1], "key", ("a",), 3)),
    ("key: 'b'", lambda: positions.counts({"b": 1}, "key", ("a",), 3)),
    ("key: a: 4", lambda: positions.counts({"a": 4}, "key", ("a",), 3)),
    ("key: 'a' is not an object", lambda: positions.mapping("a", "key")),
    ("key: .* does not have exactly the keys a, b", lambda: positions.mapping({"a": 1}, "key", ("a", "b"))),
    ("key: .* does not have exactly the keys a", lambda: positions.mapping({"a": 1, "b": 2}, "key", ("a",))),
    ("key: 'c'", lambda: positions.one_of("c", "key", ("a", "b"))),
    ("key: 0", lambda: positions.one_of(0, "key", ("a", "b"))),
]


@pytest.mark.parametrize(("message", "reading"), REFUSED, ids=[message for message, _ in REFUSED])
def test_invalid_values_are_rejected_by_key(message: str, reading: Callable[[], Any]) -> None:
    with pytest.raises(InvalidPositionError, match=f"^{message}"):
        reading()


def test_valid_values_are_returned() -> None:
    positions.check_keys({"a": 1, "b": 2}, ("b", "a"))
    positions.check(True, "key", "why")
    assert positions.integer(6, "key", 0, 6) == 6
    assert positions.integers([0, 6], "key", 0, 6, 2) == [0, 6]
    assert positions.entries([None, "a"], "key", 2) == [None, "a"]
    assert positions.truth(False, "key") is False
    assert positions.rows(["xo", "ox"], "key", 2, 2, "xo") == "xoox"
    assert positions.counts({"b": 3}, "key", ("a", "b"), 3) == [0, 3]
    assert positions.mapping({}, "key") == {}
    assert positions.mapping({"b": 1, "a": 2}, "key", ("a", "b")) == {"b": 1, "a": 2}
    assert positions.one_of("b", "key", ("a", "b")) == "b"


@pytest.mark.parametrize("fault", [lambda d: d.update(dice=["x" * 10**6]), lambda d: d.update({"y" * 10**6: 1})])
def test_messages_are_short(fault: Any) -> None:
    game = edge_envs.load_game("falling_off")
    d = game.new_initial_state(seed=1).to_dict()
    fault(d)
    with pytest.raises(InvalidPositionError) as caught:
        game.state_from_dict(d)
    assert len(str(caught.value)) < 1200
