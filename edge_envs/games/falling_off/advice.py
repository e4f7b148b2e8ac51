"""What the exact solution of `falling_off` says of the decisions in given states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edge_envs.core.game import Array, Records
from edge_envs.core.jit import kernel
from edge_envs.games.falling_off.solver import Solution, decision_values, load_solution


def is_solved(params: Mapping[str, Any]) -> bool:
    """Whether there is an exact solution of the game with these parameters: that of two players."""
    return bool(params["num_players"] == 2)


class Advice:
    """The winning probabilities that each action leaves, by the exact solution."""

    def __init__(self, solution: Solution | None = None) -> None:
        self.solution = solution or load_solution()
        self.first_player_win_probability = self.solution.first_player_win_probability

    def values(self, states: Records, out: Array) -> None:
        """Fill `out` (k, 74) with what each action leaves to the player to act in k states; NaN where not legal."""
        _values(self.solution.values, states, out)


@kernel
def _values(values, states, out):
    for i in range(states.shape[0]):
        state = states[i]
        mine, theirs = state.pawns[state.turn_player], state.pawns[1 - state.turn_player]
        decision_values(values, mine, theirs, state.turns_owed, state.phase, state.dice, out[i])
