"""The text picture of a position of `two_boxes`."""

from __future__ import annotations

from edge_envs.core.spec import Record
from tests.toy.two_boxes.state import NAMES, NUM_LINES


def picture(record: Record) -> str:
    """Draw the lines, the letters of those that are free, and the owners of the boxes."""
    a, b, c, d, e, f, g = (
        ("|" if NAMES[line] in "cde" else "-") if record.drawn[line] else NAMES[line] for line in range(NUM_LINES)
    )
    left, right = (" " if owner < 0 else str(owner) for owner in record.owner)
    return "\n".join([f"+{a}+{b}+", f"{c}{left}{d}{right}{e}", f"+{f}+{g}+", headline(record)])


def headline(record: Record) -> str:
    """Return the player to act and the score, or the final score."""
    first, second = ((record.owner == player).sum() for player in range(2))
    if record.num_drawn == NUM_LINES:
        return f"over: {first} to {second} boxes"
    return f"player {record.turn} draws a line, {first} to {second} boxes"
