"""Chance nodes: probabilities, and agreement of sampling with them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import chisquare

from edge_envs import Game, State
from tests.contract.play import chance_nodes, facts, walk

SAMPLES = 4000
KINDS = 6


def kinds(game: Game) -> list[State]:
    """Return chance nodes with different distributions."""
    found: dict[str, State] = {}
    for state in chance_nodes(game):
        found.setdefault(str(state.chance_outcomes()), state)
    return list(found.values())[:KINDS]


def assert_sampled_as_declared(state: State, sample: Callable[[], int]) -> None:
    """Compare samples with the declared distribution by a chi-square test at p = 1e-6; seeds are fixed."""
    outcomes = dict(state.chance_outcomes())
    counts = dict.fromkeys(outcomes, 0)
    for _ in range(SAMPLES):
        counts[sample()] += 1  # an impossible outcome is a KeyError
    if len(outcomes) > 1:
        expected = np.array(list(outcomes.values())) * SAMPLES
        assert chisquare(list(counts.values()), expected / expected.sum() * SAMPLES).pvalue > 1e-6


def test_probabilities_sum_to_1(chance_game: Game) -> None:
    for state in chance_nodes(chance_game):
        outcomes = state.chance_outcomes()
        assert sum(probability for _, probability in outcomes) == pytest.approx(1, abs=1e-12)
        assert all(0 < probability <= 1 for _, probability in outcomes)
        assert all(type(outcome) is int and type(probability) is float for outcome, probability in outcomes)


def test_kernel_overwrites_the_whole_buffer_of_probabilities(chance_game: Game) -> None:
    probabilities_of = chance_game.compiled.kernels.chance_probabilities
    for state in chance_nodes(chance_game, 60):
        first, second = (np.full(chance_game.max_chance_outcomes, filling) for filling in (7.0, -3.0))
        for out in (first, second):
            probabilities_of(state._record, out)
        assert first.tolist() == second.tolist()


def test_other_nodes_have_no_chance_outcomes(game: Game) -> None:
    for state in walk(game, 60):
        if not state.is_chance_node():
            with pytest.raises(ValueError, match="not a chance node"):
                state.chance_outcomes()
            with pytest.raises(ValueError, match="not a chance node"):
                state.sample_chance()


def test_own_random_word_samples_the_declared_distribution(chance_game: Game) -> None:
    for state in kinds(chance_game):
        assert_sampled_as_declared(state, state.sample_chance)


def test_numpy_generator_samples_the_declared_distribution(chance_game: Game) -> None:
    for state in kinds(chance_game):
        rng = np.random.default_rng(1)
        assert_sampled_as_declared(state, lambda state=state, rng=rng: state.sample_chance(rng))  # type: ignore[misc]


def test_sampling_changes_only_the_random_word(chance_game: Game) -> None:
    for state in chance_nodes(chance_game, 40):
        before, history = facts(state), state.history()
        state.sample_chance()
        assert facts(state) == before
        assert state.history() == history


def test_numpy_generator_does_not_advance_the_own_word(chance_game: Game) -> None:
    rng = np.random.default_rng(0)
    for state in kinds(chance_game):
        first, second = state.clone(), state.clone()
        second.sample_chance(rng)
        assert [first.sample_chance() for _ in range(20)] == [second.sample_chance() for _ in range(20)]


def test_consecutive_seeds_give_independent_first_outcomes(chance_game: Game) -> None:
    """Seeds 0, 1, 2, ... give independent games: their first outcomes are distributed as declared."""
    first = min(chance_nodes(chance_game), key=lambda state: len(state.history()))
    path = [action for _, action in first.history()]
    seeds = iter(range(SAMPLES))

    def sample() -> int:
        state = chance_game.new_initial_state(seed=next(seeds))
        for action in path:
            state.apply_action(action)
        return state.sample_chance()

    assert_sampled_as_declared(first, sample)
