"""The perfect player, for games with an exact solution: those whose folder has a module `solver`."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np

from edge_envs import GAMES, Game
from edge_envs.core.game import Array, Records
from edge_envs.envs.opponents import Generator


def is_solved(game: Game) -> bool:
    """Whether there is an exact solution of the game with its parameters."""
    return game.name in _solved() and bool(game.type.module("solver").solves(game.params))


def load_solution(game: Game) -> Any:
    """The exact solution of a game, solved once and kept in the user's cache; ValueError if there is no solution."""
    check_solved(game)
    return game.type.module("solver").load_solution()


def check_solved(game: Game) -> None:
    """ValueError if there is no exact solution of the game with its parameters."""
    if not is_solved(game):
        raise ValueError(f"there is no perfect player of {game!r}; solved is: {', '.join(_solved())} for two players")


def _solved() -> list[str]:
    return [name for name, game_type in GAMES.items() if importlib.util.find_spec(f"{game_type.package}.solver")]


class PerfectAgent:
    """Plays an action of the greatest winning probability; of several the one with the lowest id."""

    name = "perfect"
    needs_states = True

    def __init__(self, game: Game) -> None:
        self.solution = load_solution(game)

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Legal actions (k,) of the players to act."""
        values = np.empty(action_masks.shape)
        self.solution.decision_values(states, values)
        return np.nanargmax(values, axis=1)
