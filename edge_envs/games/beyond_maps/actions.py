"""Ids of actions and chance outcomes of `beyond_maps`, and their strings.

    id                           text
    plane * size**2 + square     planes 0-3: `sea c4 n`, the ship ends on c4, marker to the north (n, e, s, w) of it
                                 plane 4: `sea c4 -`, without a marker; plane 5: `land d5`
    6 * size**2                  `stop`

Chance outcomes are the 21 rolls of two dice, higher first: `roll 1 1`, `roll 2 1`, `roll 2 2`, `roll 3 1`, ...
While islands are placed, they are the squares of the islands of player 0: `island c4`.
"""

from __future__ import annotations

from edge_envs.core.spec import Record
from edge_envs.games.beyond_maps.state import HIGHEST_DIE, LAND, NUM_PLANES, square_name

ROLLS = tuple((high, low) for high in range(1, HIGHEST_DIE + 1) for low in range(1, high + 1))


def num_actions(size: int) -> int:
    """Return the number of action ids for a board of this size."""
    return NUM_PLANES * size * size + 1


def action_to_string(record: Record, action: int) -> str:
    """Return the string of an action, or of an outcome if `record` is at a chance node."""
    if record.islands_left:
        return f"island {square_name(action, int(record.side))}"
    if record.dice and not record.high:
        return "roll {} {}".format(*ROLLS[action])
    size = int(record.side)
    if action == NUM_PLANES * size * size:
        return "stop"
    plane, square = divmod(action, size * size)
    name = square_name(square, size)
    return f"land {name}" if plane == LAND else f"sea {name} {'nesw-'[plane]}"
