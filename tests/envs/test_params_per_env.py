"""Parameters of each lane in vector environments."""

from __future__ import annotations

import itertools
from typing import Any

import gymnasium
import numpy as np
import pytest

import edge_envs
from edge_envs import InvalidPositionError, ParameterError
from edge_envs.envs import lane_games
from edge_envs.envs import options as options_module
from edge_envs.players import built_in_agent

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
        ([{1: 2, "x": 3}, *LANES[:3]], r"params_per_env\[0\]: over_the_edge: unknown parameter 1"),
        ([{}, {"max_turns": 0}, {}, {}], r"params_per_env\[1\]: over_the_edge: invalid max_turns=0"),
        (
            [{}, {}, {"num_players": 3}, {}],
            r"\[2\]: the number of players differs \(num_players=3 instead of this game's num_players=2\)",
        ),
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


def counted_draws() -> Any:
    """Return a function whose k-th draw is max_turns = 100 k."""
    numbers = itertools.count(1)
    return lambda rng: {"max_turns": 100 * next(numbers)}


@pytest.mark.parametrize("api", [edge_envs.vector_env, edge_envs.seat_vector_env])
def test_a_rejected_reset_leaves_the_games_and_the_draws(api: Any) -> None:
    env = api("beyond_maps_8x8", num_envs=2, params_per_env=counted_draws())
    env.reset(seed=0)
    state_of = getattr(env, "state", None) or env.game_state
    before = [state_of(lane).to_dict() for lane in range(2)]
    with pytest.raises(InvalidPositionError):
        env.reset(options={"position": {}})
    assert [state_of(lane).to_dict() for lane in range(2)] == before
    draws = [lambda rng: {"max_turns": int(rng.integers(50, 400))}] * 2
    one, other = (api("beyond_maps_8x8", num_envs=3, params_per_env=draw) for draw in draws)
    for env in (one, other):
        env.reset(seed=3)
    with pytest.raises(InvalidPositionError):
        one.reset(options={"position": {}})
    state_of = getattr(one, "state", None) or one.game_state
    theirs = getattr(other, "state", None) or other.game_state
    one.reset()
    other.reset()
    assert [params_of(state_of(k)) for k in range(3)] == [params_of(theirs(k)) for k in range(3)]


def test_a_position_of_one_lane_fits_its_parameters() -> None:
    several: dict[str, Any] = {"num_envs": 2, "params_per_env": [{"max_turns": 100}, {"max_turns": 200}], "seat": 0}
    begun = edge_envs.load_game("beyond_maps_8x8", max_turns=100).new_initial_state(seed=1)
    for _ in range(6):
        begun.apply_action(begun.legal_actions()[0])
    position = begun.to_dict()
    vector = edge_envs.seat_vector_env("beyond_maps_8x8", **several)
    vector.reset(seed=0)
    vector.reset(options={"position": position, "reset_mask": np.array([True, False])})
    assert vector.game_state(0).to_dict()["board"] == position["board"]
    stable = edge_envs.sb3_vec_env("beyond_maps_8x8", **several)
    stable.seed(1)
    first = stable.reset()
    stable.set_options([{"position": position}, {}])
    assert (stable.reset()[0] != first[0]).any()
    before = [stable.lanes.state(lane).to_dict() for lane in range(2)]
    stable.set_options([{}, {"position": position}])  # of the other lane's parameters
    with pytest.raises(InvalidPositionError):
        stable.reset()
    assert [stable.lanes.state(lane).to_dict() for lane in range(2)] == before


def test_unknown_options_of_a_lane_of_sb3_are_ignored() -> None:
    def starts(options: Any) -> list[Any]:
        env = edge_envs.sb3_vec_env(
            "falling_off", num_envs=3, seat=0, params_per_env=lambda rng: {"play_on": bool(rng.integers(2))}
        )
        env.seed(0)
        seen = [env.reset()]
        for _ in range(3):
            env.set_options(options)
            seen.append(env.reset())
        return [*seen, *(params_of(env.lanes.state(lane)) for lane in range(3))]

    plain, own = starts([{}, {}, {}]), starts([{}, {}, {"ignored": 1}])
    assert all(np.array_equal(a, b) for a, b in zip(plain, own, strict=True))


def test_lanes_of_sb3_without_options_start_together(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = []

    def counted(game: Any, options: Any, count: int) -> Any:
        counts.append(count)
        return options_module.start_records(game, options, count)

    monkeypatch.setattr(lane_games, "start_records", counted)
    env = edge_envs.sb3_vec_env("falling_off", num_envs=50)
    env.reset()
    env.set_options([{"ignored": 1}, *[{}] * 49])
    env.reset()
    assert counts == [50, 1, 1]


def test_games_of_earlier_draws_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane_games, "MOST_KEPT", 10)
    env = edge_envs.vector_env("beyond_maps_8x8", num_envs=4, params_per_env=counted_draws())
    for seed in range(20):
        env.reset(seed=seed)
    assert len(env._games._known) <= 10 + 4 + 4


def test_maps_of_earlier_draws_are_released() -> None:
    """A process may use at most 32 sets of maps at once."""
    first = iter(range(0, 400, 4))
    env = edge_envs.seat_vector_env(
        "over_the_edge",
        map="random:0-3:sectors=12",
        num_envs=2,
        params_per_env=lambda rng: {"map": f"random:{(k := next(first))}-{k + 3}:sectors=12"},
    )
    for seed in range(40):
        env.reset(seed=seed)
    assert len(env.lanes.games._known) <= 3


def test_numbers_of_lanes_may_have_any_integer_type() -> None:
    count: Any = np.int8(100)
    env = edge_envs.vector_env("falling_off", num_envs=count, num_threads=4)
    batch = env.reset(seed=0)
    assert env.step(batch.action_mask.argmax(axis=1)).action_mask.any(axis=1).all()


def test_perfect_player_refuses_lanes_of_another_game() -> None:
    other: dict[str, Any] = {"landing": "back_to_start"}
    with pytest.raises(ParameterError, match=r"params_per_env\[1\]: no perfect player of .*landing='back_to_start'"):
        edge_envs.seat_vector_env("falling_off", num_envs=2, params_per_env=[{}, other], opponents="perfect")
    drawn = edge_envs.sb3_vec_env("falling_off", num_envs=2, params_per_env=lambda rng: other, opponents="perfect")
    with pytest.raises(ParameterError, match=r"params_per_env\[0\]: no perfect player"):
        drawn.reset()


def test_perfect_player_refuses_an_environment_with_other_parameters() -> None:
    perfect = built_in_agent("perfect", edge_envs.load_game("falling_off"))
    with pytest.raises(ValueError, match=r"no perfect player of .*landing='back_to_start'"):
        edge_envs.seat_env("falling_off", landing="back_to_start", opponents=perfect)
    with pytest.raises(ValueError, match=r"perfect has the solution of .*, not of .*play_on"):
        edge_envs.seat_env("falling_off", play_on=True, opponents=perfect)
    edge_envs.seat_env("falling_off", opponents=perfect)
