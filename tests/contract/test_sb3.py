"""The Stable-Baselines3 API, as `VecEnv` and `MaskablePPO` expect it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, IllegalActionError, InvalidPositionError, ParameterError
from tests.contract.play import Array, Sighted, chosen, middle

if TYPE_CHECKING:
    from edge_envs import SeatVecEnv

LANES = 3


def make(game: Game, **arguments: Any) -> SeatVecEnv:
    return edge_envs.sb3_vec_env(game.name, num_envs=LANES, **{"opponents": Sighted(), **arguments}, **game.params)


def choose(observation: Any, env: SeatVecEnv) -> Array:
    return np.array([chosen(*view) for view in zip(observation, env.action_masks(), strict=True)])


def test_seat_vec_env_is_an_sb3_vec_env(plain_game: Game) -> None:
    from stable_baselines3.common.vec_env import VecEnv

    env = make(plain_game)
    assert isinstance(env, VecEnv)
    assert env.num_envs == LANES
    assert env.observation_space == edge_envs.seat_env(plain_game.name, **plain_game.params).observation_space


def test_step_returns_the_documented_types(plain_game: Game) -> None:
    env = make(plain_game)
    env.seed(0)
    observation: Any = env.reset()
    for _ in range(30):
        observation, rewards, dones, infos = env.step(choose(observation, env))
        assert observation.shape == (LANES, *plain_game.observation_shape)
        assert observation.dtype == plain_game.observation_dtype
        assert rewards.shape == dones.shape == (LANES,)
        assert [rewards.dtype, dones.dtype] == [np.dtype(np.float32), np.dtype(np.bool_)]
        assert [type(info) for info in infos] == [dict] * LANES


def test_info_contains_the_terminal_observation(plain_game: Game) -> None:
    """`terminal_observation` is the learner's view of the end; the observation belongs to the next game."""
    env, apart = make(plain_game), edge_envs.seat_vector_env(
        plain_game.name, num_envs=LANES, opponents=Sighted(), autoreset_mode="NextStep", **plain_game.params
    )  # fmt: skip
    env.seed(0)
    observation: Any = env.reset()
    apart.reset(seed=0)
    dones = np.zeros(LANES, np.bool_)
    while not dones.any():
        actions = choose(observation, env)
        observation, _, dones, infos = env.step(actions)
        final = apart.step(actions)[0]
    for lane, info in enumerate(infos):
        assert set(info) == ({"terminal_observation", "TimeLimit.truncated"} if dones[lane] else set())
        if dones[lane]:
            assert info["TimeLimit.truncated"] is False
            assert (info["terminal_observation"] == final[lane]).all()
    assert env.action_masks().any(axis=1).all()


def test_reset_and_step_return_new_arrays(plain_game: Game) -> None:
    env = make(plain_game)
    env.seed(0)
    first: Any = env.reset()
    before, masks = first.copy(), env.action_masks()
    results: Any = env.step(choose(first, env))
    assert (first == before).all()
    kept = env.action_masks()
    for array in (*results[:3], masks, env.action_masks()):
        array[:] = 0
    assert (env.action_masks() == kept).all()


def test_action_masks_are_found_by_sb3_contrib(plain_game: Game) -> None:
    env = make(plain_game)
    env.seed(0)
    env.reset()
    assert env.has_attr("action_masks")
    assert not env.has_attr("unheard_of")
    stacked = np.stack(env.env_method("action_masks")).reshape(LANES, -1)
    assert (stacked == env.action_masks()).all()
    some = np.stack(env.env_method("action_masks", indices=[2, 0])).reshape(2, -1)
    assert (some == env.action_masks()[[2, 0]]).all()


def test_env_method_returns_one_result_per_lane(plain_game: Game) -> None:
    """User code indexes the results by lane."""
    env = make(plain_game, render_mode="ansi")
    env.seed(0)
    env.reset()
    masks = env.action_masks()
    every: list[tuple[Any, list[int]]] = [
        (None, [0, 1, 2]), (1, [1]), (np.int64(1), [1]), (-1, [2]), ([2, 0], [2, 0]), (range(2), [0, 1]),
        (np.array([2, 2]), [2, 2]), ([], []),
    ]  # fmt: skip
    for indices, lanes in every:
        rows = env.env_method("action_masks", indices=indices)
        assert [row.tolist() for row in rows] == [masks[lane].tolist() for lane in lanes]
        states = env.env_method("game_state", indices=indices)
        assert [state.to_dict() for state in states] == [env.game_state(lane).to_dict() for lane in lanes]
        assert len(env.env_method("render", indices=indices)) == len(lanes)
        assert len(env.env_method("has_attr", "action_masks", indices=indices)) == len(lanes)
        assert env.get_attr("render_mode", indices=indices) == ["ansi"] * len(lanes)
        assert env.env_is_wrapped(dict, indices=indices) == [False] * len(lanes)
    row = env.env_method("action_masks")[1]
    row[:] = 7
    assert (env.action_masks() == masks).all()


def test_action_masks_match_sb3s_dummy_vec_env(plain_game: Game) -> None:
    from sb3_contrib.common.maskable.utils import get_action_masks
    from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

    def one() -> Any:
        return edge_envs.seat_env(plain_game.name, opponents=Sighted(), **plain_game.params)

    theirs, ours = DummyVecEnv([one] * LANES), VecMonitor(make(plain_game))
    for env in (theirs, ours):
        env.seed(0)
        env.reset()
    assert np.array_equal(get_action_masks(ours), get_action_masks(theirs))
    for indices in (None, 1, [2, 0]):
        rows = [env.env_method("action_masks", indices=indices) for env in (ours, theirs)]
        assert [row.tolist() for row in rows[0]] == [row.tolist() for row in rows[1]]


@pytest.mark.parametrize("indices", [LANES, [0, LANES], -LANES - 1])
def test_unknown_lanes_are_rejected(plain_game: Game, indices: Any) -> None:
    env = make(plain_game)
    env.seed(0)
    env.reset()
    for ask in (
        lambda: env.env_method("action_masks", indices=indices),
        lambda: env.get_attr("render_mode", indices=indices),
        lambda: env.env_is_wrapped(dict, indices=indices),
        lambda: env.set_attr("note", 1, indices=indices),
    ):
        with pytest.raises(IndexError, match="expected integers from 0 to 2"):
            ask()


@pytest.mark.parametrize("method", ["reset", "step", "close", "seed"])
def test_methods_that_change_single_lanes_are_rejected(plain_game: Game, method: str) -> None:
    env = make(plain_game)
    env.seed(0)
    env.reset()
    with pytest.raises(ValueError, match=f"{method} acts on all lanes"):
        env.env_method(method, indices=1)
    assert env.action_masks().any()


def test_get_attr_returns_one_value_per_lane(plain_game: Game) -> None:
    env = make(plain_game)
    assert env.get_attr("render_mode") == [None] * LANES
    assert env.get_attr("render_mode", indices=1) == [None]
    assert env.env_is_wrapped(dict) == [False] * LANES
    with pytest.raises(ValueError, match="set them for all lanes"):
        env.set_attr("note", 7, indices=[0] * LANES)
    env.set_attr("note", 7)
    assert env.get_attr("note", indices=[0, 2]) == [7, 7]


def test_seed_applies_only_to_the_next_reset(plain_game: Game) -> None:
    env = make(plain_game)
    firsts = []
    for _ in range(2):
        env.seed(5)
        first: Any = env.reset()
        second: Any = env.reset()
        firsts.append((first.tolist(), second.tolist()))
    assert firsts[0] == firsts[1]


def test_options_apply_only_to_the_next_reset(plain_game: Game) -> None:
    state = middle(plain_game)
    env = make(plain_game, seat=state.current_player())
    env.seed(0)
    env.set_options({"position": state.to_dict()})
    first: Any = env.reset()
    assert (first == state.observation_tensor(state.current_player())).all()
    env.seed(0)
    again: Any = env.reset()
    fresh = make(plain_game, seat=state.current_player())
    fresh.seed(0)
    assert (again == fresh.reset()).all()


@pytest.mark.parametrize("given", [[{}], [{}] * 2, [{}] * 4, [], 5, "position"])
def test_options_are_one_dict_or_one_per_lane(given: Any) -> None:
    env = edge_envs.sb3_vec_env("falling_off", num_envs=3)
    found = f"{len(given)} options" if isinstance(given, list) else repr(given)
    with pytest.raises(ParameterError, match=f"invalid options: expected a dict or a list of 3, not {found}"):
        env.set_options(given)
    env.reset()


def test_each_lane_has_its_own_options(plain_game: Game) -> None:
    state = middle(plain_game)
    env, fresh = (make(plain_game, seat=state.current_player()) for _ in range(2))
    for one in (env, fresh):
        one.seed(0)
    empty: list[dict[str, Any]] = [{} for _ in range(env.num_envs)]
    env.set_options([*empty[1:], {"position": {"no": "position"}}])
    with pytest.raises(InvalidPositionError):
        env.reset()
    env.set_options([{"position": state.to_dict()}, *empty[1:]])
    given: Any = env.reset()
    expected: Any = fresh.reset()
    assert (given[0] == state.observation_tensor(state.current_player())).all()
    assert (given[1:] == expected[1:]).all()
    env.seed(0)
    again: Any = env.reset()
    assert (again == expected).all()


def test_illegal_action_names_its_lane_and_leaves_env_unchanged(plain_game: Game) -> None:
    env = make(plain_game)
    env.seed(0)
    observation: Any = env.reset()
    masks = env.action_masks().tolist()
    actions = choose(observation, env)
    actions[1] = -1
    with pytest.raises(IllegalActionError, match="lane 1: action -1"):
        env.step(actions)
    assert env.action_masks().tolist() == masks


def test_forfeit_returns_the_minimal_utility(plain_game: Game) -> None:
    env = make(plain_game, illegal_action="forfeit")
    env.seed(0)
    observation: Any = env.reset()
    _, rewards, dones, infos = env.step(np.array([-1, *choose(observation, env)[1:]]))
    assert rewards[0] == pytest.approx(plain_game.min_utility)
    assert dones[0]
    assert (infos[0]["terminal_observation"] == observation[0]).all()


@pytest.mark.parametrize("mode", [None, "ansi"])
def test_without_pixels_there_are_no_images(mode: str | None) -> None:
    env = edge_envs.sb3_vec_env("tic_tac_toe", num_envs=2, render_mode=mode)
    env.reset()
    assert list(env.get_images()) == [None, None]
