"""Action ids of `two_boxes`: the lines a to g."""

from __future__ import annotations

from edge_envs.core.spec import Record
from tests.toy.two_boxes.state import NAMES


def action_to_string(record: Record, action: int) -> str:
    """Return the name of a line."""
    return NAMES[action]
