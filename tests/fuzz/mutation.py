"""Random mutations of JSON values, strings and files."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

DEEP = 1000  # deeper than Python's recursion limit

ODD_NUMBERS: tuple[Any, ...] = (
    -1, 0, 1, 2, 3, 127, 128, 255, 256, -128, -129, 2**15, 2**16, 2**31 - 1, 2**31, -(2**31), 2**32, 2**53 + 1,
    2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64 - 1, 2**64, 10**400, 10**5000, 0.0, -0.0, 0.5, 1.0, 1e-320, 1e308,
    math.nan, math.inf, -math.inf,
)  # fmt: skip
ODD_LITERALS = tuple(str(number) for number in ODD_NUMBERS if number != 10**5000)
ODD_TEXTS = (
    "", " ", "a", "A", "1", "-1", "None", "null", "true", "\0", "a\0b", "\n", "\r\n", "\x1b[2J", "é", "e\u0301", "٣",
    "\u202e", "\ufeff", "𝔘", "\ud800", "x" * 5000, "../..", "%s%n", "{0}", "[bold]", "__class__", "nan", "1e999",
)  # fmt: skip
ODD_OTHERS: tuple[Any, ...] = (None, True, False, [], {}, [[]], [{}], {"": 0}, {"a": None}, [None, None], [0, 0, 0])


def odd_value(rng: Random) -> Any:
    """Return a JSON value that is rarely valid."""
    kind = rng.randrange(10)
    if kind < 4:
        return rng.choice(ODD_NUMBERS)
    if kind < 6:
        return rng.choice(ODD_TEXTS)
    if kind < 9:
        return copy.deepcopy(rng.choice(ODD_OTHERS))
    return nested(rng.choice((5, 20, DEEP)), rng.choice((0, "a")))


def nested(depth: int, value: Any) -> Any:
    """Nest a value in lists and objects of the given depth."""
    for level in range(depth):
        value = [value] if level % 3 else {"a": value}
    return value


def copied(value: Any) -> Any:
    """Return a deep copy, or the value itself if it is nested too deeply."""
    try:
        return copy.deepcopy(value)
    except RecursionError:
        return value


def mutated(rng: Random, value: Any, other: Any = None) -> Any:
    """Return a copy of a JSON value with one to four changes, some with parts of `other`, a value of the same kind."""
    root = [copied(value)]
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        holder, key = _place(rng, root)
        rng.choice(_CHANGES)(rng, holder, key, [other] if other is not None else root)
    return root[0] if root else None


def _place(rng: Random, root: list[Any]) -> tuple[Any, Any]:
    """Choose an entry at any depth: return its list or object, and its index or key."""
    holder: Any = root
    key: Any = rng.randrange(len(root)) if root else None
    while key is not None and _keys(holder[key]) and rng.random() < 0.85:
        holder = holder[key]
        key = rng.choice(_keys(holder))
    return holder, key


def _keys(value: Any) -> Sequence[Any]:
    if isinstance(value, dict):
        return list(value)
    return range(len(value)) if isinstance(value, list) else ()


def _replace(rng: Random, holder: Any, key: Any, source: list[Any]) -> None:
    if key is not None:
        holder[key] = odd_value(rng)


def _nudge(rng: Random, holder: Any, key: Any, source: list[Any]) -> None:
    """Change a value to another of its type."""
    value = None if key is None else holder[key]
    if isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, int | float):
        holder[key] = value + rng.choice((-2, -1, 1, 2, 10))
    elif isinstance(value, str) and value:
        holder[key] = damaged_text(rng, value)
    elif isinstance(value, list):
        rng.shuffle(value)


def _take(rng: Random, holder: Any, key: Any, source: list[Any]) -> None:
    """Replace an entry by a part of another value, if possible from the same key."""
    found, there = _place(rng, source)
    for _ in range(20):
        if key is None or there is None or (there == key and type(found) is type(holder)):
            break
        found, there = _place(rng, source)
    if key is not None and there is not None:
        holder[key] = copied(found[there])


def _swap(rng: Random, holder: Any, key: Any, source: list[Any]) -> None:
    """Swap two entries of a list or object."""
    if key is not None:
        other = rng.choice(_keys(holder))
        holder[key], holder[other] = holder[other], holder[key]


def _drop(rng: Random, holder: Any, key: Any, source: list[Any]) -> None:
    if key is not None:
        del holder[key]


def _double(rng: Random, holder: Any, key: Any, source: list[Any]) -> None:
    """Duplicate an entry, in an object under another key."""
    if isinstance(holder, list) and key is not None:
        holder.insert(rng.randrange(len(holder) + 1), copied(holder[key]))
    elif isinstance(holder, dict) and key is not None:
        holder[rng.choice((*ODD_TEXTS, str(key) + "s"))] = copied(holder[key])


def _wrap(rng: Random, holder: Any, key: Any, source: list[Any]) -> None:
    """Wrap a value in a list, or unwrap the first value of a list."""
    if key is not None:
        value = holder[key]
        holder[key] = value[0] if isinstance(value, list) and value and rng.random() < 0.5 else [value]


_Change = Callable[[Random, Any, Any, list[Any]], None]
_CHANGES: tuple[_Change, ...] = (_replace, _nudge, _nudge, _nudge, _take, _take, _swap, _drop, _double, _wrap)


def damaged_text(rng: Random, text: str) -> str:
    """Return a string with one small change."""
    at, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    kind = rng.randrange(5)
    if kind == 0:
        return text[:at] + rng.choice(ODD_TEXTS) + text[at:]
    if kind == 1:
        return text[:at] + text[at + 1 :]
    if kind == 2:
        return text[:at] + text[at:end] * 2 + text[end:]
    if kind == 3:
        return text[:at] + text[end:]
    return text[:at] + chr(rng.randrange(32, 127)) + text[at + 1 :]


def damaged_bytes(rng: Random, data: bytes) -> bytes:
    """Return contents of a file with one to four changes: bits, bytes, ranges, lines, or truncation."""
    for _ in range(rng.choice((1, 1, 2, 3, 4))):
        at = rng.randrange(len(data) + 1)
        end = min(at + rng.choice((1, 1, 2, 8, 100)), len(data))
        kind = rng.randrange(8)
        if kind == 0 and at < len(data):
            data = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + rng.randbytes(rng.choice((1, 2, 8, 64))) + data[end:]
        elif kind == 2:
            data = data[:at] + data[end:]
        elif kind == 3:
            data = data[:at] + data[at:end] + data[at:]
        elif kind == 4:
            data = data[:at]
        elif kind == 5:
            lines = data.splitlines(keepends=True)
            rng.shuffle(lines)
            data = b"".join(lines)
        elif kind == 6:
            data = data[:at] + rng.choice(ODD_TEXTS).encode("utf-8", "surrogatepass") + data[end:]
        else:
            data = data[:at] + rng.choice(ODD_LITERALS).encode() + data[end:]
    return data
