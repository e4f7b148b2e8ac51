"""The same seed and actions give the same game in every API."""

from __future__ import annotations

from itertools import islice, tee

import numpy as np
import pytest

import edge_envs
from edge_envs import Game
from tests.contract.play import Sighted, middle, playthrough
from tests.contract.traces import (
    aec_game,
    aec_games,
    seat_game,
    seat_vector_games,
    seen_by,
    state_game,
    vector_games,
)

SEED = 20
LANES = 3
GAMES = 2


def test_aec_env_plays_the_game_of_its_seed(game: Game) -> None:
    env = edge_envs.aec_env(game.name, **game.params)
    for seed in range(SEED, SEED + LANES):
        env.reset(seed=seed)
        assert aec_game(env) == state_game(game.new_initial_state(seed=seed))


def test_vector_env_lane_i_plays_the_game_of_seed_plus_i(game: Game) -> None:
    env = edge_envs.vector_env(game.name, num_envs=LANES, **game.params)
    lanes = vector_games(env, env.reset(seed=SEED), 1)
    assert [steps for [steps] in lanes] == [state_game(game.new_initial_state(seed=SEED + i)) for i in range(LANES)]


def test_vector_env_lane_continues_like_an_aec_env(game: Game) -> None:
    env = edge_envs.vector_env(game.name, num_envs=LANES, **game.params)
    lanes = vector_games(env, env.reset(seed=SEED), GAMES)
    assert lanes == [list(islice(aec_games(game, SEED + i), GAMES)) for i in range(LANES)]


def test_sequence_of_seeds_seeds_each_lane(plain_game: Game) -> None:
    env = edge_envs.vector_env(plain_game.name, num_envs=LANES, **plain_game.params)
    seeds = [7, 3, 7]
    lanes = vector_games(env, env.reset(seed=seeds), 1)
    assert [steps for [steps] in lanes] == [state_game(plain_game.new_initial_state(seed=seed)) for seed in seeds]


def test_seat_env_plays_the_same_game_from_every_seat(game: Game) -> None:
    whole = tee(aec_games(game, SEED), game.num_players)
    for seat in range(game.num_players):
        env = edge_envs.seat_env(game.name, opponents=Sighted(), seat=seat, **game.params)
        games = [seat_game(env, env.reset(seed=SEED)[0])]
        games += [seat_game(env, env.reset()[0]) for _ in range(GAMES - 1)]
        assert games == list(islice(seen_by(whole[seat], seat), GAMES))


def test_seat_vector_env_lane_i_is_a_seat_env_of_seed_plus_i(game: Game) -> None:
    seat = game.num_players - 1
    env = edge_envs.seat_vector_env(game.name, num_envs=LANES, opponents=Sighted(), seat=seat, **game.params)
    lanes = seat_vector_games(env, env.reset(seed=SEED)[0], GAMES)
    assert lanes == [list(islice(seen_by(aec_games(game, SEED + i), seat), GAMES)) for i in range(LANES)]


def test_sb3_vec_env_lane_i_is_a_seat_env_of_seed_plus_i(game: Game) -> None:
    env = edge_envs.sb3_vec_env(game.name, num_envs=LANES, opponents=Sighted(), seat=0, **game.params)
    env.seed(SEED)
    lanes = seat_vector_games(env, env.reset(), GAMES)
    assert lanes == [list(islice(seen_by(aec_games(game, SEED + i), 0), GAMES)) for i in range(LANES)]


@pytest.mark.parametrize("opponents", ["random", "heuristic"])
def test_all_seat_apis_draw_the_same_seats_and_opponents(game: Game, opponents: str) -> None:
    arguments = {"opponents": opponents, "seat": "random", **game.params}
    vector = edge_envs.seat_vector_env(game.name, num_envs=LANES, **arguments)
    lanes = seat_vector_games(vector, vector.reset(seed=SEED)[0], GAMES)
    sb3 = edge_envs.sb3_vec_env(game.name, num_envs=LANES, **arguments)
    sb3.seed(SEED)
    assert seat_vector_games(sb3, sb3.reset(), GAMES) == lanes
    single = edge_envs.seat_env(game.name, **arguments)
    for i in range(LANES):
        games = [seat_game(single, single.reset(seed=SEED + i)[0])]
        games += [seat_game(single, single.reset()[0]) for _ in range(GAMES - 1)]
        assert games == lanes[i]


@pytest.mark.parametrize("acts", ["player", "nature"])
def test_every_api_starts_one_game_from_a_given_position(game: Game, acts: str) -> None:
    position = (middle(game) if acts == "player" else next(playthrough(game, seed=3))).to_dict()
    options = {"position": position}
    expected = state_game(game.state_from_dict(position, seed=SEED))
    aec = edge_envs.aec_env(game.name, **game.params)
    aec.reset(seed=SEED, options=options)
    first = aec_game(aec)
    aec.reset()
    second = aec_game(aec)
    assert first == expected

    vector = edge_envs.vector_env(game.name, num_envs=2, **game.params)
    lanes = vector_games(vector, vector.reset(seed=[SEED, SEED], options=options), 2)
    assert lanes == [[first, second]] * 2

    seat = game.num_players - 1
    expected_seat = list(islice(seen_by(iter([first, second]), seat), 1))
    single = edge_envs.seat_env(game.name, opponents=Sighted(), seat=seat, **game.params)
    assert [seat_game(single, single.reset(seed=SEED, options=options)[0])] == expected_seat


def test_vector_env_lanes_are_independent(plain_game: Game) -> None:
    results = []
    for first_lane in (0, -1):
        env = edge_envs.vector_env(plain_game.name, num_envs=LANES, **plain_game.params)
        batch, kept = env.reset(seed=SEED), []
        for _ in range(60):
            actions = [np.flatnonzero(mask)[first_lane if i == 0 else 0] for i, mask in enumerate(batch.action_mask)]
            batch = env.step(np.array(actions))
            shown = (batch.current_player, batch.observation, batch.action_mask, batch.rewards, batch.terminated)
            kept.append([array[1:].tolist() for array in shown])
        results.append(kept)
    assert results[0] == results[1]


def test_seat_vector_env_lanes_are_independent(plain_game: Game) -> None:
    results = []
    for first_lane in (0, -1):
        env = edge_envs.seat_vector_env(plain_game.name, num_envs=LANES, **plain_game.params)
        env.reset(seed=SEED)
        kept = []
        for _ in range(30):
            masks = env.action_masks()
            actions = [np.flatnonzero(mask)[first_lane if i == 0 else 0] for i, mask in enumerate(masks)]
            observation, rewards, ended, _, _ = env.step(np.array(actions))
            kept.append([array[1:].tolist() for array in (observation, rewards, ended, env.action_masks())])
        results.append(kept)
    assert results[0] == results[1]


def test_random_numbers_of_agents_do_not_affect_chance(plain_game: Game) -> None:
    """The same actions meet the same chance outcomes whether or not opponents draw random numbers."""

    class Drawing(Sighted):
        def act(self, observations, action_masks, states, players, rng):  # type: ignore[no-untyped-def]
            rng.random(5)
            return super().act(observations, action_masks, states, players, rng)

    games = []
    for opponent in (Sighted(), Drawing()):
        env = edge_envs.seat_env(plain_game.name, opponents=opponent, seat=0, **plain_game.params)
        games.append([seat_game(env, env.reset(seed=SEED)[0])])
        games[-1] += [seat_game(env, env.reset()[0]) for _ in range(GAMES)]
    assert games[0] == games[1]
