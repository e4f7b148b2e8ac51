"""Seat environments: the learner's seat, its observations and rewards, and the ends of games."""

from __future__ import annotations

from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import pytest
from scipy.stats import chisquare

import edge_envs
from edge_envs import Game, IllegalActionError, SeatEnv
from tests.contract.play import Sighted, chosen, facts, middle


def make(game: Game, **arguments: Any) -> SeatEnv:
    return edge_envs.seat_env(game.name, **{"opponents": Sighted(), **arguments}, **game.params)


def illegal_actions(env: SeatEnv) -> list[Any]:
    mask = env.action_masks()
    return [*np.flatnonzero(mask == 0)[:3].tolist(), -1, len(mask), 2**40]


def test_seat_env_is_a_gymnasium_env(plain_game: Game) -> None:
    env = make(plain_game)
    assert isinstance(env, gymnasium.Env)
    assert isinstance(env.observation_space, gymnasium.spaces.Box)
    assert env.action_space == gymnasium.spaces.Discrete(plain_game.num_distinct_actions)


def test_fixed_seat_is_kept(game: Game) -> None:
    for seat in range(game.num_players):
        env = make(game, seat=seat)
        for _ in range(3):
            env.reset()
            assert env.seat == seat


def test_random_seat_is_drawn_uniformly_for_each_game(plain_game: Game) -> None:
    """Seats whose games can end before their first decision occur less often, but no plain case has such a seat."""
    env = make(plain_game, seat="random")
    env.reset(seed=0)
    seats = Counter[int]()
    for _ in range(400):
        env.reset()
        seats[env.seat] += 1
    assert chisquare([seats[seat] for seat in range(plain_game.num_players)]).pvalue > 1e-6


@pytest.mark.parametrize("seat", [-1, 99, "left", 0.5, None, True])
def test_invalid_seat_is_named(plain_game: Game, seat: Any) -> None:
    with pytest.raises(ValueError, match="seat"):
        make(plain_game, seat=seat)


def test_observation_and_mask_are_those_of_the_learner_to_act(game: Game) -> None:
    env = make(game)
    for seed in range(5):
        observation, _ = env.reset(seed=seed)
        ended = False
        while not ended:
            state = env.game_state()
            assert state.current_player() == env.seat
            assert (state.observation_tensor(env.seat) == observation).all()
            assert (state.legal_action_mask() == env.action_masks()).all()
            assert env.observation_space.contains(observation)
            observation, _, ended, _, _ = env.step(chosen(observation, env.action_masks()))


def test_last_observation_is_the_learners_view_of_the_end(game: Game) -> None:
    for seat in range(game.num_players):
        env = make(game, seat=seat)
        observation, ended = env.reset(seed=seat)[0], False
        while not ended:
            observation, _, ended, _, _ = env.step(chosen(observation, env.action_masks()))
        end = env.game_state()
        assert end.is_terminal()
        assert (end.observation_tensor(seat) == observation).all()
        assert not env.action_masks().any()


def test_rewards_and_flags_are_python_types_and_never_truncated(plain_game: Game) -> None:
    env = make(plain_game)
    observation, info = env.reset(seed=0)
    ended = False
    while not ended:
        assert list(info) == ["action_mask"]
        assert (info["action_mask"] == env.action_masks()).all()
        observation, reward, ended, truncated, info = env.step(chosen(observation, env.action_masks()))
        assert [type(value) for value in (reward, ended, truncated)] == [float, bool, bool]
        assert truncated is False
    assert not info["action_mask"].any()


def test_sum_of_rewards_is_within_the_declared_utilities(game: Game) -> None:
    env = make(game, opponents="random")
    for seed in range(10):
        observation, ended, total = env.reset(seed=seed)[0], False, 0.0
        while not ended:
            observation, reward, ended, _, _ = env.step(chosen(observation, env.action_masks(), seed))
            total += reward
        assert game.min_utility - 1e-9 <= total <= game.max_utility + 1e-9


def test_game_is_played_to_its_end_after_the_learner_is_eliminated(game: Game) -> None:
    """Every episode ends at the end of its game, whichever player decides last."""
    env = make(game, seat=0)
    for seed in range(10):
        observation, ended = env.reset(seed=seed)[0], False
        while not ended:
            observation, _, ended, _, _ = env.step(chosen(observation, env.action_masks(), seed))
            assert ended == env.game_state().is_terminal()


def test_illegal_action_raises_and_leaves_env_unchanged(plain_game: Game) -> None:
    env = make(plain_game)
    observation, _ = env.reset(seed=0)
    for _ in range(4):
        before = facts(env.game_state()), env.action_masks().tolist(), env.seat
        for action in illegal_actions(env):
            with pytest.raises(IllegalActionError, match=str(action)):
                env.step(action)
        assert (facts(env.game_state()), env.action_masks().tolist(), env.seat) == before
        observation, _, ended, _, _ = env.step(chosen(observation, env.action_masks()))
        if ended:
            break


@pytest.mark.parametrize("action", [0.5, "0", None, [0]])
def test_non_integer_actions_are_rejected(plain_game: Game, action: Any) -> None:
    env = make(plain_game)
    env.reset(seed=0)
    with pytest.raises(IllegalActionError):
        env.step(action)


def test_rejected_action_does_not_affect_later_chance(plain_game: Game) -> None:
    games = []
    for tries in (0, 3):
        env = make(plain_game)
        observation, ended, seen = env.reset(seed=0)[0], False, []
        while not ended:
            for action in illegal_actions(env)[:tries]:
                with pytest.raises(IllegalActionError):
                    env.step(action)
            observation, reward, ended, _, _ = env.step(chosen(observation, env.action_masks()))
            seen.append((observation.tolist(), reward))
        games.append(seen)
    assert games[0] == games[1]


def test_illegal_action_forfeits_the_game(game: Game) -> None:
    env = make(game, illegal_action="forfeit")
    for action in (-1, game.num_distinct_actions, 2**63, -(2**80)):
        before, _ = env.reset(seed=0)
        observation, reward, ended, truncated, _ = env.step(action)
        assert (reward, ended, truncated) == (game.min_utility, True, False)
        assert (observation == before).all()
        assert not env.action_masks().any()


def test_step_after_the_end_requires_a_reset(plain_game: Game) -> None:
    env = make(plain_game, illegal_action="forfeit")
    env.reset(seed=0)
    env.step(-1)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    env.reset()
    assert env.action_masks().any()


def test_step_before_reset_raises(plain_game: Game) -> None:
    with pytest.raises(RuntimeError, match="reset"):
        make(plain_game).step(0)


def test_observations_and_masks_are_new_arrays(plain_game: Game) -> None:
    env = make(plain_game)
    observation, _ = env.reset(seed=0)
    before, mask = observation.copy(), env.action_masks()
    observation[:] = 7
    env.action_masks()[:] = 7
    assert (env.action_masks() == mask).all()
    assert (env.game_state().observation_tensor(env.seat) == before).all()


def test_reset_with_a_position_starts_there(game: Game) -> None:
    state = middle(game)
    env = make(game, seat=state.current_player())
    observation, _ = env.reset(seed=0, options={"position": state.to_dict()})
    assert env.game_state().to_dict() == state.to_dict()
    assert (observation == state.observation_tensor(env.seat)).all()


def test_unknown_options_are_ignored(plain_game: Game) -> None:
    one, other = make(plain_game), make(plain_game)
    assert (one.reset(seed=0)[0] == other.reset(seed=0, options={"unheard_of": 1})[0]).all()


def test_same_seed_gives_the_same_game(plain_game: Game) -> None:
    env = make(plain_game, opponents="random")
    games = []
    for _ in range(2):
        observation, ended = env.reset(seed=9)[0], False
        seen: list[Any] = [env.seat]
        while not ended:
            observation, reward, ended, _, _ = env.step(chosen(observation, env.action_masks()))
            seen += [observation.tolist(), reward]
        games.append(seen)
    assert games[0] == games[1]


def test_ansi_render_matches_str_of_state(plain_game: Game) -> None:
    env = make(plain_game, render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == str(env.game_state())


@pytest.mark.parametrize("argument", [{"render_mode": "unheard_of"}, {"illegal_action": "unheard_of"}])
def test_invalid_argument_is_named_in_the_error(plain_game: Game, argument: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="unheard_of"):
        make(plain_game, **argument)
