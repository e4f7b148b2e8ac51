"""The vector environment of all seats: its batch, ends of games, and illegal actions."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Batch, Game, GameVectorEnv, IllegalActionError
from tests.contract.play import chosen, facts, settle

LANES = 3


def make(game: Game, num_envs: int = LANES, **arguments: Any) -> GameVectorEnv:
    return edge_envs.vector_env(game.name, num_envs=num_envs, **arguments, **game.params)


def choose(batch: Batch) -> Any:
    return np.array([chosen(*view) for view in zip(batch.observation, batch.action_mask, strict=True)])


def arrays(batch: Batch) -> list[Any]:
    fields = [getattr(batch, field.name) for field in dataclasses.fields(batch)]
    return [array.tolist() for array in fields if array is not None]


def test_batch_has_the_documented_shapes_and_types(game: Game) -> None:
    env = make(game, final_observation=True)
    for batch in (env.reset(seed=0), env.step(choose(env.reset(seed=0)))):
        shapes = {
            "current_player": ((LANES,), np.int64),
            "observation": ((LANES, *game.observation_shape), game.observation_dtype),
            "action_mask": ((LANES, game.num_distinct_actions), np.int8),
            "rewards": ((LANES, game.num_players), np.float32),
            "terminated": ((LANES,), np.bool_),
            "final_observation": ((LANES, game.num_players, *game.observation_shape), game.observation_dtype),
        }
        assert {name: (getattr(batch, name).shape, getattr(batch, name).dtype) for name in shapes} == shapes


def test_batch_is_frozen(plain_game: Game) -> None:
    batch = make(plain_game).reset(seed=0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        batch.rewards = batch.rewards  # type: ignore[misc]


def test_arrays_are_reused_in_every_step(plain_game: Game) -> None:
    env = make(plain_game)
    first = env.reset(seed=0)
    second = env.step(choose(first))
    assert all(getattr(first, field.name) is getattr(second, field.name) for field in dataclasses.fields(first))


def test_heuristic_actions_match_each_lane(plain_game: Game) -> None:
    env = make(plain_game, num_threads=2)
    with pytest.raises(RuntimeError, match="reset"):
        env.heuristic_actions()
    batch = env.reset(seed=0)
    for _ in range(20):
        actions = env.heuristic_actions()
        assert actions.tolist() == [env.state(lane).heuristic_action() for lane in range(LANES)]
        batch = env.step(choose(batch))


def test_every_lane_has_a_legal_action(game: Game) -> None:
    env = make(game)
    batch = env.reset(seed=0)
    for _ in range(200):
        assert ((batch.current_player >= 0) & (batch.current_player < game.num_players)).all()
        assert batch.action_mask.any(axis=1).all()
        batch = env.step(choose(batch))


def test_lanes_match_their_states(game: Game) -> None:
    env = make(game)
    batch = env.reset(seed=0)
    for _ in range(20):
        for lane in range(LANES):
            state = env.state(lane)
            assert state.current_player() == batch.current_player[lane]
            assert (state.observation_tensor(state.current_player()) == batch.observation[lane]).all()
            assert (state.legal_action_mask() == batch.action_mask[lane]).all()
        batch = env.step(choose(batch))


def test_autoreset_keeps_final_rewards_and_observations(game: Game) -> None:
    """A finished game is reset in the same step; `rewards` and `final_observation` describe its end."""
    env = make(game, num_envs=1, final_observation=True)
    batch = env.reset(seed=6)
    state = settle(game.new_initial_state(seed=6))
    while not state.is_terminal():
        assert not batch.terminated[0]
        before = np.array(state.returns())
        action = choose(batch)
        batch = env.step(action)
        state.apply_action(int(action[0]))
        settle(state)
    assert batch.terminated[0]
    assert batch.final_observation is not None
    views = [state.observation_tensor(player) for player in range(game.num_players)]
    assert (batch.final_observation[0] == np.array(views)).all()
    assert batch.rewards[0].tolist() == pytest.approx(state.returns() - before)
    assert len(env.state(0).history()) == 0
    assert not env.state(0).is_terminal()


def test_rewards_are_zero_and_nothing_has_ended_after_reset(plain_game: Game) -> None:
    env = make(plain_game)
    batch = env.reset(seed=0)
    for _ in range(50):
        batch = env.step(choose(batch))
    batch = env.reset()
    assert not batch.rewards.any()
    assert not batch.terminated.any()


def test_final_observations_are_optional(plain_game: Game) -> None:
    assert make(plain_game).reset(seed=0).final_observation is None


def test_illegal_action_names_its_lane_and_leaves_env_unchanged(plain_game: Game) -> None:
    env = make(plain_game)
    batch = env.reset(seed=0)
    before = arrays(batch), [facts(env.state(lane)) for lane in range(LANES)]
    for lane in range(LANES):
        for action in [*np.flatnonzero(batch.action_mask[lane] == 0)[:3], -1, plain_game.num_distinct_actions, 2**40]:
            actions = choose(batch)
            actions[lane] = action
            with pytest.raises(IllegalActionError, match=f"lane {lane}: action {action}"):
                env.step(actions)
    assert (arrays(batch), [facts(env.state(lane)) for lane in range(LANES)]) == before


def test_actions_must_be_one_integer_per_lane(plain_game: Game) -> None:
    env = make(plain_game)
    actions = choose(env.reset(seed=0))
    wrong: list[Any] = [actions[:-1], actions[None], actions.astype(float), actions.astype(bool), 0, None, "no"]
    for given in wrong:
        with pytest.raises(IllegalActionError, match=str(LANES)):
            env.step(given)


def test_all_integer_types_and_lists_are_accepted_as_actions(plain_game: Game) -> None:
    results = []
    for kind in (np.int64, np.int32, np.int16, np.uint32):
        env = make(plain_game)
        results.append(arrays(env.step(choose(env.reset(seed=0)).astype(kind))))
    env = make(plain_game)
    results.append(arrays(env.step(choose(env.reset(seed=0)).tolist())))
    assert all(result == results[0] for result in results)


def test_step_before_reset_raises(plain_game: Game) -> None:
    with pytest.raises(RuntimeError, match="reset"):
        make(plain_game).step(np.zeros(LANES, np.int64))


def test_reset_without_seed_continues_the_random_streams_of_the_lanes(plain_game: Game) -> None:
    results = []
    for _ in range(2):
        env = make(plain_game)
        env.reset(seed=0)
        batch = env.reset()
        results.append([arrays(env.step(choose(batch))) for _ in range(30)])
    assert results[0] == results[1]


def test_random_steps_can_be_split_into_several_calls(game: Game) -> None:
    """The same random words give the same games, however the steps are split into calls."""
    results = []
    for cuts in ([40], [10, 30], [1] * 40):
        env = make(game)
        words = np.arange(LANES, dtype=np.uint64)
        batch = env.reset(seed=0)
        for steps in cuts:
            env.random_steps(words, steps)
        results.append((arrays(batch), words.tolist(), [facts(env.state(lane)) for lane in range(LANES)]))
    assert results[0] == results[1] == results[2]


def test_unknown_options_are_ignored(plain_game: Game) -> None:
    one, other = make(plain_game), make(plain_game)
    assert arrays(one.reset(seed=0)) == arrays(other.reset(seed=0, options={"unheard_of": 1}))


@pytest.mark.parametrize("argument", [{"num_envs": 0}, {"num_envs": -1}, {"num_threads": 0}, {"num_envs": 1.5}])
def test_counts_must_be_positive_integers(plain_game: Game, argument: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(argument))):
        make(plain_game, **argument)


def test_number_of_seeds_must_equal_number_of_lanes(plain_game: Game) -> None:
    with pytest.raises(ValueError, match="expected 3 seeds, one per lane, not 2"):
        make(plain_game).reset(seed=[1, 2])
