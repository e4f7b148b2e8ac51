"""Test exact results: the solution computed again and read from the cache."""

from __future__ import annotations

import json

import pytest

from agents.evaluation.exact import read_solution, solve_afresh
from edge_envs import Game
from edge_envs.games.falling_off import solver
from edge_envs.games.falling_off.solver.solution import Solution, solve


def test_the_solution_is_read_from_the_cache(falling_off: Game, solution: Solution) -> None:
    solved = read_solution(falling_off)
    assert solved.solution is solution
    assert (solved.seconds, solved.compile_seconds) == (0.0, 0.0)


def test_solving_again_reports_time_and_progress(
    falling_off: Game, solution: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver, "solve", lambda **options: solve(**{"cut": 1, **options}))
    fractions: list[float] = []
    solved = solve_afresh(falling_off, fractions.append)
    assert solved.solution is not solution
    assert isinstance(solved.solution, Solution)
    assert solved.solution.cut == 1
    assert solved.seconds > 0.0
    assert solved.compile_seconds > 0.0
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0


def test_solution_is_json_serializable(falling_off: Game, solution: Solution) -> None:
    d = json.loads(json.dumps(read_solution(falling_off).to_dict()))
    assert d["first_player_win_probability"] == solution.first_player_win_probability
    assert d["error_bound"] <= 1e-9
    assert d["positions"] > 1_000_000
