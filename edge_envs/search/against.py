"""Tree search against a known agent: all other seats play the agent's actions, in the tree and in playouts.

This computes an approximate best response to the agent. See `edge_envs.search.loop` for the rest of the algorithm.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from edge_envs.core.compiled import compiled_game
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.opponent import Opponent, OpponentCalls, check_shown
from edge_envs.core.spec import Array, Records
from edge_envs.search.against_loop import DONE, STARTS, WAITS, AgainstLoops
from edge_envs.search.budgets import Budget
from edge_envs.search.guided import ManySearcher, loops_of
from edge_envs.search.tree_memory import MAX_CANDIDATES, MAX_NODES, new_memories


class AgainstSearcher(ManySearcher):
    """Search with an agent that decides for all other seats.

    The agent sees what its seat may know of a determinization: a position whose hidden parts are resampled from what
    the searching player knows. The agent's own random draws repeat whenever the same positions are searched.

    Args:
        game: The game.
        budget: Iterations or milliseconds per position.
        agent: The agent of all other seats.
    """

    def __init__(self, game: Game, budget: Budget, agent: Opponent) -> None:
        self.agent = agent
        super().__init__(game, budget)

    def _allocate(self) -> None:
        """Allocate the memory and compile the loops."""
        trees = self._trees()
        self._memories = new_memories(self.game, self.budget.iterations or MAX_NODES, trees, MAX_CANDIDATES)
        self._loops, self._against = loops_of(self.game.type), _against_loops_of(self.game.type)
        self._asking = OpponentCalls(self.game, self.agent)
        self._rng = np.random.default_rng(0)

    def _init_roots(self, states: Records, iterations: int) -> None:
        self._rng = np.random.default_rng(states["rng"])
        self._against.init_roots(states, self._memories, iterations)

    def _iterate_once(self, states: Records, which: Array) -> None:
        count = len(which)
        candidates = self._memories.tree["candidates"][:count]
        status = np.where(which[:, None] & (np.arange(MAX_CANDIDATES) < candidates[:, None]), STARTS, DONE)
        actions = np.zeros(status.shape, np.int64)
        while self._against.advance(states, self._memories, status, actions):
            waiting = status == WAITS
            actions[waiting] = self._asking(self._memories.copies[:count][waiting], self._rng)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.budget, self.agent)


class AgainstAgent:
    """Search each decision from scratch against a known agent in all other seats; see `AgainstSearcher`."""

    needs_states = True

    def __init__(self, game: Game, budget: Budget, agent: Opponent) -> None:
        self.name, self.game = f"against:{budget}", game
        self.searcher = AgainstSearcher(game, budget, agent)

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Choose legal actions (k,) for the seats to act in the state records `states` (k,)."""
        states = check_shown(self.game, action_masks, states)
        actions: Array = action_masks.argmax(axis=1)
        open_ones = np.flatnonzero(action_masks.sum(axis=1, dtype=np.int64) > 1)
        if open_ones.size:
            actions[open_ones] = self.searcher(states[open_ones]).actions
        return actions


@functools.cache
def _against_loops_of(game_type: GameType) -> AgainstLoops:
    return AgainstLoops.build(compiled_game(game_type).kernels, game_type.folder)
