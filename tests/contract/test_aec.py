"""The PettingZoo AEC API beyond PettingZoo's own conformance tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import edge_envs
from edge_envs import Game, GameAECEnv, IllegalActionError
from tests.contract.play import chosen, facts, middle

MOST_RESETS = 40


def make(game: Game, **arguments: Any) -> GameAECEnv:
    return edge_envs.aec_env(game.name, **arguments, **game.params)


def play_game(env: GameAECEnv, seed: int, steps: int = 10_000) -> Iterator[str]:
    """Play a game and return `agent_selection` before each step and at the end."""
    env.reset(seed=seed)
    for _ in range(steps):
        yield env.agent_selection
        if any(env.terminations.values()):
            return
        view = env.observe(env.agent_selection)
        env.step(chosen(view["observation"], view["action_mask"]))


def illegal_actions(env: GameAECEnv) -> list[Any]:
    mask = env.observe(env.agent_selection)["action_mask"]
    return [*np.flatnonzero(mask == 0)[:3].tolist(), -1, len(mask), 2**40, None, 0.5, "0"]


def test_agents_are_numbered_players(game: Game) -> None:
    assert make(game).possible_agents == [f"player_{seat}" for seat in range(game.num_players)]


def test_other_agents_have_an_all_zero_mask(game: Game) -> None:
    env = make(game)
    for agent in play_game(env, seed=0):
        over = any(env.terminations.values())
        masks = {name: env.observe(name)["action_mask"].any() for name in env.agents}
        assert masks == {name: name == agent and not over for name in env.agents}


def test_action_mask_matches_state(game: Game) -> None:
    env = make(game)
    for agent in play_game(env, seed=0, steps=30):
        state = env.game_state()
        assert (env.observe(agent)["action_mask"] == state.legal_action_mask()).all()
        assert env.observe(agent)["action_mask"].dtype == np.int8


def test_all_agents_terminate_together(game: Game) -> None:
    env = make(game)
    for _ in play_game(env, seed=0):
        assert env.agents == env.possible_agents
        assert len(set(env.terminations.values())) == 1


def test_games_are_never_truncated(plain_game: Game) -> None:
    env = make(plain_game)
    for _ in play_game(env, seed=0):
        assert not any(env.truncations.values())


def test_each_agent_steps_with_none_once_after_termination(plain_game: Game) -> None:
    env = make(plain_game)
    *_, _ = play_game(env, seed=0)
    totals = dict(env._cumulative_rewards)
    leaving = {}
    while env.agents:
        _, reward, terminated, truncated, _ = env.last()
        assert (terminated, truncated) == (True, False)
        leaving[env.agent_selection] = reward
        env.step(None)
    assert leaving == totals


def test_rewards_and_flags_are_python_types(plain_game: Game) -> None:
    env = make(plain_game)
    for _ in play_game(env, seed=0):
        assert {type(value) for value in env.rewards.values()} == {float}
        assert {type(value) for value in env._cumulative_rewards.values()} == {float}
        assert {type(value) for value in (*env.terminations.values(), *env.truncations.values())} == {bool}


def test_infos_are_empty(plain_game: Game) -> None:
    env = make(plain_game)
    for _ in play_game(env, seed=0, steps=20):
        assert env.infos == {agent: {} for agent in env.agents}


def test_observations_are_new_arrays(plain_game: Game) -> None:
    env = make(plain_game)
    for agent in play_game(env, seed=0, steps=5):
        before = {key: array.copy() for key, array in env.observe(agent).items()}
        for array in env.observe(agent).values():
            array[:] = 7
        assert all((array == before[key]).all() for key, array in env.observe(agent).items())


def test_chance_is_resolved_before_reset_and_step_return(game: Game) -> None:
    env = make(game)
    for _ in play_game(env, seed=0):
        assert not env.game_state().is_chance_node()


def test_illegal_action_raises_and_leaves_env_unchanged(plain_game: Game) -> None:
    env = make(plain_game)
    for agent in play_game(env, seed=0, steps=6):
        if any(env.terminations.values()):
            break
        before = facts(env.game_state()), dict(env.rewards), dict(env._cumulative_rewards), dict(env.terminations)
        for action in illegal_actions(env):
            with pytest.raises(IllegalActionError, match=agent):
                env.step(action)
        after = facts(env.game_state()), dict(env.rewards), dict(env._cumulative_rewards), dict(env.terminations)
        assert (env.agent_selection, after) == (agent, before)


def test_illegal_action_forfeits_the_game(game: Game) -> None:
    env = make(game, illegal_action="forfeit")
    for action in (-1, game.num_distinct_actions, None):
        env.reset(seed=0)
        actor = env.agent_selection
        env.step(action)
        share = -game.min_utility / (game.num_players - 1)
        assert env.rewards == {name: game.min_utility if name == actor else share for name in env.agents}
        assert all(env.terminations.values())
        assert not any(env.truncations.values())


def test_forfeit_after_the_end_is_an_error_and_changes_nothing(plain_game: Game) -> None:
    env = make(plain_game)
    env.reset(seed=0)
    env.forfeit("player_0")
    before = dict(env.rewards), dict(env._cumulative_rewards), env.record()
    with pytest.raises(RuntimeError, match="the game is over: call reset"):
        env.forfeit("player_1")
    assert (dict(env.rewards), dict(env._cumulative_rewards), env.record()) == before
    while env.agents:
        env.step(None)
    calls: list[Callable[[], Any]] = [env.last, lambda: env.step(None), lambda: env.forfeit("player_0")]
    for call in calls:
        with pytest.raises(RuntimeError, match="the game is over: call reset"):
            call()
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"unknown agent 'nobody' .choose from player_0, player_1"):
        env.forfeit("nobody")


def test_before_the_first_reset_there_are_no_agents(plain_game: Game) -> None:
    env = make(plain_game)
    assert (env.agents, env.num_agents) == ([], 0)
    calls: list[Callable[[], Any]] = [env.agent_iter, env.last, lambda: env.step(0), lambda: env.forfeit("player_0")]
    for call in calls:
        with pytest.raises(RuntimeError, match="call reset first"):
            call()


def test_no_action_is_legal_after_a_forfeit(plain_game: Game) -> None:
    env = make(plain_game, illegal_action="forfeit")
    env.reset(seed=0)
    env.step(-1)
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)
    while env.agents:
        env.step(None)


def test_legal_actions_never_forfeit(plain_game: Game) -> None:
    kinds = [list(play_game(make(plain_game, illegal_action=kind), seed=4)) for kind in ("raise", "forfeit")]
    assert kinds[0] == kinds[1]


def test_reset_without_seed_continues_the_random_stream(chance_game: Game) -> None:
    """A few games may be equal by chance, so games are played until one differs from the first."""
    sequences: list[list[Any]] = [[], []]
    envs = make(chance_game), make(chance_game)
    for env in envs:
        env.reset(seed=5)
    while len(sequences[0]) < MOST_RESETS and not any(game != sequences[0][0] for game in sequences[0]):
        for env, sequence in zip(envs, sequences, strict=True):
            env.reset()
            sequence.append(facts(env.game_state()) if chance_starts(chance_game) else list(continue_game(env)))
    assert sequences[0] == sequences[1]
    assert any(game != sequences[0][0] for game in sequences[0])


def chance_starts(game: Game) -> bool:
    return game.new_initial_state(seed=0).is_chance_node()


def continue_game(env: GameAECEnv) -> Iterator[dict[str, Any]]:
    while not any(env.terminations.values()):
        view = env.observe(env.agent_selection)
        env.step(chosen(view["observation"], view["action_mask"]))
        yield env.game_state().to_dict()


def test_unknown_options_are_ignored(plain_game: Game) -> None:
    one, other = make(plain_game), make(plain_game)
    one.reset(seed=0)
    other.reset(seed=0, options={"unheard_of": 1})
    assert facts(one.game_state()) == facts(other.game_state())


def test_reset_during_a_game_starts_a_new_game(plain_game: Game) -> None:
    env, fresh = make(plain_game), make(plain_game)
    list(play_game(env, seed=1, steps=4))
    env.reset(seed=2)
    fresh.reset(seed=2)
    assert facts(env.game_state()) == facts(fresh.game_state())
    assert set(env.rewards.values()) == set(env._cumulative_rewards.values()) == {0.0}


def test_ansi_render_matches_str_of_state(plain_game: Game) -> None:
    env = make(plain_game, render_mode="ansi")
    env.reset(seed=0, options={"position": middle(plain_game).to_dict()})
    assert env.render() == str(env.game_state())


def test_render_without_render_mode_returns_none(plain_game: Game) -> None:
    env = make(plain_game)
    env.reset(seed=0)
    assert env.render() is None


@pytest.mark.parametrize("argument", [{"render_mode": "unheard_of"}, {"illegal_action": "unheard_of"}])
def test_invalid_argument_is_named_in_the_error(plain_game: Game, argument: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="unheard_of"):
        make(plain_game, **argument)
