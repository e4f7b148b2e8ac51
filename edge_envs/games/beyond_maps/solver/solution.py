"""Exact solutions of small games of `beyond_maps` by proof-number search.

The search is generic (`edge_envs.core.solving.df_pn`); `keys` contains its game-specific parts.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

from edge_envs.core.game import Game
from edge_envs.core.solving.df_pn import ProofKernels
from edge_envs.core.solving.prover import ProvenSolution
from edge_envs.core.solving.resumable import ResumableSearch
from edge_envs.games.beyond_maps import GAME
from edge_envs.games.beyond_maps.solver.keys import LARGEST, position_key, turns_left
from edge_envs.games.beyond_maps.state import dimensions

SOLVED_TURNS: Final = {(5, 5): 5, (5, 6): 4, (6, 5): 4, (5, 7): 4, (7, 5): 4, (6, 6): 4}
"""By width and height, the largest `max_turns` at which every position is solved in seconds, with up to `MARKERS`."""
INSTANT_TURNS: Final = {(5, 5): 3, (5, 6): 2, (6, 5): 2, (5, 7): 2, (7, 5): 2, (6, 6): 2}
"""By width and height, the largest `max_turns` at which decisions are evaluated within half a second."""
MARKERS: Final = 3
WHOLE_SIZE, WHOLE_RANGE = (5, 5), 2
"""The board on which games with `MARKERS` markers are solved for any `max_turns`, and the smallest sea range there."""

SOLVED: Final = (
    f"size={WHOLE_SIZE[0]} with land_markers={MARKERS} and sea_range from {WHOLE_RANGE}; less, and max_turns up to "
    + ", ".join(f"{turns} on {width}x{height}" for (width, height), turns in SOLVED_TURNS.items())
)

_SMALL, _LARGE = 1 << 22, 1 << 24  # table entries for few turns and for the whole game: 128 and 512 MB

PROOF_KERNELS: Final = ProofKernels(position_key, turns_left, lambda params: 1 + params["land_markers"])

Progress = Callable[[float], None]


def solves(params: Mapping[str, Any]) -> bool:
    """Return whether the game with these parameters has an exact solution."""
    few = params["max_turns"] <= SOLVED_TURNS.get(dimensions(params), 0) and params["land_markers"] <= MARKERS
    whole = dimensions(params) == WHOLE_SIZE and params["land_markers"] == MARKERS
    whole = whole and not params["close_self"] and params["handicap"] == 0
    return (few or (whole and params["sea_range"] >= WHOLE_RANGE)) and not _has_chance(params)


def _has_chance(params: Mapping[str, Any]) -> bool:
    return bool(params["dice"] or params["islands"])


def instant(params: Mapping[str, Any]) -> bool:
    """Return whether decisions are evaluated at once; in longer games the values may take half a minute."""
    return solves(params) and bool(params["max_turns"] <= INSTANT_TURNS.get(dimensions(params), 0))


def supports_resumable_search(params: Mapping[str, Any]) -> bool:
    """Return whether the value of the start can be computed by a resumable search."""
    width, height = dimensions(params)
    return width * height <= LARGEST and not _has_chance(params)


def solve(*, params: Mapping[str, Any], progress: Progress | None = None) -> ProvenSolution:
    """Solve the start position within seconds; other positions are solved on demand."""
    game = Game(GAME, params)
    slots = _LARGE if game.params["max_turns"] > SOLVED_TURNS[dimensions(game.params)] else _SMALL
    return ProvenSolution(game, PROOF_KERNELS, progress, slots)


_solutions: dict[Game, ProvenSolution] = {}
_loading = threading.Lock()


def load_solution(progress: Progress | None = None, *, params: Mapping[str, Any]) -> ProvenSolution:
    """Return the solution of this process, solving the start position on the first call; thread-safe."""
    game = Game(GAME, params)
    with _loading:
        if game not in _solutions:
            _solutions[game] = solve(params=params, progress=progress)
        return _solutions[game]


def resumable_search(params: Mapping[str, Any], slots: int) -> ResumableSearch:
    """Return the resumable search for the value of the start, with a table of `slots` entries."""
    return ResumableSearch(Game(GAME, params), PROOF_KERNELS, slots)


@functools.cache
def warm_up() -> None:
    """Compile the solver."""
    solve(params={"size": 5, "max_turns": 2})
