"""Which games of `beyond_maps` are solved, and their exact solutions: small boards and few turns, by search.

What the search is told of the game lies in `keys` and `bounds`; the search itself knows no game, see
`edge_envs.core.proofs`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, Final

from edge_envs.core.game import Game
from edge_envs.core.proofs import Hints
from edge_envs.core.prover import ProvenSolution
from edge_envs.core.pursuit import Pursuit
from edge_envs.games.beyond_maps import GAME
from edge_envs.games.beyond_maps.solver.bounds import best_end, goes_on, turns_left
from edge_envs.games.beyond_maps.solver.keys import LARGEST, position_key

SOLVED_TURNS: Final = {5: 5, 6: 4}
"""By size, the most turns of a game that is solved from any position within seconds."""
SOLVED_MARKERS: Final = 3

SOLVED: Final = "max_turns up to " + " and ".join(f"{turns} with size={size}" for size, turns in SOLVED_TURNS.items())

HINTS: Final = Hints(position_key, turns_left, goes_on, best_end, lambda params: 1 + params["land_markers"])

Progress = Callable[[float], None]


def solves(params: Mapping[str, Any]) -> bool:
    """Whether there is an exact solution of the game with these parameters."""
    few = params["max_turns"] <= SOLVED_TURNS.get(params["size"], 0) and params["land_markers"] <= SOLVED_MARKERS
    return few and not params["dice"]


def pursues(params: Mapping[str, Any]) -> bool:
    """Whether the value of the start can be closed in on."""
    return params["size"] <= LARGEST and not params["dice"]


def solve(*, params: Mapping[str, Any], progress: Progress | None = None) -> ProvenSolution:
    """Solve the start, within seconds."""
    return ProvenSolution(Game(GAME, params), HINTS, progress)


_solutions: dict[Game, ProvenSolution] = {}


def load_solution(progress: Progress | None = None, *, params: Mapping[str, Any]) -> ProvenSolution:
    """The solution of this process; the start is solved when it is first asked for."""
    game = Game(GAME, params)
    if game not in _solutions:
        _solutions[game] = solve(params=params, progress=progress)
    return _solutions[game]


def pursue(params: Mapping[str, Any]) -> Pursuit:
    """What is known of the value of the start, to go on from."""
    return Pursuit(Game(GAME, params), HINTS)


@functools.cache
def warm_up() -> None:
    """Compile the solver."""
    solve(params={"size": 5, "max_turns": 2})
