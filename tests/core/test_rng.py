"""SplitMix64: its numbers, and the random words that are derived from seeds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

import edge_envs
from edge_envs.core.kernels import rng

# The first outputs of other implementations for seed 1234567 (Rosetta Code, "Pseudo-random
# numbers/Splitmix64").
KNOWN = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def test_numbers_match_other_implementations() -> None:
    words = np.array([1234567], np.uint64)
    assert [int(rng.draw_at(words, 0)) for _ in KNOWN] == KNOWN


def test_random_word_of_a_state_draws_the_same_numbers() -> None:
    for name in edge_envs.GAMES:
        state = edge_envs.load_game(name).new_records(1)[0]
        state.rng = 1234567
        assert [int(rng.draw(state)) for _ in KNOWN] == KNOWN


def test_mix_is_injective() -> None:
    assert len({int(rng.mix(np.uint64(word))) for word in range(5000)}) == 5000


@pytest.mark.parametrize("n", [1, 2, 3, 6, 56, 216, 10**6])
def test_below_reaches_from_0_to_n_minus_1(n: int) -> None:
    assert rng.below(np.uint64(0), n) == 0
    assert rng.below(np.uint64(2**64 - 1), n) == n - 1


def test_below_is_uniform() -> None:
    words = np.array([7], np.uint64)
    counts = np.bincount([rng.below(np.uint64(rng.draw_at(words, 0)), 7) for _ in range(7000)], minlength=7)
    assert chisquare(counts).pvalue > 1e-6


def test_unit_reaches_from_0_to_just_below_1() -> None:
    assert rng.unit(np.uint64(0)) == 0.0
    assert rng.unit(np.uint64(2**64 - 1)) == 1.0 - 2.0**-53


def test_words_of_a_seed_are_separate_streams() -> None:
    """The streams of chance and agents are more than 2**40 steps apart, so they never draw the same numbers."""
    for seed in range(50):
        chance, agents = (int(word(np.uint64(seed))) for word in (rng.chance_word, rng.agents_word))
        steps = (agents - chance) * pow(int(rng.GAMMA), -1, 2**64) % 2**64
        assert min(steps, 2**64 - steps) > 2**40


def test_consecutive_seeds_give_distant_streams() -> None:
    words = [int(rng.chance_word(np.uint64(seed))) for seed in range(200)]
    inverse = pow(int(rng.GAMMA), -1, 2**64)
    gaps = [(b - a) * inverse % 2**64 for a in words for b in words if a != b]
    assert min(min(gap, 2**64 - gap) for gap in gaps) > 2**40


def test_arrays_of_seeds_match_single_seeds() -> None:
    seeds = np.array([0, 1, 2**64 - 1], np.uint64)
    for many, one in ((rng.chance_words, rng.chance_word), (rng.agents_words, rng.agents_word)):
        words = np.empty(3, np.uint64)
        many(seeds, words)
        assert words.tolist() == [int(one(seed)) for seed in seeds]
