"""Positions of `tic_tac_toe` as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.checks.positions import check, check_keys, rows, truth
from edge_envs.core.spec import Record
from tests.toy.tic_tac_toe import rules
from tests.toy.tic_tac_toe.state import NUM_SQUARES, SIDE, STONES, board_rows


def to_dict(record: Record) -> dict[str, Any]:
    """Return the position without `game` and `params`."""
    return {"board": board_rows(record), "by_limit": _by_limit(record)}


def _by_limit(record: Record) -> bool:
    return bool(record.winner < 0 and record.turns == record.max_turns < NUM_SQUARES)


def from_dict(record: Record, d: Mapping[str, Any]) -> None:
    """Write a position into a record; InvalidPositionError names the invalid key."""
    check_keys(d, ("board", "by_limit"))
    text = rows(d["board"], "board", SIDE, SIDE, STONES)
    crosses, noughts = text.count("x"), text.count("o")
    check(0 <= crosses - noughts <= 1, "board", f"{crosses} crosses and {noughts} noughts")
    check(crosses + noughts <= record.max_turns, "board", "the game ended before that")
    record.board[:] = [STONES.index(stone) for stone in text]
    record.turns = crosses + noughts
    last = (record.turns + 1) % 2
    check(not rules.has_line(record, 1 - last), "board", "the game ended before that")
    record.winner = last if rules.has_line(record, last) else -1
    by_limit = truth(d["by_limit"], "by_limit")
    check(by_limit == _by_limit(record), "by_limit", f"{by_limit} does not fit the board")
