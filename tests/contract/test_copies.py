"""Copies during a game have the same future as the original and are independent of it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, State
from tests.contract.play import Sighted, chosen, facts, future, middle, walk
from tests.contract.traces import aec_game, seat_game, seat_vector_games, vector_games

COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
}
STATE_COPIES: dict[str, Callable[[State], State]] = {**COPIES, "clone": State.clone}
copied = pytest.mark.parametrize("way", COPIES.values(), ids=COPIES)
state_copied = pytest.mark.parametrize("way", STATE_COPIES.values(), ids=STATE_COPIES)


def snapshot(state: State) -> tuple[Any, ...]:
    memories = [state.information_state_string(player) for player in range(state.game.num_players)]
    return facts(state), memories, state.history(), state.history_strings(), state.rewards(), state.returns()


@state_copied
def test_copied_state_has_equal_contents(plain_game: Game, way: Callable[[State], State]) -> None:
    for state in walk(plain_game, 20):
        assert snapshot(way(state)) == snapshot(state)


@state_copied
def test_copied_state_has_the_same_future(plain_game: Game, way: Callable[[State], State]) -> None:
    for state in walk(plain_game, 6):
        assert future(way(state)) == future(state)


@state_copied
def test_copied_state_is_independent(plain_game: Game, way: Callable[[State], State]) -> None:
    state = middle(plain_game)
    other, before = way(state), snapshot(state)
    other.apply_action(other.legal_actions()[0])
    assert snapshot(state) == before
    after = snapshot(other)
    state.apply_action(state.legal_actions()[-1])
    assert snapshot(other) == after


class NotedState(State):
    """A state with additional attributes."""

    notes: list[str]
    itself: State


@state_copied
def test_copied_state_keeps_its_class_and_its_further_attributes(
    plain_game: Game, way: Callable[[State], State]
) -> None:
    state: Any = NotedState.initial(plain_game, seed=1)
    state.notes = ["first"]
    state.itself = state
    other: Any = way(state)
    assert isinstance(other, NotedState)
    assert facts(other) == facts(state)
    other.notes.append("second")
    if way is State.clone:
        assert other.notes is state.notes
    else:
        assert (state.notes, other.itself) == (["first"], other)


@copied
def test_copied_game_is_equal(game: Game, way: Callable[[Game], Game]) -> None:
    assert way(game) == game
    assert hash(way(game)) == hash(game)
    assert way(game).type is game.type


def started(env: Any, steps: int = 3) -> Any:
    """Step an AEC environment a few times into a game."""
    env.reset(seed=1)
    for _ in range(steps):
        if any(env.terminations.values()):
            env.reset()
        view = env.observe(env.agent_selection)
        env.step(chosen(view["observation"], view["action_mask"]))
    if any(env.terminations.values()):
        env.reset()
    return env


@copied
def test_copied_aec_env_continues_equally(plain_game: Game, way: Callable[[Any], Any]) -> None:
    env = started(edge_envs.aec_env(plain_game.name, **plain_game.params))
    other = way(env)
    assert (other.rewards, other._cumulative_rewards) == (env.rewards, env._cumulative_rewards)
    assert aec_game(other) == aec_game(env)
    env.reset()
    other.reset()
    assert aec_game(other) == aec_game(env)


@copied
def test_copied_vector_env_continues_equally(plain_game: Game, way: Callable[[Any], Any]) -> None:
    env = edge_envs.vector_env(plain_game.name, num_envs=3, num_threads=2, final_observation=True, **plain_game.params)
    batch = env.reset(seed=1)
    for _ in range(3):
        batch = env.step([chosen(*view) for view in zip(batch.observation, batch.action_mask, strict=True)])
    other = way(env)
    actions = [chosen(*view) for view in zip(batch.observation, batch.action_mask, strict=True)]
    other_batch = other.step(actions)
    batch = env.step(actions)
    assert vector_games(other, other_batch, 2) == vector_games(env, batch, 2)


@copied
def test_copied_vector_env_keeps_final_observations(plain_game: Game, way: Callable[[Any], Any]) -> None:
    env = edge_envs.vector_env(plain_game.name, num_envs=1, final_observation=True, **plain_game.params)
    batches = []
    for one in (env, way(env)):
        batch = one.reset(seed=1)
        while not batch.terminated[0]:
            batch = one.step([chosen(batch.observation[0], batch.action_mask[0])])
        batches.append(np.array(batch.final_observation).tolist())
    assert batches[0] == batches[1]


@copied
def test_copied_seat_env_continues_equally(plain_game: Game, way: Callable[[Any], Any]) -> None:
    for opponents in ("random", Sighted()):
        env = edge_envs.seat_env(plain_game.name, opponents=opponents, **plain_game.params)
        observation, _ = env.reset(seed=1)
        following, _, ended, _, _ = env.step(chosen(observation, env.action_masks()))
        observation = env.reset()[0] if ended else following
        other = way(env)
        assert seat_game(other, observation) == seat_game(env, observation)
        assert seat_game(other, other.reset()[0]) == seat_game(env, env.reset()[0])


@copied
def test_copied_seat_vector_env_continues_equally(plain_game: Game, way: Callable[[Any], Any]) -> None:
    env = edge_envs.seat_vector_env(plain_game.name, num_envs=3, opponents=Sighted(), **plain_game.params)
    observation, _ = env.reset(seed=1)
    actions = np.array([chosen(*view) for view in zip(observation, env.action_masks(), strict=True)])
    observation, *_ = env.step(actions)
    other = way(env)
    assert seat_vector_games(other, observation, 2) == seat_vector_games(env, observation, 2)


@copied
def test_environments_can_be_copied_before_the_first_reset(plain_game: Game, way: Callable[[Any], Any]) -> None:
    env = way(edge_envs.aec_env(plain_game.name, **plain_game.params))
    env.reset(seed=1)
    seat = way(edge_envs.seat_env(plain_game.name, **plain_game.params))
    seat.reset(seed=1)
    assert env.agents == env.possible_agents
    assert seat.action_masks().any()
