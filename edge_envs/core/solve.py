"""What exact solvers share: tables that are built once and kept in the user's cache.

A table is a set of named arrays in an uncompressed `.npz` file, read without pickle. Its name carries the hash of the
sources that made it, so it is built anew when they change; the file's checksums are read with it, so it is built anew
when it is damaged. It is written under another name and then moved into place, so no reader meets half a file. Of
several processes that need the same table one builds it and the others wait.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import filelock
import numpy as np
from numpy.typing import NDArray

from edge_envs.core.folders import cache_folder, filled_folders
from edge_envs.core.jit import source_hash
from edge_envs.core.untrusted import read_arrays

Arrays = dict[str, NDArray[Any]]

Decide = Callable[[Any], NDArray[Any]]
"""The actions of an agent, (k,), in an array (k,) of state records at decisions."""


class Solution(Protocol):
    """The exact solution of a two-player game with its parameters chosen."""

    @property
    def first_player_win_probability(self) -> float:
        """The value of the start to player 0 with best play on both sides, a draw counting half."""

    @property
    def error_bound(self) -> float:
        """No value is off by more than this."""

    @property
    def positions(self) -> int:
        """How many positions were looked at."""

    def decision_values(self, states: Any, out: NDArray[Any]) -> None:
        """Fill `out` (k, num_distinct_actions) with the probability that the player to act wins after each action.

        A draw counts half. `states` are an array (k,) of state records at decisions. NaN where an action is not legal.
        """


class Response(Protocol):
    """A response to an agent of a two-player game: what it does, and what that wins."""

    @property
    def win_probabilities(self) -> tuple[float, float]:
        """With which probability it wins at least, as player 0 and as player 1, a draw counting half."""

    @property
    def exact(self) -> bool:
        """Whether no other response wins more."""

    @property
    def positions(self) -> int:
        """How many positions the agent was asked about; 0 if the solver knows what it does."""

    def decision_values(self, states: Any, out: NDArray[Any]) -> None:
        """Fill `out` as `Solution.decision_values` does, for states at decisions of the response."""


class Solver(Protocol):
    """What the module `solver` of a solved game defines.

    `SOLVED` says for which parameters, in words. `CONTESTS` are pairs of policies, by their names, whose exact results
    against each other `value_contests` gives; there may be none. A module that also has `pursues(params)` and
    `pursue(params, slots)` closes in on the value of the start where that takes long: a `Pursuit` with a table of so
    many places. One with `respond(agent, seconds, progress)` also computes a `Response` to a built-in player, `random`,
    `heuristic` or `perfect`, by its name, or to an agent that it may ask what it does, a `Decide`, for some seconds.
    """

    SOLVED: str
    CONTESTS: Sequence[tuple[str, str]]

    def solves(self, params: Mapping[str, Any]) -> bool:
        """Whether there is an exact solution of the game with these parameters."""

    def instant(self, params: Mapping[str, Any]) -> bool:
        """Whether the solution of a solved game values any decision within half a second, so that it can be advice."""

    def solve(self, *, params: Mapping[str, Any], progress: Callable[[float], None] | None = None) -> Solution:
        """Solve the game with these parameters; `progress` is called with the fraction that is done."""

    def load_solution(self, progress: Callable[[float], None] | None = None, *, params: Mapping[str, Any]) -> Solution:
        """The solution: this process's, or from the user's cache, or solved now and kept there."""

    def warm_up(self) -> None:
        """Compile the solver."""

    def value_contests(self, progress: Callable[[str, str], None]) -> list[Contest]:
        """The exact results of all contests; `progress` is called with the names of each before it begins."""


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


def load_or_build(
    name: str, folder: Path, shapes: Mapping[str, tuple[int, ...]], build: Callable[[], Arrays]
) -> Arrays:
    """The arrays of table `name`, whose builder's sources lie in `core` and `folder`; all have the given shapes.

    They come from the cache, or else from `build` and are then kept for next time. Older tables of the name go.
    """
    sources = source_hash(folder)
    if sources is None:
        return build()
    file = f"{name}-{sources}.npz"
    for filled in filled_folders("tables"):
        arrays = _load(filled / file, shapes)
        if arrays is not None:
            return arrays
    kept_in = cache_folder("tables")
    if kept_in is None:
        return build()
    path = kept_in / file
    arrays = _load(path, shapes)
    if arrays is not None:
        return arrays
    with ExitStack() as held:
        with suppress(OSError, NotImplementedError):  # not every file system has locks
            held.enter_context(filelock.FileLock(path.with_suffix(".lock")))
        arrays = _load(path, shapes)  # another process may have built it meanwhile
        if arrays is None:
            arrays = build()
            with suppress(OSError):  # what cannot be kept is not: the arrays are there all the same
                write_arrays(path, arrays)
            _prune(path, name)
    return arrays


def _load(path: Path, shapes: Mapping[str, tuple[int, ...]]) -> Arrays | None:
    """The arrays of a file, or None if it is missing, damaged or not what is wanted."""
    try:
        table = read_arrays(path)
        arrays = {key: table[key] for key in shapes}
    except (OSError, ValueError, KeyError):
        return None
    return arrays if all(arrays[key].shape == shape for key, shape in shapes.items()) else None


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Write a file of named arrays under a name of its own, and then move it into place; OSError if that fails."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, allow_pickle=False, **arrays)
        Path(temporary).chmod(path.parent.stat().st_mode & 0o644)  # as readable as the folder
        os.replace(temporary, path)
    except BaseException:  # an interruption, too
        Path(temporary).unlink(missing_ok=True)
        raise


def _prune(path: Path, name: str) -> None:
    """Remove what older sources left under the same name."""
    for old in path.parent.glob(f"{name}-*"):
        if old.stem != path.stem and old.suffix in (".npz", ".lock", ".tmp"):
            with suppress(OSError):  # in use elsewhere
                old.unlink()
