"""Ids of `tic_tac_toe`: the squares a1, b1, c1, a2, ... in reading order."""

from __future__ import annotations

from edge_envs.core.spec import Record
from tests.toy.tic_tac_toe.state import SIDE


def action_to_string(record: Record, action: int) -> str:
    """Return the name of a square."""
    return f"{'abc'[action % SIDE]}{action // SIDE + 1}"
