"""The built-in agents of every game: the heuristic, and the uniform choice of the compiled loops."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import chisquare

from edge_envs import Game, State
from tests.contract.play import decisions, facts, future, playthrough, walk

SAMPLES = 3000
NODES = 6


def spread(game: Game, count: int) -> list[State]:
    """Return decision nodes with different numbers of legal actions."""
    found = {len(state.legal_actions()): state for state in decisions(game)}
    return [found[number] for number in sorted(found, reverse=True)[:count]]


def test_heuristic_plays_legal_actions(game: Game) -> None:
    for state in decisions(game):
        action = state.heuristic_action()
        assert type(action) is int
        assert action in state.legal_actions()


def test_heuristic_does_not_modify_the_state(plain_game: Game) -> None:
    for state in decisions(plain_game, 12):
        before = facts(state), state.history(), future(state, transitions=8)
        state.heuristic_action()
        assert (facts(state), state.history(), future(state, transitions=8)) == before


def test_compiled_heuristic_does_not_modify_the_record(game: Game) -> None:
    for state in decisions(game):
        before = state._records.tobytes()
        game.compiled.kernels.heuristic(state._record)
        assert state._records.tobytes() == before


def test_heuristic_requires_a_decision_node(plain_game: Game) -> None:
    for state in walk(plain_game, 60):
        if state.current_player() < 0:
            with pytest.raises(ValueError, match="heuristic"):
                state.heuristic_action()


def test_heuristic_games_terminate(game: Game) -> None:
    assert sum(1 for _ in itertools.islice(playthrough(game, seed=3, heuristic=True), 100_000)) < 100_000


def test_random_action_is_uniform_over_the_mask(game: Game) -> None:
    rng = np.random.default_rng(0)
    scratch = np.zeros(game.num_distinct_actions, np.int8)
    for state in spread(game, NODES):
        counts = np.zeros(game.num_distinct_actions, np.int64)
        for bits in rng.integers(2**64, size=SAMPLES, dtype=np.uint64):
            counts[game.compiled.loops.random_action(state._record, bits, scratch)] += 1
        legal = state.legal_actions()
        assert counts[legal].sum() == SAMPLES
        if 1 < len(legal) <= SAMPLES // 10:
            assert chisquare(counts[legal]).pvalue > 1e-6


def test_random_action_does_not_modify_the_state(plain_game: Game) -> None:
    scratch = np.zeros(plain_game.num_distinct_actions, np.int8)
    for state in decisions(plain_game, 60):
        before = state._records.tobytes()
        plain_game.compiled.loops.random_action(state._record, np.uint64(2**63 + 12345), scratch)
        assert state._records.tobytes() == before


def test_random_action_is_legal_for_extreme_random_bits(game: Game) -> None:
    scratch = np.zeros(game.num_distinct_actions, np.int8)
    for state in decisions(game, 100):
        for bits in (0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1):
            action = game.compiled.loops.random_action(state._record, np.uint64(bits), scratch)
            assert action in state.legal_actions()
