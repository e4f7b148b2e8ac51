"""Action and outcome ids of `over_the_edge` and their texts.

They count through, with P ports and S spaces in the order of the map file and kinds of cards in the order of `KINDS`:

    text              how many
    `home PORT`       P
    `discard KIND`    8
    `fair SPACE`      S
    `winds SPACE`     S
    `sail SPACE`      S
    `calm`, `wait`    2
    `set KIND`        8
    `board PLAYER`    6, however many play
    `no boarding`     1
    `take KIND`       8
    `give KIND`       8
    `accept`, `refuse`    2

Chance outcomes are the kinds of cards: `draw KIND`.
"""

from __future__ import annotations

from typing import Final

from edge_envs.core.spec import Record
from edge_envs.games.over_the_edge.map.atlas import map_of
from edge_envs.games.over_the_edge.pieces.cards import KINDS, NUM_KINDS
from edge_envs.games.over_the_edge.state import CHANCE_PHASES, MAX_PLAYERS

# What follows the homes and the discards, and what follows the spaces, from there on.
CALM: Final = 0
WAIT: Final = CALM + 1
FIRST_SET: Final = WAIT + 1
FIRST_BOARD: Final = FIRST_SET + NUM_KINDS
NO_BOARDING: Final = FIRST_BOARD + MAX_PLAYERS
FIRST_TAKE: Final = NO_BOARDING + 1
FIRST_GIVE: Final = FIRST_TAKE + NUM_KINDS
ACCEPT: Final = FIRST_GIVE + NUM_KINDS
REFUSE: Final = ACCEPT + 1
NUM_OTHERS: Final = REFUSE + 1


def num_actions(ports: int, spaces: int) -> int:
    """How many ids there are on a map."""
    return ports + NUM_KINDS + 3 * spaces + NUM_OTHERS


def action_to_string(record: Record, action: int) -> str:
    """The text of a decision, or of a chance outcome at a chance node, in the position of `record`."""
    if record.phase in CHANCE_PHASES:
        return f"draw {KINDS[action]}"
    chart = map_of(record)
    ports, spaces = len(chart.ports), len(chart.spaces)
    if action < ports:
        return f"home {chart.port_names[action]}"
    action -= ports
    if action < NUM_KINDS:
        return f"discard {KINDS[action]}"
    action -= NUM_KINDS
    if action < 3 * spaces:
        return f"{('fair', 'winds', 'sail')[action // spaces]} {chart.spaces[action % spaces].id}"
    return _OTHERS[action - 3 * spaces]


_OTHERS = (
    "calm",
    "wait",
    *(f"set {kind}" for kind in KINDS),
    *(f"board {player}" for player in range(MAX_PLAYERS)),
    "no boarding",
    *(f"take {kind}" for kind in KINDS),
    *(f"give {kind}" for kind in KINDS),
    "accept",
    "refuse",
)
