"""Tree search that knows who plays the other seats: they do what their agent does, in the tree and behind it."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from edge_envs.core.compiled import compiled_game
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.opponent import Opponent, OpponentCalls
from edge_envs.core.spec import Array, Records
from edge_envs.search.against_loop import BEGINS, WAITS, AgainstLoops
from edge_envs.search.arena import MOST_CANDIDATES, MOST_NODES, new_arenas
from edge_envs.search.budgets import Budget
from edge_envs.search.guided import ManySearcher, loops_of


class AgainstSearcher(ManySearcher):
    """A `Searcher` that asks an agent for the decisions of all other seats.

    The agent sees what its seat may see of a position in which the hidden parts have been drawn by what the searching
    player knows. Its own random draws are the same whenever the same positions are searched.
    """

    def __init__(self, game: Game, budget: Budget, agent: Opponent) -> None:
        self.agent = agent
        super().__init__(game, budget)

    def _make_ready(self) -> None:
        """Make the memory."""
        trees = self._trees()
        self._arenas = new_arenas(self.game, self.budget.iterations or MOST_NODES, trees, MOST_CANDIDATES)
        self._loops, self._against = loops_of(self.game.type), _against_loops_of(self.game.type)
        self._asking = OpponentCalls(self.game, self.agent)
        self._rng = np.random.default_rng(0)

    def _plant(self, states: Records, iterations: int) -> None:
        self._rng = np.random.default_rng(states["rng"])
        self._against.plant(states, self._arenas, iterations)

    def _sweep(self, states: Records, which: Array) -> None:
        count = len(which)
        candidates = self._arenas.tree["candidates"][:count]
        doing = np.where(which[:, None] & (np.arange(MOST_CANDIDATES) < candidates[:, None]), BEGINS, 0)
        answers = np.zeros(doing.shape, np.int64)
        while self._against.go_on(states, self._arenas, doing, answers):
            waiting = doing == WAITS
            answers[waiting] = self._asking(self._arenas.copies[:count][waiting], self._rng)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.budget, self.agent)


class AgainstAgent:
    """Searches each decision anew with the agent of all other seats in mind."""

    needs_states = True

    def __init__(self, game: Game, budget: Budget, agent: Opponent) -> None:
        self.name = f"against:{budget}"
        self.searcher = AgainstSearcher(game, budget, agent)

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Legal actions (k,) of the players to act."""
        actions: Array = action_masks.argmax(axis=1)
        open_ones = np.flatnonzero(action_masks.sum(axis=1, dtype=np.int64) > 1)
        if open_ones.size:
            actions[open_ones] = self.searcher(states[open_ones]).actions  # type: ignore[index]
        return actions


@functools.cache
def _against_loops_of(game_type: GameType) -> AgainstLoops:
    return AgainstLoops.build(compiled_game(game_type).kernels, game_type.folder)
