"""What the exact solution of two-player `falling_off` says: of the game, and of policies that it can value exactly."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from edge_envs import load_game
from edge_envs.games.falling_off.pieces.sets import DICE_SET_NUMBER, NUM_DICE, PAWN_SET_NUMBER, PLACES, ROLLS
from edge_envs.games.falling_off.solver.policies import Policy, TablePolicy, policy_value, tables_of, uniform_tables
from edge_envs.games.falling_off.solver.solution import Solution, load_solution, solve
from edge_envs.games.falling_off.state import MOVE, REROLL

GAME = "falling_off"

Progress = Callable[[float], None]
"""Is told the fraction that is done."""


@dataclass(frozen=True)
class Solved:
    """The solution, and the seconds that solving took, without those of compiling the solver; 0 if it was read."""

    solution: Solution
    seconds: float
    compile_seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "game": GAME,
            "params": load_game(GAME).params_dict(),
            "first_player_win_probability": self.solution.first_player_win_probability,
            "error_bound": self.solution.error_bound,
            "positions": self.solution.positions,
            "seconds": self.seconds,
            "compile_seconds": self.compile_seconds,
        }


def solve_afresh(progress: Progress = lambda fraction: None) -> Solved:
    """Solve the game, whatever the cache holds; the solution is in the cache afterwards."""
    started = time.perf_counter()
    solve(pawns=1)
    compiled = time.perf_counter()
    solved = read_solution(progress)
    if solved.seconds == 0.0:  # it was there already
        began = time.perf_counter()
        solution = solve(progress=progress)
        solved = Solved(solution, time.perf_counter() - began)
    return replace(solved, compile_seconds=compiled - started)


def read_solution(progress: Progress = lambda fraction: None) -> Solved:
    """The solution from the cache; if it is not there it is solved now and kept."""
    fractions: list[float] = []

    def tell(fraction: float) -> None:
        fractions.append(fraction)
        progress(fraction)

    started = time.perf_counter()
    solution = load_solution(tell)
    return Solved(solution, time.perf_counter() - started if fractions else 0.0)


@dataclass(frozen=True)
class Contest:
    """The exact probability that a policy wins against another, moving first and moving second."""

    policy: str
    opponent: str
    first: float
    second: float

    @property
    def mean(self) -> float:
        """The mean of both seats."""
        return (self.first + self.second) / 2

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "policy": self.policy,
            "opponent": self.opponent,
            "moving_first": self.first,
            "moving_second": self.second,
            "mean": self.mean,
        }


CONTESTS = (
    ("random", "random"),
    ("heuristic", "heuristic"),
    ("heuristic", "random"),
    ("random", "perfect"),
    ("heuristic", "perfect"),
    ("best_response", "random"),
    ("best_response", "heuristic"),
)


def value_contests(progress: Callable[[str, str], None] = lambda policy, opponent: None) -> list[Contest]:
    """The exact results of all `CONTESTS`, within a minute or two; `progress` is told of each before it begins."""
    policies: dict[str, Policy] = {
        "random": uniform_tables(),
        "heuristic": heuristic_tables(),
        "perfect": "perfect",
        "best_response": "best_response",
    }
    results = []
    for policy, opponent in CONTESTS:
        progress(policy, opponent)
        results.append(Contest(policy, opponent, *policy_value(policies[policy], policies[opponent])))
    return results


def heuristic_tables() -> TablePolicy:
    """What the game's heuristic does with each pawn set and roll; it looks at nothing else."""
    game = load_game(GAME)
    decisions = [
        (pawns, dice, phase) for pawns in PAWN_SET_NUMBER for dice in ROLLS[NUM_DICE] for phase in (REROLL, MOVE)
    ]
    records = game.new_records(len(decisions))
    game.type.loops.new_games(records)
    for record, (pawns, dice, phase) in zip(records, decisions, strict=True):
        record.pawns[0], record.dice, record.phase = PAWN_SET_NUMBER[pawns], DICE_SET_NUMBER[dice], phase
    actions = np.empty(len(decisions), np.int64)
    game.type.loops.heuristic_actions(records, actions)
    by_decision = dict(zip(decisions, actions.tolist(), strict=True))

    def act(pawns: tuple[int, ...], dice: tuple[int, ...], phase: int) -> int:
        return by_decision[tuple(PLACES.index(place) for place in pawns), dice, phase]

    return tables_of(act)
