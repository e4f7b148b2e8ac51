"""The options `observation_dtype` and `mask_in_observation` of the environments."""

from __future__ import annotations

import functools
import pickle
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import FlattenObservation
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import edge_envs
from edge_envs import Game, ParameterError
from tests.contract.play import chosen

LANES = 3
FORMS: list[dict[str, Any]] = [
    {"observation_dtype": "float32"},
    {"mask_in_observation": True},
    {"observation_dtype": "float32", "mask_in_observation": True},
]
each_form = pytest.mark.parametrize("form", FORMS, ids="+".join)
single_forms = pytest.mark.parametrize("form", [*FORMS, {"mask_in_observation": False}], ids=str)


def made(function: str, game: Game, **arguments: Any) -> Any:
    return getattr(edge_envs, function)(game.name, **arguments, **game.params)


def assert_has_form(view: Any, form: dict[str, Any], observation: Any, mask: Any) -> None:
    """Check that an observation has the values of the default form, and the dtype and mask that were asked for."""
    if form.get("mask_in_observation"):
        assert set(view) == {"observation", "action_mask"}
        assert view["action_mask"].dtype == np.int8
        assert np.array_equal(view["action_mask"], mask)
        view = view["observation"]
    assert view.dtype == form.get("observation_dtype", observation.dtype)
    assert np.array_equal(view, observation)


@single_forms
def test_aec_env(plain_game: Game, form: dict[str, Any]) -> None:
    plain, env = made("aec_env", plain_game), made("aec_env", plain_game, **form)
    both = {"mask_in_observation": True, **form}
    plain.reset(seed=3)
    env.reset(seed=3)
    while env.agents:
        for agent in plain.agents:
            seen = plain.observe(agent)
            assert env.observation_space(agent).contains(env.observe(agent))
            assert_has_form(env.observe(agent), both, seen["observation"], seen["action_mask"])
            if both["mask_in_observation"]:
                assert env.infos[agent] == {}
            else:
                assert np.array_equal(env.infos[agent]["action_mask"], seen["action_mask"])
        assert np.array_equal(env.state(), plain.state())
        assert env.state_space.contains(env.state())
        over = env.terminations[env.agent_selection]
        view = plain.observe(plain.agent_selection)
        action = None if over else chosen(view["observation"], view["action_mask"])
        plain.step(action)
        env.step(action)


def test_forfeit_clears_the_masks_in_infos_of_aec_env() -> None:
    env = edge_envs.aec_env("kuhn", mask_in_observation=False, illegal_action="forfeit")
    env.reset(seed=0)
    assert env.infos[env.agent_selection]["action_mask"].any()
    env = pickle.loads(pickle.dumps(env))
    env.step(-1)
    assert not any(info["action_mask"].any() for info in env.infos.values())


@each_form
def test_parallel_env(plain_game: Game, form: dict[str, Any]) -> None:
    plain, env = made("parallel_env", plain_game), made("parallel_env", plain_game, **form)
    views, infos = plain.reset(seed=3)
    formed, given = env.reset(seed=3)
    while True:
        for agent, view in formed.items():
            assert env.observation_space(agent).contains(view)
            assert_has_form(view, form, views[agent], infos[agent]["action_mask"])
            assert set(given[agent]) == (set() if form.get("mask_in_observation") else {"action_mask"})
        if not env.agents:
            break
        actions = {agent: chosen(views[agent], infos[agent]["action_mask"]) for agent in plain.agents}
        views, _, _, _, infos = plain.step(actions)
        formed, _, _, _, given = env.step(actions)


@each_form
def test_seat_env(plain_game: Game, form: dict[str, Any]) -> None:
    plain, env = made("seat_env", plain_game), made("seat_env", plain_game, **form)
    (view, info), (formed, given) = plain.reset(seed=3), env.reset(seed=3)
    terminated = False
    while True:
        assert env.observation_space.contains(formed)
        assert np.array_equal(info["action_mask"], given["action_mask"])
        assert_has_form(formed, form, view, info["action_mask"])
        if terminated:
            break
        action = chosen(view, info["action_mask"])
        view, _, _, _, info = plain.step(action)
        formed, _, terminated, _, given = env.step(action)


def lane_of(batch: Any, lane: int) -> Any:
    return {key: rows[lane] for key, rows in batch.items()} if isinstance(batch, dict) else batch[lane]


@each_form
@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_seat_vector_env(plain_game: Game, form: dict[str, Any], mode: str) -> None:
    arguments = {"num_envs": LANES, "autoreset_mode": mode}
    plain = made("seat_vector_env", plain_game, **arguments)
    env = made("seat_vector_env", plain_game, **arguments, **form)
    (views, infos), (formed, _) = plain.reset(seed=3), env.reset(seed=3)
    ends = 0
    while ends < LANES:
        assert env.observation_space.contains(formed)
        for lane in range(LANES):
            assert env.single_observation_space.contains(lane_of(formed, lane))
            assert_has_form(lane_of(formed, lane), form, views[lane], infos["action_mask"][lane])
        masks = infos["action_mask"]
        actions = np.array([chosen(*view) if view[1].any() else 0 for view in zip(views, masks, strict=True)])
        views, _, terminated, _, infos = plain.step(actions)
        formed, _, _, _, given = env.step(actions)
        for ended in np.flatnonzero(terminated) if mode == "SameStep" else ():
            assert_has_form(given["final_obs"][ended], form, infos["final_obs"][ended], np.zeros_like(masks[0]))
        ends += int(terminated.sum())


@each_form
def test_sb3_vec_env(plain_game: Game, form: dict[str, Any]) -> None:
    plain = made("sb3_vec_env", plain_game, num_envs=LANES)
    env = made("sb3_vec_env", plain_game, num_envs=LANES, **form)
    plain.seed(3)
    env.seed(3)
    views, formed = plain.reset(), env.reset()
    dones = np.zeros(LANES, np.bool_)
    while not dones.any():
        masks = plain.action_masks()
        for lane in range(LANES):
            assert env.observation_space.contains(lane_of(formed, lane))
            assert_has_form(lane_of(formed, lane), form, views[lane], masks[lane])
        actions = np.array([chosen(*view) for view in zip(views, masks, strict=True)])
        views, _, dones, infos = plain.step(actions)
        formed, _, _, given = env.step(actions)
    lane = int(dones.argmax())
    last, zeros = infos[lane]["terminal_observation"], np.zeros_like(masks[0])
    assert_has_form(given[lane]["terminal_observation"], form, last, zeros)


def test_vector_env(plain_game: Game) -> None:
    arguments = {"num_envs": LANES, "final_observation": True}
    plain = made("vector_env", plain_game, **arguments)
    env = made("vector_env", plain_game, observation_dtype="float32", num_threads=2, **arguments)
    batch, formed = plain.reset(seed=3), env.reset(seed=3)
    ends = 0
    while ends < LANES:
        assert formed.observation.dtype == formed.final_observation.dtype == np.float32
        assert np.array_equal(formed.observation, batch.observation)
        ended = batch.terminated
        assert np.array_equal(formed.final_observation[ended], batch.final_observation[ended])
        actions = np.array([chosen(*view) for view in zip(batch.observation, batch.action_mask, strict=True)])
        batch, formed = plain.step(actions), env.step(actions)
        ends += int(batch.terminated.sum())
    for one in (plain, env):
        words = np.arange(LANES, dtype=np.uint64)
        one.random_steps(words, 5)
        one.shown_states(np.array([2, 0]), words)
    assert np.array_equal(formed.observation, batch.observation)


@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete"
)
@pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros:UserWarning")
@single_forms
def test_pettingzoo_tests_pass(plain_game: Game, form: dict[str, Any]) -> None:
    api_test(made("aec_env", plain_game, **form), num_cycles=100)
    seed_test(functools.partial(made, "aec_env", plain_game, **form), num_cycles=50)
    parallel_api_test(made("parallel_env", plain_game, illegal_action="forfeit", **form), num_cycles=100)
    parallel_seed_test(lambda: made("parallel_env", plain_game, illegal_action="forfeit", **form), num_cycles=50)


@pytest.mark.filterwarnings("ignore:It seems that your observation")
@pytest.mark.filterwarnings("ignore:The minimal resolution for an image is 36x36")
@pytest.mark.filterwarnings("ignore:Treating image space as channels-last")
@each_form
def test_gymnasium_and_sb3_checkers_pass(plain_game: Game, form: dict[str, Any]) -> None:
    from stable_baselines3.common.env_checker import check_env as sb3_check_env

    check_env(made("seat_env", plain_game, illegal_action="forfeit", **form), skip_render_check=True)
    sb3_check_env(made("seat_env", plain_game, illegal_action="forfeit", **form))


def test_registries_pass_the_options_on(plain_game: Game) -> None:
    form: dict[str, Any] = FORMS[2]
    name = f"edge_envs/{plain_game.name}-v{plain_game.type.version}"
    env = gymnasium.make(name, **form, **plain_game.params)
    assert isinstance(env.observation_space, gymnasium.spaces.Dict)
    assert env.observation_space["observation"].dtype == np.float32
    view, info = env.reset(seed=0)
    assert np.array_equal(view["action_mask"], info["action_mask"])
    flat, _ = FlattenObservation(env).reset(seed=0)
    assert flat.size == np.prod(plain_game.observation_shape) + plain_game.num_distinct_actions
    many: Any = gymnasium.make_vec(name, num_envs=2, **form, **plain_game.params)
    copies: Any = gymnasium.make_vec(name, num_envs=2, vectorization_mode="sync", **form, **plain_game.params)
    assert many.observation_space == copies.observation_space
    ours, theirs = many.reset(seed=5)[0], copies.reset(seed=5)[0]
    assert all(np.array_equal(ours[key], theirs[key]) for key in ours)
    copies.close()
    for kind in ("aec", "parallel"):
        both: Any = pettingzoo.make(kind, name, **form, **plain_game.params)
        assert both.observation_space("player_0")["observation"].dtype == np.float32


@pytest.mark.parametrize("masked", [False, True])
def test_maskable_ppo_learns_from_each_form(masked: bool) -> None:
    from sb3_contrib import MaskablePPO

    policy = "MultiInputPolicy" if masked else "MlpPolicy"
    env = edge_envs.sb3_vec_env("kuhn", num_envs=4, observation_dtype="float32", mask_in_observation=masked)
    model = MaskablePPO(policy, env, n_steps=16, batch_size=32, n_epochs=1, device="cpu", seed=0)
    model.learn(64)
    assert model.num_timesteps == 64


@pytest.mark.parametrize("function", ["aec_env", "parallel_env", "vector_env", "seat_env", "seat_vector_env"])
@pytest.mark.parametrize("dtype", ["int8", "float64", "", 1, np.float32])
def test_an_unknown_dtype_is_rejected(function: str, dtype: Any) -> None:
    more = {"num_envs": 1} if function == "vector_env" else {}
    with pytest.raises(ParameterError, match=r"invalid observation_dtype=.*expected 'float32'"):
        getattr(edge_envs, function)("kuhn", observation_dtype=dtype, **more)


@pytest.mark.parametrize("function", ["aec_env", "parallel_env", "seat_env", "seat_vector_env"])
@pytest.mark.parametrize("masked", [None, 1, "yes"])
def test_mask_in_observation_must_be_a_boolean(function: str, masked: Any) -> None:
    with pytest.raises(ParameterError, match=r"invalid mask_in_observation=.*True or False"):
        getattr(edge_envs, function)("kuhn", mask_in_observation=masked)
