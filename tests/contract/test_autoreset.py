"""Autoreset of seat vector environments in each of Gymnasium's modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import edge_envs
from edge_envs import Game, IllegalActionError, SeatVectorEnv
from tests.contract.play import Array, Sighted, chosen, facts
from tests.contract.traces import Step, learners, seat_vector_games, step_of

LANES = 3
GAMES = 2


def make(game: Game, mode: AutoresetMode | str, **arguments: Any) -> SeatVectorEnv:
    arguments = {"opponents": Sighted(), **arguments}
    return edge_envs.seat_vector_env(game.name, num_envs=LANES, autoreset_mode=mode, **arguments, **game.params)


def choose(observation: Any, env: SeatVectorEnv) -> Array:
    """Choose legal actions; 0 where a game has ended."""
    views = zip(observation, env.action_masks(), strict=True)
    return np.array([chosen(*view) if view[1].any() else 0 for view in views])


def until_one_ends(env: SeatVectorEnv, observation: Any) -> tuple[Any, Array]:
    """Step until some but not all lanes have ended; return the last observation and the lanes."""
    for _ in range(100_000):
        observation, _, ended, _, _ = env.step(choose(observation, env))
        if ended.any():
            return observation, ended
    raise AssertionError("no game ended")


def games_in(game: Game, mode: AutoresetMode) -> list[list[list[Step]]]:
    """Return the first games of each lane as the learner observes them in this mode."""
    env = make(game, mode)
    observation: Any = env.reset(seed=0)[0]
    lanes: list[list[list[Step]]] = [[[]] for _ in range(LANES)]
    waiting = np.zeros(LANES, np.bool_)
    while min(map(len, lanes)) <= GAMES:
        if mode is AutoresetMode.DISABLED and waiting.any():
            observation, _ = env.reset(options={"reset_mask": waiting})
            waiting[:] = False
        seats, masks, actions = learners(env), env.action_masks(), choose(observation, env)
        following, rewards, ended, _, _ = env.step(actions)
        for lane in np.flatnonzero(~waiting):
            step = step_of(
                int(seats[lane]), observation[lane], masks[lane], int(actions[lane]), rewards[lane], ended[lane]
            )
            lanes[lane][-1].append(step)
            if ended[lane]:
                lanes[lane].append([])
        observation, waiting = following, ended
    return [games[:GAMES] for games in lanes]


def test_games_are_the_same_in_every_mode(game: Game) -> None:
    env = make(game, AutoresetMode.SAME_STEP)
    expected = seat_vector_games(env, env.reset(seed=0)[0], GAMES)
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED):
        assert games_in(game, mode) == expected


def test_mode_is_in_the_metadata(plain_game: Game) -> None:
    for mode in AutoresetMode:
        assert make(plain_game, mode).metadata["autoreset_mode"] is mode
        assert make(plain_game, mode.value).metadata["autoreset_mode"] is mode


def test_mode_is_an_attribute_for_torchrl(plain_game: Game) -> None:
    for mode in AutoresetMode:
        assert make(plain_game, mode).autoreset_mode is mode


def test_default_mode_is_same_step(plain_game: Game) -> None:
    env = edge_envs.seat_vector_env(plain_game.name, num_envs=1, **plain_game.params)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


def test_same_step_mode_puts_the_final_observation_into_infos(game: Game) -> None:
    env, apart = make(game, AutoresetMode.SAME_STEP), make(game, AutoresetMode.NEXT_STEP)
    observation: Any = env.reset(seed=0)[0]
    apart.reset(seed=0)
    ended = np.zeros(LANES, np.bool_)
    while not ended.any():
        actions = choose(observation, env)
        observation, rewards, ended, truncated, infos = env.step(actions)
        others = apart.step(actions)
        assert (rewards == others[1]).all()
        assert (ended == others[2]).all()
        assert not truncated.any()
        assert ("final_obs" in infos) == ended.any()
    assert set(infos) == {f"{mask}{key}" for key in ("action_mask", "final_obs", "final_info") for mask in ("", "_")}
    assert (infos["_final_obs"] == ended).all()
    assert (infos["_final_info"] == ended).all()
    assert not infos["final_info"]["action_mask"].any()
    assert (infos["action_mask"] == env.action_masks()).all()
    for lane in range(LANES):
        if ended[lane]:
            assert (infos["final_obs"][lane] == others[0][lane]).all()
        else:
            assert infos["final_obs"][lane] is None
    assert env.action_masks().any(axis=1).all()


def test_next_step_mode_resets_and_ignores_the_action(plain_game: Game) -> None:
    env = make(plain_game, AutoresetMode.NEXT_STEP)
    observation, ended = until_one_ends(env, env.reset(seed=0)[0])
    assert (env.action_masks().any(axis=1) == ~ended).all()
    actions = choose(observation, env)
    actions[ended] = -1
    observation, rewards, again, _, _ = env.step(actions)
    assert not again[ended].any()
    assert not rewards[ended].any()
    assert env.action_masks()[ended].any(axis=1).all()
    for lane in np.flatnonzero(ended).tolist():
        assert (env.game_state(lane).observation_tensor(int(learners(env)[lane])) == observation[lane]).all()


def test_disabled_mode_rejects_steps_after_the_end(plain_game: Game) -> None:
    env = make(plain_game, AutoresetMode.DISABLED)
    observation, ended = until_one_ends(env, env.reset(seed=0)[0])
    before = [facts(env.game_state(lane)) for lane in range(LANES)]
    with pytest.raises(RuntimeError, match="reset"):
        env.step(choose(observation, env))
    assert [facts(env.game_state(lane)) for lane in range(LANES)] == before
    assert ended.any()


def test_reset_mask_resets_only_its_lanes(plain_game: Game) -> None:
    env = make(plain_game, AutoresetMode.DISABLED)
    observation, ended = until_one_ends(env, env.reset(seed=0)[0])
    before = [facts(env.game_state(lane)) for lane in range(LANES)]
    after, _ = env.reset(options={"reset_mask": ended})
    for lane in np.flatnonzero(~ended).tolist():
        assert facts(env.game_state(lane)) == before[lane]
        assert (after[lane] == observation[lane]).all()
    assert env.action_masks().any(axis=1).all()


def test_reset_mask_with_seed_seeds_only_its_lanes(plain_game: Game) -> None:
    mask = np.array([False, True, False])
    env, fresh = make(plain_game, AutoresetMode.DISABLED), make(plain_game, AutoresetMode.DISABLED)
    env.reset(seed=0)
    before = [facts(env.game_state(lane)) for lane in range(LANES)]
    env.reset(seed=40, options={"reset_mask": mask})
    fresh.reset(seed=40)
    after = [facts(env.game_state(lane)) for lane in range(LANES)]
    assert after == [before[0], facts(fresh.game_state(1)), before[2]]


def test_reset_mask_with_seed_leaves_the_generator_of_opponents() -> None:
    """All lanes share it, so a seed for some lanes would change the games of the others."""

    def observed(seed: int) -> list[Any]:
        env = edge_envs.seat_vector_env(
            "tic_tac_toe", num_envs=LANES, opponents=Uniform(), autoreset_mode="Disabled", seat=0
        )
        env.reset(seed=1)
        env.reset(seed=seed, options={"reset_mask": np.array([True, False, False])})
        observation: Any = env.step(env.action_masks().argmax(axis=1))[0]
        return observation[1:].tolist()

    assert observed(5) == observed(6)


class Uniform:
    """An opponent that draws with the generator of the environment."""

    def act(self, observations: Array, masks: Array, states: Any, players: Array, rng: np.random.Generator) -> Array:
        """Return random legal actions."""
        return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


@pytest.mark.parametrize("mask", [[True], [True, False, 1], [False] * LANES, [[True] * LANES], "no"])
def test_invalid_reset_masks_are_rejected(plain_game: Game, mask: Any) -> None:
    env = make(plain_game, AutoresetMode.DISABLED)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": mask})


def test_illegal_action_names_its_lane_and_leaves_env_unchanged(plain_game: Game) -> None:
    for mode in AutoresetMode:
        env = make(plain_game, mode)
        observation: Any = env.reset(seed=0)[0]
        before = [facts(env.game_state(lane)) for lane in range(LANES)], env.action_masks().tolist()
        for lane in range(LANES):
            actions = choose(observation, env)
            actions[lane] = -1
            with pytest.raises(IllegalActionError, match=f"lane {lane}: action -1"):
                env.step(actions)
        assert ([facts(env.game_state(lane)) for lane in range(LANES)], env.action_masks().tolist()) == before


def test_forfeit_ends_the_game_of_its_lane(game: Game) -> None:
    for mode in AutoresetMode:
        env = make(game, mode, illegal_action="forfeit")
        observation: Any = env.reset(seed=0)[0]
        actions = np.array([-1, *choose(observation, env)[1:]])
        following, rewards, ended, _, infos = env.step(actions)
        assert (rewards[0], ended[0]) == (game.min_utility, True)
        final = infos["final_obs"][0] if mode is AutoresetMode.SAME_STEP else following[0]
        assert (final == observation[0]).all()


def test_reset_and_step_return_new_arrays(plain_game: Game) -> None:
    for mode in AutoresetMode:
        one, other = make(plain_game, mode), make(plain_game, mode)
        first: Any = one.reset(seed=0)[0]
        other.reset(seed=0)
        before, actions = first.copy(), choose(first, one)
        results = one.step(actions)
        assert (first == before).all()
        for array in (first, *results[:4], one.action_masks()):
            array[:] = 0
        other.step(actions)
        assert (one.action_masks() == other.action_masks()).all()
        assert [facts(one.game_state(i)) for i in range(LANES)] == [facts(other.game_state(i)) for i in range(LANES)]


def test_spaces_are_batched_single_env_spaces(plain_game: Game) -> None:
    env = make(plain_game, AutoresetMode.SAME_STEP)
    single = edge_envs.seat_env(plain_game.name, **plain_game.params)
    assert env.single_observation_space == single.observation_space
    assert env.single_action_space == single.action_space
    observation, _ = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    assert env.action_space.contains(choose(observation, env))
