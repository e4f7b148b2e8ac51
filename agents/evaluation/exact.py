"""The value of a game's start by its exact solution, and the time to solve it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from edge_envs import Game
from edge_envs.core.solver import Solution
from edge_envs.players.perfect import solver_of

Progress = Callable[[float], None]
"""A function that is called with the finished fraction."""


@dataclass(frozen=True)
class Solved:
    """The solution and the seconds to solve the game, without compilation; 0 if it was read from the cache."""

    game: Game
    solution: Solution
    seconds: float
    compile_seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON object."""
        return {
            "game": self.game.name,
            "params": self.game.params_dict(),
            "first_player_win_probability": self.solution.first_player_win_probability,
            "error_bound": self.solution.error_bound,
            "positions": self.solution.positions,
            "seconds": self.seconds,
            "compile_seconds": self.compile_seconds,
        }


def solve_afresh(game: Game, progress: Progress = lambda fraction: None) -> Solved:
    """Solve a game, even if the solution is cached, and cache the solution."""
    solver = solver_of(game)
    started = time.perf_counter()
    solver.warm_up()
    compiled = time.perf_counter()
    solved = read_solution(game, progress)
    if solved.seconds == 0.0:  # it was there already
        began = time.perf_counter()
        solution = solver.solve(params=game.params, progress=progress)
        solved = Solved(game, solution, time.perf_counter() - began)
    return replace(solved, compile_seconds=compiled - started)


def read_solution(game: Game, progress: Progress = lambda fraction: None) -> Solved:
    """Read the solution from the cache, or solve the game and cache the solution."""
    fractions: list[float] = []

    def count(fraction: float) -> None:
        fractions.append(fraction)
        progress(fraction)

    started = time.perf_counter()
    solution = solver_of(game).load_solution(count, params=game.params)
    return Solved(game, solution, time.perf_counter() - started if fractions else 0.0)
