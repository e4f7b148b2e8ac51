"""A player that looks at every whole turn of its own and no further: a yardstick."""

from __future__ import annotations

import numpy as np

from edge_envs import GAMES, Game
from edge_envs.core.game import Array, Records
from edge_envs.envs.opponents import Generator

MOST_TURNS = 1_000_000  # of a decision
MOST_DECISIONS = 24  # of a turn


class OneTurnAgent:
    """Begins the turn that wins, else the one with the greatest lead in score; equal ones are drawn from.

    ValueError for a game that has no score.
    """

    name = "one_turn"
    needs_states = True

    def __init__(self, game: Game) -> None:
        if game.type.kernels.score is None or game.type.kernels.turn_of is None:
            known = [name for name, other in GAMES.items() if other.kernels.score and other.kernels.turn_of]
            raise ValueError(f"one_turn compares scores and {game.name} has none; possible are {', '.join(known)}")
        self._decide = game.type.loops.one_turn
        self._stack = game.new_records(1 + MOST_DECISIONS)
        self._masks = np.zeros((MOST_DECISIONS, game.num_distinct_actions), np.int8)
        self._rewards = np.zeros(game.num_players)

    def act(
        self, observations: Array, action_masks: Array, states: Records | None, players: Array, rng: Generator
    ) -> Array:
        """Legal actions (k,) of the players to act."""
        actions = np.empty(len(players), np.int64)
        generators = rng.integers(2**64, size=len(players), dtype=np.uint64)
        self._decide(states, generators, MOST_TURNS, actions, self._stack, self._masks, self._rewards)
        return actions
