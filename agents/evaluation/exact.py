"""What the exact solution of a game says of its start, and what it took to solve."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from edge_envs import Game
from edge_envs.core.solver import Solution
from edge_envs.players.perfect import solver_of

Progress = Callable[[float], None]
"""Is called with the fraction that is done."""


@dataclass(frozen=True)
class Solved:
    """The solution, and the seconds that solving took, without those of compiling the solver; 0 if it was read."""

    game: Game
    solution: Solution
    seconds: float
    compile_seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
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
    """Solve a game, whatever the cache holds; the solution is in the cache afterwards."""
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
    """The solution from the cache; if it is not there the game is solved now and the solution is kept."""
    fractions: list[float] = []

    def count(fraction: float) -> None:
        fractions.append(fraction)
        progress(fraction)

    started = time.perf_counter()
    solution = solver_of(game).load_solution(count, params=game.params)
    return Solved(game, solution, time.perf_counter() - started if fractions else 0.0)
