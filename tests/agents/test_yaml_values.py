"""Test YAML from users: its values, and that malicious documents are rejected quickly."""

from __future__ import annotations

import time
from typing import Any

import pytest

from agents.common.yaml_values import MOST_CHARACTERS, parse_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("true", True),
        ("12", 12),
        ("1e-3", 0.001),
        ("-2E+3", -2000.0),
        ("1.5", 1.5),
        ("1.5e3", 1500.0),
        ("-1.0e30", -1e30),
        (".5", 0.5),
        ("+.5E-1", 0.05),
        ("3.", 3.0),
        ("-.inf", float("-inf")),
        ("1_000", 1000),
        ("-24_000_000", -24_000_000),
        ("017", 17),
        ("0o17", 15),
        ("0x1F", 31),
        ("False", False),
        ("~", None),
        ("0b11", "0b11"),
        ("1_", "1_"),
        ("1_000.5", "1_000.5"),
        ("1:30", "1:30"),
        ("1:30.5", "1:30.5"),
        ("yes", "yes"),
        ("Off", "Off"),
        ("1e", "1e"),
        (".", "."),
        ("!!float 3", 3.0),
        ("!!int 0o17", 15),
        ("2024-13-45", "2024-13-45"),
        ("2024-01-01", "2024-01-01"),
        ("=", "="),
        ("'3'", "3"),
        ("!!str 3", "3"),
        ("{a: [1, {b: null}]}", {"a": [1, {"b": None}]}),
        ("{a: &x {b: 1}, c: *x, d: {<<: *x, e: 2}}", {"a": {"b": 1}, "c": {"b": 1}, "d": {"b": 1, "e": 2}}),
    ],
)
def test_yaml_values_match_json(text: str, value: Any) -> None:
    parsed = parse_yaml(text, "here")
    assert (parsed, type(parsed)) == (value, type(value))


def bomb(member: str, many: str) -> str:
    """Return ten levels of ten aliases each: 10**10 values when expanded."""
    lines = [f"a0: &a0 {member}"]
    return "\n".join([*lines, *(f"a{k + 1}: &a{k + 1} " + many % ", ".join([f"*a{k}"] * 10) for k in range(10))])


WRONG = {
    "[" * 1000: "nested too deeply",
    "[" * 1000 + "]" * 1000: "nested too deeply",
    "[" * 100_000: "nested too deeply",
    "{a: " * 1000: "nested too deeply",
    "!!bool x": "does not fit its tag",
    "!!bool yes": "does not fit its tag",
    "!!int ''": "invalid literal",
    "!!int 1:30": "invalid literal",
    "!!float 1:30": "could not convert",
    "!!int x": "invalid literal",
    "!!bool [1]": "expected a scalar",
    "!!timestamp x": "the type !!timestamp is not supported, in line 1",
    "a: 1\nb: !!python/object/apply:os.getcwd []": "object/apply:os.getcwd is not supported, in line 2",
    "!own x": "the type !own is not supported",
    "9" * 5000: "limit",
    "[": "flow node",
    "*x": "undefined alias 'x'",
    "&a [*a]": "a value contains itself, in line 1",
    "{[1]: 2}": "unhashable key",
    "1\n---\n2": "single document",
    "\x00": "unacceptable character",
    bomb("[x]", "[%s]"): "a value is too large",
    bomb("{k: v}", "{<<: [%s]}"): "a value is too large",
    "a: &a " + "x" * (MOST_CHARACTERS // 2) + "\nb: [*a, *a]": "a value is too large",
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[:20])
def test_invalid_yaml_is_rejected_quickly_in_one_line(text: str) -> None:
    started = time.process_time()
    with pytest.raises(ValueError, match=r"^here: not YAML") as refused:
        parse_yaml(text, "here")
    assert WRONG[text] in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1
    assert "unicode string" not in str(refused.value)
    assert time.process_time() - started < 5.0


@pytest.mark.parametrize("text", ["{a: 1, b: 2, a: 3}", "[{b: {c: 1, 'c': 2}}]", "seed: 1\ngame: x\nseed: 2"])
def test_a_key_that_occurs_twice_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"^here: not YAML: the key [acs]\w* occurs twice, in line \d$"):
        parse_yaml(text, "here")
