"""Games of `ghost_ship` between the heuristic and the same with other weights, for those who look for better ones."""

from __future__ import annotations

import numpy as np

from edge_envs.core.jit import kernel
from edge_envs.core.nodes import CHANCE, TERMINAL
from edge_envs.games.ghost_ship.heuristic import heuristic, heuristic_with
from edge_envs.games.ghost_ship.phases.scoring import rewards
from edge_envs.games.ghost_ship.rules import apply, current_player, sample_chance


@kernel
def play_duels(states, seats, weights, returns):
    """Play games to their ends: in game i the player of seat seats[i] weighs by weights[i], the others as ever.

    Into returns (N,) what that player gets.
    """
    for i in range(states.shape[0]):
        state = states[i]
        player = current_player(state)
        while player != TERMINAL:
            if player == CHANCE:
                action = sample_chance(state)
            elif player == seats[i]:
                action = heuristic_with(state, weights[i])
            else:
                action = heuristic(state)
            apply(state, action)
            player = current_player(state)
        of_all = np.empty(np.int64(state.num_players))
        rewards(state, of_all)
        returns[i] = of_all[seats[i]]
