"""Games played again from their decisions."""

from __future__ import annotations

from collections.abc import Iterator

from edge_envs import Game, State


def play_again(game: Game, seed: int, actions: Iterator[int]) -> State:
    """A game from its seed and the decisions: at its end, or where they are used up."""
    state = game.new_initial_state(seed)
    while not state.is_terminal():
        action = state.sample_chance() if state.is_chance_node() else next(actions, None)
        if action is None:
            break
        state.apply_action(action)
    return state
