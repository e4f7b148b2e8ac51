"""Play single games."""

from __future__ import annotations

from collections.abc import Mapping

from agents.evaluation.openings import random_opening
from edge_envs import Game, State
from edge_envs.envs.entropy import agents_generator
from edge_envs.players import Agent, decide


def play_game(game: Game, agents: Mapping[int, Agent], seed: int) -> State:
    """Play a game between the agents of all seats, with a random opening in games without chance.

    Raises:
        IllegalActionError: if an agent chooses an illegal action.
    """
    state = game.new_initial_state(seed)
    rng = agents_generator([seed, game.num_players])
    drawn = random_opening(game)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance())
        elif drawn:
            drawn -= 1
            state.apply_action(int(rng.choice(state.legal_actions())))
        else:
            state.apply_action(decide(agents[state.current_player()], state, rng))
    return state
