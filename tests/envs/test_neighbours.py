"""Compatibility with other libraries: each test imitates the named caller."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.envs.registration import EnvSpec
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space

import edge_envs
from edge_envs import IllegalActionError, ParameterError
from tests.contract.play import Sighted, chosen

ROOT = Path(__file__).resolve().parents[2]
TOYS = ("kuhn", "tic_tac_toe")


# Making


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_gymnasium_make_collects_frames(mode: str) -> None:
    env = gymnasium.make("edge_envs/tic_tac_toe-v0", render_mode=f"{mode}_list")
    env.reset(seed=0)
    env.step(int(env.unwrapped.action_masks().argmax()))  # type: ignore[attr-defined]
    frames: Any = env.render()
    assert len(frames) == 2
    modes = edge_envs.seat_env.metadata["render_modes"]  # type: ignore[attr-defined]
    assert modes == env.unwrapped.metadata["render_modes"]


def test_gymnasium_vector_reset_seeds_the_generator_of_wrappers() -> None:
    draws = set()
    for _ in range(2):
        env = edge_envs.seat_vector_env("kuhn", num_envs=2)
        env.reset(seed=5)
        draws.add((env.np_random.random(), env.np_random_seed))
    assert len(draws) == 1
    with pytest.raises(ValueError, match=r"expected an integer for each lane; to seed some lanes only, .*reset_mask"):
        env.reset(seed=[1, None])


def test_python_copies_of_positions_are_independent() -> None:
    """`copy.copy` of a python-chess board is a copy of the position."""
    state = edge_envs.load_game("tic_tac_toe").new_initial_state()
    before, other = state.to_dict(), copy.copy(state)
    other.apply_action(other.legal_actions()[0])
    assert state.to_dict() == before


@pytest.mark.parametrize("name", TOYS)
def test_sb3_make_vec_env_requests_a_render_mode_first(name: str) -> None:
    """It requests a render mode, and continues without one on a TypeError."""
    from stable_baselines3.common.env_util import make_vec_env

    env = make_vec_env(f"edge_envs/{name}-v0", n_envs=2, seed=0)
    assert env.num_envs == 2
    env.reset()


@pytest.mark.parametrize("make", ["aec_env", "seat_env", "seat_vector_env", "sb3_vec_env"])
def test_unknown_render_mode_raises_both_error_types(make: str) -> None:
    for kind in (ValueError, TypeError, ParameterError):
        with pytest.raises(kind, match=r"render_mode='hologram'.*'ansi'"):
            getattr(edge_envs, make)("tic_tac_toe", render_mode="hologram")


def test_torchrl_drops_an_unexpected_keyword() -> None:
    """Its `GymEnv` passes `frameskip` and searches the TypeError for Python's own message."""

    def make(**arguments: Any) -> gymnasium.Env[Any, Any]:
        try:
            return gymnasium.make("edge_envs/kuhn-v0", **arguments)
        except TypeError as error:
            if "unexpected keyword argument 'frameskip'" not in str(error):
                raise
            del arguments["frameskip"]
            return gymnasium.make("edge_envs/kuhn-v0", **arguments)

    with pytest.raises(TypeError, match=r"choose from opponents, .* kuhn: num_players"):
        edge_envs.seat_env("kuhn", frameskip=1)
    env = make(num_players=3, frameskip=1)
    assert isinstance(env.unwrapped, edge_envs.SeatEnv)
    assert env.unwrapped.game.num_players == 3


def test_invalid_value_raises_both_error_types() -> None:
    for kind in (ValueError, TypeError, ParameterError):
        with pytest.raises(kind, match="num_players=99"):
            edge_envs.load_game("kuhn", num_players=99)


@pytest.mark.parametrize("name", TOYS)
def test_minari_serializes_and_recreates_an_environment(name: str) -> None:
    env = gymnasium.make(f"edge_envs/{name}-v0", seat=1, opponents="heuristic")
    assert env.spec is not None
    text = env.spec.to_json()
    assert json.loads(text)["entry_point"] == "edge_envs:seat_env"
    for spec in (env.spec, EnvSpec.from_json(text)):
        again = gymnasium.make(spec)
        assert np.array_equal(again.reset(seed=3)[0], env.reset(seed=3)[0])
        assert isinstance(again.unwrapped, edge_envs.SeatEnv)
        assert again.unwrapped.game == edge_envs.load_game(name)
    vector = gymnasium.make_vec(env.spec, num_envs=2, vectorization_mode="vector_entry_point")
    assert isinstance(vector, edge_envs.SeatVectorEnv)


def test_pettingzoos_spec_names_the_entry_point() -> None:
    spec = pettingzoo.spec("aec", "edge_envs/kuhn-v0")
    assert (spec.entry_point, spec.kwargs) == ("edge_envs:aec_env", {"name": "kuhn"})


def test_agilerl_requires_a_pettingzoo_without_a_registry() -> None:
    program = (
        "import pettingzoo\n"
        "del pettingzoo.register, pettingzoo.make\n"
        "import edge_envs, gymnasium\n"
        "env = edge_envs.aec_env('falling_off')\n"
        "print(env, 'edge_envs/falling_off-v0' in gymnasium.registry)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["falling_off_v0", "True"]


# Masks in infos


@pytest.mark.parametrize("name", TOYS)
def test_infos_contain_the_mask_behind_every_wrapper(name: str) -> None:
    env = gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.make(f"edge_envs/{name}-v0"))
    observation, info = env.reset(seed=0)
    ended = False
    while not ended:
        mask = info["action_mask"]
        assert mask.dtype == np.int8
        assert (mask == env.get_wrapper_attr("action_masks")()).all()
        unwrapped: Any = env.unwrapped
        assert (mask == unwrapped.action_masks()).all()
        kept = mask.copy()
        observation, _, ended, _, info = env.step(chosen(observation, mask))
        assert (mask == kept).all()
    assert not info["action_mask"].any()


MODES = ("SameStep", "NextStep", "Disabled")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", TOYS)
def test_vector_infos_are_those_that_gymnasium_collects(name: str, mode: str) -> None:
    """The native vector env and Gymnasium's own around single envs give the same keys, shapes and values."""
    lanes, game_id = 3, f"edge_envs/{name}-v0"
    arguments: dict[str, Any] = {"opponents": Sighted(), "seat": 0}
    native = edge_envs.seat_vector_env(name, num_envs=lanes, autoreset_mode=mode, **arguments)
    modes = gymnasium.vector.AutoresetMode
    copies = gymnasium.vector.SyncVectorEnv(
        [lambda: gymnasium.make(game_id, **arguments)] * lanes, autoreset_mode=modes(mode)
    )
    shown = [env.reset(seed=4) for env in (native, copies)]
    same(shown[0][1], shown[1][1])
    ends = 0
    for _ in range(25):
        observation, info = shown[0][0], shown[0][1]
        actions = [chosen(*view) if view[1].any() else 0 for view in zip(observation, info["action_mask"], strict=True)]
        steps = [env.step(np.array(actions)) for env in (native, copies)]
        shown = [(step[0], step[4]) for step in steps]
        same(shown[0][1], shown[1][1])
        assert np.array_equal(shown[0][0], shown[1][0])
        ended = steps[0][2]
        ends += int(ended.sum())
        if mode == "Disabled" and ended.any():
            shown = [env.reset(options={"reset_mask": ended.copy()}) for env in (native, copies)]
            own, theirs = (env_shown[1]["action_mask"] for env_shown in shown)
            assert np.array_equal(own[ended], theirs[ended])  # Gymnasium's infos are of these lanes alone
            assert np.array_equal(own, native.action_masks())
    assert ends > 3


def same(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Infos are equal to the types of their entries."""
    assert one.keys() == other.keys()
    for key, value in one.items():
        if isinstance(value, dict):
            same(value, other[key])
        elif value.dtype == object:
            assert [None if v is None else v.tolist() for v in value] == [
                None if v is None else v.tolist() for v in other[key]
            ]
        else:
            assert (value.dtype, value.tolist()) == (other[key].dtype, other[key].tolist()), key


# PettingZoo


@pytest.mark.parametrize("name", TOYS)
def test_supersuit_observes_an_agent_after_its_last_step(name: str) -> None:
    env = edge_envs.aec_env(name)
    env.reset(seed=0)
    for agent in env.agent_iter():
        observation, _, ended, _, _ = env.last()
        env.step(None if ended else int(observation["action_mask"].argmax()))
        seen = env.observe(agent)
        assert env.observation_space(agent).contains(seen)
        if ended:
            assert not seen["action_mask"].any()
    assert env.agents == []
    for agent in env.possible_agents:
        assert not env.observe(agent)["action_mask"].any()


@pytest.mark.filterwarnings("ignore:Environment's maximum and minimum state space values are equal")
@pytest.mark.parametrize("name", TOYS)
def test_centralised_critic_gets_every_observation(name: str) -> None:
    env = edge_envs.aec_env(name, illegal_action="forfeit")
    check_state_space(env)
    check_state(env, 20)
    env.reset(seed=1)
    views = [env.observe(agent)["observation"] for agent in env.possible_agents]
    assert env.state().dtype == env.state_space.dtype == env.game.observation_dtype
    assert env.state().tolist() == np.concatenate(views).tolist()
    env.state()[:] = 0
    assert env.state().tolist() == np.concatenate(views).tolist()


def test_errors_for_illegal_actions_mention_forfeits() -> None:
    """PettingZoo's own tests sample actions without masks."""
    aec, parallel = edge_envs.aec_env("tic_tac_toe"), edge_envs.parallel_env("tic_tac_toe")
    aec.reset(seed=0)
    parallel.reset(seed=0)
    steps: list[Any] = [
        lambda: aec.step(9),
        lambda: parallel.step({"player_0": 9}),
        lambda: parallel.step({"player_0": 0, "player_1": 0}),
    ]
    for step in steps:
        with pytest.raises(IllegalActionError, match=r'choose from .*illegal_action="forfeit"'):
            step()


@pytest.mark.parametrize("make", ["aec_env", "parallel_env"])
def test_supersuits_frame_skip_finds_a_generator(make: str) -> None:
    """`frame_skip_v0` draws from `env.unwrapped.np_random`."""

    def drawn(env: Any) -> int:
        return int(env.unwrapped.np_random.integers(2**62))

    env, again, other = (getattr(edge_envs, make)("kuhn", illegal_action="forfeit") for _ in range(3))
    assert isinstance(env.np_random, np.random.Generator)
    env.reset(seed=3)
    again.reset(seed=3)
    other.reset(seed=4)
    first = drawn(env)
    assert first == drawn(again) != drawn(other)
    assert first != np.random.default_rng(3).integers(2**62)  # otherwise it would reveal the seed of the game
    cards = env.game_state().to_dict()
    again.reset(seed=3)
    assert again.game_state().to_dict() == cards  # whatever was drawn
    env.reset()
    assert drawn(env) != first  # the random stream continues
    env.np_random = np.random.default_rng(5)
    assert drawn(env) == np.random.default_rng(5).integers(2**62)


# Learning


def test_errors_for_learners_without_masks_recommend_an_algorithm() -> None:
    """Plain PPO samples among all actions."""
    for make, actions in (("seat_env", 9), ("seat_vector_env", np.array([9, 9])), ("sb3_vec_env", np.array([9, 9]))):
        count = {} if make == "seat_env" else {"num_envs": 2}
        env = getattr(edge_envs, make)("tic_tac_toe", **count)
        env.reset()
        with pytest.raises(IllegalActionError, match=r'MaskablePPO.*action_masks.*illegal_action="forfeit"'):
            env.step(actions)


def test_vec_monitor_counts_the_episodes_that_the_lanes_do_not() -> None:
    """MaskablePPO logs `ep_rew_mean` of a native VecEnv inside a VecMonitor, because the lanes are not Monitors."""
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.logger import Logger
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecMonitor

    lanes = edge_envs.sb3_vec_env("tic_tac_toe", num_envs=2)
    assert lanes.env_is_wrapped(Monitor) == [False, False]
    model = MaskablePPO("MlpPolicy", VecMonitor(lanes), n_steps=16, batch_size=16, n_epochs=1, device="cpu", seed=0)
    model.set_logger(Logger(folder=None, output_formats=[]))  # the default logger would create a folder
    model.learn(64)
    assert model.ep_info_buffer
