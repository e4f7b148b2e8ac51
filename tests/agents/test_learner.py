"""The learner's policy: what Stable-Baselines3 asks of it, and convolutional runs that are resumed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from agents.policy import PolicyAgent
from agents.ppo.config import TrainingConfig, parse_config
from agents.ppo.model import GamePolicy, make_model, policy_of
from agents.ppo.training import Opponents, Run, train
from edge_envs import sb3_vec_env

NETWORKS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "perceptron": ({"game": "falling_off"}, {"features": "falling_off", "hidden": [8]}),
    "convolutional": (
        {"game": "beyond_maps", "params": {"size": 5, "max_turns": 20}},
        {"kind": "convolutional", "features": "beyond_maps", "channels": 4, "blocks": 1, "hint_weight": 1.0},
    ),
}
each_network = pytest.mark.parametrize("kind", NETWORKS)
ROLLOUT = 16 * 8


def config_of(kind: str, **changes: Any) -> TrainingConfig:
    """Of a run of two short rollouts, with a checkpoint and an evaluation after each."""
    game, network = NETWORKS[kind]
    return parse_config(
        {
            **game,
            "total_steps": 2 * ROLLOUT,
            "num_envs": 16,
            "opponents": {"random": 0.5, "snapshots": 0.5},
            "snapshots": {"every": ROLLOUT, "keep": 2},
            "network": network,
            "ppo": {"steps_per_rollout": 8, "batch_size": 64, "epochs": 1, "learning_rate": 0.001},
            "evaluation": {"every": ROLLOUT, "games": 4, "against": ["random"]},
            "checkpoint_every": ROLLOUT,
            **changes,
        },
        kind,
    )


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Training sets how many threads torch has."""
    threads = torch.get_num_threads()
    yield
    torch.set_num_threads(threads)


def fresh(kind: str) -> tuple[MaskablePPO, Any, TrainingConfig]:
    config = config_of(kind)
    env = sb3_vec_env(config.game, num_envs=16, **config.params)
    return make_model(config, env), env, config


def policy(model: MaskablePPO) -> GamePolicy:
    assert isinstance(model.policy, GamePolicy)
    return model.policy


@each_network
def test_acting_and_learning_see_the_same_policy(kind: str) -> None:
    model, env, _ = fresh(kind)
    observations, masks = torch.from_numpy(env.reset()), env.action_masks()
    with torch.no_grad():
        actions, values, log_probs = policy(model)(observations, action_masks=masks)
        learned = policy(model).evaluate_actions(observations, actions, torch.from_numpy(masks))
    assert actions.shape == values.shape == log_probs.shape == learned[2].shape == (16,)
    assert masks[np.arange(16), actions.numpy()].all()
    torch.testing.assert_close(learned[0], values)
    torch.testing.assert_close(learned[1], log_probs)
    torch.testing.assert_close(policy(model).predict_values(observations), values)
    best, _ = model.predict(observations.numpy(), action_masks=masks, deterministic=True)
    assert masks[np.arange(16), best].all()


@each_network
def test_the_policy_taken_out_plays_as_the_learner_and_stays_as_it_is(kind: str) -> None:
    model, env, config = fresh(kind)
    observations, masks = env.reset(), env.action_masks()
    agent = policy_of(model, config, env.game)
    asked = (observations, masks, None, np.zeros(16, np.int64), np.random.default_rng(0))
    before = agent.act(*asked)
    assert np.array_equal(before, model.predict(observations, action_masks=masks, deterministic=True)[0])
    with torch.no_grad():
        for weights in policy(model).parameters():
            weights.fill_(7.0)
    assert np.array_equal(agent.act(*asked), before)


@each_network
def test_the_network_is_given_the_observations_themselves(kind: str) -> None:
    model, env, _ = fresh(kind)
    seen: list[torch.Tensor] = []
    features: Any = policy(model).actor.features
    features.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    policy(model)(torch.from_numpy(env.reset()), action_masks=env.action_masks())
    assert [observations.dtype for observations in seen] == [torch.int8]


@each_network
def test_everything_that_learns_is_actor_or_critic(kind: str) -> None:
    model, _, _ = fresh(kind)
    names = {name.split(".")[0] for name, _ in policy(model).named_parameters()}
    assert names == {"actor", "critic"}
    learned = sum(len(group["params"]) for group in policy(model).optimizer.param_groups)
    assert learned == len(list(policy(model).parameters()))


@each_network
def test_a_resumed_run_has_the_weights_and_the_optimiser_that_it_had(kind: str, tmp_path: Path) -> None:
    run, config = Run(tmp_path / "run"), config_of(kind)
    run.start(config)
    train(config, run)
    opponents = Opponents(config)
    env = sb3_vec_env(config.game, num_envs=config.num_envs, opponents=opponents.mix, **config.params)
    model = run.load_checkpoint(env, opponents)
    assert model is not None
    assert model.num_timesteps == config.total_steps
    exported = PolicyAgent.load(run.policy).network.state_dict()
    for name, weights in policy(model).actor.state_dict().items():
        assert torch.equal(weights, exported[name]), name
    state = policy(model).optimizer.state_dict()["state"]
    assert len(state) == len(list(policy(model).parameters()))
    assert {int(entry["step"]) for entry in state.values()} == {2 * ROLLOUT // 64}

    longer = config_of(kind, total_steps=3 * ROLLOUT)
    train(longer, run, resume=True)
    again = run.load_checkpoint(env, opponents)
    assert again is not None
    assert again.num_timesteps == 3 * ROLLOUT
    assert not torch.equal(*(next(policy(one).critic.parameters()) for one in (model, again)))
