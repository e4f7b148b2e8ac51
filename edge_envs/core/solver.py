"""Protocols of exact solvers: the module `solver` of a solved game implements `Solver`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Decide = Callable[[Any], NDArray[Any]]
"""The type of an agent as a function: the actions (k,) in an array (k,) of state records at decisions."""


def check_output(states: Any, out: NDArray[Any], actions: int) -> None:
    """Check the array that `decision_values` fills, before compiled code writes to it.

    Raises:
        ValueError: if it is not a writable float64 array (k, actions) for k states.
    """
    shape = len(states), actions
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != np.float64 or not out.flags.writeable:
        raise ValueError(f"invalid out of shape {np.shape(out)}: expected a writable float64 array of shape {shape}")


class Solution(Protocol):
    """The exact solution of a two-player game with its parameters chosen."""

    @property
    def first_player_win_probability(self) -> float:
        """The win probability of player 0 from the start under optimal play, a draw counting half."""

    @property
    def error_bound(self) -> float:
        """The bound on the error of every value."""

    @property
    def positions(self) -> int:
        """The number of positions visited."""

    def decision_values(self, states: Any, out: NDArray[Any]) -> None:
        """Compute the probability that the player to act wins after each action, a draw counting half.

        Args:
            states: An array (k,) of state records at decisions.
            out: Filled, (k, num_distinct_actions); NaN for illegal actions.
        """


class Response(Protocol):
    """A response to an agent of a two-player game, a best response if it is exact."""

    @property
    def win_probabilities(self) -> tuple[float, float]:
        """The lower bounds of its win probabilities as player 0 and as player 1, a draw counting half."""

    @property
    def exact(self) -> bool:
        """Whether it is a best response."""

    @property
    def positions(self) -> int:
        """The number of positions in which the agent was called; 0 if the solver knows the agent's policy."""

    def decision_values(self, states: Any, out: NDArray[Any]) -> None:
        """Compute values as `Solution.decision_values` does, for states at decisions of the response."""


class Solver(Protocol):
    """The interface of the module `solver` of a solved game.

    | name | meaning |
    |---|---|
    | `SOLVED` | the parameters that it covers, in words |
    | `CONTESTS` | pairs of policies, by name, for which `value_contests` computes exact results; may be empty |
    | `supports_resumable_search(params)`, `resumable_search(params, slots)` | optional: whether the value of the start can be computed by a resumable search; the search, a `ResumableSearch` with a table of `slots` rows |
    | `respond(agent, seconds, progress)` | optional: compute a `Response` to the agent `random`, `heuristic` or `perfect`, by name, or to a `Decide`, in limited time |
    | `responds(params)` | optional, for solvers with `respond`: whether it supports these parameters and the contests are about them; by default all solved ones |
    """  # noqa: E501  a table row is one line

    SOLVED: str
    CONTESTS: Sequence[tuple[str, str]]

    def solves(self, params: Mapping[str, Any]) -> bool:
        """Return whether the game with these parameters has an exact solution."""

    def instant(self, params: Mapping[str, Any]) -> bool:
        """Return whether the solution evaluates any decision within half a second, fast enough for advice."""

    def solve(self, *, params: Mapping[str, Any], progress: Callable[[float], None] | None = None) -> Solution:
        """Solve the game with these parameters; `progress` is called with the fraction done."""

    def load_solution(self, progress: Callable[[float], None] | None = None, *, params: Mapping[str, Any]) -> Solution:
        """Return the solution from this process, from the user's cache, or solve the game and cache the solution."""

    def warm_up(self) -> None:
        """Compile the solver."""

    def value_contests(self, progress: Callable[[str, str], None]) -> list[Contest]:
        """Return the exact results of all contests; `progress` is called with the names before each one."""


@dataclass(frozen=True)
class Contest:
    """The exact probability that a policy beats another when it moves first and when it moves second."""

    policy: str
    opponent: str
    first: float
    second: float

    @property
    def mean(self) -> float:
        """The mean of both seats."""
        return (self.first + self.second) / 2

    def to_dict(self) -> dict[str, Any]:
        """Return a dict for JSON."""
        return {
            "policy": self.policy,
            "opponent": self.opponent,
            "moving_first": self.first,
            "moving_second": self.second,
            "mean": self.mean,
        }
