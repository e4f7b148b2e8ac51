"""Tree search of one game, for use from Python."""

from __future__ import annotations

import functools
import threading
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from edge_envs.core.compiled import compiled_game
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Array, Records
from edge_envs.search.budgets import Budget
from edge_envs.search.loop import FULL, HALVE, INIT_ROOT, ITERATE, search_loop
from edge_envs.search.perceptron import Perceptron
from edge_envs.search.tree_memory import MAX_NODES, new_memory
from edge_envs.search.turn_search import new_turn_memory, turn_search_loop


@dataclass(frozen=True)
class Roots:
    """Hold the results of searches of N positions with A actions.

    | field | shape, dtype | content |
    |---|---|---|
    | `actions` | (N,) int64 | best action |
    | `visits` | (N, A) int64 | number of iterations that started with each action |
    | `values` | (N, A) float64 | mean return of the player to act in these iterations; NaN for 0 visits |
    | `policy` | (N, A) float64 | improved policy: priors reweighted by the values; a search over whole turns puts all probability on the best action |
    """  # noqa: E501  a table row is one line

    actions: Array
    visits: Array
    values: Array
    policy: Array

    def part(self, some: slice) -> Roots:
        """Return views of the results of some positions."""
        return Roots(self.actions[some], self.visits[some], self.values[some], self.policy[some])


class Searcher:
    """Search positions of a game, one after the other, each within a budget.

    With a budget of iterations, the result for a position depends only on its record, including its random word.
    Threads may share a searcher; a lock serializes their calls.

    Args:
        game: The game.
        budget: Iterations or milliseconds per position.
        net: Perceptron for position values; None uses the values fitted to games.
    """

    def __init__(self, game: Game, budget: Budget, net: Perceptron | None = None) -> None:
        self.game = game
        self.budget = budget
        self._net = net
        self._lock = threading.Lock()
        self._allocate()

    def _allocate(self) -> None:
        """Allocate the memory and compile the loop."""
        if compares_turns(self.game.type):
            self._memory: Any = new_turn_memory(self.game, self._net)
            self._tree_memory = self._memory.tree_memory
        else:
            self._memory = self._tree_memory = new_memory(self.game, self.budget.iterations or MAX_NODES, self._net)
        self._loop = loop_of(self.game.type)

    def __call__(self, states: Records) -> Roots:
        """Search positions.

        Args:
            states: State records (N,) at decisions, as the players to act may know them.
        """
        count, actions = len(states), self.game.num_distinct_actions
        shape = count, actions
        roots = Roots(np.empty(count, np.int64), np.empty(shape, np.int64), np.empty(shape), np.empty(shape))
        with self._lock:
            if self.budget.milliseconds:
                for i in range(count):
                    self._search_in_time(states[i : i + 1], roots.part(slice(i, i + 1)))
            else:
                self._search(states, roots)
        return roots

    def _search(self, states: Records, roots: Roots) -> None:
        """Search positions with a budget of iterations."""
        self._step(states, FULL, self.budget.iterations, roots)

    def _search_in_time(self, states: Records, roots: Roots) -> None:
        """Divide the time equally among the rounds of sequential halving.

        Each candidate is visited at least once, however short the time is.
        """
        began, seconds = time.perf_counter(), self.budget.milliseconds / 1000.0
        rounds = max((self._init_root(states, roots) - 1).bit_length(), 1)
        passes, visited, now = 1, False, time.perf_counter()
        for number in range(1, rounds + 1):
            end = began + seconds * number / rounds
            while now < end or not visited:
                started = now
                self._iterate(states, passes, roots)
                visited, now = True, time.perf_counter()
                passes = 2 * passes if now - started < seconds / 100.0 else max(passes // 2, 1)
            self._halve(states, roots)

    # One position, step by step

    def _init_root(self, states: Records, roots: Roots) -> int:
        """Initialize a tree and return the number of candidates."""
        self._step(states, INIT_ROOT, 0, roots)
        return int(self._tree_memory.tree["candidates"][0])

    def _iterate(self, states: Records, count: int, roots: Roots) -> None:
        """Run `count` iterations for each candidate."""
        self._step(states, ITERATE, count, roots)

    def _halve(self, states: Records, roots: Roots) -> None:
        """Keep the better half of the candidates and fill in the results."""
        self._step(states, HALVE, 0, roots)

    def _step(self, states: Records, step: int, count: int, roots: Roots) -> None:
        self._loop(states, step, count, self._memory, roots.actions, roots.visits, roots.values, roots.policy)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.budget, self._net)


@functools.cache
def loop_of(game_type: GameType) -> Any:
    """Return the compiled search loop of a game."""
    make = turn_search_loop if compares_turns(game_type) else search_loop
    return make(compiled_game(game_type).kernels, game_type.folder)


def compares_turns(game_type: GameType) -> bool:
    """Return whether a search of this game compares whole turns instead of single actions."""
    return game_type.values is not None and game_type.values.whole_turns
