"""Uniform play inside the compiled loops is uniform: where the first stone of tic-tac-toe falls."""

from __future__ import annotations

import numpy as np
from scipy.stats import chisquare

import edge_envs
from edge_envs import OpponentMix
from edge_envs.core.kernels.rng import chance_word
from tests.contract.play import Array

LANES = 3600


def assert_uniform(empty: Array) -> None:
    """`empty` (N, 3, 3) is 0 on the one square with a stone."""
    stones = (empty.reshape(len(empty), -1) == 0).nonzero()[1]
    assert len(stones) == len(empty)
    assert chisquare(np.bincount(stones, minlength=9)).pvalue > 1e-6


def test_random_opponents_choose_uniformly() -> None:
    env = edge_envs.seat_vector_env("tic_tac_toe", num_envs=LANES, opponents="random", seat=1)
    observation, _ = env.reset(seed=0)
    assert_uniform(observation[:, 2])


def test_random_steps_choose_uniformly() -> None:
    env = edge_envs.vector_env("tic_tac_toe", num_envs=LANES)
    batch = env.reset(seed=0)
    env.random_steps(np.arange(LANES, dtype=np.uint64), 1)
    assert_uniform(batch.observation[:, 2])


def test_seats_and_opponents_are_not_drawn_from_the_games_word() -> None:
    """A game without chance never touches its word; neither does anything that is drawn around it."""
    mix = OpponentMix([("random", 1.0), ("heuristic", 1.0)])
    env = edge_envs.seat_vector_env("tic_tac_toe", num_envs=50, opponents=mix, seat="random")
    env.reset(seed=7)
    for _ in range(20):
        env.step(env.action_masks().argmax(axis=1))
    words = [int(env.game_state(lane)._records["rng"][0]) for lane in range(50)]
    assert words == [int(chance_word(np.uint64(7 + lane))) for lane in range(50)]


def test_random_opponents_go_on_differently_in_the_next_game() -> None:
    env = edge_envs.seat_vector_env("tic_tac_toe", num_envs=LANES, opponents="random", seat=1)
    first, second = env.reset(seed=0)[0], env.reset()[0]
    assert_uniform(second[:, 2])
    same = (first == second).all(axis=(1, 2, 3)).mean()
    assert 0.05 < same < 0.2  # one in nine
