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
    map          the digest by which `map.atlas` finds the map

Source of the rules: David McCord, "Over the Edge!" (New Venture Games, 2012); see the docs page in
`edge_envs.games.over_the_edge`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from edge_envs.core.spec import Record
from edge_envs.games.over_the_edge.map.atlas import enter_map, map_of
from edge_envs.games.over_the_edge.map.charts import Map

MAX_PLAYERS = 6
HAND = 5
"""The cards that a ship in port ends up with."""
MOST_SKIPPED = 1_000_000
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
            ],
            align=True,
        ),
    )
)


def set_params(record: Record, params: Mapping[str, Any]) -> Map:
    """Write the parameters into a blank record; the map, which the game must hold as long as it is in use."""
    record.num_players, record.boarding = params["num_players"], params["boarding"]
    record.max_turns = params["max_turns"]
    chart = enter_map(record, params["map"])
    record.num_spaces, record.num_ports = len(chart.spaces), len(chart.ports)
    return chart


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
