"""Games that start with uniformly random decisions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import edge_envs
from tests.contract.play import Sighted

GAMES = 400


def stones(position: dict[str, Any]) -> str:
    return "".join(position["board"]).replace(".", "")


@pytest.mark.parametrize(
    ("seat", "opening", "expected"), [(0, 0, 0), (0, 1, 2), (0, 2, 2), (0, 3, 4), (1, 2, 3), (1, 3, 3)]
)
def test_the_learner_decides_after_the_opening(seat: int, opening: int, expected: int) -> None:
    env = edge_envs.seat_env("tic_tac_toe", opponents=Sighted(), seat=seat, random_opening=opening)
    for seed in range(20):
        env.reset(seed=seed)
        assert len(stones(env.game_state().to_dict())) == expected


def test_openings_are_uniform_and_differ_from_game_to_game() -> None:
    env = edge_envs.seat_env("tic_tac_toe", opponents="heuristic", seat=0, random_opening=2)
    env.reset(seed=0)
    boards = Counter[str]()
    for _ in range(GAMES):
        env.reset()
        boards["".join(env.game_state().to_dict()["board"])] += 1
    assert len(boards) == 72
    assert chisquare(list(boards.values())).pvalue > 1e-6


def test_every_game_of_a_vector_env_has_an_opening() -> None:
    env = edge_envs.seat_vector_env("tic_tac_toe", num_envs=5, opponents=Sighted(), seat=0, random_opening=4)
    observations, _ = env.reset(seed=0)
    for _ in range(30):
        assert (observations[:, :2].sum(axis=(1, 2, 3)) >= 4).all()
        observations, *_ = env.step(env.action_masks().argmax(axis=1))


def test_openings_are_alike_in_every_seat_api() -> None:
    arguments: dict[str, Any] = {"opponents": "heuristic", "random_opening": 3, "size": 5}
    single = edge_envs.seat_env("beyond_maps", **arguments)
    alone = single.reset(seed=7)[0]
    vector = edge_envs.seat_vector_env("beyond_maps", num_envs=2, **arguments).reset(seed=7)[0]
    learner = edge_envs.sb3_vec_env("beyond_maps", num_envs=2, **arguments)
    learner.seed(7)
    assert np.array_equal(alone, vector[0])
    assert np.array_equal(vector, learner.reset())


@pytest.mark.parametrize("value", [-1, 1.5, True, "two", None])
def test_an_invalid_opening_is_named(value: Any) -> None:
    with pytest.raises(ValueError, match="random_opening"):
        edge_envs.seat_env("tic_tac_toe", random_opening=value)


def test_an_opening_longer_than_all_games_is_rejected() -> None:
    env = edge_envs.seat_env("tic_tac_toe", random_opening=9)
    with pytest.raises(ValueError, match="decision"):
        env.reset(seed=0)


def test_forfeits_are_no_games_without_a_decision() -> None:
    env = edge_envs.seat_vector_env("tic_tac_toe", num_envs=2, random_opening=6, seat=0, illegal_action="forfeit")
    env.reset(seed=0)
    lanes = env.lanes
    for _ in range(200):  # about one game in five ends in its opening
        env.step(np.full(2, -1))
        assert lanes._lanes["replaced"].max() < 15
