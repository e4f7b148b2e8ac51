"""The perfect player, for games with an exact solution: games whose folder has a module `solver`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from edge_envs import GAMES, Game
from edge_envs.core.opponent import Generator, check_shown
from edge_envs.core.solver import Decide, Response, Solution, Solver
from edge_envs.core.spec import Array, Records

if TYPE_CHECKING:
    from edge_envs.core.solving.resumable import ResumableSearch


def is_solved(game: Game) -> bool:
    """Return whether the game with its parameters has an exact solution."""
    return game.type.solver is not None and game.type.solver.solves(game.params)


def is_instant(game: Game) -> bool:
    """Return whether the exact solution of the game evaluates any decision without a delay."""
    return game.type.solver is not None and game.type.solver.instant(game.params)


def solver_of(game: Game) -> Solver:
    """Return the solver of a game.

    Raises:
        ValueError: if the game with its parameters does not have an exact solution.
    """
    if game.type.solver is None or not game.type.solver.solves(game.params):
        solved = [f"{name} for {other.solver.SOLVED}" for name, other in GAMES.items() if other.solver is not None]
        raise ValueError(f"no perfect player of {game!r}: it is not solved (solved: {', '.join(solved)})")
    return game.type.solver


def has_resumable_search(game: Game) -> bool:
    """Return whether a game too large to solve at once has a resumable search for the value of its start."""
    supports = getattr(game.type.solver, "supports_resumable_search", None)
    return supports is not None and not is_solved(game) and bool(supports(game.params))


def resumable_search_of(game: Game, slots: int) -> ResumableSearch:
    """Return the resumable search of a game, see `has_resumable_search`, with a table of `slots` entries."""
    solver: Any = game.type.solver
    search: ResumableSearch = solver.resumable_search(game.params, slots)
    return search


def responds(game: Game) -> bool:
    """Return whether the best response to an agent can be computed."""
    if not is_solved(game) or not hasattr(game.type.solver, "respond"):
        return False
    some = getattr(game.type.solver, "responds", None)
    return some is None or bool(some(game.params))


def respond(game: Game, agent: str | Decide, seconds: float, progress: Callable[[int], None]) -> Response:
    """Compute a response to an agent of a game that `responds`; see `Solver`."""
    solver: Any = game.type.solver
    response: Response = solver.respond(agent, seconds, progress)
    return response


def load_solution(game: Game) -> Solution:
    """Return the exact solution of a game, which is computed once and kept in the user's cache.

    Raises:
        ValueError: if the game does not have an exact solution.
    """
    return solver_of(game).load_solution(params=game.params)


class PerfectAgent:
    """Play the action with the highest winning probability; a draw counts half, and ties go to the lowest id."""

    name = "perfect"
    needs_states = True

    def __init__(self, game: Game) -> None:
        self.game, self.solution = game, load_solution(game)

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Return legal actions (k,) of the players to act."""
        states = check_shown(self.game, action_masks, states)
        values = np.empty(action_masks.shape)
        self.solution.decision_values(states, values)
        return np.nanargmax(values, axis=1)

    def check_plays(self, game: Game) -> None:
        """Check that the solution is that of a game.

        Raises:
            ValueError: if the game has other parameters.
        """
        solver_of(game)
        if difference := game.params_difference(self.game.params):
            raise ValueError(f"{self.name} has the solution of {self.game!r}, not of {game!r}: {difference}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game,)
