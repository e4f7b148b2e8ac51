"""A sensible pilot for `over_the_edge`: it plans its way home, keeps a hand for it, and boards to gain and to hurt.

It looks at every way to go through with its turn, boardings and second steps included, and takes the one after which
its ship is best placed against the others. The value of a ship is counted in turns: the cheapest way home round the
world, which keeps clear of the rim and calls at ports; the cards for the way to the next port; what its bad cards
threaten where it lies; and whether others may come and board it.

The weights were tuned by self-play.
"""

from __future__ import annotations

import numpy as np

from edge_envs.core.compiler.jit import kernel
from edge_envs.games.over_the_edge.actions import NUM_OTHERS
from edge_envs.games.over_the_edge.player.ships import fill_features
from edge_envs.games.over_the_edge.player.turns import find_values
from edge_envs.games.over_the_edge.player.weights import values_with
from edge_envs.games.over_the_edge.rules import first_other

VALUES = values_with(
    step=2.5,
    step_1=4.0,
    step_2=4.2,
    step_3=3.7,
    port_step=1.3,
    loss=2.0,
    loss_1=40.0,
    loss_2=8.0,
    loss_3=4.0,
    mutiny_loss=3.0,
    threat_1=0.05,
    threat_2=0.25,
    crew=1.3,
    more_crew=0.06,
    winds=0.5,
    winning=2.0,
    bad_card_in_port=-0.02,
    dead_calm_in_port=-0.15,
    skipped=-1.0,
    exposed=-6.0,
    drawing=1.0,
    detour=1.4,
    refusal=1.0,
    ready=-4.0,
    patience=100.0,
    fallen=-60.0,
    rivals=0.5,
)
WEIGHTS = VALUES.weights_with()


@kernel
def action_values(state, weights, values):
    """Fill values (A,) with what each action is worth to the player to act, in turns; -inf for illegal ones."""
    find_values(state, weights, values)


@kernel
def heuristic(state):
    """The action of the greatest value; of several the one with the lowest id."""
    values = np.empty(first_other(state) + NUM_OTHERS)
    find_values(state, WEIGHTS[0], values)
    return np.argmax(values)


@kernel
def position_features(state, player, viewer, weights, out):
    """Fill `out` (8,) with numbers about the position of a player, named in `VALUES`; the value is in turns."""
    fill_features(state, player, weights, out)
