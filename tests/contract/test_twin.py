"""The compiled rules agree, step by step, with the slow obvious ones of `tests/reference/<game>.py`.

`tests/lockstep.py` says what a `Twin(**params)` has. A game without a twin fails.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

import numpy as np
import pytest

from edge_envs import Game
from tests.lockstep import assert_same

COMPILED = os.environ.get("NUMBA_DISABLE_JIT") != "1"


def twin_of(game: Game) -> Any:
    return importlib.import_module(f"tests.reference.{game.name}").Twin(**game.params)


def play_both(game: Game, seed: int, heuristic: bool, budget: int) -> int:
    """One game; every outcome of chance is equally likely. Returns the number of its transitions, at most `budget`."""
    rng = np.random.default_rng(seed)
    state, twin = game.new_initial_state(seed=seed), twin_of(game)
    for count in range(budget):
        assert_same(state, twin)
        if state.is_terminal():
            return count
        decides = heuristic and not state.is_chance_node()
        action = state.heuristic_action() if decides else int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        twin.apply(action)
    return budget


@pytest.mark.parametrize("heuristic", [False, True], ids=["random", "heuristic"])
def test_the_rules_agree_with_their_slow_twin(game: Game, heuristic: bool) -> None:
    left, seed = 400 if COMPILED else 1 if heuristic else 8, 0  # a heuristic in plain Python may think for seconds
    while left > 0:
        left -= max(play_both(game, seed, heuristic, left), 1)
        seed += 1


def test_the_rules_agree_with_their_slow_twin_to_the_end(plain_game: Game) -> None:
    budget = 100_000 if COMPILED else 40
    taken = play_both(plain_game, seed=1, heuristic=False, budget=budget)
    if COMPILED:
        assert taken < budget
