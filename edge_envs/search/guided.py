"""Tree search with priors, and optionally values, from a guide such as a network; many positions side by side.

The algorithm is that of `edge_envs.search.loop`, with the network in the role it has in AlphaZero (Silver et al. 2018).
"""

from __future__ import annotations

import abc
import functools
from typing import Any, Protocol, runtime_checkable

import numpy as np

from edge_envs.core.compiled import compiled_game
from edge_envs.core.game import Game
from edge_envs.core.game_type import GameType
from edge_envs.core.spec import Array, Records
from edge_envs.search.budgets import Budget
from edge_envs.search.guided_loop import GuidedLoops
from edge_envs.search.searcher import Roots, Searcher
from edge_envs.search.tree_memory import (
    ALL_LEAVES,
    MAX_CANDIDATES,
    MAX_NODES,
    OWN_LEAVES,
    TreeMemory,
    bytes_of_tree,
    new_memories,
)

BLOCK = 16
"""Number of rows in every query of a guide.

It is constant because the output of a network for a row changes in its last digits with the number of rows."""
MAX_TREES, MAX_BYTES = 64, 1 << 28


class Guide(Protocol):
    """Source of priors for a tree search, such as a policy network.

    The result for a row must not depend on the other rows or on its position among them.
    """

    @property
    def name(self) -> str:
        """Name of the guide in agent names and tables."""

    def probabilities(self, observations: Array, action_masks: Array) -> Array:
        """Return action probabilities.

        Args:
            observations: (n, *observation_shape), from the view of the player to act.
            action_masks: int8 (n, num_distinct_actions).

        Returns:
            Probabilities (n, num_distinct_actions), 0 for illegal actions.
        """


@runtime_checkable
class ValuingGuide(Guide, Protocol):
    """Guide that also returns values; they replace playouts at the leaves."""

    @property
    def learned_alone(self) -> bool:
        """Whether one agent learned the values against other agents.

        Values at decisions of different players are then inconsistent, so that only the searching player's nodes become
        leaves.
        """

    def answers(self, observations: Array, action_masks: Array) -> tuple[Array, Array]:
        """Return action probabilities and values.

        Args:
            observations: (n, *observation_shape), from the view of the player to act.
            action_masks: int8 (n, num_distinct_actions).

        Returns:
            Probabilities (n, num_distinct_actions) as in `probabilities`, and expected future returns
            (n, num_players) in turn order from the player to act.
        """


class ManySearcher(Searcher, abc.ABC):
    """Base of searchers that process many positions side by side and batch their queries of a guide or agent."""

    _memories: TreeMemory
    _loops: GuidedLoops

    def _trees(self) -> int:
        """Return the number of positions to search at once."""
        most = 1
        if not self.budget.milliseconds:
            most = MAX_BYTES // bytes_of_tree(self.game, self.budget.iterations)
        return min(max(most, 1), MAX_TREES)

    def _search(self, states: Records, roots: Roots) -> None:
        trees = len(self._memories.tree)
        for first in range(0, len(states), trees):
            some = slice(first, first + trees)
            self._search_together(states[some], roots.part(some))

    def _search_together(self, states: Records, roots: Roots) -> None:
        """Search at most as many positions as there are trees."""
        count = len(states)
        self._init_roots(states, self.budget.iterations)
        ends = self._memories.rounds[:count].cumsum(axis=1)  # ends of rounds, in iterations per candidate
        for done in range(int(ends.max())):
            self._iterate_once(states, done < ends[:, -1])
            self._loops.halve((ends == done + 1).any(axis=1), self._memories)
        self._read(roots)

    @abc.abstractmethod
    def _init_roots(self, states: Records, iterations: int) -> None:
        """Start new trees; schedule rounds of sequential halving for `iterations`, unless that is 0."""

    @abc.abstractmethod
    def _iterate_once(self, states: Records, which: Array) -> None:
        """Run one iteration for each candidate of the positions in `which`, bool (N,)."""

    def _read(self, roots: Roots) -> None:
        self._loops.read(self._memories, roots.actions, roots.visits, roots.values, roots.policy)

    # One position, step by step

    def _init_root(self, states: Records, roots: Roots) -> int:
        self._init_roots(states, 0)
        self._read(roots)
        return int(self._memories.tree["candidates"][0])

    def _iterate(self, states: Records, count: int, roots: Roots) -> None:
        for _ in range(count):
            self._iterate_once(states, np.ones(1, np.bool_))

    def _halve(self, states: Records, roots: Roots) -> None:
        self._loops.halve(np.ones(1, np.bool_), self._memories)
        self._read(roots)


class GuidedSearcher(ManySearcher):
    """Search with the probabilities of a guide as priors.

    Args:
        game: The game.
        budget: Iterations or milliseconds per position.
        guide: Source of the priors. Values of a `ValuingGuide` replace playouts at the leaves.
    """

    def __init__(self, game: Game, budget: Budget, guide: Guide) -> None:
        self.guide = guide
        super().__init__(game, budget)

    def _allocate(self) -> None:
        """Allocate the memory and compile the loops."""
        game, trees = self.game, self._trees()
        rows = trees * MAX_CANDIDATES
        self._memories = new_memories(game, self.budget.iterations or MAX_NODES, trees, MAX_CANDIDATES)
        self._valuing = self.guide if isinstance(self.guide, ValuingGuide) else None
        if self._valuing:
            self._memories.tree["guide_leaves"] = OWN_LEAVES if self._valuing.learned_alone else ALL_LEAVES
        self._observations = np.empty((rows, *game.observation_shape), game.observation_dtype)
        self._masks = np.empty((rows, game.num_distinct_actions), np.int8)
        self._loops = loops_of(game.type)

    def _init_roots(self, states: Records, iterations: int) -> None:
        self._loops.init_roots(states, self._memories, self._observations, self._masks)
        self._loops.expand_roots(self._memories, self._evaluate(len(states))[0], iterations)

    def _iterate_once(self, states: Records, which: Array) -> None:
        self._loops.start(states, which, self._memories)
        waits = True
        while waits:
            queries = self._loops.gather(which, self._memories, self._observations, self._masks)
            waits = self._loops.scatter(which, self._memories, *self._evaluate(queries))

    def _evaluate(self, queries: int) -> tuple[Array, Array]:
        """Query the guide about the first rows of observations: probabilities and values (0 if it has none)."""
        observations, masks = self._observations, self._masks
        rows = -(-queries // BLOCK) * BLOCK
        observations[queries:rows] = observations[0]
        masks[queries:rows] = masks[0]
        actions, players = masks.shape[1], self.game.num_players
        probabilities, values = np.empty((rows, masks.shape[1])), np.zeros((rows, self.game.num_players))
        for first in range(0, rows, BLOCK):
            block = slice(first, first + BLOCK)
            if self._valuing:
                priors, returns = self._valuing.answers(observations[block], masks[block])
                values[block] = _checked("values", returns, (BLOCK, players))
            else:
                priors = self.guide.probabilities(observations[block], masks[block])
            probabilities[block] = _checked("probabilities", priors, (BLOCK, actions))
            legal = np.where(masks[block], probabilities[block], 0.0)
            if legal.min() < 0.0 or legal.sum(axis=1).min() <= 0.0:
                raise ValueError(f"probabilities of the guide {self.guide.name}: a legal action needs a positive one")
        return probabilities[:queries], values[:queries]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.budget, self.guide)


def _checked(what: str, given: Any, shape: tuple[int, ...]) -> Array:
    """Return what a guide answered as an array.

    Raises:
        ValueError: if it has another shape, or is not finite.
    """
    array = np.asarray(given, np.float64)
    if array.shape != shape:
        raise ValueError(f"{what} of a guide: expected shape {shape}, not {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{what} of a guide: expected finite numbers")
    return array


@functools.cache
def loops_of(game_type: GameType) -> GuidedLoops:
    """Return the compiled loops of a game."""
    return GuidedLoops.build(compiled_game(game_type).kernels, game_type.folder)
