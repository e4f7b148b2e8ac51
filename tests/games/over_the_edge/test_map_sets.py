"""Sets of maps: their names, their layout, which map a game is played on, and how observations show it."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, InvalidPositionError, ParameterError
from edge_envs.games.over_the_edge import GAME, SMALL_SEA
from edge_envs.games.over_the_edge.map.atlas import fingerprint, map_of
from edge_envs.games.over_the_edge.map.charts import Map, MapError, load_map
from edge_envs.games.over_the_edge.map.generator import MAX_CELLS, MAX_SET, read_set_name
from edge_envs.games.over_the_edge.map.sets import PLANES, load_set, padded, planes_of
from edge_envs.policies import check_fit
from edge_envs.records import record_of, replay

OPTIONS = "rings=3:sectors=8:ports=3"
SET = f"random:3-6:{OPTIONS}"
MAP = GAME.parameters["map"]


def sailing(value: Any, **params: Any) -> Game:
    return edge_envs.load_game("over_the_edge", map=value, max_turns=60, **params)


def seed_of(state: Any) -> int:
    seed: int = state.to_dict()["map"]
    return seed


def test_a_name_is_kept_without_options_that_have_their_defaults() -> None:
    assert sailing("random:3-6:rings=3:sectors=8:ports=3:land=22").params["map"] == SET
    assert sailing("random:7-7:sectors=8:ports=3:rings=2").params["map"] == "random:7-7:rings=2:sectors=8:ports=3"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("random:5-3", "the last seed is '3'; expected an integer from 5 to"),
        ("random:-3", "the seed is ''; expected an integer from 0 to"),
        ("random:1-2-3", "the last seed is '2-3'"),
        ("random:0-9:rings=99", "rings is '99'; expected an integer from 1 to 8"),
        ("random:0-9:size=3", "unknown option 'size=3'"),
        ("random:0-1000:rings=1:sectors=8:ports=1", f"1001 maps are too many; the maximum for 1 rings of 8 sectors is "
            f"{MAX_SET}"),
        ("random:0-250", f"251 maps are too many; the maximum for 5 rings of 20 sectors is {MAX_CELLS // 100}"),
    ],
)  # fmt: skip
def test_an_invalid_name_is_rejected(name: str, message: str) -> None:
    with pytest.raises(MapError, match="over_the_edge: ") as refused:
        sailing(name)
    assert message in str(refused.value)


def test_sets_mean_the_same_if_they_have_the_same_sizes() -> None:
    assert MAP.same(SET, f"random:100-299:{OPTIONS}:land=0:barriers=9")
    assert not MAP.same(SET, "random:3-6:rings=3:sectors=8:ports=2")
    assert not MAP.same(SET, f"random:3:{OPTIONS}")
    check_fit(sailing(SET), sailing(f"random:50-51:{OPTIONS}"))
    with pytest.raises(ValueError, match="made for"):
        check_fit(sailing(SET), sailing("random:3-6:rings=2:sectors=12:ports=3"))


def test_spaces_are_numbered_by_their_first_cells() -> None:
    for chart in load_set(SET).maps:
        plain = load_map(chart.name)
        for number, space in enumerate(chart.spaces):
            assert not space.cells or divmod(number, chart.sectors) == min(space.cells)
        ids = {space.id for space in chart.spaces if space.cells}
        assert ids == {space.id for space in plain.spaces}
        for space in plain.spaces:
            old, new = plain.index[space.id], chart.index[space.id]
            assert names(plain, plain.neighbours[old]) == names(chart, chart.neighbours[new])
            assert (plain.turns[old], plain.crossings[old]) == (chart.turns[new], chart.crossings[new])
            targets = plain.drift_targets[old], chart.drift_targets[new]
            assert min(targets) < 0 or names(plain, targets[:1]) == names(chart, targets[1:])
            assert min(targets) >= 0 or targets[0] == targets[1]
            assert plain.drifts_to_void[old] == chart.drifts_to_void[new]
        assert chart.port_names == plain.port_names
        assert chart.reach == plain.reach


def names(chart: Map, spaces: Any) -> list[str]:
    return [chart.spaces[space].id for space in spaces]


def test_a_map_that_winds_like_a_spiral_cannot_be_in_a_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edge_envs.games.over_the_edge.map.sets.REACH", 4)
    with pytest.raises(MapError, match="winds like a spiral"):
        padded(load_map("pond"))


def test_every_map_is_drawn_and_all_are_equally_likely() -> None:
    game, seeds = sailing(SET), Counter[int]()
    state = game.new_initial_state(seed=0)
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(i, 0.25) for i in range(4)]
    assert [state.action_to_string(outcome) for outcome in range(4)] == ["map 3", "map 4", "map 5", "map 6"]
    env = edge_envs.vector_env("over_the_edge", num_envs=400, map=SET, max_turns=60)
    env.reset(seed=0)
    seeds.update(seed_of(env.state(lane)) for lane in range(400))
    assert set(seeds) == {3, 4, 5, 6}
    assert min(seeds.values()) > 60


def test_a_finished_game_is_followed_by_one_on_another_map() -> None:
    env = edge_envs.vector_env("over_the_edge", num_envs=8, map=SET, max_turns=5)
    env.reset(seed=0)
    words, seen = np.arange(8, dtype=np.uint64), [set[int]() for _ in range(8)]
    for _ in range(30):
        env.random_steps(words, 20)
        for lane in range(8):
            seen[lane].add(seed_of(env.state(lane)))
    assert all(len(some) > 1 for some in seen)


def test_all_apis_play_the_same_map_with_the_same_seed() -> None:
    for seed in range(5):
        state = sailing(SET).new_initial_state(seed=seed)
        state.apply_action(state.sample_chance())
        params: dict[str, Any] = {"map": SET, "max_turns": 60}
        aec = edge_envs.aec_env("over_the_edge", **params)
        aec.reset(seed=seed)
        vector = edge_envs.vector_env("over_the_edge", num_envs=1, **params)
        vector.reset(seed=seed)
        seat = edge_envs.seat_env("over_the_edge", seat=0, **params)
        seat.reset(seed=seed)
        drawn = [seed_of(aec.game_state()), seed_of(vector.state(0)), seed_of(seat.game_state())]
        assert drawn == [seed_of(state)] * 3


@pytest.mark.parametrize("seed", [3, 6])
def test_a_reset_can_name_the_map(seed: int) -> None:
    params: dict[str, Any] = {"map": SET, "max_turns": 60}
    aec, parallel = edge_envs.aec_env("over_the_edge", **params), edge_envs.parallel_env("over_the_edge", **params)
    seat = edge_envs.seat_env("over_the_edge", **params)
    many = edge_envs.seat_vector_env("over_the_edge", num_envs=3, **params)
    vector = edge_envs.vector_env("over_the_edge", num_envs=3, **params)
    for env in (aec, parallel, seat, many, vector):
        env.reset(seed=1, options={"map": seed})
    states = [aec.game_state(), parallel.game_state(), seat.game_state(), *map(vector.state, range(3))]
    assert [seed_of(state) for state in states] == [seed] * 6
    assert [seed_of(many.game_state(lane)) for lane in range(3)] == [seed] * 3
    assert replay(aec.record()).to_dict() == aec.game_state().to_dict()


def test_a_map_outside_the_set_is_rejected() -> None:
    env = edge_envs.aec_env("over_the_edge", map=SET)
    for value in (2, 7, "3", None, SET, True):
        with pytest.raises(
            ParameterError, match=r"invalid option map=.*: expected the seed of a map of 'random:3-6:.*3 to 6"
        ):
            env.reset(options={"map": value})
    with pytest.raises(ParameterError, match="invalid option map=3: this game has only one map, 'pond'"):
        edge_envs.aec_env("over_the_edge", map="pond").reset(options={"map": 3})


def test_the_planes_describe_the_map() -> None:
    chart = load_set(SET).maps[0]
    assert chart.name == f"random:3:{OPTIONS}"
    planes = dict(zip(PLANES, planes_of(chart).reshape(len(PLANES), 3, 8).tolist(), strict=True))
    assert planes == {
        "sea": [[1, 1, 1, 1, 1, 0, 0, 1], [1, 1, 1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1]],
        "port": [[0, 1, 0, 2, 0, 0, 0, 3], [0] * 8, [0] * 8],
        "clockwise": [[1, 0, 1, 1, 0, 0, 0, 1], [2, 0, 1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1]],
        "outward": [[1, 1, 0, 0, 1, 0, 0, 0], [2, 1, 0, 1, 1, 0, 0, 0], [0] * 8],
        "drifts": [[2, 2, 3, 3, 3, 0, 0, 0], [1, 1, 2, 2, 2, 0, 0, 0], [1] * 8],
    }


def test_observations_show_the_map_and_it_is_found_again() -> None:
    game = sailing(SET)
    slices = game.observation_slices()
    for outcome, chart in enumerate(load_set(SET).maps):
        state = game.new_initial_state(seed=outcome)
        assert not state.observation_tensor(0)[slices["sea"].start :].any()
        state.apply_action(outcome)
        seen = state.observation_tensor(1)
        planes = planes_of(chart)
        assert (seen[slices["sea"].start :] == planes.reshape(-1)).all()
        records = game.new_records(1)
        assert game.compiled.declared.read_observation is not None
        game.compiled.declared.read_observation(seen, records[0])
        assert map_of(records[0]).name == chart.name
        low, high = game.observation_bounds
        assert (low <= seen).all()
        assert (seen <= high).all()


def test_the_planes_of_all_maps_of_a_large_set_differ() -> None:
    rows = [planes_of(chart).reshape(-1) for chart in load_set(f"random:0-99:{OPTIONS}").maps]
    assert len({int(fingerprint(row, 0, len(row))) for row in rows}) == 100


def test_states_are_copied_pickled_and_read_with_their_map() -> None:
    state = sailing(SET).new_initial_state(seed=2)
    for _ in range(30):
        state.apply_action(state.sample_chance() if state.is_chance_node() else state.legal_actions()[0])
    again = pickle.loads(pickle.dumps(state))
    position = json.loads(json.dumps(state.to_dict()))
    read = sailing(SET).state_from_dict(position)
    assert str(state) == str(again) == str(read)
    assert replay(record_of(state)).to_dict() == state.to_dict()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"map": 7}, "map: "),
        ({"map": None}, "map: "),
        ({"map": "3"}, "map: "),
        ({"phase": "map"}, "map: it must be null"),
        ({"phase": "map", "map": None, "turn_player": 1}, "turn_player: it must be 0"),
    ],
)  # fmt: skip
def test_positions_with_another_map_are_rejected(change: dict[str, Any], message: str) -> None:
    game = sailing(SET)
    state = game.new_initial_state(seed=0)
    state.apply_action(0)
    with pytest.raises(InvalidPositionError, match=message):
        game.state_from_dict({**state.to_dict(), **change})


def test_a_game_on_a_set_is_the_game_on_its_map() -> None:
    many, one = sailing(SET), sailing(f"random:5:{OPTIONS}")
    ours, theirs = many.new_initial_state(seed=0), one.new_initial_state(seed=0)
    ours.apply_action(2)
    rng = np.random.default_rng(0)
    while not theirs.is_terminal():
        assert (ours.current_player(), ours.rewards()) == (theirs.current_player(), theirs.rewards())
        action = int(rng.choice(theirs.legal_actions()))
        text = theirs.action_to_string(action)
        theirs.apply_action(action)
        ours.apply_action(ours.string_to_action(text))
        assert str(ours).splitlines()[1:] == str(theirs).splitlines()[1:]
    assert ours.is_terminal()
    assert ours.returns() == theirs.returns()


def test_agents_play_on_sets() -> None:
    game = sailing(SET)
    state = game.new_initial_state(seed=1)
    state.apply_action(1)
    alone = sailing(f"random:4:{OPTIONS}").new_initial_state(seed=1)
    assert state.action_to_string(state.heuristic_action()) == alone.action_to_string(alone.heuristic_action())


def test_the_split_of_the_benchmark() -> None:
    train, test = GAME.variants["over_the_edge_maps"].params, GAME.variants["over_the_edge_new_maps"].params
    assert train == {"map": f"random:0-199:{SMALL_SEA}"}
    assert MAP.same(train["map"], test["map"])
    seeds = [set(read_set_name(params["map"]).seeds) for params in (train, test)]
    assert [len(some) for some in seeds] == [200, 200]
    assert not seeds[0] & seeds[1]
