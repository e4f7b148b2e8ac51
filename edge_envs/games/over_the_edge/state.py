"""The state record of `over_the_edge`.

Legend:

    space        the number of a space in the map file; -1 means none
    space[p]     the space of ship p; -1 before its home is chosen, and over the edge
    home[p]      the space of its home port; -1 before it is chosen
    rounds[p]    how often it has crossed from the last sector to sector 0, minus the crossings in the other direction:
                 winding = angle of its space - angle of its home + rounds x sectors
    hands[p]     a heap of cards, like `deck` and `discards`, see `pieces.cards`
    then         what follows the boarding and the sets: NOTHING, the phase PLAY or SECOND_STEP, or END_TURN
    decider      the player who chooses a set in the phase `sets`
    target, taken, given  what a boarding has named so far; -1 means nothing
    map          the digest by which `map.atlas` finds the map
    map_set      the digest of the set of maps of which every game draws one; 0 if the map is fixed
    cards        all cards of the game, a heap

Source of the rules: David McCord, "Over the Edge!" (New Venture Games, 2012); see the page of the game in
`edge_envs.games.over_the_edge`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from edge_envs.core.spec import Record, Records
from edge_envs.games.over_the_edge.map.atlas import enter_map, map_of
from edge_envs.games.over_the_edge.map.charts import Map
from edge_envs.games.over_the_edge.map.sets import MapSet, layout_map
from edge_envs.games.over_the_edge.pieces.cards import packed
from edge_envs.games.over_the_edge.pieces.deck import KINDS

MAX_PLAYERS = 6
HAND = 5
"""The number of cards to which a player in port discards or draws, unless the parameter `hand_size` changes it."""
MOST_SKIPPED = 1_000_000
MOST_ROUNDS = 1_000_000

PHASES = (
    "home", "deal", "trim", "refill", "draw", "discard", "depart", "play", "second_step", "sets", "board", "take",
    "give", "answer", "over",
)  # fmt: skip
(
    HOME, DEAL, TRIM, REFILL, DRAW, DISCARD, DEPART, PLAY, SECOND_STEP, SETS, BOARD, TAKE, GIVE, ANSWER, OVER,
) = range(len(PHASES))  # fmt: skip
MAP = len(PHASES)
"""The phase before `home` in a game on a set of maps: the map is drawn."""
PHASE_NAMES = (*PHASES, "map")
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
                ("map_set", np.uint64),
                ("cards", np.uint64),
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
                ("calm_saves", np.uint8),
                ("hand_size", np.uint8),
                ("check_cards", np.uint8),
                ("phase", np.uint8),
                ("turn_player", np.uint8),
                ("decider", np.uint8),
                ("then", np.int8),
                ("target", np.int8),
                ("taken", np.int8),  # NumPy records have a method `take`
                ("given", np.int8),
                ("winner", np.int8),
            ],
            align=True,
        ),
    )
)


def layout_of(records: Records) -> dict[str, Any]:
    """Return the parameters of records on which the sizes of arrays depend."""
    sizes = {name: records[name] for name in ("num_players", "num_spaces", "num_ports")}
    return sizes | {"set of maps": records["map_set"] != 0}


def set_params(record: Record, params: Mapping[str, Any]) -> Map | MapSet:
    """Write the parameters into a blank record.

    Returns:
        The map or the set of maps. The game must hold it as long as it is in use.
    """
    record.num_players, record.boarding = params["num_players"], params["boarding"]
    record.max_turns = params["max_turns"]
    record.calm_saves, record.hand_size = params["calm_saves"], params["hand_size"]
    record.cards = packed(dict(enumerate(counts_in(params))))
    chart = layout_map(params["map"])
    record.num_spaces, record.num_ports = len(chart.spaces), len(chart.ports)
    return enter_map(record, params["map"])


def counts_in(params: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the number of cards of each kind in a game with these parameters."""
    return tuple(params["cards"][kind] for kind in KINDS)


def winding_of(record: Record, player: int) -> Fraction:
    """Return how far a ship has sailed round the world from its home, in sectors; 0 if it is in no space."""
    space, home = int(record.space[player]), int(record.home[player])
    return map_of(record).winding(space, home, int(record.rounds[player])) if space >= 0 else Fraction(0)


def has_fallen(record: Record, player: int) -> bool:
    """Return whether a ship has gone over the edge."""
    return bool(record.home[player] >= 0 and record.space[player] < 0)


def is_by_limit(record: Record) -> bool:
    """Return whether a game that is over was ended by the limit on turns."""
    return bool(record.winner < 0) and not all(has_fallen(record, player) for player in range(record.num_players))
