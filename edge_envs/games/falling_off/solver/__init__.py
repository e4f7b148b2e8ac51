"""The exact solution for two players, and what follows from it."""

from __future__ import annotations

from edge_envs.games.falling_off.solver.solution import load_solution, solves

__all__ = ["load_solution", "solves"]
