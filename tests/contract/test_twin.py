"""The compiled rules agree, step by step, with the slow obvious ones of `tests/reference/<game>.py`.

`tests/lockstep.py` says what a `Twin(**params)` has. A game without a twin fails.
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
    """One game; every outcome of chance is equally likely. Returns the number of its transitions, at most `budget`.

    Before these so many transitions are `skipped`: they are drawn and not compared.
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
def test_the_rules_agree_with_their_slow_twin(game: Game, heuristic: bool) -> None:
    left, seed = 400 if COMPILED else 8, 0
    if heuristic and not COMPILED:
        for skipped in [nearly_all(game, seed), *([0] if game in plain_games() else [])]:
            play_both(game, seed, heuristic, left, skipped)
        return
    while left > 0:
        left -= max(play_both(game, seed, heuristic, left), 1)
        seed += 1


def nearly_all(game: Game, seed: int) -> int:
    """All transitions of a game but the last: a heuristic in plain Python may think for a minute at the start."""
    return max(sum(1 for _ in itertools.islice(playthrough(game, seed), 250)) - 8, 0)


def test_the_rules_agree_with_their_slow_twin_to_the_end(plain_game: Game) -> None:
    budget = 100_000 if COMPILED else 40
    taken = play_both(plain_game, seed=1, heuristic=False, budget=budget)
    if COMPILED:
        assert taken < budget
