"""What the module `solver` of a solved game defines, as protocols."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

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
