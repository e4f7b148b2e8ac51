"""The exact solution of small games, and what follows from it: what `edge_envs.core.solver.Solver` asks for."""

from __future__ import annotations

from edge_envs.core.solver import Contest
from edge_envs.games.beyond_maps.solver.solution import (
    SOLVED,
    instant,
    load_solution,
    pursue,
    pursues,
    solve,
    solves,
    warm_up,
)

__all__ = [
    "CONTESTS",
    "SOLVED",
    "instant",
    "load_solution",
    "pursue",
    "pursues",
    "solve",
    "solves",
    "value_contests",
    "warm_up",
]

CONTESTS: tuple[tuple[str, str], ...] = ()


def value_contests(progress: object) -> list[Contest]:
    """No policies are valued."""
    return []
