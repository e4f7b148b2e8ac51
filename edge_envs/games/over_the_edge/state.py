"""The state record of `over_the_edge`.

Index legend:

    space        the number of a space in the map file; -1 is none
    space[p]     where ship p is; -1 before its home is picked, and over the edge
    home[p]      the space of its home port; -1 before it is picked
    rounds[p]    how often it has crossed the line where sectors begin to count anew, clockwise less anticlockwise:
                 winding = angle of its space - angle of its home + rounds x sectors
    hands[p]     a heap of cards, as `deck` and `discards` are, see `pieces.cards`
    then         what follows the boarding and the sets: NOTHING, or the phase PLAY, SECOND_STEP, or END_TURN
    decider      who names a set in the phase `sets`
    target, taken, given  what a boarding has named so far; -1 is nothing

The map, for the kernels; `set_params` writes it, and `map` is the digest by which `map_of` finds its names:

    ways[k]      4 x a neighbouring space + 1 + what the step adds to the rounds; those of space s lie from
                 places[s, FIRST_WAY] to places[s + 1, FIRST_WAY], sorted
    places[s, DRIFT]    the same for a drift from space s, or OVER_THE_EDGE, or AGROUND
    places[s, PORT]     the number of the port in space s, -1 if it is no port
    ports[k]     the space of port k
    reach        how many rounds away from its home, either way, a ship may have to go on its way round the world

Source of the rules: David McCord, "Over the Edge!" (New Venture Games, 2012); see the docs page in
`edge_envs.games.over_the_edge`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from edge_envs.core.game import Record
from edge_envs.games.over_the_edge.map.charts import MAX_SPACES, MAX_WAYS, enter_map, map_of

MAX_PLAYERS = 6
HAND = 5
"""The cards that a ship in port ends up with."""
MOST_SKIPPED = 1_000_000
FIRST_WAY, DRIFT, PORT, NUM_COLUMNS = 0, 1, 2, 4
"""The columns of `places`; what the rules ask of a space lies side by side."""
MOST_ROUNDS = 1_000_000

PHASES = (
    "home", "deal", "trim", "refill", "draw", "discard", "depart", "play", "second_step", "sets", "board", "take",
    "give", "answer", "over",
)  # fmt: skip
(
    HOME, DEAL, TRIM, REFILL, DRAW, DISCARD, DEPART, PLAY, SECOND_STEP, SETS, BOARD, TAKE, GIVE, ANSWER, OVER,
) = range(len(PHASES))  # fmt: skip
CHANCE_PHASES = (DEAL, REFILL, DRAW)
IN_PORT = (TRIM, REFILL, DISCARD, DEPART)
BOARDING = (BOARD, TAKE, GIVE, ANSWER)
NOTHING, END_TURN = -1, OVER
THEN = {PLAY: "play", SECOND_STEP: "second_step", END_TURN: "end"}

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rng", np.uint64),
                ("map", np.uint64),
                ("deck", np.uint64),
                ("discards", np.uint64),
                ("hands", np.uint64, (MAX_PLAYERS,)),
                ("turn", np.int32),
                ("max_turns", np.int32),
                ("rounds", np.int32, (MAX_PLAYERS,)),
                ("skip", np.int32, (MAX_PLAYERS,)),
                ("space", np.int16, (MAX_PLAYERS,)),
                ("home", np.int16, (MAX_PLAYERS,)),
                ("num_spaces", np.int16),
                ("num_ports", np.int16),
                ("reach", np.int16),
                ("num_players", np.uint8),
                ("boarding", np.uint8),
                ("check_cards", np.uint8),
                ("phase", np.uint8),
                ("turn_player", np.uint8),
                ("decider", np.uint8),
                ("then", np.int8),
                ("target", np.int8),
                ("taken", np.int8),  # a record has a `take` of its own
                ("given", np.int8),
                ("winner", np.int8),
                ("places", np.int16, (MAX_SPACES + 1, NUM_COLUMNS)),
                ("ways", np.int16, (MAX_WAYS,)),
                ("ports", np.int16, (MAX_SPACES,)),
            ],
            align=True,
        ),
    )
)


def set_params(record: Record, params: Mapping[str, Any]) -> None:
    """Write the parameters and the map into a blank record."""
    record.num_players, record.boarding = params["num_players"], params["boarding"]
    record.max_turns = params["max_turns"]
    chart = enter_map(record, params["map"])
    spaces = len(chart.spaces)
    record.num_spaces, record.num_ports = spaces, len(chart.ports)
    record.reach = chart.reach
    record.places[1 : spaces + 1, FIRST_WAY] = np.cumsum([len(near) for near in chart.neighbours])
    ways = [
        way(target, crossing)
        for near, crossings in zip(chart.neighbours, chart.crossings, strict=True)
        for target, crossing in zip(near, crossings, strict=True)
    ]
    record.ways[: len(ways)] = ways
    record.places[:spaces, DRIFT] = [
        way(target, crossing) if target >= 0 else target
        for target, crossing in zip(chart.edgeward, chart.drift_crossings, strict=True)
    ]
    record.ports[: len(chart.ports)] = chart.ports
    record.places[:spaces, PORT] = -1
    record.places[list(chart.ports), PORT] = range(len(chart.ports))


def way(target: int, crossing: int) -> int:
    """A way to a space, as the record has it."""
    return 4 * target + 1 + crossing


def winding_of(record: Record, player: int) -> Fraction:
    """How far a ship is round the world, in sectors; 0 if it is nowhere."""
    space, home = int(record.space[player]), int(record.home[player])
    return map_of(record).winding(space, home, int(record.rounds[player])) if space >= 0 else Fraction(0)


def has_fallen(record: Record, player: int) -> bool:
    """Whether a ship has gone over the edge."""
    return bool(record.home[player] >= 0 and record.space[player] < 0)


def is_by_limit(record: Record) -> bool:
    """Whether a game that is over has ended by the limit of turns."""
    return bool(record.winner < 0) and not all(has_fallen(record, player) for player in range(record.num_players))


# Reading
