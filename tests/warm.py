"""Compile the games, or the toy games, before tests run side by side: `python -m tests.warm games` (or `toys`).

Compiling a game in one process takes less time than in several, because functions that many kernels call are not
cached.
"""

from __future__ import annotations

import argparse
import sys

import edge_envs
from edge_envs import State
from edge_envs.__main__ import main
from edge_envs.core.compiler.messages import compilations_shown_by, nothing
from edge_envs.core.features import ObservedValues
from edge_envs.search.agent import SearchAgent
from edge_envs.search.budgets import Budget
from tests.toy import TOYS, enrol


def first_decision(name: str) -> State:
    """Return the first decision of a game."""
    state = edge_envs.load_game(name).new_initial_state(seed=0)
    while state.is_chance_node():
        state.apply_action(state.sample_chance())
    return state


def values(name: str) -> None:
    """Compute the heuristic's values, from a position and from an observation."""
    state = first_decision(name)
    player = state.current_player()
    state.action_values()
    state.position_features(player)
    ObservedValues(state.game)(state.observation_tensor(player)[None])


def search(name: str) -> None:
    """Search the first decision of a game."""
    state = first_decision(name)
    SearchAgent(state.game, Budget(iterations=2)).root(state)


def warm_games() -> int:
    """Compile the games, with the heuristics' values, and return the exit code."""
    names = list(edge_envs.GAMES)
    code = main(["warm", *names])
    with compilations_shown_by(nothing):
        for name in names:
            values(name)
    return code


def warm_toys() -> int:
    """Compile the toy games, with a search of each, and return the exit code."""
    enrol()
    code = main(["warm", *TOYS])
    with compilations_shown_by(nothing):
        for name in TOYS:
            search(name)
    return code


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compile the games, or the toy games.")
    parser.add_argument("what", choices=("games", "toys"))
    sys.exit({"games": warm_games, "toys": warm_toys}[parser.parse_args().what]())
