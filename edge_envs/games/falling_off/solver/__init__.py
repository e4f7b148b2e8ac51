"""Exact solver of the two-player game; implements `edge_envs.core.solver.Solver`."""

from __future__ import annotations

from edge_envs.games.falling_off.solver.contests import CONTESTS, value_contests
from edge_envs.games.falling_off.solver.response import respond
from edge_envs.games.falling_off.solver.solution import SOLVED, instant, load_solution, responds, solve, solves, warm_up

__all__ = [
    "CONTESTS",
    "SOLVED",
    "instant",
    "load_solution",
    "respond",
    "responds",
    "solve",
    "solves",
    "value_contests",
    "warm_up",
]
