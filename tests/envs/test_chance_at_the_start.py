"""Games that end by chance before the first decision are replaced by the next game."""

from __future__ import annotations

from typing import Any

import numpy as np

import edge_envs

PARAMS: dict[str, Any] = {"num_players": 2, "pay_at_once": False, "deal": "last"}
SHOWDOWN = {"game": "kuhn", "params": PARAMS, "cards": [], "betting": ["bet", "call"]}
OPTIONS: dict[str, Any] = {"position": SHOWDOWN}


def test_an_aec_env_starts_the_next_game() -> None:
    env = edge_envs.aec_env("kuhn", **PARAMS)
    env.reset(seed=0, options=OPTIONS)
    assert not any(env.terminations.values())
    assert env.observe(env.agent_selection)["action_mask"].any()
    assert env.game_state().to_dict()["betting"] == []
    assert set(env.rewards.values()) == {0.0}


def test_a_vector_env_starts_the_next_game() -> None:
    env = edge_envs.vector_env("kuhn", num_envs=3, **PARAMS)
    batch = env.reset(seed=0, options=OPTIONS)
    assert batch.current_player.tolist() == [0, 0, 0]
    assert not batch.terminated.any()
    assert not batch.rewards.any()
    assert [env.state(lane).to_dict()["betting"] for lane in range(3)] == [[], [], []]
    env.step(np.zeros(3, np.int64))


def test_a_seat_env_starts_the_next_game() -> None:
    env = edge_envs.seat_env("kuhn", seat=0, **PARAMS)
    env.reset(seed=0, options=OPTIONS)
    assert env.game_state().to_dict()["betting"] == []
    assert env.action_masks().any()


def test_all_apis_continue_with_the_same_game() -> None:
    """After a bet and a call, chance decides the winner."""
    aec = edge_envs.aec_env("kuhn", **PARAMS)
    vector = edge_envs.vector_env("kuhn", num_envs=1, **PARAMS)
    single = edge_envs.seat_env("kuhn", seat=0, opponents="random", **PARAMS)
    for seed in range(20):
        aec.reset(seed=seed, options=OPTIONS)
        vector.reset(seed=seed, options=OPTIONS)
        for action in (1, 1):
            aec.step(action)
            batch = vector.step([action])
        assert [aec.rewards[agent] for agent in aec.possible_agents] == batch.rewards[0].tolist()
        single.reset(seed=seed, options=OPTIONS)
        reward = single.step(1)[1]
        assert reward in (aec.rewards["player_0"], 1.0)  # the opponent may fold
