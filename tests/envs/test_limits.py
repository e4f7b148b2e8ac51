"""A limit on turns is a rule of the game: it terminates the game instead of truncating it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import edge_envs

WITH_LIMIT = [name for name, game_type in edge_envs.GAMES.items() if "max_turns" in game_type.parameters]


def test_the_position_records_that_the_limit_ended_the_game() -> None:
    state = edge_envs.load_game("tic_tac_toe", max_turns=3).new_initial_state()
    for square in ("a1", "b1"):
        state.apply_action(state.string_to_action(square))
        assert state.to_dict()["by_limit"] is False
    state.apply_action(state.string_to_action("c1"))
    assert state.is_terminal()
    assert state.to_dict()["by_limit"] is True


def test_the_observation_shows_the_fraction_used() -> None:
    game = edge_envs.load_game("tic_tac_toe", max_turns=4)
    state = game.new_initial_state()
    for action in range(4):
        assert state.observation_tensor(0)[game.observation_slices()["turns"]] == pytest.approx(action / 4)
        state.apply_action(action)


@pytest.mark.parametrize("name", WITH_LIMIT)
def test_a_limit_ends_the_game_in_every_api(name: str) -> None:
    limit = edge_envs.GAMES[name].parameters["max_turns"]
    assert limit.low is not None
    params: dict[str, Any] = {"max_turns": limit.low + 1}
    env = edge_envs.aec_env(name, **params)
    env.reset(seed=0)
    while not any(env.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(np.flatnonzero(mask)[0]))
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    single = edge_envs.seat_env(name, seat=0, **params)
    single.reset(seed=0)
    ended = truncated = False
    while not ended:
        _, _, ended, truncated, _ = single.step(int(single.action_masks().argmax()))
        assert truncated is False


class First:
    """An opponent object that plays the first legal action."""

    def act(self, observations: Any, action_masks: Any, states: Any, players: Any, rng: Any) -> Any:
        return action_masks.argmax(axis=1)


@pytest.mark.parametrize("opponents", ["random", First()])
def test_seat_without_decisions_is_rejected(opponents: Any) -> None:
    env = edge_envs.seat_env("tic_tac_toe", opponents=opponents, max_turns=1, seat=1)
    with pytest.raises(ValueError, match="seat 1 had no decision"):
        env.reset(seed=0)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)


def test_random_seat_skips_seats_without_decisions() -> None:
    env = edge_envs.sb3_vec_env("tic_tac_toe", num_envs=16, max_turns=1)
    env.seed(0)
    env.reset()
    for _ in range(50):
        env.step(env.action_masks().argmax(axis=1))
    assert (env.lanes.learner == 0).all()


def test_only_games_without_a_decision_in_a_row_count_as_replaced() -> None:
    env = edge_envs.sb3_vec_env("tic_tac_toe", num_envs=2, seat=0)
    env.seed(0)
    env.reset()
    env.lanes._lanes["replaced"] = 7
    env.step(env.action_masks().argmax(axis=1))
    assert env.lanes._lanes["replaced"].tolist() == [0, 0]
