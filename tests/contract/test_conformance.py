"""The conformance tests of PettingZoo, Gymnasium and Stable-Baselines3, and their registries."""

from __future__ import annotations

import functools
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import edge_envs
from edge_envs import Game, GameAECEnv, SeatEnv, SeatVectorEnv
from tests.contract.traces import aec_game


def id_of(game: Game) -> str:
    return f"edge_envs/{game.name}-v{game.type.version}"


# With a mask the observation has to be a dict, as PettingZoo itself documents; its test warns nevertheless.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete"
)
# The observation of a start position may be all zeros.
@pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros:UserWarning")
def test_pettingzoo_api_test(game: Game) -> None:
    api_test(edge_envs.aec_env(game.name, **game.params), num_cycles=300)


def test_pettingzoo_seed_test(plain_game: Game) -> None:
    seed_test(functools.partial(edge_envs.aec_env, plain_game.name, **plain_game.params), num_cycles=100)


def test_pettingzoo_render_test(plain_game: Game) -> None:
    render_test(functools.partial(edge_envs.aec_env, plain_game.name, **plain_game.params))


def test_gymnasium_check_env(game: Game) -> None:
    check_env(edge_envs.seat_env(game.name, illegal_action="forfeit", **game.params), skip_render_check=True)


# It mistakes planes over a board for an image.
@pytest.mark.filterwarnings("ignore:It seems that your observation  is an image")
@pytest.mark.filterwarnings("ignore:It seems that your observation space  is an image")
@pytest.mark.filterwarnings("ignore:The minimal resolution for an image is 36x36")
@pytest.mark.filterwarnings("ignore:Treating image space as channels-last")
def test_sb3_check_env(plain_game: Game) -> None:
    from stable_baselines3.common.env_checker import check_env as sb3_check_env

    sb3_check_env(edge_envs.seat_env(plain_game.name, illegal_action="forfeit", **plain_game.params))


def test_sb3_monitors_and_evaluates_seat_envs(plain_game: Game) -> None:
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.evaluation import evaluate_policy
    from stable_baselines3.common.monitor import Monitor

    env = Monitor(edge_envs.seat_env(plain_game.name, opponents="random", **plain_game.params))
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=32, device="cpu", seed=0)
    mean, _ = evaluate_policy(model, env, n_eval_episodes=3, warn=False)
    assert isinstance(mean, float)
    assert plain_game.min_utility <= mean <= plain_game.max_utility


def test_maskable_ppo_learns_on_the_native_vec_env(plain_game: Game) -> None:
    """An illegal action would raise, so every collected action is legal."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.logger import Logger

    torch.set_num_threads(1)
    env = edge_envs.sb3_vec_env(plain_game.name, num_envs=8, opponents="heuristic", **plain_game.params)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=2, device="cpu", seed=0)
    model.set_logger(Logger(folder=None, output_formats=[]))  # the default logger would create a folder
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    model.learn(512)
    assert model.num_timesteps >= 512
    assert any(not torch.equal(old, new) for old, new in zip(before, model.policy.parameters(), strict=True))


def test_pettingzoo_make_creates_games_by_id(plain_game: Game) -> None:
    env = pettingzoo.make("aec", id_of(plain_game), **plain_game.params)
    assert isinstance(env, GameAECEnv)
    env.reset(seed=3)
    own = edge_envs.aec_env(plain_game.name, **plain_game.params)
    own.reset(seed=3)
    assert aec_game(env) == aec_game(own)


def test_gymnasium_make_creates_games_by_id(plain_game: Game) -> None:
    env = gymnasium.make(id_of(plain_game), opponents="heuristic", seat=0, **plain_game.params)
    assert isinstance(env.unwrapped, SeatEnv)
    assert env.unwrapped.game == plain_game
    observation, _ = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    action = int(np.flatnonzero(env.unwrapped.action_masks())[0])
    assert env.observation_space.contains(env.step(action)[0])


def test_gymnasium_make_vec_creates_games_by_id(plain_game: Game) -> None:
    env: Any = gymnasium.make_vec(id_of(plain_game), num_envs=3, opponents="heuristic", seat=0, **plain_game.params)
    assert isinstance(env.unwrapped, SeatVectorEnv)
    assert env.num_envs == 3
    observation, _ = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    assert env.unwrapped.action_masks().shape == (3, plain_game.num_distinct_actions)


def test_gymnasium_make_vec_supports_copies_of_the_single_env(plain_game: Game) -> None:
    """Gymnasium's own vector envs give the same first observations as the native one."""
    native = gymnasium.make_vec(id_of(plain_game), num_envs=2, seat=0, **plain_game.params)
    copies = gymnasium.make_vec(id_of(plain_game), num_envs=2, vectorization_mode="sync", seat=0, **plain_game.params)
    assert np.array_equal(native.reset(seed=5)[0], copies.reset(seed=5)[0])
    copies.close()


def test_registries_contain_every_game(plain_game: Game) -> None:
    assert id_of(plain_game) in gymnasium.registry
    assert gymnasium.spec(id_of(plain_game)).vector_entry_point is not None
