"""Ids of actions and chance outcomes of `over_the_edge`, and their strings.

Ids are numbered in this order, with P ports and S spaces in the order of the map file and kinds of cards in the order
of `KINDS`:

    string            number of ids
    `home PORT`       P
    `discard KIND`    8
    `fair SPACE`      S
    `winds SPACE`     S
    `sail SPACE`      S
    `calm`, `wait`    2
    `set KIND`        8
    `board PLAYER`    6, for any number of players
    `no boarding`     1
    `take KIND`       8
    `give KIND`       8
    `accept`, `refuse`    2

The chance outcomes are the kinds of cards: `draw KIND`. In a game on a set of maps, those of the first node are the
maps: `map SEED`. Its maps do not use all numbers of spaces; `#NUMBER` stands for the others, for which no action is
legal.
"""

from __future__ import annotations

from typing import Final

from edge_envs.core.spec import Record
from edge_envs.games.over_the_edge.map.atlas import map_of, maps_of
from edge_envs.games.over_the_edge.pieces.deck import KINDS, NUM_KINDS
from edge_envs.games.over_the_edge.state import CHANCE_PHASES, MAP, MAX_PLAYERS

# Ids after those of the homes, the discards and the steps, as offsets.
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
    """Return the number of action ids on a map."""
    return ports + NUM_KINDS + 3 * spaces + NUM_OTHERS


def action_to_string(record: Record, action: int) -> str:
    """Return the string of an action, or of an outcome if `record` is a chance node."""
    if record.phase in CHANCE_PHASES:
        return f"draw {KINDS[action]}"
    if record.phase == MAP:
        found = maps_of(record)
        assert found is not None
        return f"map {found.recipe.seeds[action]}"
    chart = map_of(record)
    ports, spaces = len(chart.ports), len(chart.spaces)
    if action < ports:
        return f"home {chart.port_names[action]}"
    action -= ports
    if action < NUM_KINDS:
        return f"discard {KINDS[action]}"
    action -= NUM_KINDS
    number = action % spaces
    if action < 3 * spaces:
        return f"{('fair', 'winds', 'sail')[action // spaces]} {chart.spaces[number].id or f'#{number}'}"
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
