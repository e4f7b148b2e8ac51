"""Parameters of each lane in vector environments."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import edge_envs
from edge_envs import InvalidPositionError, ParameterError

LANES: list[dict[str, Any]] = [{"max_turns": 8}, {"boarding": False}, {}, {"max_turns": 8}]
WORDS = np.arange(4, dtype=np.uint64)


def sailing(**arguments: Any) -> Any:
    return edge_envs.vector_env("over_the_edge", map="pond", num_envs=4, **arguments)


def params_of(state: Any) -> dict[str, Any]:
    return dict(state.game.params)


def test_every_lane_is_the_game_with_its_parameters() -> None:
    env = sailing(params_per_env=LANES)
    batch = env.reset(seed=5)
    alone = [edge_envs.vector_env("over_the_edge", num_envs=1, **{"map": "pond", **params}) for params in LANES]
    for lane, other in enumerate(alone):
        other.reset(seed=5 + lane)
        assert params_of(env.state(lane)) == dict(other.game.params)
    rng, ended = np.random.default_rng(0), np.zeros(4, int)
    for _ in range(300):
        actions = [int(rng.choice(np.flatnonzero(mask))) for mask in batch.action_mask]
        batch = env.step(actions)
        ended += batch.terminated
        for lane, other in enumerate(alone):
            theirs = other.step([actions[lane]])
            assert (batch.observation[lane] == theirs.observation[0]).all()
            assert (batch.action_mask[lane] == theirs.action_mask[0]).all()
            assert (batch.rewards[lane] == theirs.rewards[0]).all()
    assert ended[0] > 3  # a lane keeps its parameters in its next games
    assert params_of(env.state(0))["max_turns"] == 8


def test_positions_of_a_lane_name_its_parameters() -> None:
    env = sailing(params_per_env=LANES)
    env.reset(seed=0)
    position = env.state(1).to_dict()
    assert position["params"]["boarding"] is False
    edge_envs.load_game("over_the_edge", map="pond", boarding=False).state_from_dict(position)


def test_a_function_draws_parameters_at_each_reset() -> None:
    def draw(rng: np.random.Generator) -> dict[str, Any]:
        return {"max_turns": int(rng.integers(5, 1000))}

    env, again = sailing(params_per_env=draw), sailing(params_per_env=draw)
    drawn = []
    for seed in (1, 2, None, 1):
        for one in (env, again):
            one.reset(seed=seed)
        limits = [params_of(env.state(lane))["max_turns"] for lane in range(4)]
        assert limits == [params_of(again.state(lane))["max_turns"] for lane in range(4)]
        drawn.append(limits)
    assert drawn[0] == drawn[3]
    assert len({tuple(some) for some in drawn}) == 3
    assert len(set(drawn[0])) > 1


@pytest.mark.parametrize("api", ["seat_vector_env", "sb3_vec_env"])
def test_seat_environments_have_parameters_per_lane(api: str) -> None:
    params: dict[str, Any] = {"map": "pond", "num_envs": 4, "seat": 0, "params_per_env": LANES}
    env = getattr(edge_envs, api)("over_the_edge", **params)
    if api == "sb3_vec_env":
        env.seed(3)
    env.reset(**({} if api == "sb3_vec_env" else {"seed": 3}))
    for lane, own in enumerate(LANES):
        state = env.game_state(lane)
        assert params_of(state) == {**params_of(state), **own}
        alone = edge_envs.seat_env("over_the_edge", **{"map": "pond", "seat": 0, **own})
        alone.reset(seed=3 + lane)
        assert alone.game_state().to_dict() == state.to_dict()


def test_only_reset_lanes_get_new_parameters() -> None:
    env: Any = edge_envs.seat_vector_env(
        "over_the_edge", map="pond", num_envs=4, params_per_env=lambda rng: {"max_turns": int(rng.integers(5, 10**6))}
    )
    env.reset(seed=0)
    before = [params_of(env.game_state(lane)) for lane in range(4)]
    env.reset(options={"reset_mask": np.array([True, False, False, True])})
    after = [params_of(env.game_state(lane)) for lane in range(4)]
    assert [one == other for one, other in zip(before, after, strict=True)] == [False, True, True, False]


def test_gymnasium_passes_parameters_per_lane() -> None:
    env: Any = gymnasium.make_vec("edge_envs/over_the_edge_pond-v0", num_envs=4, params_per_env=LANES)
    env.reset(seed=0)
    assert params_of(env.game_state(1))["boarding"] is False


@pytest.mark.parametrize(
    ("lanes", "message"),
    [
        (LANES[:3], "invalid params_per_env: expected 4 dicts, one per lane, not 3"),
        ("pond", "invalid params_per_env='pond': expected a list of 4 dicts or a function"),
        ({"max_turns": 8}, "expected a list of 4 dicts or a function"),
        ([*LANES[:3], 7], r"params_per_env\[3\]: 7 is not a dict of parameters"),
        ([{"turns": 1}, *LANES[:3]], r"params_per_env\[0\]: over_the_edge: unknown parameter 'turns'"),
        ([{}, {"max_turns": 0}, {}, {}], r"params_per_env\[1\]: over_the_edge: invalid max_turns=0"),
        ([{}, {}, {"num_players": 3}, {}], r"params_per_env\[2\]: the number of players differs"),
        ([{}, {}, {"map": "flat_earth"}, {}], "the number of actions differs .*all lanes must share one layout"),
    ],
)  # fmt: skip
def test_parameters_that_do_not_fit_are_rejected(lanes: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        sailing(params_per_env=lanes)


def test_maps_of_other_meaning_are_rejected() -> None:
    with pytest.raises(ParameterError, match="the meaning of actions differs"):
        edge_envs.vector_env(
            "over_the_edge", map="random:1:rings=1:sectors=8:ports=2:land=0:large=0", num_envs=1,
            params_per_env=[{"map": "random:2:rings=1:sectors=8:ports=2:land=0:large=0"}],
        )  # fmt: skip


def test_a_position_fits_only_lanes_with_the_same_parameters() -> None:
    env = sailing(params_per_env=LANES)
    env.reset(seed=0)
    with pytest.raises(InvalidPositionError, match="the lanes have several parameters"):
        env.reset(options={"position": env.state(0).to_dict()})
    same = sailing(params_per_env=[{"max_turns": 8}] * 4)
    same.reset(seed=0)
    position = same.state(2).to_dict()
    same.reset(seed=1, options={"position": position})
    assert [same.state(lane).to_dict() for lane in range(4)] == [position] * 4
