"""A heuristic player for `over_the_edge`: it plans its route home, keeps cards for it, and boards to gain or to harm.

It searches all sequences of its decisions in the current turn, including boardings and second steps, and chooses the
one with the best position relative to the other ships. The value of a ship is measured in turns: the cheapest route
home round the world, which avoids the rim and visits ports; the cards for the route to the next port; the threat of its
bad cards in its space; and the exposure to boardings.

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
    """Fill `values` (A,) with the value of each action for the player to act, in turns; -inf for illegal actions."""
    find_values(state, weights, values)


@kernel
def heuristic(state):
    """Return the action with the highest value, or the lowest id among equals."""
    values = np.empty(first_other(state) + NUM_OTHERS)
    find_values(state, WEIGHTS[0], values)
    return np.argmax(values)


@kernel
def position_features(state, player, viewer, weights, out):
    """Fill `out` (8,) with the features of a player's position, which `VALUES` names. The value is in turns."""
    fill_features(state, player, weights, out)
