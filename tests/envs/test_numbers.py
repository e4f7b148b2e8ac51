"""Seeds and actions: every API accepts the same types of integers and rejects the same other values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import edge_envs
from edge_envs import IllegalActionError
from edge_envs.core.checks.integers import action_of, integer_of

LANES = 3
LAST = 2**64 - 1


class Index:
    """An object that Python converts to the integer 3."""

    def __index__(self) -> int:
        return 3


class Broken:
    """An object whose conversion to an integer fails."""

    def __index__(self) -> int:
        raise RuntimeError("no number today")


THREES: dict[str, Any] = {
    "Python": 3,
    "int8": np.int8(3),
    "uint64": np.uint64(3),
    "an array without dimensions": np.array(3),
    "a tensor without dimensions": torch.tensor(3),
    "an object with __index__": Index(),
}
NO_INTEGERS: dict[str, Any] = {
    "True": True,
    "NumPy's True": np.True_,
    "an array of a boolean": np.array(True),
    "a tensor of a boolean": torch.tensor(True),
    "a float": 3.0,
    "NumPy's float": np.float32(3),
    "NaN": float("nan"),
    "a tensor of a float": torch.tensor(3.0),
    "an array of one integer": np.array([3]),
    "a tensor of one integer": torch.tensor([3]),
    "a duration": np.timedelta64(3),
    "a string": "3",
    "bytes": b"3",
    "a failing object": Broken(),
}


@pytest.mark.parametrize("kind", THREES)
def test_an_integer_is_read(kind: str) -> None:
    assert integer_of(THREES[kind]) == action_of(THREES[kind]) == 3
    assert type(integer_of(THREES[kind])) is int


@pytest.mark.parametrize("kind", NO_INTEGERS)
def test_anything_else_is_rejected_as_an_integer(kind: str) -> None:
    assert integer_of(NO_INTEGERS[kind]) is None
    assert action_of(NO_INTEGERS[kind]) == -1


# Seeds: each function takes a seed and returns the view of the first game.


def _first(env: Any, seed: Any) -> Any:
    return np.asarray(env.reset(seed=seed)[0]).tolist()


def _aec(seed: Any) -> Any:
    env = edge_envs.aec_env("kuhn")
    env.reset(seed=seed)
    return env.game_state().to_dict()


def _parallel(seed: Any) -> Any:
    env = edge_envs.parallel_env("kuhn")
    env.reset(seed=seed)
    return env.game_state().to_dict()


def _vector(seed: Any) -> Any:
    return edge_envs.vector_env("kuhn", num_envs=LANES).reset(seed=seed).observation.tolist()


def _sb3(seed: Any) -> Any:
    env = edge_envs.sb3_vec_env("kuhn", num_envs=LANES)
    env.seed(seed)
    return np.asarray(env.reset()).tolist()


SEEDED: dict[str, Callable[[Any], Any]] = {
    "State": lambda seed: edge_envs.load_game("kuhn").new_initial_state(seed).sample_chance(),
    "position": lambda seed: (
        edge_envs.load_game("kuhn")
        .state_from_dict(edge_envs.load_game("kuhn").new_initial_state(0).to_dict(), seed)
        .sample_chance()
    ),
    "aec_env": _aec,
    "parallel_env": _parallel,
    "vector_env": _vector,
    "seat_env": lambda seed: _first(edge_envs.seat_env("kuhn"), seed),
    "seat_vector_env": lambda seed: _first(edge_envs.seat_vector_env("kuhn", num_envs=LANES), seed),
    "sb3_vec_env": _sb3,
}
VECTORS = ("vector_env", "seat_vector_env", "sb3_vec_env")


@pytest.mark.parametrize("api", SEEDED)
@pytest.mark.parametrize("kind", THREES)
def test_seeds_of_all_integer_types_are_the_same(api: str, kind: str) -> None:
    assert SEEDED[api](THREES[kind]) == SEEDED[api](3)


@pytest.mark.parametrize("api", SEEDED)
@pytest.mark.parametrize("kind", NO_INTEGERS)
def test_only_integers_are_accepted_as_seeds(api: str, kind: str) -> None:
    with pytest.raises(ValueError, match=r"^invalid seed="):
        SEEDED[api](NO_INTEGERS[kind])


@pytest.mark.parametrize("api", SEEDED)
@pytest.mark.parametrize("seed", [-1, 2**64, 2**64 + 5, 10**5000], ids=["-1", "2**64", "2**64 + 5", "10**5000"])
def test_a_seed_out_of_range_is_rejected(api: str, seed: int) -> None:
    """It must not silently equal another seed."""
    with pytest.raises(ValueError, match=r"^invalid seed=.*: expected an integer from 0 to 2\*\*64 - 1, or None$"):
        SEEDED[api](seed)


@pytest.mark.parametrize("api", SEEDED)
def test_the_largest_seed_is_accepted_unless_lanes_need_more(api: str) -> None:
    if api not in VECTORS:
        SEEDED[api](LAST)
        return
    SEEDED[api](LAST + 1 - LANES)
    with pytest.raises(ValueError, match=rf"^invalid seed={LAST}: .*at most 2\*\*64 - 3$"):
        SEEDED[api](LAST)


@pytest.mark.parametrize("api", ["vector_env", "seat_vector_env"])
def test_seeds_per_lane_may_be_any_sequence(api: str) -> None:
    given = [[3, 4, 5], (3, 4, 5), range(3, 6), np.array([3, 4, 5]), torch.tensor([3, 4, 5]), [np.int8(3), 4, Index()]]
    for seeds in given[:5]:
        assert SEEDED[api](seeds) == SEEDED[api](3)
    assert SEEDED[api](given[5]) == SEEDED[api]([3, 4, 3])
    assert SEEDED[api]([LAST, 0, LAST]) == SEEDED[api](np.array([LAST, 0, LAST], np.uint64))


@pytest.mark.parametrize("api", ["vector_env", "seat_vector_env"])
@pytest.mark.parametrize(
    "seeds",
    [
        [3, 4],
        [],
        [3, 4, 5, 6],
        [3, 4, True],
        [3, 4, None],
        [3, 4, 2**64],
        [3, 4, -1],
        [3, 4, [5]],
        np.array([3.0, 4.0, 5.0]),
        np.array([True, False, True]),
        np.array([[3], [4], [5]]),
        "345",
        b"345",
        {3, 4, 5},
        {3: 0, 4: 0, 5: 0},
    ],
    ids=str,
)
def test_other_seeds_for_lanes_are_rejected(api: str, seeds: Any) -> None:
    with pytest.raises(ValueError, match=r"^invalid seed="):
        SEEDED[api](seeds)


def test_a_rejected_seed_changes_nothing() -> None:
    env = edge_envs.seat_vector_env("kuhn", num_envs=LANES)
    env.reset(seed=0)
    before = [env.game_state(lane).to_dict() for lane in range(LANES)]
    for seed in (LAST, 2**64, True, [1, 2]):
        with pytest.raises(ValueError, match="invalid seed="):
            env.reset(seed=seed)
    assert [env.game_state(lane).to_dict() for lane in range(LANES)] == before
    env.step(env.action_masks().argmax(axis=1))


def test_a_record_has_a_valid_seed() -> None:
    state = edge_envs.load_game("kuhn").new_initial_state(LAST)
    record = edge_envs.record_of(state)
    assert edge_envs.replay(record).seed == LAST
    for seed in (2**64, True, 3.0, -1):
        with pytest.raises(ValueError, match=r"^seed: invalid seed="):
            edge_envs.replay({**record, "seed": seed})


# Actions: each function starts a game and returns its step and a view that must not change.


def _on_state() -> tuple[Callable[[Any], Any], Callable[[], Any]]:
    state = edge_envs.load_game("tic_tac_toe").new_initial_state(0)
    return state.apply_action, lambda: (state.to_dict(), state.history())


def _on_aec() -> tuple[Callable[[Any], Any], Callable[[], Any]]:
    env = edge_envs.aec_env("tic_tac_toe")
    env.reset(seed=0)
    return env.step, lambda: env.game_state().to_dict()


def _on_parallel() -> tuple[Callable[[Any], Any], Callable[[], Any]]:
    env = edge_envs.parallel_env("tic_tac_toe")
    env.reset(seed=0)
    return lambda action: env.step({env.aec.agent_selection: action}), lambda: env.game_state().to_dict()


def _on_seat() -> tuple[Callable[[Any], Any], Callable[[], Any]]:
    env = edge_envs.seat_env("tic_tac_toe", seat=0)
    env.reset(seed=0)
    return env.step, lambda: env.game_state().to_dict()


def _on_vector() -> tuple[Callable[[Any], Any], Callable[[], Any]]:
    env = edge_envs.vector_env("tic_tac_toe", num_envs=1)
    env.reset(seed=0)
    return lambda action: env.step([action]), lambda: env.state(0).to_dict()


def _on_seat_vector() -> tuple[Callable[[Any], Any], Callable[[], Any]]:
    env = edge_envs.seat_vector_env("tic_tac_toe", seat=0)
    env.reset(seed=0)
    return lambda action: env.step([action]), lambda: env.game_state(0).to_dict()  # type: ignore[arg-type]  # a list


def _on_sb3() -> tuple[Callable[[Any], Any], Callable[[], Any]]:
    env = edge_envs.sb3_vec_env("tic_tac_toe", seat=0)
    env.seed(0)
    env.reset()
    return lambda action: env.step([action]), lambda: env.game_state(0).to_dict()  # type: ignore[arg-type]  # a list


STEPPED = {
    "State": _on_state,
    "aec_env": _on_aec,
    "parallel_env": _on_parallel,
    "seat_env": _on_seat,
    "vector_env": _on_vector,
    "seat_vector_env": _on_seat_vector,
    "sb3_vec_env": _on_sb3,
}


@pytest.mark.parametrize("api", STEPPED)
@pytest.mark.parametrize("kind", THREES)
def test_actions_of_all_integer_types_are_accepted(api: str, kind: str) -> None:
    step, look = STEPPED[api]()
    before = look()
    step(THREES[kind])
    assert look() != before


@pytest.mark.parametrize("api", STEPPED)
@pytest.mark.parametrize("kind", NO_INTEGERS)
def test_only_integers_are_accepted_as_actions(api: str, kind: str) -> None:
    step, look = STEPPED[api]()
    before = look()
    with pytest.raises(IllegalActionError):
        step(NO_INTEGERS[kind])
    assert look() == before


@pytest.mark.parametrize("api", STEPPED)
@pytest.mark.parametrize(
    "action",
    [
        -1,
        9,
        2**31,
        2**32 + 3,
        2**63,
        2**64,
        2**64 + 3,
        -(2**63),
        -(2**63) - 1,
        10**30,
        np.uint64(2**63 + 3),
        np.int8(-1),
    ],
    ids=str,
)
def test_an_error_names_the_action_that_was_given(api: str, action: Any) -> None:
    step, look = STEPPED[api]()
    before = look()
    with pytest.raises(IllegalActionError) as caught:
        step(action)
    assert str(int(action)) in str(caught.value)
    assert look() == before


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64])
def test_a_batch_of_actions_may_be_of_any_integer_type(dtype: Any) -> None:
    env = edge_envs.vector_env("tic_tac_toe", num_envs=LANES)
    env.reset(seed=0)
    env.step(np.array([3, 4, 5], dtype))
    for bad in (np.array([7, 7, 5], dtype), np.array([7, 7, 3], np.float32), [7, 7, True], np.array([7, 7, np.nan])):
        with pytest.raises(IllegalActionError) as caught:
            env.step(bad)
        assert "-9223372036854775808" not in str(caught.value)
    assert [len(env.state(lane).legal_actions()) for lane in range(LANES)] == [8] * LANES


@pytest.mark.parametrize(
    "actions", [[2**63, -(2**70)], np.array([2**63, 2**64 - 1], np.uint64), [2**100, -1], (-5, 2**63)], ids=repr
)
def test_integers_of_any_size_forfeit(actions: Any) -> None:
    env = edge_envs.seat_vector_env("tic_tac_toe", num_envs=2, illegal_action="forfeit")
    env.reset(seed=0)
    _, rewards, ended, _, _ = env.step(actions)
    assert (rewards.tolist(), ended.tolist()) == ([-1.0, -1.0], [True, True])
    with pytest.raises(edge_envs.IllegalActionError):
        env.step(np.array([2**63, None]))
