"""Tree search as an agent: `search:200` for so many iterations a decision, `search:50ms` for so much time.

With a guide, such as a policy, its probabilities are the priors in place of what the built-in player thinks. With
`turn` and learned values, these are asked at leaves in place of fitted ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from edge_envs.core.game import Game
from edge_envs.core.spec import Array, Records
from edge_envs.search.budgets import Budget

if TYPE_CHECKING:
    from edge_envs.core.state import State
    from edge_envs.search.guided import Guide
    from edge_envs.search.turns import TurnAgent

DEFAULT = Budget(iterations=200)


@dataclass(frozen=True)
class Root:
    """What a search found out about one decision with k legal actions."""

    best: int
    actions: Array  # (k,) ids
    visits: Array  # (k,) iterations that began with each action
    values: Array  # (k,) what the player to act got in them on average, NaN where there are none


class SearchAgent:
    """Searches each decision anew; with a budget of iterations the same record leads to the same action.

    A decision with one legal action costs nothing.
    """

    needs_states = True

    def __init__(self, game: Game, budget: Budget = DEFAULT, guide: Guide | TurnAgent | None = None) -> None:
        from edge_envs.search.guided import GuidedSearcher
        from edge_envs.search.searcher import Searcher
        from edge_envs.search.turns import TurnAgent

        self.name = f"search:{budget}" if guide is None else f"search:{budget}:{guide.name}"
        if guide is None or isinstance(guide, TurnAgent):
            self.searcher = Searcher(game, budget, guide.net if guide else None)
        else:
            self.searcher = GuidedSearcher(game, budget, guide)

    @classmethod
    def from_text(cls, text: str, game: Game) -> SearchAgent:
        """The agent whose name has a budget behind the colon; see `check_text`."""
        return cls(game, Budget.parse(text))

    @staticmethod
    def check_text(text: str) -> None:
        """ValueError unless a text is a budget."""
        Budget.parse(text)

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: np.random.Generator
    ) -> Array:
        """Legal actions (k,) of the players to act."""
        actions = action_masks.argmax(axis=1)
        open_ones = np.flatnonzero(action_masks.sum(axis=1, dtype=np.int64) > 1)
        if open_ones.size:
            actions[open_ones] = self.searcher(states[open_ones]).actions  # type: ignore[index]
        return actions

    def root(self, state: State, seed: int = 0) -> Root:
        """What a search finds out about a decision, from what the player to act may know; the same by the same seed.

        ValueError where nobody is to decide.
        """
        if state.current_player() < 0:
            raise ValueError("a search needs a position in which a player is to decide")
        from edge_envs.core.kernels.rng import chance_word

        records = state.game.records_from_dict(state.to_dict())
        records["rng"] = chance_word(np.uint64(seed))
        roots, legal = self.searcher(records), state.legal_action_mask().nonzero()[0]
        return Root(int(roots.actions[0]), legal, roots.visits[0, legal], roots.values[0, legal])

    def action_values(self, states: Records) -> Array:
        """What the players to act got on average after each action, (k, num_distinct_actions), NaN where untried."""
        return self.searcher(states).values

    def values_and_visits(self, states: Records) -> tuple[Array, Array]:
        """As `action_values`, and how many iterations began with each action, of the same shape."""
        roots = self.searcher(states)
        return roots.values, roots.visits
