"""The compiled rules match the reference implementation of `tests/reference/<game>.py`, its *twin*, step by step.

`tests/lockstep.py` documents the interface of `Twin(**params)`. Every game needs a twin.
"""

from __future__ import annotations

import importlib
import itertools
import os
from typing import Any

import numpy as np
import pytest

from edge_envs import Game
from tests.contract.cases import plain_games
from tests.contract.play import playthrough
from tests.lockstep import assert_same

COMPILED = os.environ.get("NUMBA_DISABLE_JIT") != "1"


def twin_of(game: Game) -> Any:
    return importlib.import_module(f"tests.reference.{game.name}").Twin(**game.params)


def play_both(game: Game, seed: int, heuristic: bool, budget: int, skipped: int = 0) -> int:
    """Play one game with uniform chance outcomes, and compare the state with its twin at every node.

    Args:
        game: The game.
        seed: The seed of actions and outcomes.
        heuristic: Whether the heuristic chooses the actions.
        budget: The maximum number of compared transitions.
        skipped: The number of random transitions before the first comparison.

    Returns:
        The number of compared transitions.
    """
    rng = np.random.default_rng(seed)
    state, twin = game.new_initial_state(seed=seed), twin_of(game)
    for count in range(-skipped, budget):
        if count >= 0:
            assert_same(state, twin)
        if state.is_terminal():
            return count
        decides = heuristic and count >= 0 and not state.is_chance_node()
        action = state.heuristic_action() if decides else int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        twin.apply(action)
    return budget


@pytest.mark.parametrize("heuristic", [False, True], ids=["random", "heuristic"])
def test_rules_match_the_reference_implementation(game: Game, heuristic: bool) -> None:
    left, seed = 400 if COMPILED else 8, 0
    if heuristic and not COMPILED:
        for skipped in [transitions_to_skip(game, seed), *([0] if game in plain_games() else [])]:
            play_both(game, seed, heuristic, left, skipped)
        return
    while left > 0:
        left -= max(play_both(game, seed, heuristic, left), 1)
        seed += 1


def transitions_to_skip(game: Game, seed: int) -> int:
    """Count the transitions to skip: without the compiler, the heuristic can need a minute at the start of a game."""
    return max(sum(1 for _ in itertools.islice(playthrough(game, seed), 250)) - 8, 0)


def test_rules_match_the_reference_implementation_to_the_end(plain_game: Game) -> None:
    budget = 100_000 if COMPILED else 40
    taken = play_both(plain_game, seed=1, heuristic=False, budget=budget)
    if COMPILED:
        assert taken < budget
