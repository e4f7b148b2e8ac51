"""What an agent is to what asks it, and how it is asked what it does in positions."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from edge_envs.core.game import Array, Game, Records

Generator = np.random.Generator


@runtime_checkable
class Opponent(Protocol):
    """An object that plays seats: one call decides for k lanes at once.

    `observations` (k, *observation_shape), `action_masks` (k, A) int8, `players` (k,) the seats to act; `states` is a
    record array (k,) if the object has a true attribute `needs_states`, else None; `rng` is the environment's
    generator for its agents. Returns k legal actions. The states have fresh random words and fresh hidden parts.
    """

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """The actions (k,) of the players to act."""
        ...


class Asking:
    """Asks an agent, of each position, what it does; it sees what the player to act may know.

    Where the agent wants states it is given copies in which hidden parts have been drawn anew.
    """

    def __init__(self, game: Game, agent: Opponent) -> None:
        self.game, self.agent = game, agent
        self._ask = game.type.seat_loops(heuristic=False).ask

    def __call__(self, states: Records, rng: Generator) -> Array:
        """Its actions (k,) in states (k,) at decisions; where one action alone is legal it is not asked."""
        game, count, needs_states = self.game, len(states), bool(getattr(self.agent, "needs_states", False))
        observations = np.empty((count, *game.observation_shape), game.observation_dtype)
        masks, players = np.empty((count, game.num_distinct_actions), np.int8), np.empty(count, np.int64)
        copies = game.new_records(count if needs_states else 0)
        words = rng.integers(2**64, size=count, dtype=np.uint64)
        self._ask(states, words, np.arange(count), players, observations, masks, copies)
        actions: Array = masks.argmax(axis=1)
        asked = np.flatnonzero(masks.sum(axis=1, dtype=np.int64) > 1)
        if asked.size:
            shown: Any = copies[asked] if needs_states else None
            actions[asked] = self.agent.act(observations[asked], masks[asked], shown, players[asked], rng)
        return actions
