"""Tree search that asks a guide, such as a network, how likely actions are, and perhaps what positions are worth: many
positions side by side.
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
from edge_envs.search.arena import ALL, MOST_CANDIDATES, MOST_NODES, OWN, Arena, bytes_of_tree, new_arenas
from edge_envs.search.budgets import Budget
from edge_envs.search.guided_loop import GuidedLoops
from edge_envs.search.searcher import Roots, Searcher

BLOCK = 16
"""A guide is asked about so many rows at once, never more or fewer: what a network makes of a row differs in its last
digits with the number of rows."""
MOST_TREES, MOST_BYTES = 64, 1 << 28


class Guide(Protocol):
    """Somebody who says how likely actions are.

    The answer about a row must not depend on the others, nor on its place among them.
    """

    @property
    def name(self) -> str:
        """What tables call it."""

    def probabilities(self, observations: Array, action_masks: Array) -> Array:
        """For each row of observations the probability of each action, 0 where the mask is."""


@runtime_checkable
class ValuingGuide(Guide, Protocol):
    """A guide who also says what a position is worth; then nobody plays on from a leaf."""

    @property
    def learned_alone(self) -> bool:
        """Whether it means the worth for one player among others of another kind, so that what it says at decisions of
        two players does not agree; then only the searching player's are leaves.
        """

    def answers(self, observations: Array, action_masks: Array) -> tuple[Array, Array]:
        """For each row the probabilities, and what each player is to get from there on, the viewer first."""


class ManySearcher(Searcher, abc.ABC):
    """A `Searcher` of many positions side by side, which asks somebody about all of them at once."""

    _arenas: Arena
    _loops: GuidedLoops

    def _trees(self) -> int:
        """How many positions are searched at once."""
        most = 1
        if not self.budget.milliseconds:
            most = MOST_BYTES // bytes_of_tree(self.game, self.budget.iterations)
        return min(max(most, 1), MOST_TREES)

    def _search(self, states: Records, roots: Roots) -> None:
        trees = len(self._arenas.tree)
        for first in range(0, len(states), trees):
            some = slice(first, first + trees)
            self._search_together(states[some], roots.part(some))

    def _search_together(self, states: Records, roots: Roots) -> None:
        """Search positions for which there are trees."""
        count = len(states)
        self._plant(states, self.budget.iterations)
        ends = self._arenas.rounds[:count].cumsum(axis=1)  # of rounds, in iterations of each candidate
        for done in range(int(ends.max())):
            self._sweep(states, done < ends[:, -1])
            self._loops.halve((ends == done + 1).any(axis=1), self._arenas)
        self._read(roots)

    @abc.abstractmethod
    def _plant(self, states: Records, iterations: int) -> None:
        """New trees, with rounds for so many iterations if that is not 0."""

    @abc.abstractmethod
    def _sweep(self, states: Records, which: Array) -> None:
        """An iteration for each candidate of some positions."""

    def _read(self, roots: Roots) -> None:
        self._loops.read(self._arenas, roots.actions, roots.visits, roots.values, roots.policy)

    # One position, step by step

    def _begin(self, states: Records, roots: Roots) -> int:
        self._plant(states, 0)
        self._read(roots)
        return int(self._arenas.tree["candidates"][0])

    def _grow(self, states: Records, count: int, roots: Roots) -> None:
        for _ in range(count):
            self._sweep(states, np.ones(1, np.bool_))

    def _halve(self, states: Records, roots: Roots) -> None:
        self._loops.halve(np.ones(1, np.bool_), self._arenas)
        self._read(roots)


class GuidedSearcher(ManySearcher):
    """A `Searcher` with the probabilities of a guide as priors."""

    def __init__(self, game: Game, budget: Budget, guide: Guide) -> None:
        self.guide = guide
        super().__init__(game, budget)

    def _make_ready(self) -> None:
        """Make the memory."""
        game, trees = self.game, self._trees()
        rows = trees * MOST_CANDIDATES
        self._arenas = new_arenas(game, self.budget.iterations or MOST_NODES, trees, MOST_CANDIDATES)
        self._valuing = self.guide if isinstance(self.guide, ValuingGuide) else None
        if self._valuing:
            self._arenas.tree["told"] = OWN if self._valuing.learned_alone else ALL
        self._observations = np.empty((rows, *game.observation_shape), game.observation_dtype)
        self._masks = np.empty((rows, game.num_distinct_actions), np.int8)
        self._loops = loops_of(game.type)

    def _plant(self, states: Records, iterations: int) -> None:
        self._loops.plant(states, self._arenas, self._observations, self._masks)
        self._loops.root(self._arenas, self._ask(len(states))[0], iterations)

    def _sweep(self, states: Records, which: Array) -> None:
        self._loops.set_out(states, which, self._arenas)
        waits = True
        while waits:
            questions = self._loops.gather(which, self._arenas, self._observations, self._masks)
            waits = self._loops.scatter(which, self._arenas, *self._ask(questions))

    def _ask(self, questions: int) -> tuple[Array, Array]:
        """The answers of the guide to the first questions: probabilities and, if it tells them, values."""
        observations, masks = self._observations, self._masks
        blocks = -(-questions // BLOCK)
        observations[questions : blocks * BLOCK] = observations[0]
        masks[questions : blocks * BLOCK] = masks[0]
        answers, worths = np.empty((blocks * BLOCK, masks.shape[1])), np.zeros((blocks * BLOCK, self.game.num_players))
        for first in range(0, blocks * BLOCK, BLOCK):
            block = slice(first, first + BLOCK)
            if self._valuing:
                answers[block], worths[block] = self._valuing.answers(observations[block], masks[block])
            else:
                answers[block] = self.guide.probabilities(observations[block], masks[block])
        return answers[:questions], worths[:questions]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.budget, self.guide)


@functools.cache
def loops_of(game_type: GameType) -> GuidedLoops:
    """The compiled loops of a game."""
    return GuidedLoops.build(compiled_game(game_type).kernels, game_type.folder)
