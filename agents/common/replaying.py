"""Replay games from their decisions."""

from __future__ import annotations

from collections.abc import Iterator

from edge_envs import Game, State


def play_again(game: Game, seed: int, actions: Iterator[int]) -> State:
    """Replay a game from its seed and its decisions, to its end or until no decisions are left."""
    state = game.new_initial_state(seed)
    while not state.is_terminal():
        action = state.sample_chance() if state.is_chance_node() else next(actions, None)
        if action is None:
            break
        state.apply_action(action)
    return state
