"""Regression tests of faults that fuzzing has found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import edge_envs
from agents.common.configuration import ConfigError
from agents.ppo.config import parse_config
from edge_envs import IllegalActionError, ParameterError, record_of, replay
from edge_envs.core.compiler import jit
from tests.fuzz.mutation import nested
from tests.fuzz.parameters import seeds_of

LONG = 10**5000  # more digits than Python prints
DEEP = nested(2000, 0)  # more levels than Python prints
UNPRINTABLE = pytest.mark.parametrize("value", [LONG, DEEP], ids=["long", "deep"])


@UNPRINTABLE
def test_rejected_parameter_with_an_unprintable_value_is_named(value: Any) -> None:
    with pytest.raises(ParameterError, match=r"^kuhn: invalid num_players=<\w+>: expected"):
        edge_envs.load_game("kuhn", num_players=value)


@UNPRINTABLE
def test_unprintable_action_raises_illegal_action_error(value: Any) -> None:
    state = edge_envs.load_game("tic_tac_toe").new_initial_state(seed=0)
    env: Any = edge_envs.aec_env("tic_tac_toe")
    env.reset(seed=0)
    calls: list[Callable[[Any], Any]] = [
        state.apply_action,
        state.action_to_string,
        state.string_to_action,
        env.step,
    ]
    for reject in calls:
        with pytest.raises(IllegalActionError, match=r"illegal action <\w+>|<\w+> is n"):
            reject(value)


@UNPRINTABLE
def test_unprintable_record_value_raises_value_error(value: Any) -> None:
    record = record_of(edge_envs.load_game("tic_tac_toe").new_initial_state(seed=0))
    for key in ("game", "params", "history", "returns", "version"):
        with pytest.raises(ValueError, match=key):
            replay({**record, key: value})
    with pytest.raises(ValueError, match=r"history\[0\]"):
        replay({**record, "history": [value]})


@pytest.mark.parametrize("name", [[], {}, None, 3])
def test_name_of_a_game_must_be_a_string(name: Any) -> None:
    with pytest.raises(ParameterError, match="unknown game"):
        edge_envs.load_game(name)


def test_seat_env_accepts_any_integer_as_seed() -> None:
    env = edge_envs.seat_env("tic_tac_toe")
    numpy_seed: Any = np.int64(3)
    first = env.reset(seed=numpy_seed)[0].tolist()
    assert env.reset(seed=3)[0].tolist() == first
    for seed in ([1, 2], "3", -1, True):
        with pytest.raises(ValueError, match="invalid seed="):
            env.reset(seed=seed)  # type: ignore[arg-type]  # invalid seeds


def test_ragged_action_is_illegal() -> None:
    env = edge_envs.seat_env("tic_tac_toe")
    env.reset(seed=0)
    action: Any = [[1], [2, 3]]
    with pytest.raises(IllegalActionError):
        env.step(action)


def test_float_is_not_an_action() -> None:
    state = edge_envs.load_game("kuhn").new_initial_state(seed=0)
    one: Any = 1.0
    with pytest.raises(IllegalActionError, match=r"illegal outcome 1\.0"):
        state.action_to_string(one)


def test_array_is_not_a_map() -> None:
    array = np.array(["pond", "flat_earth"])
    for name, parameter, _ in [seed for game in edge_envs.GAMES for seed in seeds_of(game)]:
        with pytest.raises(ValueError, match=rf"^{name}: invalid {parameter.name}=array.*: expected "):
            edge_envs.load_game(name, **{parameter.name: array})


@pytest.mark.parametrize("mode", ["Never", None, LONG, DEEP], ids=["text", "none", "long", "deep"])
def test_invalid_autoreset_mode_is_named(mode: Any) -> None:
    with pytest.raises(
        ParameterError, match=r"^invalid autoreset_mode=.*: expected 'NextStep' or 'SameStep' or 'Disabled'"
    ):
        edge_envs.seat_vector_env("tic_tac_toe", autoreset_mode=mode)


@pytest.mark.parametrize("api", ["vector_env", "seat_vector_env", "sb3_vec_env"])
def test_too_many_lanes_are_rejected(api: str) -> None:
    with pytest.raises(ParameterError, match=r"num_envs=.*an integer from 1 to 2147483647"):
        getattr(edge_envs, api)("tic_tac_toe", num_envs=2**63)


def test_schedule_with_one_value_is_rejected_by_key() -> None:
    data = {"game": "kuhn", "total_steps": 10, "opponents": {"random": 1}, "ppo": {"learning_rate": [0.1]}}
    with pytest.raises(ConfigError, match=r"^here: ppo\.learning_rate"):
        parse_config(json.loads(json.dumps(data)), "here")


def test_kernels_with_bounds_checks_are_cached_separately(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder_of = jit._kernel_folder.__wrapped__
    (tmp_path / "game.py").touch()
    usual = folder_of(tmp_path)
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
    assert folder_of(tmp_path) not in (usual, None)
