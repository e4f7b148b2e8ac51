"""Tree search of one game, ready for use from Python."""

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
from edge_envs.search.arena import MOST_NODES, new_arena
from edge_envs.search.budgets import Budget
from edge_envs.search.loop import GROW, HALVE, PLANT, WHOLE, search_loop
from edge_envs.search.perceptron import Perceptron
from edge_envs.search.rehearsal import new_stage, rehearsal_loop


@dataclass(frozen=True)
class Roots:
    """What searches found out about the decisions of N positions."""

    actions: Array  # (N,) int64: the best
    visits: Array  # (N, num_distinct_actions) int64: iterations that began with each action
    values: Array  # (N, num_distinct_actions): what the player to act got in them on average, NaN where there are none
    policy: Array  # (N, num_distinct_actions): how likely each action is now: its prior, weighed by what it brought;
    # where whole turns are compared the best alone

    def part(self, some: slice) -> Roots:
        """Views of some of the positions."""
        return Roots(self.actions[some], self.visits[some], self.values[some], self.policy[some])


class Searcher:
    """Searches positions of a game, one after the other, each within a budget.

    Values of positions are a perceptron's, if there is one, else those that were fitted to games.
    What it finds in a position follows from the record alone, its random word included, if the budget is one of
    iterations. It may be used by several threads; they wait for each other.
    """

    def __init__(self, game: Game, budget: Budget, net: Perceptron | None = None) -> None:
        self.game = game
        self.budget = budget
        self._net = net
        self._lock = threading.Lock()
        self._make_ready()

    def _make_ready(self) -> None:
        """Make the memory."""
        if compares_turns(self.game.type):
            self._memory: Any = new_stage(self.game, self._net)
            self._arena = self._memory.arena
        else:
            self._memory = self._arena = new_arena(self.game, self.budget.iterations or MOST_NODES, self._net)
        self._loop = loop_of(self.game.type)

    def __call__(self, states: Records) -> Roots:
        """Search an array (N,) of records of positions at decisions, as the players to act may see them."""
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
        self._step(states, WHOLE, self.budget.iterations, roots)

    def _search_in_time(self, states: Records, roots: Roots) -> None:
        """Halve the candidates whenever an equal part of the time is over."""
        began, seconds = time.perf_counter(), self.budget.milliseconds / 1000.0
        rounds = max((self._begin(states, roots) - 1).bit_length(), 1)
        passes, now = 1, time.perf_counter()
        for number in range(1, rounds + 1):
            end = began + seconds * number / rounds
            while now < end:
                started = now
                self._grow(states, passes, roots)
                now = time.perf_counter()
                passes = 2 * passes if now - started < seconds / 100.0 else max(passes // 2, 1)
            self._halve(states, roots)

    # One position, step by step

    def _begin(self, states: Records, roots: Roots) -> int:
        """Plant a tree; the number of candidates."""
        self._step(states, PLANT, 0, roots)
        return int(self._arena.tree["candidates"][0])

    def _grow(self, states: Records, count: int, roots: Roots) -> None:
        """So many iterations for each candidate."""
        self._step(states, GROW, count, roots)

    def _halve(self, states: Records, roots: Roots) -> None:
        """Leave the better half of the candidates, and fill in what was found out."""
        self._step(states, HALVE, 0, roots)

    def _step(self, states: Records, step: int, count: int, roots: Roots) -> None:
        self._loop(states, step, count, self._memory, roots.actions, roots.visits, roots.values, roots.policy)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.budget, self._net)


@functools.cache
def loop_of(game_type: GameType) -> Any:
    """The compiled search of a game."""
    make = rehearsal_loop if compares_turns(game_type) else search_loop
    return make(compiled_game(game_type).kernels, game_type.folder)


def compares_turns(game_type: GameType) -> bool:
    """Whether a search compares whole turns and not steps."""
    return game_type.values is not None and game_type.values.whole_turns
