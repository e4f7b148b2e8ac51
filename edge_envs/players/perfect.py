"""The perfect player, for games with an exact solution: those whose folder has a module `solver`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from edge_envs import GAMES, Game
from edge_envs.core.opponent import Generator
from edge_envs.core.solver import Decide, Response, Solution, Solver
from edge_envs.core.spec import Array, Records

if TYPE_CHECKING:
    from edge_envs.core.solving.resumable import ResumableSearch


def is_solved(game: Game) -> bool:
    """Whether there is an exact solution of the game with its parameters."""
    return game.type.solver is not None and game.type.solver.solves(game.params)


def is_instant(game: Game) -> bool:
    """Whether there is an exact solution of the game that values any decision at once."""
    return game.type.solver is not None and game.type.solver.instant(game.params)


def solver_of(game: Game) -> Solver:
    """The solver of a game; ValueError if there is no exact solution of it with its parameters."""
    if game.type.solver is None or not game.type.solver.solves(game.params):
        solved = [f"{name} for {other.solver.SOLVED}" for name, other in GAMES.items() if other.solver is not None]
        raise ValueError(f"there is no perfect player of {game!r}; solved is: {', '.join(solved)}")
    return game.type.solver


def is_pursued(game: Game) -> bool:
    """Whether the game is too large to be solved at once, and the value of its start can be closed in on."""
    pursues = getattr(game.type.solver, "pursues", None)
    return pursues is not None and not is_solved(game) and bool(pursues(game.params))


def pursuit_of(game: Game, slots: int) -> ResumableSearch:
    """What closes in on the value of the start of a game that `is_pursued`, with a table of so many places."""
    solver: Any = game.type.solver
    pursuit: ResumableSearch = solver.pursue(game.params, slots)
    return pursuit


def responds(game: Game) -> bool:
    """Whether the best response to an agent can be computed."""
    return is_solved(game) and hasattr(game.type.solver, "respond")


def respond(game: Game, agent: str | Decide, seconds: float, progress: Callable[[int], None]) -> Response:
    """A response to an agent of a game that `responds`; see `Solver`."""
    solver: Any = game.type.solver
    response: Response = solver.respond(agent, seconds, progress)
    return response


def load_solution(game: Game) -> Solution:
    """The exact solution of a game, solved once and kept in the user's cache; ValueError if there is no solution."""
    return solver_of(game).load_solution(params=game.params)


class PerfectAgent:
    """Plays an action of the greatest winning probability, of several that of the lowest id; a draw counts half."""

    name = "perfect"
    needs_states = True

    def __init__(self, game: Game) -> None:
        self.game, self.solution = game, load_solution(game)

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Legal actions (k,) of the players to act."""
        values = np.empty(action_masks.shape)
        self.solution.decision_values(states, values)
        return np.nanargmax(values, axis=1)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game,)
