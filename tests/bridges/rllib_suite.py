"""The bridge to RLlib: environments agree with `aec_env`, and PPO can train on them. `make rllib` runs these tests.

RLlib requires another version of Gymnasium, so the tests run in their own virtual environment.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import ENV_CREATOR, _global_registry

import edge_envs
from edge_envs import Game, IllegalActionError, ParameterError
from edge_envs.bridges.rllib import GameMultiAgentEnv
from edge_envs.envs.registration import ids_of
from tests.contract.cases import case_name, games, plain_games

pytestmark = pytest.mark.filterwarnings("default")  # RLlib and Ray cause warnings themselves

each_case = pytest.mark.parametrize("game", games(), ids=case_name)
each_game = pytest.mark.parametrize("game", plain_games(), ids=case_name)


@pytest.fixture(scope="module", autouse=True)
def local_ray() -> Iterator[None]:
    ray.init("local", _node_ip_address="127.0.0.1", include_dashboard=False, num_cpus=2, log_to_driver=False)
    yield
    ray.shutdown()


def id_of(game: Game) -> str:
    return f"edge_envs/{game.name}-v{game.type.version}"


def create_env(game_id: str, **config: Any) -> GameMultiAgentEnv:
    """Create an environment as RLlib does, from an id and `env_config`."""
    return _global_registry.get(ENV_CREATOR, game_id)(config)


def masked_ppo(game: Game) -> PPOConfig:
    """Configure PPO with one tiny network for all seats and with action masks."""
    planes = len(game.observation_shape) == 3
    model = {"conv_filters": [[4, 3, 2]]} if planes else {"fcnet_hiddens": [8]}
    return (
        PPOConfig()
        .environment(id_of(game), env_config=dict(game.params), disable_env_checking=True)
        .env_runners(num_env_runners=0)
        .multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, episode, **_: "all")
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=model))
        .training(train_batch_size=64, minibatch_size=32, num_epochs=1)
        .debugging(log_level="ERROR", seed=1)
    )


def test_every_game_and_variant_is_registered() -> None:
    ids = ids_of(edge_envs.GAMES)
    assert id_of(edge_envs.load_game("falling_off")) in ids
    assert all(create_env(game_id).game == edge_envs.load_game(name) for game_id, name in ids.items())


def test_env_config_accepts_the_arguments_of_aec_env() -> None:
    env = create_env("edge_envs/kuhn-v0", num_players=3, render_mode="ansi")
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    env.reset(seed=1)
    assert env.render() == str(env.game_state())
    with pytest.raises(ParameterError, match="invalid num_players=4: expected"):
        create_env("edge_envs/kuhn-v0", num_players=4)


@each_case
def test_only_the_agent_to_act_gets_the_aec_observation(game: Game) -> None:
    """It gets all rewards since its last decision; at the end, all agents do."""
    env, aec = create_env(id_of(game), **game.params), edge_envs.aec_env(game.name, **game.params)
    rng = np.random.default_rng(1)
    assert isinstance(env, MultiAgentEnv)
    aec.reset(seed=1)
    views, infos = env.reset(seed=1)
    planes = len(game.observation_shape) == 3
    assert infos == {}
    earned, received, over = Counter[str](), Counter[str](), False
    while True:
        mover = aec.agent_selection
        assert list(views) == (aec.agents if over else [mover])
        for agent, view in views.items():
            seen = aec.observe(agent)
            same = np.moveaxis(seen["observation"], 0, -1) if planes else seen["observation"]
            assert env.observation_spaces[agent].contains(view)
            assert np.array_equal(view["observations"], same)
            assert np.array_equal(view["action_mask"], seen["action_mask"])
            assert received[agent] == pytest.approx(earned[agent])
        if over:
            break
        action = int(rng.choice(np.nonzero(views[mover]["action_mask"])[0]))
        views, rewards, ended, truncated, infos = env.step({mover: action})
        aec.step(action)
        earned.update(aec.rewards)
        received.update(rewards)
        over = aec.terminations[mover]
        assert rewards.keys() == views.keys()
        assert ended == {**dict.fromkeys(views, over), "__all__": over}
        assert truncated == {**dict.fromkeys(views, False), "__all__": False}
        assert infos == {}
    assert env.agents == []


def test_invalid_actions_have_no_effect() -> None:
    env = create_env("edge_envs/kuhn-v0")
    with pytest.raises(ValueError, match="no game has started: call reset first"):
        env.step({"player_0": 0})
    env.reset(seed=1)
    before = env.game_state().to_dict()
    for actions in ({}, {"player_1": 0}, {"player_0": 0, "player_1": 0}):
        with pytest.raises(ValueError, match="expected an action of player_0 only"):
            env.step(actions)
    with pytest.raises(IllegalActionError, match=r"player_0: action 7 is not legal \(choose from"):
        env.step({"player_0": 7})
    assert env.game_state().to_dict() == before


def test_illegal_action_can_forfeit_the_game() -> None:
    env = create_env("edge_envs/kuhn-v0", illegal_action="forfeit")
    env.reset(seed=1)
    _, rewards, ended, _, _ = env.step({"player_0": 7})
    assert rewards["player_0"] == env.game.min_utility == -rewards["player_1"]
    assert ended["__all__"]


@each_game
def test_ppo_respects_the_masks_and_learns(game: Game) -> None:
    algorithm = masked_ppo(game).build_algo()
    before = algorithm.get_module("all").get_state()
    (episode,) = algorithm.env_runner.sample(num_episodes=1, explore=True)
    for seat in episode.agent_episodes.values():
        seen, actions = seat.get_observations(), seat.get_actions()
        assert len(seen["action_mask"]) == len(actions) + 1
        assert all(mask[action] for mask, action in zip(seen["action_mask"], actions, strict=False))
        assert seat.is_terminated
    algorithm.train()
    after = algorithm.get_module("all").get_state()
    algorithm.stop()
    assert any(not np.array_equal(before[name], after[name]) for name in before)


def test_example_of_the_docs_page_prints_the_documented_output(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs/rllib.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```py\n(.*?)```", page, re.DOTALL)
    (printed,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    exec(compile(code, "docs/rllib.md", "exec"), {"__name__": "block"})
    assert re.sub(r"\d+ games", "games", capsys.readouterr().out) == re.sub(r"\d+ games", "games", printed)


def test_other_processes_create_the_environments() -> None:
    config = masked_ppo(edge_envs.load_game("falling_off", num_players=3)).env_runners(num_env_runners=1)
    algorithm = config.build_algo()
    runners = algorithm.env_runner_group
    agents = runners.foreach_env_runner(
        lambda runner: runner.env.envs[0].unwrapped.possible_agents, local_env_runner=False
    )
    result = algorithm.train()
    algorithm.stop()
    assert agents == [["player_0", "player_1", "player_2"]]
    assert result["env_runners"]["num_env_steps_sampled"] >= 64
