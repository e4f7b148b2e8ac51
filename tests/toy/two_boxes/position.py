"""Positions of `two_boxes` as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.checks.positions import check, check_keys, entries, one_of
from edge_envs.core.spec import Record
from tests.toy.two_boxes import rules
from tests.toy.two_boxes.state import NAMES, lines


def to_dict(record: Record) -> dict[str, Any]:
    """Return the position, without `game` and `params`: the lines in the order in which they were drawn."""
    return {"lines": list(lines(record))}


def from_dict(record: Record, d: Mapping[str, Any]) -> None:
    """Draw the lines in a record of a new game; InvalidPositionError names the invalid key."""
    check_keys(d, ("lines",))
    for name in entries(d["lines"], "lines"):
        line = NAMES.index(one_of(name, "lines", tuple(NAMES)))
        check(not record.drawn[line], "lines", f"{name!r} is drawn twice")
        rules.apply(record, line)
