"""Tree search as an agent: `search:200` for 200 iterations per decision, `search:50ms` for 50 milliseconds.

With a guide, such as a policy, the guide's probabilities replace the priors from the heuristic. With `turn` and
learned values, these replace the fitted values at the leaves. See `edge_envs.search.loop` for the algorithm. An n-tuple
network has a separate search, see `edge_envs.ntuple.tree_search`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from edge_envs.core.checks.seeds import check_seed
from edge_envs.core.game import Game
from edge_envs.core.opponent import check_made_for, check_shown
from edge_envs.core.spec import Array, Records
from edge_envs.search.budgets import Budget

if TYPE_CHECKING:
    from edge_envs.core.state import State
    from edge_envs.search.guided import Guide
    from edge_envs.search.searcher import Searcher
    from edge_envs.search.turn import TurnAgent

DEFAULT = Budget(iterations=200)


@runtime_checkable
class SearchingGuide(Protocol):
    """A source of values that comes with a tree search, such as an n-tuple network."""

    name: str

    def searcher(self, budget: Budget) -> Searcher:
        """Return a search with these values for positions of the guide's game."""


@dataclass(frozen=True)
class Root:
    """Hold the result of a search for one decision with k legal actions.

    | field | shape | content |
    |---|---|---|
    | `best` | | id of the best action |
    | `actions` | (k,) | ids of the legal actions |
    | `visits` | (k,) | number of iterations that started with each action |
    | `values` | (k,) | mean return of the agent to act in these iterations; NaN for 0 visits |
    """

    best: int
    actions: Array
    visits: Array
    values: Array


class SearchAgent:
    """Search each decision from scratch.

    With a budget of iterations the same state record gives the same action. A decision with one legal action is not
    searched.

    Args:
        game: The game to play.
        budget: Iterations or milliseconds per decision.
        guide: Source of priors (a `Guide`), or of leaf values (a `TurnAgent` with learned values), or of both (a
            `SearchingGuide`); None uses the heuristic and fitted values.
    """

    needs_states = True

    def __init__(
        self, game: Game, budget: Budget = DEFAULT, guide: Guide | TurnAgent | SearchingGuide | None = None
    ) -> None:
        from edge_envs.search.guided import GuidedSearcher
        from edge_envs.search.searcher import Searcher
        from edge_envs.search.turn import TurnAgent

        check_made_for(guide, game)
        self.name = f"search:{budget}" if guide is None else f"search:{budget}:{guide.name}"
        if guide is None or isinstance(guide, TurnAgent):
            self.searcher = Searcher(game, budget, guide.net if guide else None)
        elif isinstance(guide, SearchingGuide):
            self.searcher = guide.searcher(budget)
        else:
            self.searcher = GuidedSearcher(game, budget, guide)

    @property
    def game(self) -> Game:
        """The game to play."""
        return self.searcher.game

    @classmethod
    def from_text(cls, text: str, game: Game) -> SearchAgent:
        """Create the agent from the part of its name behind the colon, such as `200` or `50ms`.

        Raises:
            ValueError: if `text` is not a budget.
        """
        return cls(game, Budget.parse(text))

    @staticmethod
    def check_text(text: str) -> None:
        """Raise ValueError unless a string is a budget."""
        Budget.parse(text)

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Choose actions.

        Args:
            observations: (k, *observation_shape), unused.
            action_masks: int8 (k, num_distinct_actions).
            states: State records (k,), as the agents to act may know them.
            players: Seats to act, (k,), unused.
            rng: Unused; random draws depend on the words of the state records.

        Returns:
            Legal actions (k,).
        """
        states = check_shown(self.game, action_masks, states)
        actions = action_masks.argmax(axis=1)
        open_ones = np.flatnonzero(action_masks.sum(axis=1, dtype=np.int64) > 1)
        if open_ones.size:
            actions[open_ones] = self.searcher(states[open_ones]).actions
        return actions

    def root(self, state: State, seed: int = 0) -> Root:
        """Search one decision, using only what the agent to act may know.

        Args:
            state: A position at a decision.
            seed: Seed of the search; the same seed gives the same result (with a budget of iterations).

        Raises:
            ValueError: at chance and terminal nodes, for an invalid seed, and for a game with another layout.
        """
        check_made_for(self, state.game)
        if state.current_player() < 0:
            raise ValueError("a search needs a position in which an agent is to act, not a chance or terminal node")
        from edge_envs.core.kernels.rng import chance_word

        records = state.game.records_from_dict(state.to_dict())
        records["rng"] = chance_word(np.uint64(check_seed(seed, or_none=False)))
        roots, legal = self.searcher(records), state.legal_action_mask().nonzero()[0]
        return Root(int(roots.actions[0]), legal, roots.visits[0, legal], roots.values[0, legal])

    def action_values(self, states: Records) -> Array:
        """Return the mean return after each action for the agents to act.

        Args:
            states: State records (k,) at decisions.

        Returns:
            float64 (k, num_distinct_actions), NaN for actions without visits.

        Raises:
            ValueError: if the records are not at decisions of the game.
        """
        return self.values_and_visits(states)[0]

    def values_and_visits(self, states: Records) -> tuple[Array, Array]:
        """Return `action_values` and the number of iterations that started with each action, of the same shape."""
        self.game.check_decisions(states)
        roots = self.searcher(states)
        return roots.values, roots.visits
