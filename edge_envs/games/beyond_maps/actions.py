"""Ids of actions and chance outcomes of `beyond_maps`, and their strings.

    id                           text
    plane * area + square        planes 0-3: `sea c4 n`, the ship ends on c4, marker to the north (n, e, s, w) of it
                                 plane 4: `sea c4 -`, without a marker; plane 5: `land d5`
    6 * area                     `stop`

`area` is the number of squares.

Chance outcomes are the 21 rolls of two dice, higher first: `roll 1 1`, `roll 2 1`, `roll 2 2`, `roll 3 1`, ...
While islands are placed, they are the squares of the islands of player 0: `island c4`.
"""

from __future__ import annotations

from edge_envs.core.spec import Record
from edge_envs.games.beyond_maps.state import HIGHEST_DIE, LAND, NUM_PLANES, size_of, square_name

ROLLS = tuple((high, low) for high in range(1, HIGHEST_DIE + 1) for low in range(1, high + 1))


def num_actions(area: int) -> int:
    """Return the number of action ids for a board with this many squares."""
    return NUM_PLANES * area + 1


def action_to_string(record: Record, action: int) -> str:
    """Return the string of an action, or of an outcome if `record` is at a chance node."""
    if record.islands_left:
        return f"island {square_name(action, int(record.width))}"
    if record.dice and not record.high:
        return "roll {} {}".format(*ROLLS[action])
    width, height = size_of(record)
    area = width * height
    if action == NUM_PLANES * area:
        return "stop"
    plane, square = divmod(action, area)
    name = square_name(square, width)
    return f"land {name}" if plane == LAND else f"sea {name} {'nesw-'[plane]}"
