"""PettingZoo's parallel API: the games of the AEC environment, in which the other agents wait."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

import edge_envs
from edge_envs import Game, GameParallelEnv, IllegalActionError
from tests.contract.play import chosen


def make(game: Game, **arguments: Any) -> GameParallelEnv:
    return edge_envs.parallel_env(game.name, **arguments, **game.params)


def decisions(env: GameParallelEnv, views: dict[str, Any], infos: dict[str, Any]) -> dict[str, int]:
    """Choose a legal action for every agent."""
    return {agent: chosen(views[agent], infos[agent]["action_mask"]) for agent in env.agents}


def test_pettingzoo_parallel_api_test(game: Game) -> None:
    parallel_api_test(make(game, illegal_action="forfeit"), num_cycles=300)


def test_pettingzoo_parallel_seed_test(plain_game: Game) -> None:
    parallel_seed_test(lambda: make(plain_game, illegal_action="forfeit"), num_cycles=50)


def test_parallel_env_plays_the_games_of_the_aec_env(game: Game) -> None:
    aec, env = edge_envs.aec_env(game.name, **game.params), make(game)
    for options in (None, {"position": game.new_initial_state(seed=9).to_dict()}):
        aec.reset(seed=4, options=options)
        views, infos = env.reset(seed=4, options=options)
        while env.agents:
            mover, actions = aec.agent_selection, decisions(env, views, infos)
            assert {agent for agent, action in actions.items() if action != env.wait} == {mover}
            for agent, seen in ((agent, aec.observe(agent)) for agent in env.agents):
                assert np.array_equal(views[agent], seen["observation"])
                assert np.array_equal(infos[agent]["action_mask"][:-1], seen["action_mask"])
                assert infos[agent]["action_mask"][-1] == (agent != mover)
                assert env.observation_space(agent).contains(views[agent])
                assert infos[agent]["action_mask"].shape == (env.action_space(agent).n,)
            assert np.array_equal(env.state(), aec.state())
            assert env.state_space.contains(env.state())
            aec.step(actions[mover])
            views, rewards, terminated, truncated, infos = env.step(actions)
            assert (rewards, terminated) == (aec.rewards, aec.terminations)
            assert not any(truncated.values())
        assert all(terminated.values())
        assert not any(info["action_mask"].any() for info in infos.values())


def test_actions_of_waiting_agents_are_optional(plain_game: Game) -> None:
    whole, short = make(plain_game), make(plain_game)
    views, infos = whole.reset(seed=1)
    short.reset(seed=1)
    for _ in range(20):
        actions = decisions(whole, views, infos)
        views, *_, infos = whole.step(actions)
        short.step({agent: action for agent, action in actions.items() if action != whole.wait})
        assert short.game_state().to_dict() == whole.game_state().to_dict()
        if not whole.agents:
            return


def illegal_joint_actions(env: GameParallelEnv) -> list[tuple[str, dict[str, Any]]]:
    """Return illegal joint actions, each with the agent at fault."""
    _, infos = env._observe_all()
    mover = env.aec.agent_selection
    other = next(agent for agent in env.agents if agent != mover)
    legal = int(np.flatnonzero(infos[mover]["action_mask"])[0])
    illegal = np.flatnonzero(infos[mover]["action_mask"] == 0)[:2].tolist()
    faults = [(mover, {mover: action}) for action in [*illegal, env.wait, env.wait + 1, -1, None, "0", 2**40]]
    return [
        *faults,
        (mover, {}),
        *((other, {mover: legal, other: action}) for action in (legal, env.wait + 1, -1, None, 0.5)),
    ]


def test_illegal_actions_are_rejected_without_effect(game: Game) -> None:
    env = make(game)
    env.reset(seed=2)
    before = env.game_state().to_dict()
    for agent, actions in illegal_joint_actions(env):
        with pytest.raises(IllegalActionError, match=rf"^{agent}: .* \(choose from "):
            env.step(actions)
        assert env.game_state().to_dict() == before
    for unknown in ("player_9", 0, None):
        with pytest.raises(ValueError, match=r"^unknown agent .* \(choose from player_0, player_1"):
            env.step({unknown: 0})  # type: ignore[dict-item]
    no_dicts: tuple[Any, ...] = (None, [], 5)
    for no_dict in no_dicts:
        with pytest.raises(ValueError, match="expected a dict from agents to actions"):
            env.step(no_dict)
    with pytest.raises(ValueError, match="invalid options=5: expected a dict or None"):
        env.reset(options=5)  # type: ignore[arg-type]
    assert env.game_state().to_dict() == before


def test_forfeit_loses_to_all_other_agents(plain_game: Game) -> None:
    env = make(plain_game, illegal_action="forfeit")
    env.reset(seed=2)
    for agent, actions in illegal_joint_actions(env):
        env.reset(seed=2)
        before = env.game_state().to_dict()
        _, rewards, terminated, _, infos = env.step(actions)
        share = -plain_game.min_utility / (plain_game.num_players - 1)
        assert rewards == {one: plain_game.min_utility if one == agent else share for one in env.possible_agents}
        assert all(terminated.values())
        assert not any(info["action_mask"].any() for info in infos.values())
        assert env.game_state().to_dict() == before
        assert env.agents == []


def test_stepping_before_or_after_a_game_raises(plain_game: Game) -> None:
    env = make(plain_game, illegal_action="forfeit")
    with pytest.raises(RuntimeError, match="call reset first"):
        env.step({})
    env.reset(seed=0)
    env.step({})
    with pytest.raises(ValueError, match="the game is over: call reset"):
        env.step({})
    env.close()
    with pytest.raises(RuntimeError, match="closed"):
        env.reset()


def test_copies_continue_equally(plain_game: Game) -> None:
    env = make(plain_game)
    views, infos = env.reset(seed=3)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        actions = decisions(env, views, infos)
        mine, theirs = copy.deepcopy(env).step(actions), other.step(actions)
        assert mine[1:4] == theirs[1:4]
        assert all(np.array_equal(mine[0][agent], theirs[0][agent]) for agent in mine[0])


def test_pettingzoo_make_creates_games_by_id(plain_game: Game) -> None:
    env = pettingzoo.make("parallel", f"edge_envs/{plain_game.name}-v{plain_game.type.version}", **plain_game.params)
    assert isinstance(env, GameParallelEnv)
    assert env.game == plain_game
