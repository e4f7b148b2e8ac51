"""The random words of the states that agents are shown: each lane has its own, and `reset` seeds them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs.envs.seat_lanes import SeatLanes

LANES = 3


def started(seed: int | list[int]) -> SeatLanes:
    lanes = edge_envs.seat_vector_env("tic_tac_toe", num_envs=LANES, seat=0).lanes
    lanes.reset(seed=seed)
    return lanes


def shown(lanes: SeatLanes) -> list[int]:
    """The words of all lanes that the next copies of their states get."""
    return lanes.shown_states(np.arange(LANES)).rng.tolist()


def test_a_seed_gives_each_lane_its_own_words_again() -> None:
    lanes = started([4, 5, 6])
    first, second = shown(lanes), shown(lanes)
    assert len({*first, *second}) == 2 * LANES
    lanes.reset(seed=[4, 5, 6])
    assert (shown(lanes), shown(lanes)) == (first, second)
    assert not {*first} & {*shown(started([7, 8, 9]))}


@pytest.mark.parametrize("lanes", [[LANES], [0, -1], [10**9], np.array([True] * LANES), [0.5], "0", 0])
def test_lanes_that_do_not_exist_are_errors(lanes: Any) -> None:
    words, env = np.arange(LANES, dtype=np.uint64), edge_envs.vector_env("tic_tac_toe", num_envs=LANES)
    env.reset(seed=1)
    with pytest.raises(IndexError, match="invalid lane"):
        env.shown_states(lanes, words)
    assert words.tolist() == list(range(LANES))
    with pytest.raises(IndexError, match="invalid lane"):
        started(1).shown_states(lanes)


def test_a_lane_can_be_shown_more_often_than_there_are_lanes() -> None:
    words, env = np.arange(LANES, dtype=np.uint64), edge_envs.vector_env("tic_tac_toe", num_envs=LANES)
    env.reset(seed=1)
    assert len(set(env.shown_states([0] * 50, words).rng.tolist())) == 50


def test_a_reset_without_a_seed_continues_the_words() -> None:
    lanes, other = started(4), started(4)
    shown(lanes), shown(other)
    lanes.reset()
    assert shown(lanes) == shown(other)


def test_a_reset_of_some_lanes_changes_the_words_of_these_lanes_only() -> None:
    lanes = started([1, 2, 3])
    lanes.reset(seed=[4, 5, 6], which=np.array([False, True, False]))
    one, other = shown(started([1, 2, 3])), shown(started([4, 5, 6]))
    assert shown(lanes) == [one[0], other[1], one[2]]
