"""Tree search of one game, ready for use from Python."""

from __future__ import annotations

import functools
import threading
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from edge_envs.core.game import Array, Game, GameType, Records
from edge_envs.search.arena import MOST_NODES, new_arena
from edge_envs.search.budgets import Budget
from edge_envs.search.loop import GROW, HALVE, PLANT, WHOLE, search_loop


@dataclass(frozen=True)
class Roots:
    """What searches found out about the decisions of N positions."""

    actions: Array  # (N,) int64: the best
    visits: Array  # (N, num_distinct_actions) int64: iterations that began with each action
    values: Array  # (N, num_distinct_actions): what the player to act got in them on average, NaN where there are none


class Searcher:
    """Searches positions of a game, one after the other, each within a budget.

    What it finds in a position follows from the record alone, its random word included, if the budget is one of
    iterations. It may be used by several threads; they wait for each other.
    """

    def __init__(self, game: Game, budget: Budget) -> None:
        self.game = game
        self.budget = budget
        self._arena = new_arena(game, budget.iterations or MOST_NODES)
        self._search = loop_of(game.type)
        self._lock = threading.Lock()

    def __call__(self, states: Records) -> Roots:
        """Search an array (N,) of records of positions at decisions, as the players to act may see them."""
        count, actions = len(states), self.game.num_distinct_actions
        roots = Roots(np.empty(count, np.int64), np.empty((count, actions), np.int64), np.empty((count, actions)))
        with self._lock:
            if self.budget.milliseconds:
                for i in range(count):
                    one = Roots(roots.actions[i : i + 1], roots.visits[i : i + 1], roots.values[i : i + 1])
                    self._search_in_time(states[i : i + 1], one)
            else:
                self._step(states, WHOLE, self.budget.iterations, roots)
        return roots

    def _search_in_time(self, states: Records, roots: Roots) -> None:
        """Halve the candidates whenever an equal part of the time is over."""
        began, seconds = time.perf_counter(), self.budget.milliseconds / 1000.0
        self._step(states, PLANT, 0, roots)
        candidates = int(self._arena.tree["candidates"][0])
        rounds = max((candidates - 1).bit_length(), 1)
        passes, now = 1, time.perf_counter()
        for number in range(1, rounds + 1):
            end = began + seconds * number / rounds
            while now < end:
                started = now
                self._step(states, GROW, passes, roots)
                now = time.perf_counter()
                passes = 2 * passes if now - started < seconds / 100.0 else max(passes // 2, 1)
            self._step(states, HALVE, 0, roots)

    def _step(self, states: Records, step: int, count: int, roots: Roots) -> None:
        self._search(states, step, count, self._arena, roots.actions, roots.visits, roots.values)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.budget)


@functools.cache
def loop_of(game_type: GameType) -> Any:
    """The compiled search of a game."""
    return search_loop(game_type.ruleset, game_type.folder)
