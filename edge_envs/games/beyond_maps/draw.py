"""Text picture of a position of `beyond_maps`."""

from __future__ import annotations

from edge_envs.core.spec import Record
from edge_envs.games.beyond_maps.narration import result, with_handicap
from edge_envs.games.beyond_maps.state import board_rows, square_name, squares_of

LEGEND = (
    "A  ship of player 0   0  land of player 0",
    "B  ship of player 1   1  land of player 1",
    ".  sea                columns have letters, rows have numbers",
)


def picture(record: Record) -> str:
    """Draw the board as text: columns a, b, ...; rows 1, 2, ...; ships A (player 0) and B; land 0 and 1."""
    width = int(record.width)
    rows = [list(line) for line in board_rows(record)]
    for ship, letter in zip(record.ships.tolist(), "AB", strict=True):
        if ship >= 0:
            rows[ship // width][ship % width] = letter
    lines = ["   " + " ".join(chr(ord("a") + column) for column in range(width))]
    lines += [f"{number:>2} {' '.join(line)}" for number, line in enumerate(rows, start=1)]
    return "\n".join([*lines, headline(record)])


def headline(record: Record) -> str:
    """Return one line with the turn, the remaining actions and the score, or with the result."""
    if record.over:
        return f"over: {result(record)}"
    scores = [len(squares_of(land)) for land in record.land]
    score = f"land {scores[0]} : {scores[1]}{with_handicap(record)}"
    if record.islands_left:
        left = int(record.islands_left)
        return f"before the first turn, {left} pair{'s' * (left > 1)} of islands to place; {score}"
    if record.dice and not record.high:
        to_do = "rolls the dice"
    elif record.markers_placed:
        width, last = int(record.width), int(record.last_marker)
        limit = int(record.low if record.dice else record.land_markers)
        to_do = f"has placed {record.markers_placed} of {limit} markers, the last on {square_name(last, width)}"
        to_do += "" if record.sea_done else "; sea is still to do"
    else:
        names = [name for name, done in (("sea", record.sea_done), ("land", record.land_done)) if not done]
        to_do = f"has {' and '.join(names)} to do"
    if record.high:
        to_do += f" (rolled {record.high} {record.low})"
    return f"turn {record.turn + 1} of {record.max_turns}, player {record.turn_player} {to_do}; {score}"
