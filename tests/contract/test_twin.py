"""The compiled rules agree, step by step, with the slow obvious ones of `tests/reference/<game>.py`.

`Twin(**params)` has `current_player()`, `legal_actions()`, `chance_outcomes()`, `apply(action)`, `rewards()`,
`action_to_string(action)` and `to_dict()`, with the meanings of `State`. A game without a twin fails.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

import numpy as np
import pytest

from edge_envs import Game, State

TRANSITIONS = 60 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 400


def twin_of(game: Game) -> Any:
    return importlib.import_module(f"tests.reference.{game.name}").Twin(**game.params)


def assert_twins(state: State, twin: Any) -> None:
    """Both show the same position, choices, chances and rewards."""
    assert state.to_dict() == twin.to_dict()
    assert state.current_player() == twin.current_player()
    assert state.legal_actions() == list(twin.legal_actions())
    assert {a: state.action_to_string(a) for a in state.legal_actions()} == {
        a: twin.action_to_string(a) for a in twin.legal_actions()
    }
    if state.history():
        assert state.rewards() == pytest.approx([float(reward) for reward in twin.rewards()])
    if state.is_chance_node():
        outcomes, probabilities = zip(*twin.chance_outcomes(), strict=True)
        assert [outcome for outcome, _ in state.chance_outcomes()] == list(outcomes)
        assert [p for _, p in state.chance_outcomes()] == pytest.approx([float(p) for p in probabilities])


def play_both(game: Game, seed: int, heuristic: bool, budget: int) -> int:
    """One game; every outcome of chance is equally likely. Returns the number of its transitions, at most `budget`."""
    rng = np.random.default_rng(seed)
    state, twin = game.new_initial_state(seed=seed), twin_of(game)
    for count in range(budget):
        assert_twins(state, twin)
        if state.is_terminal():
            return count
        decides = heuristic and not state.is_chance_node()
        action = state.heuristic_action() if decides else int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        twin.apply(action)
    return budget


@pytest.mark.parametrize("heuristic", [False, True], ids=["random", "heuristic"])
def test_the_rules_agree_with_their_slow_twin(game: Game, heuristic: bool) -> None:
    left, seed = TRANSITIONS, 0
    while left > 0:
        left -= max(play_both(game, seed, heuristic, left), 1)
        seed += 1


def test_the_rules_agree_with_their_slow_twin_to_the_end(plain_game: Game) -> None:
    assert play_both(plain_game, seed=1, heuristic=False, budget=100_000) < 100_000
